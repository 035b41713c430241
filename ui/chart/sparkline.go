package chart

// Sparkline is a trend in one line of text: the newest value is at the right edge,
// older ones that do not fit are omitted.
type Sparkline struct {
	// Width is in cells; Braille shows two values in each, the others one.
	Width int
	// Min and Max are the values drawn lowest and highest; if Max is not above Min,
	// they are taken from zero and the shown values.
	Min, Max float64
	// Set is the character set.
	Set CharSet
	// Style is the escape sequence to draw in, "" for none.
	Style string
}

// Render returns the line.
func (s Sparkline) Render(values []float64) string { return string(s.Append(nil, values)) }

// Append appends the line to dst.
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

// levelsOf returns a character for each height, the lowest first.
func levelsOf(s CharSet) [8]string {
	if s == ASCII {
		return [...]string{"_", ".", ":", "-", "=", "+", "*", "#"}
	}
	return [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
}

// appendBraille appends cells with two values each, as columns of up to four dots. available is the
// number of columns.
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
