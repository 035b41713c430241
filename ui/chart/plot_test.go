package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"
)

func plotLabel(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func TestPlotGolden(t *testing.T) {
	t.Parallel()
	const n = 90
	wave := make([]float64, n)
	flat := make([]float64, n)
	for i := range n {
		wave[i], flat[i] = 20+18*math.Sin(float64(i)/9), 12
		if i > 40 && i < 55 {
			wave[i], flat[i] = nan, nan
		}
	}
	wave[70] = 0
	ticks := []Tick{{15, "10:00"}, {45, "10:05"}, {75, "10:10"}}
	two := []Series{{Values: wave, Glyph: "●"}, {Values: flat, Glyph: "■"}}
	plain := []Series{{Values: wave, Glyph: "*"}, {Values: flat, Glyph: "o"}}
	base := Plot{Width: 60, Height: 13, ScaleWidth: 4, Scale: Scale{Max: 40}, Label: plotLabel, Ticks: ticks, Target: nan, Cursor: -1, Set: Braille}
	marked := func(p *Plot) { p.WithGlyphs = true }
	pictures := map[string]struct {
		change func(*Plot)
		series []Series
	}{
		"two":      {marked, two},
		"one":      {func(p *Plot) { p.Target = 30 }, two[:1]},
		"cursor":   {func(p *Plot) { p.Cursor = 30; p.Target = 30 }, two},
		"ascii":    {func(p *Plot) { p.Set = ASCII; p.Target = 30; p.Cursor = 60 }, plain},
		"few":      {func(*Plot) {}, []Series{{Values: []float64{1, 30, nan, 7}}}},
		"no ticks": {func(p *Plot) { p.Ticks = nil; p.Height = 5 }, two[:1]},
		"nothing":  {func(*Plot) {}, nil},
		"area": {func(p *Plot) {
			p.Target, p.Step, p.EndLabelWidth = 30, 10, 5
			p.EndLabels = []EndLabel{{Value: 12, Text: "12"}, {Value: 30, Text: "30"}}
			p.Marks = []Mark{{20, "△", ""}, {70, "▲", ""}}
		}, []Series{{Values: wave, Area: []Shade{{}}}, {Values: flat, Glyph: "■"}}},
		"area in ascii": {func(p *Plot) { p.Target, p.Set, p.Step = 30, ASCII, 10 }, []Series{{Values: wave, Area: []Shade{{}}}}},
		"band": {func(p *Plot) {
			low, high := make([]float64, n), make([]float64, n)
			for i := range n {
				low[i], high[i] = wave[i]/2, wave[i]+5
			}
			p.Band = Band{Low: low, High: high, Glyph: "░"}
		}, []Series{{Values: flat, Glyph: "■"}}},
		"band behind an area": {func(p *Plot) {
			p.Target, p.Band = 30, constant(n, 12, 24, "░")
		}, []Series{{Values: wave, Area: []Shade{{}}}}},
		"band behind an area in ascii": {func(p *Plot) {
			p.Target, p.Set, p.Band = 30, ASCII, constant(n, 12, 24, ":")
		}, []Series{{Values: wave, Area: []Shade{{}}}}},
	}
	for name, tt := range pictures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := base
			tt.change(&p)
			golden.RequireEqual(t, strings.Join(p.Render(tt.series), "|\n")+"|\n")
		})
	}
}

// TestTargetAndBandOnAnArea checks that a band and a target are visible on an area with a gradient that
// covers them.
func TestTargetAndBandOnAnArea(t *testing.T) {
	t.Parallel()
	const n = 20
	p := Plot{Width: 25, Height: 10, ScaleWidth: 3, Scale: Scale{Max: 100}, Label: plotLabel, Target: 30, TargetStyle: "\x1b[37m", Cursor: -1, Set: Braille}
	p.Band = constant(n, 40, 60, "")
	p.Band.Shade, p.Band.OverAreaStyle = Shade{"\x1b[90m", "\x1b[100m"}, "\x1b[36m"
	area := []Shade{{"\x1b[34m", "\x1b[44m"}, {"\x1b[94m", "\x1b[104m"}}
	drawn := strings.Join(p.Render([]Series{{Values: slices.Repeat([]float64{95}, n), Area: area}}), "\n")
	for _, want := range []string{"\x1b[37m\x1b[44m╌", "\x1b[36m\x1b[44m░"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("the area hides %q:\n%q", want, drawn)
		}
	}
}

// constant returns a band with constant limits.
func constant(n int, low, high float64, glyph string) Band {
	return Band{Low: slices.Repeat([]float64{low}, n), High: slices.Repeat([]float64{high}, n), Glyph: glyph}
}

