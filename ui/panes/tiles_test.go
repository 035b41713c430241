package panes

import (
	"math"
	"reflect"
	"testing"

	"wallboard/internal/alert"
	"wallboard/ui/render"
)

// TestTileSameKnowsEveryField fails if same does not compare a field of tile, because
// then changes of that field would not be drawn.
func TestTileSameKnowsEveryField(t *testing.T) {
	t.Parallel()
	other := []tile{
		{label: "x"},
		{brief: "x"},
		{value: "x"},
		{reference: "x"},
		{forecastRange: "x"},
		{shortForecast: "x"},
		{level: render.Warn},
		{missed: "x"},
		{dim: true},
		{smallText: "x"},
		{series: []float64{math.NaN()}},
		{format: alert.Percent},
	}
	if n := reflect.TypeFor[tile]().NumField(); n != len(other) {
		t.Errorf("a tile has %d fields, and %d are compared", n, len(other))
	}
	for i := range other {
		if other[i].same(&tile{}) {
			t.Errorf("%+v looks like nothing", other[i])
		}
		if again := other[i]; !again.same(&other[i]) {
			t.Errorf("%+v does not look like itself", again)
		}
	}
}
