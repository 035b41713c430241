package widgets

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/chart"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// pseudoLook returns a look in the pseudo-language.
func pseudoLook() *style.Look {
	lk := style.New(style.Options{Location: time.UTC}, render.Options{})
	lk.Format.Words = words.PseudoLanguage()
	return lk
}

// checkPseudo fails the test if lines contain English words or something that is cut.
func checkPseudo(t *testing.T, what string, lines ...string) {
	t.Helper()
	text := ansi.Strip(strings.Join(lines, "\n"))
	if left := testkit.Untranslated(text); len(left) > 0 {
		t.Errorf("%s: %q is not in the catalogue:\n%s", what, left, text)
	}
	if strings.Contains(text, "…") {
		t.Errorf("%s: something is cut:\n%s", what, text)
	}
	if strings.TrimSpace(text) == "" {
		t.Errorf("%s: nothing is drawn", what)
	}
}

// TestChartsInPseudo draws a chart in the pseudo-language, with its legend and footer, and charts without data.
func TestChartsInPseudo(t *testing.T) {
	t.Parallel()
	f := &habits{days: "4"}
	f.newest = 0.5
	sc := &Source{Look: pseudoLook(), Floor: &floorview.View{Channel: model.Call}, Engine: f, Trends: f, Alerts: render.NewAlerts(nil, nil, nil, nil)}
	floor := []alert.Key{{Scope: alert.Floor}}
	for what, p := range map[string]*Plot{
		"chart":                  {Subjects: floor, KPIs: []string{"a", "b", "c"}},
		"cursor":                 {Subjects: floor, KPIs: []string{"a"}, Cursor: time.Unix(940, 0)},
		"narrow, with a target":  {Subjects: floor, KPIs: []string{"a"}, Target: model.FloatOf(0.4), SpanIndex: 1},
		"no figures":             {Subjects: floor, KPIs: []string{"no"}},
		"no figures of an agent": {Subjects: []alert.Key{{Scope: alert.User}}, KPIs: []string{"no"}},
	} {
		w := 160
		if strings.HasPrefix(what, "narrow") {
			w = minLabeledWidth - 1
		}
		checkPseudo(t, what, p.View(sc, 0, 0, w, 30)...)
		if len(p.Window.Samples) > 0 {
			checkPseudo(t, what+", extreme", p.ExtremeText(sc))
		}
	}
	low := &Plot{Subjects: floor, KPIs: []string{"a", "b", "c"}} // too low for all panels
	checkPseudo(t, "low", low.View(sc, 0, 0, 160, 7)...)
	typical := &Plot{Subjects: floor, KPIs: []string{"b"}}
	typical.View(sc, 0, 0, 100, 20)
	checkPseudo(t, "baseline", sc.Look.Translate(typical.BaselineText()))
	checkPseudo(t, "title", sc.TitleOf(alert.Key{Scope: alert.Floor, Channel: model.Call}))
	for _, k := range Keys(sc.Look) {
		checkPseudo(t, "key", k.Description)
	}
	marks := []chart.Mark{{Glyph: sc.alertSign(render.Critical)}, {Glyph: sc.alertSign(render.Warning)}, {Glyph: sc.eventSign()}}
	checkPseudo(t, "marks", sc.markLegend(marks))
	checkPseudo(t, "clock", DrawClock(sc.Look, time.Unix(1000, 0), nil, 60, 8)...)
}

// TestTilesInPseudo describes the figures of the floor in the pseudo-language.
func TestTilesInPseudo(t *testing.T) {
	t.Parallel()
	lk, n := pseudoLook(), model.IntOf
	f := model.Floor{Services: 6, Users: 4, States: map[model.UserStatus]int{model.Busy: 4}}
	f.Calls.CurrentCalls, f.Calls.ReceivedCalls, f.Calls.AnsweredCalls, f.Calls.HangupCalls = n(7), n(100), n(80), n(10)
	for figure := range tileDescribers {
		d := FloorDescriber{
			Source: &Source{
				Look: lk, Alerts: render.NewAlerts(nil, nil, nil, nil), Floor: &floorview.View{Channel: model.Chat},
				Engine: &targets{goal: alert.Goal{ServiceLevel: model.FloatOf(0.8)}},
			},
			Figures: &f, Forecast: func() (forecast.Forecast, bool) { return forecast.Forecast{}, false },
		}
		var tile Tile
		d.Describe(figure, model.FigureOf(0), &tile)
		checkPseudo(t, figure, tile.Reference)
	}
	for _, ch := range model.Channels() {
		checkPseudo(t, "late contacts left", lk.Translate(allowedLateText(2, ch)))
	}
}

// TestAgentsInPseudo draws texts of the map, the last hour and the shift of an agent in the pseudo-language.
func TestAgentsInPseudo(t *testing.T) {
	t.Parallel()
	lk := pseudoLook()
	for _, over := range []int{0, 1, 5} {
		_, text := overLimitText(over, over == 5)
		checkPseudo(t, "map", lk.Translate(text))
	}
	checkPseudo(t, "no agents", func() []string {
		lines, _ := DrawStates(lk, &floorview.View{Channel: model.Chat}, &model.Floor{}, 100, 5)
		return lines
	}()...)
	checkPseudo(t, "no hours", DrawHours(lk, nil, 100)...)
	hour := HourLine{Channel: model.Chat, AgentHour: diagnosis.AgentHour{End: time.Unix(7200, 0), Step: time.Minute, States: make([]model.UserStatus, 60)}}
	checkPseudo(t, "unknown hour", DrawHours(lk, []HourLine{hour}, 120)...)
	shift := channelShift{Shift: analysis.Shift{Channel: model.Chat}, hour: hour}
	checkPseudo(t, "heading of a shift", shift.drawHeading(lk, 100))
}
