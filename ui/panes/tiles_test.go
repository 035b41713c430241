package panes

import (
	"math"
	"reflect"
	"testing"

	"wallboard/alert"
	"wallboard/ui/render"
)

// TestTileSameKnowsEveryField fails when a tile has got a field that same does not
// compare yet: what is drawn by it would stand still.
func TestTileSameKnowsEveryField(t *testing.T) {
	t.Parallel()
	other := []tile{
		{label: "x"},
		{brief: "x"},
		{value: "x"},
		{under: "x"},
		{band: "x"},
		{ahead: "x"},
		{level: render.Warn},
		{dim: true},
		{beside: "x"},
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
