// go run check.go vectors.json
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// Adds a user's value of each metric to the totals, from the list of ids, which ids are relevant, and k.
func add(total map[string]float64, list []any, relevant map[any]bool, k int) {
	hits, precisions, dcg, ideal, most := 0.0, 0.0, 0.0, 0.0, math.Min(float64(k), float64(len(relevant)))
	for rank := 1; rank <= k; rank++ {
		if rank <= len(list) && relevant[list[rank-1]] {
			hits, dcg = hits+1, dcg+1/math.Log2(float64(rank+1))
			precisions += hits / float64(rank)
		}
	}
	for rank := 1.0; rank <= most; rank++ {
		ideal += 1 / math.Log2(rank+1)
	}
	total["precision(divide_by=k)"] += hits / float64(k)
	total["average_precision(divide_by=min_k_relevant)"] += precisions / most
	total["ndcg(gain=binary)"] += dcg / ideal
}

func get[T any](object any, name string) T { return object.(map[string]any)[name].(T) }

func main() {
	var page any
	if text, _ := os.ReadFile(os.Args[1]); json.Unmarshal(text, &page) != nil {
		panic(os.Args[1] + " is no JSON")
	}
	checked, wrong, tolerance := 0, 0, get[float64](page, "tolerance")
	for _, one := range get[[]any](page, "cases") {
		total, users := map[string]float64{}, 0.0
		for _, user := range get[[]any](one, "users") {
			relevant := map[any]bool{}
			for _, pair := range get[[]any](user, "relevant") {
				if pair.([]any)[1].(float64) >= get[float64](one, "threshold") {
					relevant[pair.([]any)[0]] = true
				}
			}
			if len(relevant) > 0 && one.(map[string]any)["under"] == nil { // else not in the mean, or a special edge
				add(total, get[[]any](user, "list"), relevant, int(get[float64](one, "k")))
				users++
			}
		}
		checked += len(total)
		for index, definition := range get[[]any](page, "definitions") {
			name, pair := get[string](definition, "name"), get[[]any](one, "values")[index]
			if sum, known := total[name]; known && !(math.Abs(sum/users-pair.([]any)[1].(float64)) <= tolerance) {
				fmt.Printf("%s: %s is %s, not %v\n", get[string](one, "name"), name, pair.([]any)[0], sum/users)
				wrong++
			}
		}
	}
	fmt.Printf("%d right, %d wrong; other definitions and cases with special edges are skipped\n", checked-wrong, wrong)
	os.Exit(int(math.Min(float64(wrong), 1)))
}
