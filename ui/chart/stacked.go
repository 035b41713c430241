package chart

import (
	"cmp"
	"slices"
)

// StackedPart is a part of a [StackedBar].
type StackedPart struct {
	// Value is the size of the part. A part whose value is not positive takes no room.
	Value float64
	// Style is the escape sequence of the style of the part; "" means no style.
	Style string
	// Glyph is the character that fills the part, one cell wide. If it is "", the part consists of
	// full blocks with a narrow gap to the next part, or in ASCII of a character that depends on
	// the position of the part.
	Glyph string
}

// StackedBar is a bar that consists of several parts. The width of a part is proportional to its
// value.
type StackedBar struct {
	// Width is the width of the bar in cells.
	Width int
	// Set is the character set. Braille is drawn like Blocks.
	Set CharSet
}

// Render returns the bar that consists of parts.
func (s StackedBar) Render(parts []StackedPart) string {
	return string(s.Append(make([]byte, 0, 4*max(s.Width, 0)+16*len(parts)), parts))
}

// Append appends the bar that consists of parts to dst. The bar is blank if no part has a positive
// value.
func (s StackedBar) Append(dst []byte, parts []StackedPart) []byte {
	if s.Width <= 0 {
		return dst
	}
	glyphs := [...]string{"█", "▓", "▒", "░"}
	if s.Set == ASCII {
		glyphs = [...]string{"#", "=", "+", "-"}
	}
	left := s.Width
	for i, n := range distributeCells(s.Width, parts) {
		if n == 0 {
			continue
		}
		left -= n
		glyph, end := parts[i].Glyph, ""
		switch {
		case glyph != "":
		case s.Set == ASCII:
			glyph = glyphs[i%len(glyphs)]
		default:
			if glyph = glyphs[0]; left > 0 {
				n, end = n-1, "▊"
			}
		}
		dst = appendStyled(dst, parts[i].Style, func(dst []byte) []byte { return append(appendRepeated(dst, glyph, n), end...) })
	}
	return appendRepeated(dst, " ", left)
}

// distributeCells returns the number of cells of each part, by the largest remainder method. A part with
// a positive value but no cell then gets a cell from the largest part, if the largest part keeps at
// least one. For example, a single agent among hundreds must stay visible.
func distributeCells(cells int, parts []StackedPart) []int {
	out := make([]int, len(parts))
	largest := 0.0
	for _, p := range parts {
		largest = max(largest, partSize(p))
	}
	if largest == 0 {
		return out
	}
	total := 0.0 // relative to the largest value, so that huge values do not overflow
	for _, p := range parts {
		total += partSize(p) / largest
	}
	rest, left := make([]float64, len(parts)), cells
	for i, p := range parts {
		quota := partSize(p) / largest / total * float64(cells)
		out[i] = min(int(quota), left)
		rest[i] = quota - float64(out[i])
		left -= out[i]
	}
	byRest := make([]int, 0, len(parts))
	for i, p := range parts {
		if partSize(p) > 0 {
			byRest = append(byRest, i)
		}
	}
	slices.SortStableFunc(byRest, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for i := 0; left > 0; i++ {
		out[byRest[i%len(byRest)]]++
		left--
	}
	for _, i := range byRest {
		maximum := slices.Index(out, slices.Max(out))
		if out[i] == 0 && out[maximum] > 1 {
			out[maximum]--
			out[i] = 1
		}
	}
	return out
}

func partSize(p StackedPart) float64 {
	if !isDrawable(p.Value) {
		return 0
	}
	return max(p.Value, 0)
}
