package alert

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// TestForecastRules checks rules about forecasts: unknown ones neither raise nor clear, and the
// recovery level prevents repeated alerts. A rule without a message has the name that the user gave it.
func TestForecastRules(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: []Rule{
		{
			Name: "forecastServiceLevel", Scope: Service, KPI: "forecastServiceLevel",
			Thresholds: Thresholds{Warning: model.FloatOf(0.80), Recovery: model.FloatOf(0.83)}, Direction: HigherIsBetter,
		},
		{Name: "SLA1-Miss", Scope: Service, When: "missedAt < 3600", Severity: Warning},
	}})
	f.service(func(*model.Service) {})
	if !f.engine.Forecasts().IsNeeded() || newFloor(t, Options{Rules: DefaultRules()}).engine.Forecasts().IsNeeded() {
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
			want := map[string]string{"forecastServiceLevel": "S: forecast service level ", "SLA1-Miss": "S: SLA1-Miss"}[a.Rule]
			if !strings.HasPrefix(a.Text, want) {
				t.Errorf("%s: %q, want %q", step.says, a.Text, want)
			}
		}
	}
}
