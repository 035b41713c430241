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

// TestInitialsFind types the first letters of the words of a name: what they find is
// chosen, unless words find something.
func TestInitialsFind(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"cp": "service Contracts PT (SRV05)", "ra": "agent Rossi Anna", "scp": "service Contracts PT (SRV05)", "co": "service Contracts PT (SRV05)"} {
		p := New()
		p.Open([]Command{{Name: "create a campaign"}, {Name: "copy off"}, {Name: "agent Rossi Anna"}, {Name: "service Contracts PT (SRV05)"}}, nil)
		if typed == "co" {
			p.commands[1].Name = "other"
		}
		p.input.SetValue(typed)
		p.find()
		if p.at != 0 || p.commands[p.matches[0]].Name != want {
			t.Errorf("%q finds %v, at %d", typed, p.matches, p.at)
		}
	}
}

// TestTitles lists groups under their titles while nothing is typed, and no titles
// afterwards.
func TestTitles(t *testing.T) {
	t.Parallel()
	p := New()
	p.Open([]Command{{Name: "a", Group: "One"}, {Name: "b", Group: "One"}, {Name: "c", Group: "Two"}}, nil)
	var got []string
	for _, l := range p.lines() {
		got = append(got, l.title)
	}
	if strings.Join(got, ",") != "One,,,Two," {
		t.Errorf("titles %q", got)
	}
	p.input.SetValue("a")
	p.find()
	if l := p.lines(); len(l) != 1 || l[0].title != "" {
		t.Errorf("while something is typed: %v", l)
	}
}
