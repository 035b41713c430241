package situations

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/situation"
	"wallboard/ui/look"
)

// Shown is what a panel is drawn from.
type Shown struct {
	Look *look.Look
	View *situation.View // never nil
	Keys Keys
}

// Keys is what a viewer can do; its zero value is nothing: nobody presses any key.
type Keys struct {
	Acts string // what keys do with the situation that is pointed at
	All  string // the page that lists all situations: "page 7"
}

// Note says beside the title what is well again and what the day is about, as far as
// no line says it.
func (sh Shown) Note() string {
	var parts []string
	if text := sh.Needs(); text != "" {
		parts = append(parts, text)
	}
	if n := sh.View.Taken(); n > 0 {
		parts = append(parts, sh.Look.Count(n)+" taken over")
	}
	if text := sh.View.OfDay(); text != "" {
		parts = append(parts, "today: "+text)
	}
	if n := len(sh.View.Silenced); n > 0 {
		parts = append(parts, sh.Look.Count(n)+" silent")
	}
	return strings.Join(parts, " "+sh.Look.Glyphs.Dot+" ")
}

// Needs says how many situations need a person; "" for none.
func (sh Shown) Needs() string {
	critical, warning := sh.View.Open()
	switch n := critical + warning; n {
	case 0:
		return ""
	case 1:
		return "1 thing needs you"
	default:
		return sh.Look.Count(n) + " things need you"
	}
}

// Panel says in sentences what needs a person now: where, why, and what would
// help. When nothing does it says that all is well. How many lines it has depends on
// the screen alone, so that nothing jumps.
type Panel struct {
	chosen string   // the situation that the viewer went to; "": the first
	rows   []string // of the last view: the situation of each line, "" for none
	x, y   int      // where it was drawn
	w      int
}

// Room is how many of h lines the panel has above other things.
func Room(h int) int {
	switch {
	case h < 16:
		return 1
	case h < 22:
		return 4
	case h < 32:
		return 5
	case h < 40:
		return 6
	}
	return 8
}

// At is the place of the chosen situation among those that go on: the first, where it
// is over.
func (p *Panel) At(sh Shown) int {
	live := sh.View.Live
	return max(slices.IndexFunc(live, func(s situation.Situation) bool { return s.ID == p.chosen }), 0)
}

// Pointed is the situation that the viewer points at, nil where nothing goes on.
func (p *Panel) Pointed(sh Shown) *situation.Situation {
	live := sh.View.Live
	if len(live) == 0 {
		return nil
	}
	return &live[p.At(sh)]
}

// Move goes to another situation. The viewer stays with it, wherever it stands later.
func (p *Panel) Move(sh Shown, by int) {
	live := sh.View.Live
	if len(live) == 0 {
		return
	}
	p.chosen = live[min(max(p.At(sh)+by, 0), len(live)-1)].ID
}

// Press obeys the keys of the panel while it has the keyboard.
func (p *Panel) Press(sh Shown, msg tea.KeyPressMsg) (open *situation.Situation, ok bool) {
	switch name := msg.String(); name {
	case "up", "k":
		p.Move(sh, -1)
	case "down", "j":
		p.Move(sh, 1)
	case "home":
		p.Move(sh, -len(sh.View.Live))
	case "end":
		p.Move(sh, len(sh.View.Live))
	case "enter":
		if s := p.Pointed(sh); s != nil {
			return s, true
		}
	default:
		return nil, false
	}
	return nil, true
}

// Click goes to what is under the mouse, and opens what is chosen already.
func (p *Panel) Click(sh Shown, x, y int) (open *situation.Situation, ok bool) {
	if y < p.y || y >= p.y+len(p.rows) || x < p.x || x >= p.x+p.w {
		return nil, false
	}
	id := p.rows[y-p.y]
	if s := p.Pointed(sh); s != nil && s.ID == id {
		return s, true
	}
	if id != "" {
		p.chosen = id
	}
	return nil, true
}

// Look is how a panel is drawn.
type Look struct {
	Focused bool // it has the keyboard
}

// View draws the panel in h lines of w cells at a place on the screen.
func (p *Panel) View(sh Shown, x, y, w, h int, as Look) []string {
	p.x, p.y, p.w, p.rows = x, y, w, p.rows[:0]
	if h <= 0 {
		return nil
	}
	d := drawing{Shown: sh, w: w, panel: p, focused: as.Focused}
	d.body(h)
	for len(d.out) < h {
		d.add("", look.Blanks(w))
	}
	return d.out[:h]
}
