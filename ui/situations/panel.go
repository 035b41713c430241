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
	selected string   // id of the selected situation, or todayID; "": the first
	lineIDs  []string // id of the situation on each line of the last view, "" for none
	hasToday bool     // the last view had a line about the day
	x, y     int      // position of the last view
	w        int
}

// todayID is the id of the line about the figures of the day.
const todayID = "today"

// OpenTodayMsg asks for the list of the figures of the day that miss their targets.
type OpenTodayMsg struct{}

// Target is what a line of the panel opens. The zero value is nothing.
type Target struct {
	Situation *situation.Situation
	Today     bool // the list of the figures of the day that miss their targets
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

// Len returns the number of selectable lines: one for each situation and, if shown, the line
// about the day.
func (p *Panel) Len(sh Shown) int {
	if p.hasToday {
		return len(sh.View.Live) + 1
	}
	return len(sh.View.Live)
}

// Index returns the index of the selected line.
func (p *Panel) Index(sh Shown) int {
	if p.selected == todayID && p.hasToday {
		return len(sh.View.Live)
	}
	return p.SelectedIndex(sh)
}

// onToday reports whether the line about the day is selected.
func (p *Panel) onToday(sh Shown) bool { return p.hasToday && p.Index(sh) == len(sh.View.Live) }

// Selected returns the selected situation, nil if there is none.
func (p *Panel) Selected(sh Shown) *situation.Situation {
	live := sh.View.Live
	if len(live) == 0 || p.onToday(sh) {
		return nil
	}
	return &live[p.SelectedIndex(sh)]
}

// Move selects another line. The selection follows its situation when the order changes.
func (p *Panel) Move(sh Shown, delta int) {
	n := p.Len(sh)
	if n == 0 {
		return
	}
	if i := min(max(p.Index(sh)+delta, 0), n-1); i < len(sh.View.Live) {
		p.selected = sh.View.Live[i].ID
	} else {
		p.selected = todayID
	}
}

// First selects the most urgent situation.
func (p *Panel) First(sh Shown) { p.Move(sh, -p.Len(sh)) }

// Press handles a key while the panel is focused.
func (p *Panel) Press(sh Shown, msg tea.KeyPressMsg) (open Target, ok bool) {
	switch name := msg.String(); name {
	case "up", "k":
		p.Move(sh, -1)
	case "down", "j":
		p.Move(sh, 1)
	case "home":
		p.First(sh)
	case "end":
		p.Move(sh, p.Len(sh))
	case "enter":
		return Target{Situation: p.Selected(sh), Today: p.onToday(sh)}, true
	default:
		return Target{}, false
	}
	return Target{}, true
}

// Click selects the situation under the mouse, or opens it if it is already selected. A click on
// the line about the day opens its list.
func (p *Panel) Click(sh Shown, x, y int) (open Target, ok bool) {
	if y < p.y || y >= p.y+len(p.lineIDs) || x < p.x || x >= p.x+p.w {
		return Target{}, false
	}
	id := p.lineIDs[y-p.y]
	if s := p.Selected(sh); s != nil && s.ID == id {
		return Target{Situation: s}, true
	}
	if id != "" {
		p.selected = id
	}
	return Target{Today: id == todayID}, true
}

// Look holds the drawing options of a panel.
type Look struct {
	Focused bool // has the keyboard
	Framed  bool // the frame around the panel shows the keys
}

// View draws the panel with h lines of w cells at a position of the screen.
func (p *Panel) View(sh Shown, x, y, w, h int, look Look) []string {
	p.x, p.y, p.w, p.lineIDs = x, y, w, p.lineIDs[:0]
	if h <= 0 {
		return nil
	}
	d := drawing{Shown: sh, w: w, panel: p, focused: look.Focused, framed: look.Framed}
	d.body(h)
	for len(d.out) < h {
		d.add("", style.Blanks(w))
	}
	p.hasToday = slices.Contains(p.lineIDs, todayID)
	return d.out[:h]
}
