package floorview_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

var now = time.Date(2026, 3, 2, 14, 20, 0, 0, time.UTC)

// floor returns a snapshot with a service for each key of waiting, whose value is the number of waiting
// callers. A negative number means that it is unknown.
func floor(at time.Time, waiting map[string]int64) *model.Snapshot {
	st := model.NewStore()
	for code, n := range waiting {
		s := &model.Service{Channel: model.Call}
		s.Code = model.TextOf(code)
		if n >= 0 {
			s.ChannelStats.QueuedCalls = model.IntOf(n)
		}
		st.Services.Put(s)
	}
	return st.Publish(at, model.Health{Link: model.Link{State: model.LinkUp}})
}

// shownComparison draws the comparison of services with another instant, in a table of the given width.
func shownComparison(t *testing.T, width int, ascii bool, here, there map[string]int64, later bool, desc bool) []string {
	t.Helper()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	v := &render.View{Options: &render.Options{Theme: theme, ASCII: ascii}, Scope: render.Scope{Channel: model.Call}, Now: now}
	of, then := render.NewServices(), render.NewServices()
	of.Pick("name", "waiting")
	of.Update(floor(now, here), v)
	of.SetDescending(desc)
	r := floorview.NewComparison(of, then)
	o := &floorview.Reference{Snapshot: floor(now.Add(-time.Hour), there), Time: now.Add(-time.Hour), IsLater: later}
	r.Update(o, v, desc)
	tab := table.New(table.WithColumns(floorview.WidenFigures(of.Columns())...))
	tab.SetSize(width, 9)
	tab.SetSource(r)
	tab.SortBy("waiting", desc)
	tab.SetSource(r)
	var out []string
	for _, l := range tab.Lines()[1:] {
		if l = strings.Join(strings.Fields(ansi.Strip(l)), " "); l != "" {
			out = append(out, l)
		}
	}
	return out
}

func TestBothValues(t *testing.T) {
	t.Parallel()
	here := map[string]int64{"Billing": 3, "Sales": 12, "Orders": 1, "New": 2, "Mute": -1}
	there := map[string]int64{"Billing": 3, "Sales": 9, "Orders": 4, "Gone": 5, "Mute": 3}
	for name, tt := range map[string]struct {
		width              int
		ascii, later, desc bool
		want               []string
	}{
		"earlier":    {60, false, false, true, []string{"Sales 9→12", "Billing 3", "+New 2", "Orders 4→1", "Mute –", "-Gone 5"}},
		"ascending":  {60, false, false, false, []string{"Orders 4→1", "+New 2", "Billing 3", "Sales 9→12", "Mute –", "-Gone 5"}},
		"later":      {60, false, true, true, []string{"Sales 12→9", "Billing 3", "-New 2", "Orders 1→4", "Mute –", "+Gone 5"}},
		"seven bits": {60, true, false, true, []string{"Sales 9>12", "Billing 3", "+New 2", "Orders 4>1", "Mute -", "-Gone 5"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := shownComparison(t, tt.width, tt.ascii, here, there, tt.later, tt.desc)
			for i := range got {
				got[i] = strings.TrimPrefix(strings.TrimPrefix(got[i], "> "), "▌ ")
				got[i] = strings.TrimPrefix(got[i], "▌")
				got[i] = strings.Replace(strings.Replace(got[i], "+ ", "+", 1), "- ", "-", 1)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestCan checks that agents are not compared if the recording contains other names.
func TestCan(t *testing.T) {
	t.Parallel()
	agents, services := []model.Op{model.OpUserStats, model.OpUsers}, []model.Op{model.OpServices}
	var none *floorview.Reference
	if none.CanCompare(services) {
		t.Error("a nil Other compares")
	}
	full, hidden := &floorview.Reference{}, &floorview.Reference{NamesDiffer: true}
	if !full.CanCompare(agents) || !full.CanCompare(services) || hidden.CanCompare(agents) || !hidden.CanCompare(services) {
		t.Error("services cannot be compared")
	}
}
