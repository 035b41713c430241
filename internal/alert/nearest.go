package alert

import (
	"strings"

	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// NearestWord returns the candidate most similar to word, or "" if none is similar enough.
func NearestWord(word string, candidates []string) string {
	if len(word) > model.MaxName {
		return ""
	}
	word = strings.ToLower(word)
	best, bestDistance := "", 2+min(2, len(word)/4)
	for _, c := range candidates {
		if d := textnorm.EditDistance(word, strings.ToLower(c)); d < bestDistance && d < len(c) {
			best, bestDistance = c, d
		}
	}
	return best
}
