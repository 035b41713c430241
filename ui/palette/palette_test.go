package palette

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestPaletteTakesWordsBeforeLetters(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"sms":            "send a text message",
		"search support": "service Support Gold (SRV04)",
	} {
		p := New()
		p.Open([]Command{
			{Name: "sort by miss"},
			{Name: "search tickets"},
			{Name: "send a text message", Also: "sms"},
			{Name: "service Support Gold (SRV04)", Also: "open search"},
		}, nil)
		p.input.SetValue(typed)
		p.find()
		if len(p.matches) == 0 || p.commands[p.matches[0]].Name != want {
			t.Errorf("%q finds %v first", typed, p.matches)
		}
	}
}

// TestSimilarIsNeverChosen types a name that nobody has: what has its letters
// somewhere is listed, and enter runs none of it until the viewer has chosen.
func TestSimilarIsNeverChosen(t *testing.T) {
	t.Parallel()
	p, ran := New(), ""
	run := func(name string) func() tea.Cmd { return func() tea.Cmd { ran = name; return nil } }
	p.Open([]Command{{Name: "agent Romano Simone", Run: run("Simone")}, {Name: "agent Conti Paolo", Run: run("Paolo")}}, nil)
	p.input.SetValue("romsi")
	p.find()
	if len(p.matches) != 1 || p.strict != 0 {
		t.Fatalf("found %v, %d of them strict", p.matches, p.strict)
	}
	if _, c := p.Type(tea.KeyPressMsg{Code: tea.KeyEnter}); c.Closed {
		t.Fatal("enter ran what is only similar")
	}
	p.Type(tea.KeyPressMsg{Code: tea.KeyDown})
	if _, c := p.Type(tea.KeyPressMsg{Code: tea.KeyEnter}); !c.Closed || c.Run == nil || c.Run() != nil || ran != "Simone" {
		t.Errorf("chosen, enter ran %q", ran)
	}
}

// TestRecentIsFirst opens the palette again after something was run.
func TestRecentIsFirst(t *testing.T) {
	t.Parallel()
	p := New()
	all := []Command{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for _, run := range []string{"c", "b", "c"} {
		p.Open(all, nil)
		p.input.SetValue(run)
		p.find()
		p.run()
	}
	p.Open(all, nil)
	var order []string
	for _, i := range p.matches {
		order = append(order, p.commands[i].Name)
	}
	if got := strings.Join(order, ""); got != "cba" {
		t.Errorf("listed %s, want cba", got)
	}
}
