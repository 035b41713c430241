package widgets

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// targets is a source of figures, with the targets of the floor.
type targets struct {
	figures
	goal alert.Goal
}

func (t *targets) Goal(string) alert.Goal { return t.goal }

func TestFloorTileReferences(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	n := model.IntOf
	queue := alert.Alert{
		ID: "1", Rule: alert.RuleLongestWait, Level: alert.Critical,
		Key: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call},
	}
	busy := map[model.UserStatus]int{model.Busy: 3, model.Ready: 1}
	none := map[model.UserStatus]int{model.Busy: 4}
	for _, tt := range []struct {
		figure string
		value  float64
		states map[model.UserStatus]int
		alerts []alert.Alert
		want   string
		level  render.Level
	}{
		{"queuedCalls", 2, busy, nil, "7 in progress", render.Normal},
		{"queuedCalls", 2, none, nil, "no agent ready", render.Normal},
		{"queuedCalls", 0, none, nil, "7 in progress", render.Normal},
		{"longestWait", 40, busy, nil, "none over limit", render.Normal},
		{"longestWait", 40, busy, []alert.Alert{queue}, "1 over limit", render.Critical},
		{"abandonRate", 0.1, busy, nil, "10 of 100", render.Normal},
		{"asa", 12, busy, nil, "80 answered", render.Normal},
		{"aht", 200, busy, nil, "4 logged in", render.Normal},
		{"readyUsers", 1, busy, nil, "25.0 % of 4", render.Normal},
		{"loggedUsers", 4, busy, nil, "6 services", render.Normal},
		{"serviceLevel", 0.7, busy, nil, "target 80.0 %", render.Normal},
		{"no such figure", 1, busy, nil, "", render.Normal},
	} {
		f := model.Floor{Services: 6, Users: 4, States: tt.states}
		f.Calls.CurrentCalls, f.Calls.ReceivedCalls, f.Calls.AnsweredCalls, f.Calls.HangupCalls = n(7), n(100), n(80), n(10)
		d := FloorDescriber{
			Source: &Source{
				Look: style.New(style.Options{Theme: theme}, render.Options{}), Alerts: render.NewAlerts(tt.alerts, nil, nil, nil),
				Floor: &floorview.View{Channel: model.Call}, Engine: &targets{goal: alert.Goal{ServiceLevel: model.FloatOf(0.8)}},
			},
			Figures:  &f,
			Forecast: func() (f forecast.Forecast, ok bool) { return f, false },
		}
		var tile Tile
		d.Describe(tt.figure, model.FigureOf(tt.value), &tile)
		if tile.Reference != tt.want || tile.Level != tt.level {
			t.Errorf("%s: %q with level %v, want %q with level %v", tt.figure, tile.Reference, tile.Level, tt.want, tt.level)
		}
	}
}

// TestTileOf checks that a tile gets its figure, title, format and trend from the engine.
func TestTileOf(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	f := &figures{newest: 0.5}
	sc := &Source{
		Look: style.New(style.Options{Theme: theme, Location: time.UTC}, render.Options{}), Floor: &floorview.View{}, Engine: f, Trends: f,
		Alerts: render.NewAlerts(nil, nil, nil, nil),
	}
	tile := sc.TileOf("b", alert.Key{Scope: alert.Floor})
	if tile.Label != "b" || tile.Value != "50.0 %" || tile.Dim || tile.Format != alert.Percent || len(tile.Series) != 3 {
		t.Errorf("%+v", tile)
	}
}
