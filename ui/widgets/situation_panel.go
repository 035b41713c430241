package widgets

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/ui/style"
)

// SituationPanelData holds the data for drawing a panel.
type SituationPanelData struct {
	Look *style.Look
	View *situation.View // the current situations; never nil
	Keys SituationKeys
}

// SituationKeys holds the key hints of a panel. The zero value contains none.
type SituationKeys struct {
	Actions       string          // keys for the selected situation, as a single text
	Hints         []style.KeyHint // the same keys, for the frame of the panel
	AllSituations string          // name of the page that lists all situations, such as "page 7"
}

// HeadingNote returns the text beside the title of the panel: the numbers of open, taken-over and
// silent situations.
func (sh SituationPanelData) HeadingNote() string {
	var parts []string
	if text := sh.ActionNeededText(); text != "" {
		parts = append(parts, text)
	}
	if n := sh.View.AckedCount(); n > 0 {
		parts = append(parts, words.NowTakenOver(n).In(sh.Look.Format.Words))
	}
	if n := len(sh.View.Silenced); n > 0 {
		parts = append(parts, words.NowSilentCount(n).In(sh.Look.Format.Words))
	}
	return strings.Join(parts, " "+sh.Look.Glyphs.Dot+" ")
}

// ActionNeededText returns the number of situations that need action as text, or "" if there are
// none.
func (sh SituationPanelData) ActionNeededText() string {
	critical, warning := sh.View.Counts()
	if critical+warning == 0 {
		return ""
	}
	return words.NowNeedAction(critical + warning).In(sh.Look.Format.Words)
}

// SituationPanel lists the situations that need action, with their places, causes and remedies. If
// there are none, it says so. The height of the panel depends only on the height of the page, so that
// nothing below the panel moves.
type SituationPanel struct {
	selected         string   // ID of the selected situation, or missedTargetsID; "": the first situation
	lineIDs          []string // ID of the situation on each line of the last view; "" for a line without one
	hasMissedTargets bool     // the last view had a line about the figures of the day
	x, y             int      // position of the last view on the screen
	w                int      // width of the last view in cells
}

// missedTargetsID stands for the line about the figures of the day, in place of a situation's ID.
const missedTargetsID = "today"

// MissedTargetsMsg asks the board to list the figures of the day that miss their targets.
type MissedTargetsMsg struct{}

// SituationTarget is the situation or the list that a line of the panel opens. The zero
// SituationTarget opens nothing.
type SituationTarget struct {
	Situation *situation.Situation
	Today     bool // the line opens the list of the figures of the day that miss their targets
}

// SituationPanelHeight returns the height of the panel on a page with h lines.
func SituationPanelHeight(h int) int {
	switch {
	case h < 8:
		return 1
	case h < 10: // there is no room for tables, so the panel gets their lines
		return 3
	case h < 16:
		return 1
	case h < 22:
		return 4
	case h < 32:
		return 5
	case h < 48:
		return 6
	}
	return 8
}

// SelectedSituation returns the index of the selected situation in the list of live situations. It
// returns 0 if no situation is selected or the selected one has ended.
func (p *SituationPanel) SelectedSituation(sh SituationPanelData) int {
	live := sh.View.Live
	return max(slices.IndexFunc(live, func(s situation.Situation) bool { return s.ID == p.selected }), 0)
}

// SelectableLines returns the number of lines that can be selected: one for each situation and, if
// it is shown, the line about the figures of the day.
func (p *SituationPanel) SelectableLines(sh SituationPanelData) int {
	if p.hasMissedTargets {
		return len(sh.View.Live) + 1
	}
	return len(sh.View.Live)
}

// SelectedLine returns the index of the selected line among the lines that can be selected.
func (p *SituationPanel) SelectedLine(sh SituationPanelData) int {
	if p.selected == missedTargetsID && p.hasMissedTargets {
		return len(sh.View.Live)
	}
	return p.SelectedSituation(sh)
}

// isMissedTargetsSelected reports whether the line about the figures of the day is selected.
func (p *SituationPanel) isMissedTargetsSelected(sh SituationPanelData) bool {
	return p.hasMissedTargets && p.SelectedLine(sh) == len(sh.View.Live)
}

// Selected returns the selected situation, or nil if no situation is selected.
func (p *SituationPanel) Selected(sh SituationPanelData) *situation.Situation {
	live := sh.View.Live
	if len(live) == 0 || p.isMissedTargetsSelected(sh) {
		return nil
	}
	return &live[p.SelectedSituation(sh)]
}

// MoveSelection moves the selection by delta lines. When the order of the situations changes, the
// selected situation stays selected.
func (p *SituationPanel) MoveSelection(sh SituationPanelData, delta int) {
	n := p.SelectableLines(sh)
	if n == 0 {
		return
	}
	if i := min(max(p.SelectedLine(sh)+delta, 0), n-1); i < len(sh.View.Live) {
		p.selected = sh.View.Live[i].ID
	} else {
		p.selected = missedTargetsID
	}
}

// SelectFirst selects the most urgent situation: the current one and, after a change of the order,
// the one that is then the first.
func (p *SituationPanel) SelectFirst() { p.selected = "" }

// Press handles a key press while the panel has the keyboard focus. It returns the target that the
// caller must open, which may be the zero SituationTarget. ok is false if the panel does not use
// the key.
func (p *SituationPanel) Press(sh SituationPanelData, msg tea.KeyPressMsg) (open SituationTarget, ok bool) {
	switch name := msg.String(); name {
	case "up", "k":
		p.MoveSelection(sh, -1)
	case "down", "j":
		p.MoveSelection(sh, 1)
	case "home":
		p.SelectFirst()
	case "end":
		p.MoveSelection(sh, p.SelectableLines(sh))
	case "enter":
		return SituationTarget{Situation: p.Selected(sh), Today: p.isMissedTargetsSelected(sh)}, true
	default:
		return SituationTarget{}, false
	}
	return SituationTarget{}, true
}

// Click selects the situation at a position on the screen. If the situation is already selected, or
// if the line is about the figures of the day, Click returns the target that the caller must open.
// ok is false if the position is outside the panel.
func (p *SituationPanel) Click(sh SituationPanelData, x, y int) (open SituationTarget, ok bool) {
	if y < p.y || y >= p.y+len(p.lineIDs) || x < p.x || x >= p.x+p.w {
		return SituationTarget{}, false
	}
	id := p.lineIDs[y-p.y]
	if s := p.Selected(sh); s != nil && s.ID == id {
		return SituationTarget{Situation: s}, true
	}
	if id != "" {
		p.selected = id
	}
	return SituationTarget{Today: id == missedTargetsID}, true
}

// SituationPanelOptions determines how a panel is drawn.
type SituationPanelOptions struct {
	Focused bool // the panel has the keyboard focus
	Framed  bool // a frame around the panel shows the keys
}

// View returns the panel as h lines of w cells. x and y are the position of the panel on the
// screen, for Click.
func (p *SituationPanel) View(sh SituationPanelData, x, y, w, h int, look SituationPanelOptions) []string {
	p.x, p.y, p.w, p.lineIDs = x, y, w, p.lineIDs[:0]
	if h <= 0 {
		return nil
	}
	d := panelDrawing{SituationPanelData: sh, w: w, panel: p, focused: look.Focused, framed: look.Framed}
	d.drawBody(h)
	for len(d.out) < h {
		d.addLine("", style.Blanks(w))
	}
	p.hasMissedTargets = slices.Contains(p.lineIDs, missedTargetsID)
	return d.out[:h]
}
