// java -cp gson.jar Check.java vectors.json
import com.google.gson.Gson;
import java.io.FileReader;
import java.util.*;
import java.util.stream.*;

public class Check {
    /** Gets the gain at every rank (0: not relevant), the gains of all relevant items, and k. */
    interface Metric { double of(List<Double> gains, List<Double> relevant, int k); }
    static final Map<String, Metric> METRICS = Map.of(
        "precision(divide_by=k)", (gains, relevant, k) -> (double) hits(gains, k).count() / k,
        "average_precision(divide_by=min_k_relevant)", (gains, relevant, k) -> hits(gains, k).mapToDouble(
            rank -> (double) hits(gains, rank).count() / rank).sum() / Math.min(k, relevant.size()),
        "ndcg(gain=binary)", (gains, relevant, k) -> dcg(gains, k) / dcg(relevant, k));

    static IntStream hits(List<Double> gains, int k) {
        return IntStream.rangeClosed(1, Math.min(k, gains.size())).filter(rank -> gains.get(rank - 1) > 0);
    }
    static double dcg(List<Double> of, int k) { return hits(of, k).mapToDouble(rank -> 1 / Math.log1p(rank)).sum(); }
    record User(List<Object> list, List<Object[]> relevant) {}
    record Case(String name, int k, double threshold, Object under, List<User> users, List<Object[]> values) {}
    record Definition(String name) {}
    record Page(double tolerance, List<Definition> definitions, List<Case> cases) {}

    public static void main(String[] arguments) throws Exception {
        Page page = new Gson().fromJson(new FileReader(arguments[0]), Page.class);
        List<Case> cases = page.cases.stream().filter(one -> one.under == null).toList(); // those without special edges
        List<String> wrong = new ArrayList<>();
        for (Case one : cases) METRICS.forEach((name, metric) -> {
            double value = one.users.stream().flatMapToDouble(user -> {
                Map<Object, Double> of = new HashMap<>();
                for (var pair : user.relevant) if ((double) pair[1] >= one.threshold) of.put(pair[0], (double) pair[1]);
                var gains = user.list.stream().map(id -> of.getOrDefault(id, 0.0)).toList();
                return of.isEmpty() ? null : DoubleStream.of(metric.of(gains, List.copyOf(of.values()), one.k));
            }).average().orElseThrow(); // users without relevant items are not in the mean
            Object[] expected = one.values.get(page.definitions.indexOf(new Definition(name)));
            if (!(Math.abs(value - (double) expected[1]) <= page.tolerance))
                wrong.add(one.name + ": " + name + " is " + expected[0] + ", not " + value);
        });
        wrong.forEach(System.out::println);
        System.out.printf("%d right, %d wrong; other definitions and cases with special edges are skipped%n",
            cases.size() * METRICS.size() - wrong.size(), wrong.size());
        System.exit(Math.min(wrong.size(), 1));
    }
}
