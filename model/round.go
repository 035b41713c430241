package model

import (
	"math"
	"strconv"
)

// Rounded returns v with so many decimals, halves away from 0: not as strconv
// does, which makes 2 of 2.5 and 4 of 3.5. It is never -0.
func Rounded(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	if r := math.Round(v * scale); r != 0 {
		return r / scale
	}
	return 0
}

// SignedPercent writes a share as whole percent with its sign, as "+18 %"; what
// rounds to nothing has none, "0 %".
func SignedPercent(share float64) string {
	percent := Rounded(share*100, 0)
	text := strconv.FormatFloat(percent, 'f', 0, 64) + " %"
	if percent > 0 {
		return "+" + text
	}
	return text
}
