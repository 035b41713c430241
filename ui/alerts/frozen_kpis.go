package alerts

import (
	"strconv"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
)

// customKPIs returns the KPIs that the configuration defines, by scope.
func customKPIs(e Engine) map[alert.Scope][]alert.KPI {
	out := make(map[alert.Scope][]alert.KPI)
	for _, s := range alert.Scopes() {
		for _, k := range e.KPIs(s) {
			if !k.BuiltIn {
				out[s] = append(out[s], k)
			}
		}
	}
	return out
}

// frozenKPIs holds the values of the custom KPIs at the time when the board was frozen.
type frozenKPIs map[kpiKey]model.Figure

var _ render.KPIValues = frozenKPIs(nil)

type kpiKey struct {
	kpi     string
	subject alert.Key
}

// Value implements [render.KPIValues].
func (h frozenKPIs) Value(kpi string, k alert.Key) model.Figure { return h[kpiKey{kpi, k}] }

// freezeKPIs returns the current values of the custom KPIs for all records of the snapshot on the
// screen.
func freezeKPIs(e Engine, custom map[alert.Scope][]alert.KPI, view *floorview.View) frozenKPIs {
	out := frozenKPIs{}
	note := func(k alert.Key) {
		for _, kpi := range custom[k.Scope] {
			out[kpiKey{kpi.Name, k}] = e.Value(kpi.Name, k)
		}
	}
	for r := range view.Shown.Services.All() {
		note(alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range view.Shown.Groups.All() {
		note(alert.Key{Scope: alert.Group, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range view.Shown.UserStats.All() {
		note(alert.Key{Scope: alert.User, Code: r.Key().Username, Channel: r.Channel})
	}
	for r := range view.Shown.Campaigns.All() {
		note(alert.Key{Scope: alert.Campaign, Code: strconv.Itoa(int(r.Key()))})
	}
	for _, ch := range view.Channels() {
		note(alert.Key{Scope: alert.Floor, Channel: ch})
	}
	return out
}
