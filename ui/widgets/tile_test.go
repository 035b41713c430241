package widgets

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestTileSameKnowsEveryField fails if equals does not compare a field of Tile, because changes of that
// field would then not be drawn.
func TestTileSameKnowsEveryField(t *testing.T) {
	t.Parallel()
	other := []Tile{
		{Label: "x"},
		{ShortLabel: "x"},
		{Value: "x"},
		{Reference: "x"},
		{ForecastRange: "x"},
		{ShortForecast: "x"},
		{Level: render.Warning},
		{MissedMark: "x"},
		{Dim: true},
		{Wide: true},
		{SmallText: "x"},
		{Series: []float64{math.NaN()}},
		{Target: model.FloatOf(0.8)},
		{Format: alert.Percent},
		{Direction: alert.LowerIsBetter},
	}
	if n := reflect.TypeFor[Tile]().NumField(); n != len(other) {
		t.Errorf("a tile has %d fields, and %d are compared", n, len(other))
	}
	for i := range other {
		if other[i].equals(&Tile{}) {
			t.Errorf("%+v looks like nothing", other[i])
		}
		if again := other[i]; !again.equals(&other[i]) {
			t.Errorf("%+v does not look like itself", again)
		}
	}
}

// TestLowerIsBetter checks that samples below the target are dim only if a higher figure is better.
func TestLowerIsBetter(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme}, render.Options{})
	dim := theme.OpenSequence(themes.Dim)
	for direction, want := range map[alert.Direction]bool{alert.HigherIsBetter: true, alert.LowerIsBetter: false, "": false} {
		tile := Tile{Series: []float64{0.02, 0.03, 0.02, 0.09}, Target: model.FloatOf(0.05), Format: alert.Percent, Direction: direction}
		for name, line := range map[string]string{"sparkline": tile.sparkline(lk, 10), "area": tile.DrawTrend(lk, 10, 1)[0]} {
			if got := strings.Contains(line, dim); got != want {
				t.Errorf("%s, direction %q: dim is %v in %q", name, direction, got, line)
			}
		}
	}
}

// TestNarrowTileLeavesTheComparisonOut checks that a label is shortened before it is cut.
func TestNarrowTileLeavesTheComparisonOut(t *testing.T) {
	t.Parallel()
	tile := Tile{Label: "Received vs typical", ShortLabel: "Received"}
	for w, want := range map[int]string{19: "Received vs typical", 18: "Received"} {
		if got := tile.labelText(w); got != want {
			t.Errorf("the name in %d cells is %q", w, got)
		}
	}
}
