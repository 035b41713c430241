package alert

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// TestForecastRules checks rules about forecasts: unknown ones neither raise nor clear, and the
// recovery level prevents repeated alerts.
func TestForecastRules(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: []Rule{
		{
			Name: "forecastServiceLevel", Scope: Service, KPI: "forecastServiceLevel",
			Thresholds: Thresholds{Warning: model.FloatOf(0.80), Recovery: model.FloatOf(0.83)}, Direction: Higher,
		},
		{Name: "soon missed", Scope: Service, When: "missedAt < 3600", Severity: Warning},
	}})
	f.service(func(*model.Service) {})
	if !f.engine.Forecasts().Wanted() || newFloor(t, Options{Rules: DefaultRules()}).engine.Forecasts().Wanted() {
		t.Fatal("only rules about forecasts want them")
	}
	key := Key{Scope: Service, Code: "S", Channel: model.Call}
	miss := Forecast{ServiceLevel: model.FigureOf(0.79), TimeToMiss: 59 * time.Minute, WillMiss: true}
	for _, step := range []struct {
		says   string
		given  map[Key]Forecast
		active int
	}{
		{"nothing is known", nil, 0},
		{"missed within the hour", map[Key]Forecast{key: miss}, 2},
		{"unknown does not clear", nil, 2},
		{"the recovery level is not reached", map[Key]Forecast{key: {ServiceLevel: model.FigureOf(0.82)}}, 1},
		{"recovered", map[Key]Forecast{key: {ServiceLevel: model.FigureOf(0.84)}}, 0},
		{"another service", map[Key]Forecast{{Scope: Service, Code: "T", Channel: model.Call}: miss}, 0},
	} {
		f.engine.Forecasts().Set(step.given)
		f.after(time.Minute)
		if got := len(f.engine.Active()); got != step.active {
			t.Errorf("%s: %d alerts, want %d", step.says, got, step.active)
		}
		for _, a := range f.engine.Active() {
			if a.Rule == "forecastServiceLevel" && !strings.HasPrefix(a.Text, "S: forecast service level ") {
				t.Errorf("%s: %q", step.says, a.Text)
			}
		}
	}
}
