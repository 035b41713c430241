package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var nan = math.NaN()

func sets() map[string]CharSet {
	return map[string]CharSet{"blocks": Blocks, "braille": Braille, "ascii": ASCII}
}

func TestSparkline(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		spark  Sparkline
		values []float64
		want   string
	}{
		{"every level", Sparkline{Width: 8}, []float64{0, 1, 2, 3, 4, 5, 6, 7}, "▁▂▃▄▅▆▇█"},
		{"every level in ASCII", Sparkline{Width: 8, Set: ASCII}, []float64{0, 1, 2, 3, 4, 5, 6, 7}, "_.:-=+*#"},
		{"gap", Sparkline{Width: 5}, []float64{0, nan, 7, math.Inf(1), 0}, "▁ █ ▁"},
		{"newest at the right", Sparkline{Width: 5}, []float64{0, 7}, "   ▁█"},
		{"oldest left out", Sparkline{Width: 3}, []float64{700, 0, 0, 7}, "▁▁█"},
		{"a little is not nothing", Sparkline{Width: 3}, []float64{0, 1, 1000}, "▁▂█"},
		{"zeros are known", Sparkline{Width: 3}, []float64{0, 0, 0}, "▁▁▁"},
		{"fixed range", Sparkline{Width: 4, Min: 50, Max: 100}, []float64{0, 50, 75, 200}, "▁▁▅█"},
		{"below zero", Sparkline{Width: 3}, []float64{-7, 0, 7}, "▁▅█"},
		{"huge", Sparkline{Width: 3}, []float64{-math.MaxFloat64, 0, math.MaxFloat64}, "▁▅█"},
		{"two to a cell", Sparkline{Width: 3, Set: Braille}, []float64{0, 1, 2, 3, 3}, "⢀⣴⣿"},
		{"braille gap", Sparkline{Width: 2, Set: Braille}, []float64{3, nan, nan, nan}, "⡇ "},
		{"nothing", Sparkline{Width: 3}, nil, "   "},
		{"no room", Sparkline{}, []float64{1}, ""},
		{"style", Sparkline{Width: 2, Style: "\x1b[31m"}, []float64{7}, "\x1b[31m █\x1b[m"},
	}
	for _, tt := range tests {
		if got := tt.spark.Render(tt.values); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestGauge(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fraction float64
		want     string
		ascii    string
	}{
		{0, "····", "...."},
		{0.001, "▏···", "-..."},
		{0.25, "█···", "#..."},
		{0.3, "█▎··", "#-.."},
		{0.5, "██··", "##.."},
		{0.999, "███▉", "###="},
		{1, "████", "####"},
		{1.01, "███»", "###>"},
		{math.Inf(1), "███»", "###>"},
		{-3, "····", "...."},
		{nan, "    ", "    "},
	}
	for _, tt := range tests {
		if got := (Gauge{Width: 4}).Render(tt.fraction); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.fraction, got, tt.want)
		}
		if got := (Gauge{Width: 4, Set: ASCII}).Render(tt.fraction); got != tt.ascii {
			t.Errorf("%v in ASCII: %q, want %q", tt.fraction, got, tt.ascii)
		}
	}
	g := Gauge{Width: 3, Style: "\x1b[32m", EmptyStyle: "\x1b[2m"}
	if got, want := g.Render(0.5), "\x1b[32m█▌\x1b[m\x1b[2m·\x1b[m"; got != want {
		t.Errorf("styled: %q, want %q", got, want)
	}
}

