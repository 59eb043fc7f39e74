// java -cp gson.jar Check.java vectors.json
import com.google.gson.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class Check {
    /** Gets the gain at every rank (0: not relevant), the gains of all relevant items, and k. */
    interface Metric { double of(double[] gains, double[] relevant, int k); }

    static long count(double[] gains, int depth) { return Arrays.stream(gains).limit(depth).filter(gain -> gain > 0).count(); }

    static double dcg(double[] gains, int k) {
        return IntStream.range(0, Math.min(k, gains.length)).filter(at -> gains[at] > 0).mapToDouble(at -> Math.log(2) / Math.log(at + 2)).sum();
    }

    static double averagePrecision(double[] gains, double[] relevant, int k) {
        double sum = IntStream.rangeClosed(1, Math.min(k, gains.length)).filter(rank -> gains[rank - 1] > 0)
            .mapToDouble(rank -> (double) count(gains, rank) / rank).sum();
        return sum / Math.min(k, relevant.length);
    }

    static final Map<String, Metric> METRICS = Map.of(
        "precision(divide_by=k)", (gains, relevant, k) -> (double) count(gains, k) / k,
        "average_precision(divide_by=min_k_relevant)", Check::averagePrecision,
        "ndcg(gain=binary)", (gains, relevant, k) -> dcg(gains, k) / dcg(relevant, k));

    static OptionalDouble ofUser(JsonObject user, Metric metric, int k, double threshold, String norel, String nolist) {
        Map<String, Double> gains = new LinkedHashMap<>();
        for (JsonElement pair : user.getAsJsonArray("relevant")) {
            double gain = pair.getAsJsonArray().get(1).getAsDouble();
            if (gain >= threshold) gains.put(pair.getAsJsonArray().get(0).getAsString(), gain);
        }
        JsonArray list = user.getAsJsonArray("list");
        String edge = gains.isEmpty() ? norel : list.isEmpty() ? nolist : null;
        if (edge != null) return edge.equals("skip") ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(edge));
        double[] ranks = new double[list.size()];
        for (int at = 0; at < ranks.length; at++) ranks[at] = gains.getOrDefault(list.get(at).getAsString(), 0.0);
        return OptionalDouble.of(metric.of(ranks, gains.values().stream().mapToDouble(gain -> gain).toArray(), k));
    }

    static String under(JsonObject example, String part, String usual) {
        JsonObject under = example.getAsJsonObject("under");
        return under != null && under.has(part) ? under.get(part).getAsString() : usual;
    }

    public static void main(String[] arguments) throws Exception {
        JsonObject page = JsonParser.parseString(Files.readString(Path.of(arguments[0]))).getAsJsonObject();
        JsonArray definitions = page.getAsJsonArray("definitions");
        int right = 0, wrong = 0, skipped = 0;
        for (JsonElement element : page.getAsJsonArray("cases")) {
            JsonObject example = element.getAsJsonObject();
            if (!under(example, "dup", "counted").equals("counted") || !under(example, "ties", "input").equals("input")) { skipped++; continue; }
            for (int index = 0; index < definitions.size(); index++) {
                String name = definitions.get(index).getAsJsonObject().get("name").getAsString();
                Metric metric = METRICS.get(name);
                if (metric == null) continue;
                List<Double> values = new ArrayList<>();
                for (JsonElement user : example.getAsJsonArray("users"))
                    ofUser(user.getAsJsonObject(), metric, example.get("k").getAsInt(), example.get("threshold").getAsDouble(),
                        under(example, "norel", "skip"), under(example, "nolist", "0")).ifPresent(values::add);
                double value = values.stream().mapToDouble(one -> one).sum() / values.size();
                JsonArray expected = example.getAsJsonArray("values").get(index).getAsJsonArray();
                if (Math.abs(value - expected.get(1).getAsDouble()) <= page.get("tolerance").getAsDouble()) { right++; continue; }
                wrong++;
                System.out.println(example.get("name").getAsString() + ": " + name + " is " + expected.get(0).getAsString() + ", not " + value);
            }
        }
        System.out.println(right + " right, " + wrong + " wrong, " + skipped + " cases skipped: duplicates and ties");
        System.exit(wrong > 0 ? 1 : 0);
    }
}
