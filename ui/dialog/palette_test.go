package dialog

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/ui/render"
	"wallboard/ui/style"
)

func TestPaletteTakesWordsBeforeLetters(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"sms":            "send a text message",
		"search support": "service Support Gold (SRV04)",
	} {
		p := NewPalette()
		p.Open([]Command{
			{Name: "sort by miss"},
			{Name: "search tickets"},
			{Name: "send a text message", Keywords: "sms"},
			{Name: "service Support Gold (SRV04)", Keywords: "open search"},
		}, nil)
		p.input.SetValue(typed)
		p.updateMatches()
		if len(p.matches) == 0 || p.commands[p.matches[0]].Name != want {
			t.Errorf("%q finds %v first", typed, p.matches)
		}
	}
}

// TestSimilarIsNeverChosen types an unknown name: similar names are listed, and enter
// runs none of them until the viewer has selected one.
func TestSimilarIsNeverChosen(t *testing.T) {
	t.Parallel()
	p, ran := NewPalette(), ""
	run := func(name string) func() tea.Cmd { return func() tea.Cmd { ran = name; return nil } }
	p.Open([]Command{{Name: "agent Romano Simone", Run: run("Simone")}, {Name: "agent Conti Paolo", Run: run("Paolo")}}, nil)
	p.input.SetValue("romsi")
	p.updateMatches()
	if len(p.matches) != 1 || p.wordMatches != 0 {
		t.Fatalf("found %v, %d of them strict", p.matches, p.wordMatches)
	}
	if _, c := p.HandleInput(tea.KeyPressMsg{Code: tea.KeyEnter}); c.Closed {
		t.Fatal("enter ran a similar command")
	}
	p.HandleInput(tea.KeyPressMsg{Code: tea.KeyDown})
	if _, c := p.HandleInput(tea.KeyPressMsg{Code: tea.KeyEnter}); !c.Closed || c.Run == nil || c.Run() != nil || ran != "Simone" {
		t.Errorf("chosen, enter ran %q", ran)
	}
}

// TestRecentIsFirst opens the palette again after a command was run.
func TestRecentIsFirst(t *testing.T) {
	t.Parallel()
	p := NewPalette()
	all := []Command{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for _, run := range []string{"c", "b", "c"} {
		p.Open(all, nil)
		p.input.SetValue(run)
		p.updateMatches()
		p.runSelected()
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

// TestInitialsFind types the first letters of a name's words: the command is selected
// unless words match.
func TestInitialsFind(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"cp": "service Contracts PT (SRV05)", "ra": "agent Rossi Anna", "scp": "service Contracts PT (SRV05)", "co": "service Contracts PT (SRV05)"} {
		p := NewPalette()
		p.Open([]Command{{Name: "create a campaign"}, {Name: "copy off"}, {Name: "agent Rossi Anna"}, {Name: "service Contracts PT (SRV05)"}}, nil)
		if typed == "co" {
			p.commands[1].Name = "other"
		}
		p.input.SetValue(typed)
		p.updateMatches()
		if p.selected != 0 || p.commands[p.matches[0]].Name != want {
			t.Errorf("%q finds %v, at %d", typed, p.matches, p.selected)
		}
	}
}

// TestTitles lists groups under their titles while nothing is typed. Once something is
// typed, the best match comes first regardless of its group, and the group is shown
// beside each match.
func TestTitles(t *testing.T) {
	t.Parallel()
	p := NewPalette()
	p.Open([]Command{{Name: "a", Group: "One"}, {Name: "b", Group: "One"}, {Name: "a c", Group: "Two"}}, nil)
	var got []string
	for _, l := range p.lines() {
		got = append(got, l.title)
	}
	if strings.Join(got, ",") != "One,,,Two," {
		t.Errorf("titles %q", got)
	}
	p.input.SetValue("a")
	p.updateMatches()
	lines := drawnPalette(t, p)
	for i, want := range [][]string{{"a", "One"}, {"a c", "Two"}} {
		if l := lines[i]; !strings.Contains(l, want[0]) || !strings.Contains(l, want[1]) {
			t.Errorf("while something is typed, hit %d is %q, want %q", i, l, want)
		}
	}
	if l := p.lines(); len(l) != 2 || l[0].title != "" {
		t.Errorf("while something is typed: %v", l)
	}
}

// drawnPalette returns the rows of the list on a screen of 80 columns.
func drawnPalette(t *testing.T, p *Palette) []string {
	t.Helper()
	lk := style.New(style.Options{Mono: true}, render.Options{})
	var out []string
	list := p.lines()
	for i := range list {
		out = append(out, ansi.Strip(p.drawRow(lk, list, i, paletteWidth)))
	}
	return out
}

// TestKeysAndGroupsAreBesideTheNames draws matches with names of all lengths: the key
// is always shown, the group if the whole name fits.
func TestKeysAndGroupsAreBesideTheNames(t *testing.T) {
	t.Parallel()
	p := NewPalette()
	long := strings.Repeat("x", 80)
	p.Open([]Command{{Name: "x short", Group: "The board", Key: "ctrl+e"}, {Name: "x " + long, Group: "The board", Key: "t"}, {Name: "x none", Group: "Open"}}, nil)
	p.input.SetValue("x")
	p.updateMatches()
	for _, l := range drawnPalette(t, p) {
		fields := strings.Fields(l)
		switch {
		case strings.Contains(l, "x short"):
			if !strings.HasSuffix(l, "The board ctrl+e") {
				t.Errorf("drawn %q", l)
			}
		case strings.Contains(l, "x none"):
			if !strings.HasSuffix(strings.TrimRight(l, " "), "Open") {
				t.Errorf("drawn %q", l)
			}
		default:
			if fields[len(fields)-1] != "t" || strings.Contains(l, "board") {
				t.Errorf("drawn %q", l)
			}
		}
		if style.Width(l) != paletteWidth {
			t.Errorf("%q is %d cells wide", l, style.Width(l))
		}
	}
}

// TestOrder lists word matches before similar ones, and among equals recently run ones;
// the first is selected only if it is a word match.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typed  string
		recent []string
		want   string // expected names, with * before the selected one
	}{
		{"sort", nil, "*sort by age,sort by name,s o r t"},
		{"sort", []string{"sort by name"}, "*sort by name,sort by age,s o r t"},
		{"sort", []string{"s o r t"}, "*sort by age,sort by name,s o r t"}, // similar ones stay last
		{"sobyne", []string{"sort by name"}, "sort by name"},
		{"", []string{"sort by name", "s o r t"}, "*sort by name,s o r t,sort by age"},
	} {
		p := NewPalette()
		p.recent = tt.recent
		p.Open([]Command{{Name: "s o r t"}, {Name: "sort by age"}, {Name: "sort by name"}}, nil)
		p.input.SetValue(tt.typed)
		p.updateMatches()
		var got []string
		for i, at := range p.matches {
			name := p.commands[at].Name
			if i == p.selected {
				name = "*" + name
			}
			got = append(got, name)
		}
		if strings.Join(got, ",") != tt.want {
			t.Errorf("%q after %q lists %q, want %q", tt.typed, tt.recent, strings.Join(got, ","), tt.want)
		}
	}
}

