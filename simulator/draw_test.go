package simulator_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"wallboard/simulator"
)

// TestDraw checks that every switch is drawn, that what is drawn can be built,
// and that the same seed draws the same platform.
func TestDraw(t *testing.T) {
	t.Parallel()
	seen := make(map[string]map[string]bool)
	for seed := range uint64(300) {
		o := simulator.Draw(seed)
		if err := o.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again := simulator.Draw(seed); !reflect.DeepEqual(o, again) {
			t.Fatalf("seed %d draws %+v, then %+v", seed, o, again)
		}
		v := reflect.ValueOf(o.Switches)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if seen[name] == nil {
				seen[name] = make(map[string]bool)
			}
			seen[name][fmt.Sprint(v.Field(i).Interface())] = true
		}
	}
	for name, positions := range seen {
		if drawn, want := len(positions) > 1, !slices.Contains(simulator.Undrawn(), name); drawn != want {
			t.Errorf("the switch %s is drawn in the positions %v: Draw has to draw it, or Undrawn to name it", name, positions)
		}
	}
}
