package plots

import (
	"math"
	"reflect"
	"testing"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/render"
)

// TestTileSameKnowsEveryField fails if same does not compare a field of tile, because
// then changes of that field would not be drawn.
func TestTileSameKnowsEveryField(t *testing.T) {
	t.Parallel()
	other := []Tile{
		{Label: "x"},
		{ShortLabel: "x"},
		{Value: "x"},
		{Reference: "x"},
		{ForecastRange: "x"},
		{ShortForecast: "x"},
		{Level: render.Warn},
		{Missed: "x"},
		{Dim: true},
		{Wide: true},
		{SmallText: "x"},
		{Series: []float64{math.NaN()}},
		{Target: model.FloatOf(0.8)},
		{Format: alert.Percent},
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