// TestAccentsAreFolded finds names regardless of accents, composed or not.
func TestAccentsAreFolded(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"jose", "josé", "jose\u0301", "JOSÉ"} {
		for _, name := range []string{"agent Rossi José", "agent Rossi Jose\u0301"} {
			p := NewPalette()
			p.Open([]Command{{Name: "page services"}, {Name: name}}, nil)
			p.input.SetValue(word)
			p.updateMatches()
			if p.wordMatches != 1 || p.commands[p.matches[0]].Name != name {
				t.Errorf("%q does not find %q", word, name)
			}
		}
	}
}

// TestActionsStandBehindHarmless checks that commands that act are found only by words of their own name,
// never by scattered letters, initials or keywords. They come first if their verb was typed, and
// otherwise after all other commands.
func TestActionsStandBehindHarmless(t *testing.T) {
	t.Parallel()
	all := []Command{
		{Name: "reset ALL items of all lists", AffectsOthers: true},
		{Name: "stop Upsell Fiber 1", Keywords: "tell", AffectsOthers: true},
		{Name: "Rossi Anna: hang up a call", AffectsOthers: true},
		{Name: "search lists"},
		{Name: "campaign Upsell Fiber 1"},
		{Name: "agent Rossi Anna", Keywords: "open"},
		{Name: "follow me", Keywords: "stopping"},
	}
	for typed, want := range map[string]string{
		"ross":        "agent Rossi Anna,Rossi Anna: hang up a call",
		"rossi":       "agent Rossi Anna,Rossi Anna: hang up a call",
		"rossi hang":  "Rossi Anna: hang up a call",
		"tell":        "",
		"rsl":         "", // scattered letters of "reset all"
		"suf":         "", // initials of "stop Upsell Fiber"
		"upsell":      "campaign Upsell Fiber 1,stop Upsell Fiber 1",
		"stop upsell": "stop Upsell Fiber 1",
		"stop":        "stop Upsell Fiber 1,follow me",
		"sto":         "follow me,stop Upsell Fiber 1",
		"lists":       "search lists,reset ALL items of all lists",
		"reset":       "reset ALL items of all lists",
	} {
		p := NewPalette()
		p.Open(all, nil)
		p.input.SetValue(typed)
		p.updateMatches()
		var got []string
		for _, i := range p.matches {
			got = append(got, p.commands[i].Name)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q lists %q, want %q", typed, strings.Join(got, ","), want)
		}
	}
}

// TestActionsAreNotRemembered opens the palette after an action: enter must not repeat it.
func TestActionsAreNotRemembered(t *testing.T) {
	t.Parallel()
	p := NewPalette()
	all := []Command{{Name: "page services"}, {Name: "stop all campaigns", AffectsOthers: true}}
	p.Open(all, nil)
	p.input.SetValue("stop all")
	p.updateMatches()
	p.runSelected()
	p.Open(all, nil)
	if p.recentMatches != 0 || p.commands[p.matches[0]].AffectsOthers {
		t.Errorf("listed %v, %d of them recent", p.matches, p.recentMatches)
	}
}
