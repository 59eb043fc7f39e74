// go run check.go vectors.json
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// The number at each rank that hits, summed up to a depth.
func sum(gains []float64, depth int, of func(rank int) float64) (total float64) {
	for at, gain := range gains {
		if at < depth && gain > 0 {
			total += of(at + 1)
		}
	}
	return total
}

func one(int) float64           { return 1 }
func discount(rank int) float64 { return 1 / math.Log2(float64(rank+1)) }

// Each metric gets the gain at every rank (0: not relevant), the gains of all relevant items, and k.
var metrics = map[string]func(gains, relevant []float64, k int) float64{
	"precision(divide_by=k)": func(gains, relevant []float64, k int) float64 { return sum(gains, k, one) / float64(k) },
	"average_precision(divide_by=min_k_relevant)": func(gains, relevant []float64, k int) float64 {
		precision := func(rank int) float64 { return sum(gains, rank, one) / float64(rank) }
		return sum(gains, k, precision) / math.Min(float64(k), float64(len(relevant)))
	},
	"ndcg(gain=binary)": func(gains, relevant []float64, k int) float64 {
		return sum(gains, k, discount) / sum(relevant, k, discount)
	},
}

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var page struct {
		Tolerance   float64
		Definitions []struct{ Name string }
		Cases       []struct {
			Name      string
			K         int
			Threshold float64
			Under     map[string]string
			Users     []struct {
				List     []any
				Relevant [][]any
			}
			Values [][]any
		}
	}
	if err := json.Unmarshal(text, &page); err != nil {
		panic(err)
	}
	right, wrong, skipped := 0, 0, 0
	for _, example := range page.Cases {
		if example.Under != nil { // users without relevant items leave the mean, one without a list has 0
			skipped++
			continue
		}
		for index, definition := range page.Definitions {
			total, users, metric := 0.0, 0.0, metrics[definition.Name]
			for _, user := range example.Users {
				of, gains, relevant := map[any]float64{}, []float64{}, []float64{}
				for _, pair := range user.Relevant {
					if gain := pair[1].(float64); gain >= example.Threshold {
						of[pair[0]], relevant = gain, append(relevant, gain)
					}
				}
				for _, id := range user.List {
					gains = append(gains, of[id])
				}
				if metric != nil && len(relevant) > 0 {
					total, users = total+metric(gains, relevant, example.K), users+1
				}
			}
			if expected := example.Values[index]; metric == nil {
				continue
			} else if math.Abs(total/users-expected[1].(float64)) <= page.Tolerance {
				right++
			} else {
				wrong++
				fmt.Printf("%s: %s is %s, not %v\n", example.Name, definition.Name, expected[0], total/users)
			}
		}
	}
	fmt.Printf("%d right, %d wrong, %d cases skipped: special edges\n", right, wrong, skipped)
	if wrong > 0 {
		os.Exit(1)
	}
}
