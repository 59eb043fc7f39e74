// java -cp gson.jar Check.java vectors.json
import com.google.gson.*;
import java.nio.file.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Check {
    /** Gets the gain at every rank (0: not relevant), the gains of all relevant items, and k. */
    interface Metric { double of(double[] gains, double[] relevant, int k); }

    /** The number at each rank that hits, summed up to a depth. */
    static double sum(double[] gains, int depth, IntToDoubleFunction of) {
        return IntStream.rangeClosed(1, Math.min(depth, gains.length)).filter(rank -> gains[rank - 1] > 0).mapToDouble(of).sum();
    }

    static double dcg(double[] gains, int k) { return sum(gains, k, rank -> Math.log(2) / Math.log(rank + 1)); }

    static final Map<String, Metric> METRICS = Map.of(
        "precision(divide_by=k)", (gains, relevant, k) -> sum(gains, k, rank -> 1) / k,
        "average_precision(divide_by=min_k_relevant)", (gains, relevant, k) ->
            sum(gains, k, rank -> sum(gains, rank, one -> 1) / rank) / Math.min(k, relevant.length),
        "ndcg(gain=binary)", (gains, relevant, k) -> dcg(gains, k) / dcg(relevant, k));

    record User(List<Object> list, List<List<Object>> relevant) {}
    record Case(String name, int k, double threshold, Map<String, String> under, List<User> users, List<List<Object>> values) {}
    record Page(double tolerance, List<Map<String, String>> definitions, List<Case> cases) {}

    static double[] numbers(Stream<Double> values) { return values.mapToDouble(one -> one).toArray(); }

    public static void main(String[] arguments) throws Exception {
        Page page = new Gson().fromJson(Files.readString(Path.of(arguments[0])), Page.class);
        int right = 0, wrong = 0, skipped = 0;
        for (Case example : page.cases) {
            if (example.under != null) { skipped++; continue; } // users without relevant items leave the mean, one without a list has 0
            for (int index = 0; index < page.definitions.size(); index++) {
                String name = page.definitions.get(index).get("name");
                if (!METRICS.containsKey(name)) continue;
                List<Double> values = new ArrayList<>();
                for (User user : example.users) {
                    Map<Object, Double> gains = new LinkedHashMap<>();
                    user.relevant.forEach(pair -> { if ((double) pair.get(1) >= example.threshold) gains.put(pair.get(0), (double) pair.get(1)); });
                    double[] ranks = numbers(user.list.stream().map(id -> gains.getOrDefault(id, 0.0)));
                    if (!gains.isEmpty()) values.add(METRICS.get(name).of(ranks, numbers(gains.values().stream()), example.k));
                }
                double value = Arrays.stream(numbers(values.stream())).average().getAsDouble();
                List<Object> expected = example.values.get(index);
                if (Math.abs(value - (double) expected.get(1)) <= page.tolerance) { right++; continue; }
                wrong++;
                System.out.println(example.name + ": " + name + " is " + expected.get(0) + ", not " + value);
            }
        }
        System.out.println(right + " right, " + wrong + " wrong, " + skipped + " cases skipped: special edges");
        System.exit(Math.min(wrong, 1));
    }
}