// TestPlotSizeIsExact checks that a plot is always as wide and as high as requested.
func TestPlotSizeIsExact(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1, 50), rapid.Just(nan))
	rapid.Check(t, func(t *rapid.T) {
		p := Plot{
			Width: rapid.IntRange(-1, 60).Draw(t, "width"), Height: rapid.IntRange(-1, 20).Draw(t, "height"),
			ScaleWidth: rapid.IntRange(0, 8).Draw(t, "gutter"), EndLabelWidth: rapid.IntRange(0, 8).Draw(t, "right"),
			Scale: Scale{value.Draw(t, "min"), value.Draw(t, "max"), rapid.Float64Range(-1, 20).Draw(t, "step")},
			Label: plotLabel, Target: value.Draw(t, "target"), Cursor: rapid.IntRange(-1, 99).Draw(t, "cursor"),
			Set: rapid.SampledFrom([]CharSet{Braille, ASCII}).Draw(t, "set"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "ticks") {
			p.Ticks = append(p.Ticks, Tick{rapid.IntRange(-1, 99).Draw(t, "at"), "12:00"})
		}
		var series []Series
		for range rapid.IntRange(0, 3).Draw(t, "series") {
			s := Series{Values: rapid.SliceOfN(value, 0, 100).Draw(t, "values"), Glyph: "*", Style: "\x1b[31m"}
			if rapid.Bool().Draw(t, "area") {
				s.Area = []Shade{{"\x1b[31m", "\x1b[41m"}, {"\x1b[32m", "\x1b[42m"}}[:rapid.IntRange(0, 2).Draw(t, "shades")]
			}
			series = append(series, s)
			p.EndLabels = append(p.EndLabels, EndLabel{Value: value.Draw(t, "end"), Text: "12 %"})
		}
		p.Marks = []Mark{{Sample: rapid.IntRange(-1, 99).Draw(t, "mark"), Glyph: "!"}}
		edge := rapid.SliceOfN(value, 0, 50)
		p.Band = Band{Low: edge.Draw(t, "low"), High: edge.Draw(t, "high"), Glyph: ":"}
		lines := p.Render(series)
		if len(lines) != max(p.Height, 0) {
			t.Fatalf("%d lines, want %d", len(lines), p.Height)
		}
		for _, l := range lines {
			checkLine(t, "plot", l, max(p.Width, 0), p.Set == ASCII)
		}
	})
}

// TestSampleAt checks that the sample under a cell is one that the plot draws there.
func TestSampleAt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := Plot{Width: rapid.IntRange(10, 200).Draw(t, "width"), Height: 5, ScaleWidth: 5}
		w, _ := p.canvas()
		n := rapid.IntRange(w, 500).Draw(t, "samples")
		x := rapid.IntRange(0, w-1).Draw(t, "x")
		if at := p.SampleAt(p.ScaleWidth+1+x, n); p.column(at, n) != x {
			t.Fatalf("cell %d of %d shows sample %d of %d, which is drawn in cell %d", x, w, at, n, p.column(at, n))
		}
	})
}

// TestNothingShowsThroughAreas checks that inside an area the background is not visible, and that a line
// over an area keeps its background color.
func TestNothingShowsThroughAreas(t *testing.T) {
	t.Parallel()
	const n, w, h = 40, 40, 8
	high, line := make([]float64, n), make([]float64, n)
	for i := range n {
		high[i], line[i] = 30, 5+float64(i)/2
	}
	shades := []Shade{{"<f1>", "<b1>"}, {"<f2>", "<b2>"}, {"<edge>", "<bedge>"}}
	p := Plot{
		Width: w, Height: h, Scale: Scale{Max: 40}, Target: nan, Cursor: -1, Set: Braille,
		Band: Band{Low: constant(n, 13, 0, "").Low, High: constant(n, 0, 26, "").High, Glyph: "░", Shade: Shade{"<band>", "<bband>"}},
	}
	cw, ch := p.canvas()
	for _, c := range p.draw([]Series{{Values: high, Area: shades}, {Values: line, Glyph: "●"}}, cw, ch) {
		if strings.Contains(c.style+c.background, "band") {
			t.Fatalf("the band is visible in a higher area: %+v", c)
		}
		if c.dots != 0 && c.background == "" {
			t.Fatalf("nothing is behind a line on an area: %+v", c)
		}
	}
	for _, c := range p.draw([]Series{{Values: line, Glyph: "●"}, {Values: high, Glyph: "■"}}, cw, ch)[3*cw : 5*cw] {
		if c.dots != 0 && c.background != "<bband>" {
			t.Fatalf("the band is not behind a line on it: %+v", c)
		}
	}
}

