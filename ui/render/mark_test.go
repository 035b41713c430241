package render

import (
	"strings"
	"testing"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

func TestMarkComesAndGoes(t *testing.T) {
	t.Parallel()
	s, r, v := snapshot(t), NewAgents(), view(model.Call)
	r.Update(s, v)
	i := at(t, r, "rossi")
	plain, version := shown(t, r, "rossi", "state"), r.Version(i)
	_, mark, _ := r.Since(0)

	marked := *v
	marked.Marks = &ActionMarks{Agents: map[string]ActionMark{"rossi": {Glyph: "?", Word: "dial", Token: themes.Warn}}}
	r.Update(s, &marked)
	if got := shown(t, r, "rossi", "state"); got != plain+" ?" {
		t.Errorf("the marked row shows %q", got)
	}
	if got := shown(t, r, "bianchi", "state"); strings.Contains(got, "dial") {
		t.Errorf("another row shows %q", got)
	}
	if _, _, ok := r.Since(mark); ok || r.Version(i) == version {
		t.Error("an outdated version is valid")
	}

	r.Update(s, v)
	if got := shown(t, r, "rossi", "state"); got != plain {
		t.Errorf("without the mark the row shows %q, want %q", got, plain)
	}
}

// TestMarkLeavesTheStateItsWord checks that the word of an agent's state stays visible beside the mark of
// an action.
func TestMarkLeavesTheStateItsWord(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	for _, tt := range []struct {
		status model.UserStatus
		width  int
		want   string
	}{
		{model.Busy, 16, "● Talking ◌ dial"},
		{model.BusyDNCallOut, 16, "▷ Call out ◌dial"},
		{model.NotReady, 16, "×Not ready ◌dial"},
		{model.NotReadyBusy, 16, "▣ Busy n/r ◌dial"},
		{model.BusyDNCallOutPrivate, 16, "◈ Private ◌dial"},
		{"SUSPENDED_BY_SUPERVISOR", 16, "? SUSPENDED_B… ◌"},
		{model.NotReadyBusy, 25, "▣ Busy, then break ◌ dial"},
	} {
		c := table.Cell{Width: tt.width}
		v.drawMarkedState(StateOf(tt.status, model.Call), ActionMark{Glyph: "◌", Word: "dial"}, &c)
		if got := string(c.Text); got != tt.want {
			t.Errorf("in %d cells: %q, want %q", tt.width, got, tt.want)
		}
		if whole := StateOf(tt.status, model.Call).Word.In(nil); c.WantedWidth != len(whole)+len("x  x dial") {
			t.Errorf("%s with its mark wants %d cells", whole, c.WantedWidth)
		}
	}
}

func TestMarkFitsBesideEveryStateOfACampaign(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	for state, want := range map[CampaignState]string{
		CampaignRunning: "●Runs ◌start", CampaignIdle: "○Idle ◌start", CampaignEmpty: "□None ◌start",
	} {
		c := table.Cell{Width: 12}
		if v.drawMarkedState(state.State(), ActionMark{Glyph: "◌", Word: "start"}, &c); string(c.Text) != want {
			t.Errorf("%q, want %q", c.Text, want)
		}
	}
}

func TestMarkIsToldInFull(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	v.Marks = &ActionMarks{
		Agents:    map[string]ActionMark{"rossi": {Glyph: "?", Text: "Pending: dial."}},
		Campaigns: map[string]ActionMark{"9": {Glyph: "?", Text: "Pending: start."}},
	}
	for want, lines := range map[string][]string{
		"? Pending: dial.":  AgentDetail(snapshot(t), v, "rossi", 80),
		"? Pending: start.": CampaignDetail(snapshot(t), v, 9, 80),
	} {
		if all := strings.Join(lines, "\n"); !strings.Contains(all, want) {
			t.Errorf("%q is missing:\n%s", want, all)
		}
	}
	if all := strings.Join(AgentDetail(snapshot(t), v, "bianchi", 80), "\n"); strings.Contains(all, "Pending") {
		t.Errorf("another agent has the mark:\n%s", all)
	}
}
