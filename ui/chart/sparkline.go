package chart

// Sparkline is a trend in one line of text. The newest value is at the right edge. Older values
// that do not fit are omitted.
type Sparkline struct {
	// Width is in cells. With Braille each cell shows two values, otherwise one.
	Width int
	// Min is the value drawn lowest and Max the value drawn highest. If Max is not above Min, the
	// range of the shown values and zero is used.
	Min, Max float64
	// Set is the character set.
	Set CharSet
	// Style is the escape sequence of the line, or "" for none.
	Style string
}

// Render returns the line for values, of which the last is the newest.
func (s Sparkline) Render(values []float64) string { return string(s.Append(nil, values)) }

// Append appends the line for values to dst.
func (s Sparkline) Append(dst []byte, values []float64) []byte {
	if s.Width <= 0 {
		return dst
	}
	available := s.Width
	if s.Set == Braille {
		available *= 2
	}
	values = values[max(len(values)-available, 0):]
	sc := newValueRange(s.Min, s.Max, values)
	return appendStyled(dst, s.Style, func(dst []byte) []byte {
		if s.Set == Braille {
			return appendBraille(dst, values, available, sc)
		}
		levels := levelsOf(s.Set)
		dst = appendRepeated(dst, " ", available-len(values))
		for _, v := range values {
			if !isDrawable(v) {
				dst = append(dst, ' ')
				continue
			}
			dst = append(dst, levels[sc.step(v, len(levels))]...)
		}
		return dst
	})
}

// levelsOf returns the characters for eight heights, the lowest first.
func levelsOf(s CharSet) [8]string {
	if s == ASCII {
		return [...]string{"_", ".", ":", "-", "=", "+", "*", "#"}
	}
	return [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
}

// appendBraille appends cells to dst, each with two values as columns of up to four dots. available
// is the number of columns in all cells. Columns without a value are blank.
func appendBraille(dst []byte, values []float64, available int, sc valueRange) []byte {
	var grid dots
	for x := 0; x < available; x += 2 {
		grid = 0
		for half := range 2 {
			i := x + half - (available - len(values))
			if i < 0 || !isDrawable(values[i]) {
				continue
			}
			for y := range sc.step(values[i], dotRows) + 1 {
				grid.raise(half, dotRows-1-y)
			}
		}
		dst = grid.append(dst)
	}
	return dst
}
