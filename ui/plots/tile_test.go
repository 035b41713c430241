package plots

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
	other := []Tile{
		{Label: "x"},
		{Brief: "x"},
		{Value: "x"},
		{Reference: "x"},
		{ForecastRange: "x"},
		{ShortForecast: "x"},
		{Level: render.Warn},
		{Missed: "x"},
		{Dim: true},
		{SmallText: "x"},
		{Series: []float64{math.NaN()}},
		{Format: alert.Percent},
	}
	if n := reflect.TypeFor[Tile]().NumField(); n != len(other) {
		t.Errorf("a tile has %d fields, and %d are compared", n, len(other))
	}
	for i := range other {
		if other[i].same(&Tile{}) {
			t.Errorf("%+v looks like nothing", other[i])
		}
		if again := other[i]; !again.same(&other[i]) {
			t.Errorf("%+v does not look like itself", again)
		}
	}
}
