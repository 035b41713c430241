package situation

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// TestFindPlaybook checks that a playbook for the place is preferred, and that the most urgent rule
// with a playbook counts.
func TestFindPlaybook(t *testing.T) {
	t.Parallel()
	list := []Playbook{
		{Rule: "nobody ready", EndCondition: "general"},
		{Rule: "nobody ready", Services: []string{"A"}, EndCondition: "for A"},
		{Rule: "nobody ready", Groups: []string{"A"}, EndCondition: "for group A"},
		{Rule: "long wait", Services: []string{"B"}, EndCondition: "wait of B"},
	}
	of := func(rules ...string) (out []alert.Alert) {
		for _, r := range rules {
			out = append(out, alert.Alert{Rule: r})
		}
		return out
	}
	for want, c := range map[string]struct {
		place alert.Key
		of    []alert.Alert
	}{
		"general":     {alert.Key{Scope: alert.Service, Code: "C"}, of("long wait", "nobody ready")},
		"for A":       {alert.Key{Scope: alert.Service, Code: "A"}, of("nobody ready")},
		"for group A": {alert.Key{Scope: alert.Group, Code: "A"}, of("nobody ready")},
		"wait of B":   {alert.Key{Scope: alert.Service, Code: "B"}, of("long wait", "nobody ready")},
		"":            {alert.Key{Scope: alert.Service, Code: "A"}, of("long wait")},
	} {
		got := ""
		if p := FindPlaybook(list, c.place, c.of); p != nil {
			got = p.EndCondition
		}
		if got != want {
			t.Errorf("playbook %q, want %q", got, want)
		}
	}
}

// TestTicks checks that only ticks of the same place and situation count, as long as they are not
// taken back.
func TestTicks(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	place := alert.Key{Scope: alert.Service, Code: "A", Channel: model.Call}
	other := alert.Key{Scope: alert.Service, Code: "A", Channel: model.Chat}
	tick := func(minute int, k alert.Key, text string) model.Note {
		return NewTick(model.Note{At: began.Add(time.Duration(minute) * time.Minute), Text: text}, k, PlaybookItem{"Do", text})
	}
	taken := tick(3, place, "taken back")
	taken.Until = began.Add(4 * time.Minute)
	notes := []model.Note{tick(-1, place, "earlier"), tick(1, place, "done"), tick(2, other, "elsewhere"), taken, tick(9, place, "later"), {At: began, Until: began.Add(time.Hour), Text: "a note"}}
	got := Ticks(notes, place, began, began.Add(5*time.Minute))
	if len(got) != 1 || got["done"].Text != "done" {
		t.Errorf("ticks: %+v", got)
	}
	p := Playbook{Checks: []string{"a"}, Steps: []string{"b", "c"}, PeopleToInform: []string{"d"}}
	if items := p.Items(); len(items) != 4 || items[0] != (PlaybookItem{"Check", "a"}) || items[2] != (PlaybookItem{"Do", "c"}) || items[3] != (PlaybookItem{"Inform", "d"}) {
		t.Errorf("items: %+v", items)
	}
}
