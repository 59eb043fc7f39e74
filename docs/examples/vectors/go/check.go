// go run check.go vectors.json
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
)

// A metric gets the gain at every rank (0: not relevant), the gains of all relevant items, and k.
type metric func(gains, relevant []float64, k int) float64

func count(gains []float64, depth int) (found float64) {
	for at := 0; at < depth && at < len(gains); at++ {
		if gains[at] > 0 {
			found++
		}
	}
	return found
}

func dcg(gains []float64, k int) (sum float64) {
	for at := 0; at < k && at < len(gains); at++ {
		if gains[at] > 0 {
			sum += 1 / math.Log2(float64(at+2))
		}
	}
	return sum
}

var metrics = map[string]metric{
	"precision(divide_by=k)": func(gains, relevant []float64, k int) float64 { return count(gains, k) / float64(k) },
	"average_precision(divide_by=min_k_relevant)": func(gains, relevant []float64, k int) (sum float64) {
		for rank := 1; rank <= k && rank <= len(gains); rank++ {
			if gains[rank-1] > 0 {
				sum += count(gains, rank) / float64(rank)
			}
		}
		return sum / math.Min(float64(k), float64(len(relevant)))
	},
	"ndcg(gain=binary)": func(gains, relevant []float64, k int) float64 { return dcg(gains, k) / dcg(relevant, k) },
}

type page struct {
	Tolerance   float64
	Definitions []struct{ Name string }
	Cases       []struct {
		Name      string
		K         int
		Threshold float64
		Under     map[string]string
		Users     []struct {
			List     []json.RawMessage
			Relevant [][2]json.RawMessage
		}
		Values [][2]json.RawMessage
	}
}

func number(text []byte) float64 {
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var all page
	if err := json.Unmarshal(text, &all); err != nil {
		panic(err)
	}
	right, wrong, skipped := 0, 0, 0
	for _, example := range all.Cases {
		under := map[string]string{"norel": "skip", "nolist": "0", "dup": "counted", "ties": "input"}
		for part, word := range example.Under {
			under[part] = word
		}
		if under["dup"] != "counted" || under["ties"] != "input" {
			skipped++
			continue
		}
		for index, definition := range all.Definitions {
			value, known := metrics[definition.Name]
			if !known {
				continue
			}
			sum, users := 0.0, 0.0
			for _, user := range example.Users {
				gains, relevant, ranks := map[string]float64{}, []float64{}, []float64{}
				for _, pair := range user.Relevant {
					if gain := number(pair[1]); gain >= example.Threshold {
						gains[string(pair[0])] = gain
						relevant = append(relevant, gain)
					}
				}
				for _, id := range user.List {
					ranks = append(ranks, gains[string(id)])
				}
				edge := ""
				if len(relevant) == 0 {
					edge = under["norel"]
				} else if len(ranks) == 0 {
					edge = under["nolist"]
				}
				switch edge {
				case "skip":
				case "":
					sum, users = sum+value(ranks, relevant, example.K), users+1
				default:
					sum, users = sum+number([]byte(edge)), users+1
				}
			}
			if math.Abs(sum/users-number(example.Values[index][1])) <= all.Tolerance {
				right++
				continue
			}
			wrong++
			fmt.Printf("%s: %s is %s, not %v\n", example.Name, definition.Name, example.Values[index][0], sum/users)
		}
	}
	fmt.Printf("%d right, %d wrong, %d cases skipped: duplicates and ties\n", right, wrong, skipped)
	if wrong > 0 {
		os.Exit(1)
	}
}
