package render

import (
	"strings"
	"testing"

	"wallboard/model"
	"wallboard/themes"
)

func TestMarkComesAndGoes(t *testing.T) {
	t.Parallel()
	s, r, v := snapshot(t), NewAgents(), view(model.Call)
	r.Update(s, v)
	i := at(t, r, "rossi")
	plain, version := shown(t, r, "rossi", "state"), r.Version(i)
	_, mark, _ := r.Since(0)

	marked := *v
	marked.Marks = &Marks{Agents: map[string]Mark{"rossi": {Glyph: "?", Word: "dial", Token: themes.Warn}}}
	r.Update(s, &marked)
	if got := shown(t, r, "rossi", "state"); !strings.HasSuffix(got, "? dial") || got == plain {
		t.Errorf("the marked row says %q", got)
	}
	if got := shown(t, r, "bianchi", "state"); strings.Contains(got, "dial") {
		t.Errorf("another row says %q", got)
	}
	if _, _, ok := r.Since(mark); ok || r.Version(i) == version {
		t.Error("what was drawn before passes for what is now")
	}

	r.Update(s, v)
	if got := shown(t, r, "rossi", "state"); got != plain {
		t.Errorf("without the mark the row says %q, want %q", got, plain)
	}
}

func TestMarkIsToldInFull(t *testing.T) {
	t.Parallel()
	v := view(model.Call)
	v.Marks = &Marks{
		Agents:    map[string]Mark{"rossi": {Glyph: "?", Text: "Pending: dial."}},
		Campaigns: map[string]Mark{"9": {Glyph: "?", Text: "Pending: start."}},
	}
	for want, lines := range map[string][]string{
		"? Pending: dial.":  AgentDetail(snapshot(t), v, "rossi", 80),
		"? Pending: start.": CampaignDetail(snapshot(t), v, 9, 80),
	} {
		if all := strings.Join(lines, "\n"); !strings.Contains(all, want) {
			t.Errorf("%q is not said:\n%s", want, all)
		}
	}
	if all := strings.Join(AgentDetail(snapshot(t), v, "bianchi", 80), "\n"); strings.Contains(all, "Pending") {
		t.Errorf("another agent has the mark:\n%s", all)
	}
}
