package simulator_test

import (
	"fmt"
	"reflect"
	"testing"

	"wallboard/internal/simulator"
)

// TestDraw checks that every switch varies, that drawn options are valid, and that
// the same seed returns the same options.
func TestDraw(t *testing.T) {
	t.Parallel()
	seen := make(map[string]map[string]bool)
	for seed := range uint64(300) {
		o := simulator.RandomOptions(seed)
		if err := o.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again := simulator.RandomOptions(seed); !reflect.DeepEqual(o, again) {
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
		if len(positions) < 2 {
			t.Errorf("the switch %s is always drawn as %v", name, positions)
		}
	}
}
