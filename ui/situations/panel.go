package situations

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/ui/style"
)

// Shown is the data that a panel draws.
type Shown struct {
	Look *style.Look
	View *situation.View // never nil
	Keys Keys
}

// Keys holds the key hints. The zero value has none.
type Keys struct {
	Actions       string          // actions on the selected situation
	Hints         []style.KeyHint // the same for a frame
	AllSituations string          // page with all situations: "page 7"
}

// Note returns the text beside the title: counts of open, taken and snoozed
// situations.
func (sh Shown) Note() string {
	var parts []string
	if text := sh.Needs(); text != "" {
		parts = append(parts, text)
	}
	if n := sh.View.AckedCount(); n > 0 {
		parts = append(parts, sh.Look.Count(n)+" taken over")
	}
	if n := len(sh.View.Silenced); n > 0 {
		parts = append(parts, sh.Look.Count(n)+" silent")
	}
	return strings.Join(parts, " "+sh.Look.Glyphs.Dot+" ")
}

// Needs counts the situations that need action; "" for none.
func (sh Shown) Needs() string {
	critical, warning := sh.View.Counts()
	switch n := critical + warning; n {
	case 0:
		return ""
	case 1:
		return "1 thing needs you"
	default:
		return sh.Look.Count(n) + " things need you"
	}
}

// Panel lists the situations that need action: where, why and what would help; or that
// there are none. Its height depends only on the screen size, so that nothing below it
// jumps.
type Panel struct {
	selected string   // id of the selected situation; "": the first
	lineIDs  []string // id of the situation on each line of the last view, "" for none
	x, y     int      // position of the last view
	w        int
}

// Room returns the height of the panel on a page with h lines.
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

// SelectedIndex returns the index of the selected situation, or 0 if it has ended.
func (p *Panel) SelectedIndex(sh Shown) int {
	live := sh.View.Live
	return max(slices.IndexFunc(live, func(s situation.Situation) bool { return s.ID == p.selected }), 0)
}

// Selected returns the selected situation, nil if there is none.
func (p *Panel) Selected(sh Shown) *situation.Situation {
	live := sh.View.Live
	if len(live) == 0 {
		return nil
	}
	return &live[p.SelectedIndex(sh)]
}

// Move selects another situation. The selection follows it when the order changes.
func (p *Panel) Move(sh Shown, delta int) {
	live := sh.View.Live
	if len(live) == 0 {
		return
	}
	p.selected = live[min(max(p.SelectedIndex(sh)+delta, 0), len(live)-1)].ID
}

// Press handles a key while the panel is focused.
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
		if s := p.Selected(sh); s != nil {
			return s, true
		}
	default:
		return nil, false
	}
	return nil, true
}

// Click selects the situation under the mouse, or opens it if it is already selected.
func (p *Panel) Click(sh Shown, x, y int) (open *situation.Situation, ok bool) {
	if y < p.y || y >= p.y+len(p.lineIDs) || x < p.x || x >= p.x+p.w {
		return nil, false
	}
	id := p.lineIDs[y-p.y]
	if s := p.Selected(sh); s != nil && s.ID == id {
		return s, true
	}
	if id != "" {
		p.selected = id
	}
	return nil, true
}

// Look holds the drawing options of a panel.
type Look struct {
	Focused bool // has the keyboard
}

// View draws the panel with h lines of w cells at a position of the screen.
func (p *Panel) View(sh Shown, x, y, w, h int, look Look) []string {
	p.x, p.y, p.w, p.lineIDs = x, y, w, p.lineIDs[:0]
	if h <= 0 {
		return nil
	}
	d := drawing{Shown: sh, w: w, panel: p, focused: look.Focused}
	d.body(h)
	for len(d.out) < h {
		d.add("", style.Blanks(w))
	}
	return d.out[:h]
}
