package forecast

import "testing"

// TestNarrowLevel checks that a range wider than five points on each side says nothing.
func TestNarrowLevel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f    Forecast
		want bool
	}{
		{Forecast{}, false},
		{Forecast{LevelKnown: true, Level: Band{Low: 0.79, High: 0.83}}, true},
		{Forecast{LevelKnown: true, Level: Band{Low: 0.63, High: 0.96}}, false},
	} {
		if got := tt.f.HasNarrowLevel(); got != tt.want {
			t.Errorf("%+v is narrow: %v", tt.f.Level, got)
		}
	}
}

func TestLevelBand(t *testing.T) {
	t.Parallel()
	for want, level := range map[string]Band{"79 to 83 %": {Low: 0.79, High: 0.83}, "about 84 %": {Low: 0.836, High: 0.844}} {
		if f := (Forecast{Level: level}); f.LevelBand() != want {
			t.Errorf("%s, want %s", f.LevelBand(), want)
		}
	}
}