func TestStacked(t *testing.T) {
	t.Parallel()
	bar := func(width int, values ...float64) string {
		parts := make([]StackedPart, len(values))
		for i, v := range values {
			parts[i] = StackedPart{Value: v, Glyph: string(rune('a' + i))}
		}
		return StackedBar{Width: width}.Render(parts)
	}
	tests := map[string]struct{ got, want string }{
		"exact":              {bar(10, 5, 3, 2), "aaaaabbbcc"},
		"largest remainder":  {bar(10, 1, 1, 1), "aaaabbbccc"},
		"a single one stays": {bar(10, 500, 1, 0), "aaaaaaaaab"},
		"no room for all":    {bar(2, 9, 1, 1), "ab"},
		"nothing":            {bar(4, 0, 0), "    "},
		"unknown":            {bar(4, nan, 1), "bbbb"},
		"below zero":         {bar(4, -5, 1), "bbbb"},
		"no parts":           {bar(4), "    "},
		"huge":               {bar(4, math.MaxFloat64, math.MaxFloat64), "aabb"},
		"parted by a gap":    {StackedBar{Width: 4}.Render([]StackedPart{{Value: 1}, {Value: 1, Style: "\x1b[31m"}}), "█▊\x1b[31m██\x1b[m"},
		"in ASCII":           {StackedBar{Width: 4, Set: ASCII}.Render([]StackedPart{{Value: 1}, {Value: 1}}), "##=="},
	}
	for name, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", name, tt.got, tt.want)
		}
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	wave := make([]float64, 80)
	for i := range wave {
		wave[i] = 50 + 45*math.Sin(float64(i)/6)
		if i > 30 && i < 36 {
			wave[i] = nan
		}
	}
	wave[60] = 0
	pictures := map[string]func(CharSet) []string{
		"digits": func(s CharSet) []string {
			var out []string
			for _, text := range []string{"01234", "56789", "12:34", "98.5%", "-3 +4", "n/a ?", "1h 20m", "3d 5s", "7k"} {
				out = append(out, Digits{Width: 30, Set: s}.Render(text)...)
			}
			return append(out, Digits{Width: 6, Set: s}.Render("12345")...)
		},
		"area": func(s CharSet) []string { return Area{Width: 40, Height: 4, Set: s}.Render(wave) },
		"shaded": func(s CharSet) []string {
			return Area{Width: 8, Height: 3, Set: s, Shades: []Shade{{"\x1b[2m", ""}, {"\x1b[3m", ""}, {"\x1b[1m", "\x1b[7m"}}}.Render([]float64{1, 2, 9, 3, 4.5})
		},
		"few": func(s CharSet) []string { return Area{Width: 10, Height: 3, Set: s}.Render([]float64{1, 2, 9, 3}) },
	}
	for name, draw := range pictures {
		for set, s := range sets() {
			t.Run(name+" "+set, func(t *testing.T) {
				t.Parallel()
				golden.RequireEqual(t, strings.Join(draw(s), "|\n")+"|\n")
			})
		}
	}
}

// TestDigitsAreNeverCut checks that a number that does not fit is not cut to another number.
func TestDigitsAreNeverCut(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{11: "█", 10: "   123    ", 3: "123", 2: "… ", 1: "…"} {
		if got := (Digits{Width: width}).Render("123")[DigitRows/2]; !strings.Contains(got, want) {
			t.Errorf("123 in %d cells: %q, want %q", width, got, want)
		}
	}
	if got := (Digits{Width: 1, Set: ASCII}).Render("12")[DigitRows/2]; got != "~" {
		t.Errorf("ASCII: %q", got)
	}
}

// TestWidthIsExact checks that every line is exactly as wide as requested and, with the ASCII set,
// contains only ASCII.
func TestWidthIsExact(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1, 2),
		rapid.SampledFrom([]float64{0, 1, nan, math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324}))
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(-1, 60).Draw(t, "width"), rapid.IntRange(-1, 8).Draw(t, "height")
		values := rapid.SliceOfN(value, 0, 200).Draw(t, "values")
		low, high := value.Draw(t, "min"), value.Draw(t, "max")
		set := rapid.SampledFrom([]CharSet{Blocks, Braille, ASCII}).Draw(t, "set")
		style := rapid.SampledFrom([]string{"", "\x1b[31m"}).Draw(t, "style")
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("0123456789.,:%-–+/?adhkmns ")))).Draw(t, "text")

		parts := make([]StackedPart, min(len(values), 12))
		for i := range parts {
			parts[i] = StackedPart{Value: values[i], Style: style}
		}
		lines := map[string][]string{
			"sparkline": {Sparkline{Width: width, Min: low, Max: high, Set: set, Style: style}.Render(values)},
			"gauge":     {Gauge{Width: width, Style: style, EmptyStyle: style, Set: set}.Render(low)},
			"stacked":   {StackedBar{Width: width, Set: set}.Render(parts)},
			"area":      Area{Width: width, Height: height, Min: low, Max: high, Set: set, Shades: []Shade{{style, style}}}.Render(values),
			"digits":    Digits{Width: width, Style: style, Set: set}.Render(text),
		}
		if got := len(lines["area"]); got != max(height, 0) {
			t.Fatalf("an area has %d lines, want %d", got, height)
		}
		if got := len(lines["digits"]); got != DigitRows {
			t.Fatalf("digits have %d lines", got)
		}
		for name, ls := range lines {
			for _, l := range ls {
				checkLine(t, name, l, max(width, 0), set == ASCII && name != "digits")
			}
		}
	})
}

func checkLine(t *rapid.T, name, line string, width int, ascii bool) {
	if g, w := ansi.StringWidth(line), ansi.StringWidthWc(line); g != width || w != width {
		t.Fatalf("%s: %q is %d or %d wide, want %d", name, line, g, w, width)
	}
	for _, r := range line {
		if ascii && r > '~' {
			t.Fatalf("%s: %q is not ASCII", name, line)
		}
	}
}

