package floorview_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
)

// TestCriticalRows finds the services with a critical alert. The result is kept until the next second,
// unless the filter changes.
func TestCriticalRows(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	alertOf := func(code string, level alert.Level) alert.Alert {
		key := alert.Key{Scope: alert.Service, Code: code, Channel: model.Call}
		return alert.Alert{ID: code, Rule: "longest wait", Level: level, Key: key}
	}
	several := render.NewAlerts([]alert.Alert{alertOf("ORDERS", alert.Critical), alertOf("REPAIRS", alert.Critical), alertOf("SALES", alert.Warning)}, nil, nil, nil)
	one := render.NewAlerts([]alert.Alert{alertOf("ORDERS", alert.Critical)}, nil, nil, nil)
	v := &render.View{Options: &render.Options{Theme: theme}, Scope: render.Scope{Channel: model.Call}, Now: now}
	rows := render.NewServices()
	services := floor(now, map[string]int64{"ORDERS": 3, "REPAIRS": 2, "SALES": 1, "CALM": 0})
	var critical floorview.CriticalRows
	for _, tt := range []struct {
		name   string
		alerts *render.Alerts
		after  time.Duration
		filter string
		want   string
	}{
		{"all rows", several, 0, "", "ORDERS REPAIRS"},
		{"a filter", several, 0, "repairs", "REPAIRS"},
		{"no filter", several, 0, "", "ORDERS REPAIRS"},
		{"within the same second", one, time.Millisecond, "", "ORDERS REPAIRS"},
		{"a second later", one, time.Second, "", "ORDERS"},
	} {
		v.Alerts, v.Now = tt.alerts, now.Add(tt.after)
		rows.Update(services, v)
		got := strings.Join(slices.Sorted(maps.Keys(critical.Keys(rows, v, tt.filter))), " ")
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