// TestMarksLieOnTheirLines checks that the glyphs of lines are on the lines, and only if nothing else
// distinguishes them.
func TestMarksLieOnTheirLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		marked bool
		value  float64
		want   int
	}{{true, 22, 3}, {true, 20, 0}, {false, 22, 0}, {true, nan, 0}} {
		p := Plot{Width: 50, Height: 8, Scale: Scale{Max: 40}, Target: nan, Cursor: -1, Set: Braille, WithGlyphs: tt.marked}
		series := []Series{{Values: []float64{3, 5}, Area: []Shade{{}}}, {Values: slices.Repeat([]float64{tt.value}, 50), Glyph: "●"}}
		if got := strings.Count(strings.Join(p.Render(series), ""), "●"); got != tt.want {
			t.Errorf("a line at %v has %d marks, want %d", tt.value, got, tt.want)
		}
	}
}

// TestEven checks that the labels of an even scale are equally far apart, and that no value is lost.
func TestEven(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		top, h, ascii := rapid.Float64Range(1, 1e6).Draw(t, "top"), rapid.IntRange(3, 60).Draw(t, "h"), rapid.Bool().Draw(t, "ascii")
		s := RoundScale(0, top, max((h-1)/3, 1), LabelSteps(top, true)...)
		even := s.WithEvenLabels(top, h, ascii)
		if even.Max < top*(1-1e-9) || even.Max > s.Max*1.34 {
			t.Fatalf("%v became %v", s, even)
		}
		p := Plot{Scale: even, Set: Braille}
		if ascii {
			p.Set = ASCII
		}
		apart := p.lineOf(even.Step, h)
		for i := range int(even.steps()) + 1 {
			if got := p.lineOf(float64(i)*even.Step, h); even != s && got != i*apart {
				t.Fatalf("label %d of %v stands on line %d of %d, the first on %d", i, even, got, h, apart)
			}
		}
	})
}

func TestRound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		low, high float64
		labels    int
		steps     []float64
		want      Scale
	}{
		{0, 2, 3, LabelSteps(2, true), Scale{0, 2, 1}},
		{0, 11, 3, LabelSteps(11, true), Scale{0, 11.25, 5}},
		{0, 11, 6, LabelSteps(11, true), Scale{0, 11, 2}},
		{0, 4123, 4, LabelSteps(4123, true), Scale{0, 4250, 1000}},
		{0, 0.3, 3, LabelSteps(0.3, false), Scale{0, 0.3, 0.1}},
		{0.79, 0.82, 4, []float64{0.05, 0.1}, Scale{0.75, 0.825, 0.05}},
		{0, 0, 3, []float64{1}, Scale{0, 1, 1}},
		{-3, 5, 3, []float64{1, 2, 5}, Scale{-5, 5, 5}},
		{0, 70, 2, []float64{10, 30, 60}, Scale{0, 75, 30}},
	} {
		got := RoundScale(tt.low, tt.high, tt.labels, tt.steps...)
		if math.Abs(got.Min-tt.want.Min)+math.Abs(got.Max-tt.want.Max)+math.Abs(got.Step-tt.want.Step) > 1e-9 {
			t.Errorf("the scale from %v to %v with %d labels is %v, want %v", tt.low, tt.high, tt.labels, got, tt.want)
		}
	}
}

// TestRoundHasRoom checks that for any values, the labels fit, and that all values are on the scale.
func TestRoundHasRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		low, high := rapid.Float64Range(-1e9, 1e9).Draw(t, "low"), rapid.Float64Range(-1e9, 1e9).Draw(t, "high")
		low, high = min(low, high), max(low, high)
		labels := rapid.IntRange(-1, 20).Draw(t, "labels")
		s := RoundScale(low, high, labels, LabelSteps(high, rapid.Bool().Draw(t, "whole"))...)
		if n := s.steps(); n < 1 || n > float64(max(labels, 2)) {
			t.Fatalf("%v has %v steps, there is room for %d", s, n, labels)
		}
		if s.Max < high-max(math.Abs(low), math.Abs(high))*1e-9 {
			t.Fatalf("%v ends before %v", s, high)
		}
	})
}

// TestTargetIsVisibleOnAFlatEdge checks that a target at the height of a flat area is drawn in some
// cells of its edge, and that the other cells show the values.
func TestTargetIsVisibleOnAFlatEdge(t *testing.T) {
	t.Parallel()
	values := slices.Repeat([]float64{81}, 30)
	area := Area{Width: 30, Height: 2, Min: 60, Max: 100, Targets: []float64{80}}.Render(values)
	plot := Plot{Width: 31, Height: 3, Scale: Scale{Min: 60, Max: 100, Step: 20}, Label: func(float64) string { return "" }, Target: 80, Cursor: -1}
	for name, lines := range map[string][]string{"area": area, "plot": plot.Render([]Series{{Values: values, Area: []Shade{{}}}})} {
		text := strings.Join(lines, "\n")
		if n := strings.Count(text, "╌"); n < 8 || n > 12 {
			t.Errorf("%s: the target takes %d of 30 cells:\n%s", name, n, text)
		}
	}
}
