package chart

import (
	"math"
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
	base := Plot{Width: 60, Height: 13, Gutter: 4, Max: 40, Label: plotLabel, Ticks: ticks, Target: nan, Cursor: -1, Set: Braille}
	pictures := map[string]struct {
		change func(*Plot)
		series []Series
	}{
		"two":      {func(*Plot) {}, two},
		"one":      {func(p *Plot) { p.Target = 30 }, two[:1]},
		"cursor":   {func(p *Plot) { p.Cursor = 30; p.Target = 30 }, two},
		"ascii":    {func(p *Plot) { p.Set = ASCII; p.Target = 30; p.Cursor = 60 }, plain},
		"few":      {func(*Plot) {}, []Series{{Values: []float64{1, 30, nan, 7}}}},
		"no ticks": {func(p *Plot) { p.Ticks = nil; p.Height = 5 }, two[:1]},
		"nothing":  {func(*Plot) {}, nil},
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

// Whatever it draws, a plot is as wide and as high as asked.
func TestPlotSizeIsExact(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1, 50), rapid.Just(nan))
	rapid.Check(t, func(t *rapid.T) {
		p := Plot{
			Width: rapid.IntRange(-1, 60).Draw(t, "width"), Height: rapid.IntRange(-1, 20).Draw(t, "height"),
			Gutter: rapid.IntRange(0, 8).Draw(t, "gutter"), Min: value.Draw(t, "min"), Max: value.Draw(t, "max"),
			Label: plotLabel, Target: value.Draw(t, "target"), Cursor: rapid.IntRange(-1, 99).Draw(t, "cursor"),
			Set: rapid.SampledFrom([]Set{Braille, ASCII}).Draw(t, "set"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "ticks") {
			p.Ticks = append(p.Ticks, Tick{rapid.IntRange(-1, 99).Draw(t, "at"), "12:00"})
		}
		var series []Series
		for range rapid.IntRange(0, 3).Draw(t, "series") {
			series = append(series, Series{Values: rapid.SliceOfN(value, 0, 100).Draw(t, "values"), Glyph: "*", Style: "\x1b[31m"})
		}
		lines := p.Render(series)
		if len(lines) != max(p.Height, 0) {
			t.Fatalf("%d lines, want %d", len(lines), p.Height)
		}
		for _, l := range lines {
			checkLine(t, "plot", l, max(p.Width, 0), p.Set == ASCII)
		}
	})
}

// The sample under a cell is one that the plot draws there.
func TestSampleAt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := Plot{Width: rapid.IntRange(10, 200).Draw(t, "width"), Height: 5, Gutter: 5}
		w, _ := p.canvas()
		n := rapid.IntRange(w, 500).Draw(t, "samples")
		x := rapid.IntRange(0, w-1).Draw(t, "x")
		if at := p.SampleAt(p.Gutter+1+x, n); p.column(at, n) != x {
			t.Fatalf("cell %d of %d shows sample %d of %d, which is drawn in cell %d", x, w, at, n, p.column(at, n))
		}
	})
}

func TestNiceMax(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]float64{0: 2, 1: 2, 3: 4, 5: 6, 7: 8, 9: 10, 11: 20, 41: 60, 100: 100, 101: 200} {
		if got := NiceMax(v); got != want {
			t.Errorf("the scale for %v ends at %v, want %v", v, got, want)
		}
	}
}
