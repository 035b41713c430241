package config

import (
	"strconv"
	"strings"
	"unicode"
)

// suggest returns the candidate that word was probably meant to be, or "".
func suggest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, bestDistance := "", 1+min(2, len(word)/4)+1
	for _, c := range candidates {
		if d := editDistance(word, strings.ToLower(c)); d < bestDistance && d < len(c) {
			best, bestDistance = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours between two short words.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(x)][len(y)]
}

// quoted returns a value of the file for a message: safe to print, not long.
func quoted(s string) string {
	const longest = 40
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return strconv.Quote(s)
}

// printable replaces what could move the cursor or hide text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// hasControl tells whether a text holds anything but printable characters.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
