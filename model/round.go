package model

import (
	"math"
	"strconv"
)

// RoundTo returns v rounded to the given number of decimals. It rounds halves away from 0,
// whereas strconv rounds 2.5 to 2 and 3.5 to 4. It never returns -0.
func RoundTo(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	if r := math.Round(v * scale); r != 0 {
		return r / scale
	}
	return 0
}

// SignedPercent returns a share as a whole percentage with its sign: "+18 %". A share that
// rounds to zero has no sign: "0 %".
func SignedPercent(share float64) string {
	percent := RoundTo(share*100, 0)
	text := strconv.FormatFloat(percent, 'f', 0, 64) + " %"
	if percent > 0 {
		return "+" + text
	}
	return text
}
