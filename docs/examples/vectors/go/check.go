// go run check.go vectors.json
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// A user's value of each metric, from the list of ids and the gain of each relevant item.
func metrics(list []any, gains map[any]float64, k float64) map[string]float64 {
	hits, precisions, dcg, ideal := 0.0, 0.0, 0.0, 0.0
	for rank := 1; rank <= int(k); rank++ {
		discount := 1 / math.Log2(float64(rank+1))
		if rank <= len(list) && gains[list[rank-1]] > 0 {
			hits, dcg = hits+1, dcg+discount
			precisions += hits / float64(rank)
		}
		if rank <= len(gains) {
			ideal += discount
		}
	}
	return map[string]float64{
		"precision(divide_by=k)":                      hits / k,
		"average_precision(divide_by=min_k_relevant)": precisions / math.Min(k, float64(len(gains))),
		"ndcg(gain=binary)":                           dcg / ideal,
	}
}

func get[T any](object any, name string) T { return object.(map[string]any)[name].(T) }

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var page any
	if err := json.Unmarshal(text, &page); err != nil {
		panic(err)
	}
	checked, wrong := 0, 0
	for _, one := range get[[]any](page, "cases") {
		total, users := map[string]float64{}, 0.0
		for _, user := range get[[]any](one, "users") {
			gains := map[any]float64{}
			for _, pair := range get[[]any](user, "relevant") {
				if gain := pair.([]any)[1].(float64); gain >= get[float64](one, "threshold") {
					gains[pair.([]any)[0]] = gain
				}
			}
			if len(gains) > 0 && one.(map[string]any)["under"] == nil { // else not in the mean, or a special edge
				for name, value := range metrics(get[[]any](user, "list"), gains, get[float64](one, "k")) {
					total[name] += value
				}
				users++
			}
		}
		checked += len(total)
		for index, definition := range get[[]any](page, "definitions") {
			name, pair := get[string](definition, "name"), get[[]any](one, "values")[index]
			sum, known := total[name]
			if known && !(math.Abs(sum/users-pair.([]any)[1].(float64)) <= get[float64](page, "tolerance")) {
				fmt.Printf("%s: %s is %s, not %v\n", get[string](one, "name"), name, pair.([]any)[0], sum/users)
				wrong++
			}
		}
	}
	fmt.Printf("%d right, %d wrong; other definitions and cases with special edges are skipped\n", checked-wrong, wrong)
	os.Exit(int(math.Min(float64(wrong), 1)))
}