func TestDivideUsesEveryCell(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.IntRange(1, 200).Draw(t, "cells")
		parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) StackedPart {
			return StackedPart{Value: float64(rapid.IntRange(0, 1000).Draw(t, "value"))}
		}), 1, 10).Draw(t, "parts")
		sum, positive := 0, 0
		got := distributeCells(cells, parts)
		for i, n := range got {
			sum += n
			if parts[i].Value > 0 {
				positive++
			} else if n != 0 {
				t.Fatalf("a part of size 0 got %d cells", n)
			}
		}
		if positive > 0 && sum != cells {
			t.Fatalf("%v add up to %d, want %d", got, sum, cells)
		}
		for i, n := range got {
			if n == 0 && parts[i].Value > 0 && positive <= cells {
				t.Fatalf("%v of %v vanished in %v", parts[i].Value, parts, got)
			}
		}
	})
}

// TestAreaKeepsPeaks checks that a peak is visible, no matter how many values share its column.
func TestAreaKeepsPeaks(t *testing.T) {
	t.Parallel()
	values := make([]float64, 1000)
	values[500] = 9
	top := Area{Width: 10, Height: 3, Set: ASCII}.Render(values)[0]
	if diff := cmp.Diff("     #    ", top); diff != "" {
		t.Errorf("top line (-want +got):\n%s", diff)
	}
}

// TestAppendDoesNotAllocate checks that drawing a sparkline and a gauge does not allocate. It is not
// parallel, because it counts allocations.
func TestAppendDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 1024)
	values := []float64{1, 2, 3, nan, 5}
	if n := testing.AllocsPerRun(100, func() {
		dst = Sparkline{Width: 10, Style: "\x1b[1m"}.Append(dst[:0], values)
		dst = Gauge{Width: 10, Style: "\x1b[1m"}.Append(dst, 0.4)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestHeatOfSeveralLines checks that a bar of several lines has the height of its value.
func TestHeatOfSeveralLines(t *testing.T) {
	t.Parallel()
	h := BarGrid{Columns: 4, CellWidth: 2, LabelWidth: 3, Max: 4, BarHeight: 2, ShowValues: true, Label: func(v float64) string { return string(rune('0' + int(v))) }}
	got := h.Render([]BarGridRow{{"Mo", []float64{4, 2, 0, nan}}})
	for i, l := range got {
		got[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	if diff := cmp.Diff([]string{"   ██", "Mo ████·", "   4 2 0"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestDigitsGrow checks that digits grow with their room in both directions, and that every line is as
// wide as requested.
func TestDigitsGrow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		w, h int
		set  CharSet
		rows int
	}{
		{60, 12, Blocks, 10}, {26, 10, Blocks, 10}, {26, 9, Blocks, 8}, {26, 9, ASCII, 5}, {25, 20, Blocks, 5}, {60, 7, Blocks, 5},
	} {
		d := Digits{Width: tt.w, Set: tt.set, DotHeight: DotHeightFor("0:00", tt.set, tt.w, tt.h)}
		for _, text := range []string{"0:00", "12:34", "1:02:03", "98 %", "?", "nowhere"} {
			lines := d.Render(text)
			if len(lines) != tt.rows || d.Rows() != tt.rows {
				t.Errorf("%s has %d lines in %dx%d, want %d", text, len(lines), tt.w, tt.h, tt.rows)
			}
			for _, l := range lines {
				if got := ansi.StringWidth(l); got != tt.w {
					t.Errorf("a line of %s is %d wide, want %d: %q", text, got, tt.w, l)
				}
				if tt.set == ASCII && strings.ContainsFunc(l, func(r rune) bool { return r > '~' }) {
					t.Errorf("%q is not ASCII", l)
				}
			}
		}
	}
}

// TestTargetOnASingleLine checks that values below the target have their own style, where a line
// at the target has no room.
func TestTargetOnASingleLine(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	values := []float64{nan, 0.7, 0.79, 0.8, 0.9, 0.75}
	for name, c := range map[string]struct{ got, want string }{
		"blocks":   {Sparkline{Width: 6, Max: 1, Style: "<", BelowTargetStyle: "(", Target: 0.8}.Render(values), "( ▆▇<▇▇(▆"},
		"braille":  {Sparkline{Width: 4, Max: 1, Set: Braille, Style: "<", BelowTargetStyle: "(", Target: 0.8}.Render(values), "( ⢰<⣶⣷"},
		"no range": {Sparkline{Width: 4, Style: "<", BelowTargetStyle: "(", Target: 80}.Render([]float64{20, 40, 80, 40}), "(▃▅<█(▅"},
		"area":     {Area{Width: 6, Height: 1, Max: 1, Shades: []Shade{{Fg: "<"}}, Targets: []float64{0.8}, BelowTargetStyle: "("}.Render(values)[0], " (▆▇<▇▇(▆"},
	} {
		got := strings.NewReplacer("\x1b[m", "", "\x1b[0m", "").Replace(c.got)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
