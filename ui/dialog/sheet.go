package dialog

import (
	"cmp"
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// Sheet is a dialog that shows data of the platform as lines. The user can select lines that have
// an action.
type Sheet[T any] struct {
	Dialogs   *Stack
	Name      string
	EmptyText string // message if there are no lines
	Read      func(context.Context) (T, error)
	Draw      func(lk *style.Look, v T, w int) []Line
	Keys      []SheetKey[T]
	Verb      string // word in the footer for the effect of enter on a line; "": "open"
	// Progress is the message shown while Read runs. It is set if Read acts on the platform and
	// must not be repeated.
	Progress string

	phase     phase
	requestID int // number of the last request; answers to earlier requests are dropped
	value     T
	note      string // why reading failed, or why a key had no effect

	lines    []Line // lines for value, drawn for width
	width    int
	selected int // index of the selected line
	top      int // index of the first visible line
	rows     int // number of visible lines
}

// phase is the state of the last request for data.
type phase int

const (
	phaseLoading phase = iota
	phaseReady
	phaseFailed
)

// Line is a line of a sheet.
type Line struct {
	Text string         // text with styles
	Open func() tea.Cmd // action of the line, run by enter or a click; nil: none
	Item int            // number of the item to which the line belongs, from 1; 0: none
}

// SheetKey is a key of a sheet that runs an action on the data.
type SheetKey[T any] struct {
	Key, Description string        // a key without a description is not listed in the footer
	Problem          func() string // returns the reason why the action is currently impossible, or ""; may be nil
	Run              func(v T) tea.Cmd
}

// sheetReadMsg carries the data or an error to the sheet.
type sheetReadMsg[T any] struct {
	requestID int
	value     T
	err       error
}

// Load returns a command that reads the data. The sheet shows the data when the command has ended.
func (s *Sheet[T]) Load() tea.Cmd {
	s.requestID++
	s.phase, s.note = phaseLoading, ""
	ctx, read, requestID := s.Dialogs.Context(), s.Read, s.requestID
	return s.Dialogs.RouteAnswer(s, func() tea.Msg {
		v, err := read(ctx)
		return sheetReadMsg[T]{requestID, v, err}
	})
}

// Reload returns the command of [Sheet.Load]. It returns nil while a request is pending, or if the
// sheet cannot read its data again.
func (s *Sheet[T]) Reload() tea.Cmd {
	if s.Read == nil || s.phase == phaseLoading || s.Progress != "" {
		return nil
	}
	return s.Load()
}

// SetValue sets the data of the sheet and returns s. The sheet then opens without reading data.
func (s *Sheet[T]) SetValue(v T) *Sheet[T] {
	s.value, s.phase = v, phaseReady
	return s
}

// SelectLine sets the line that is selected when the sheet opens, and returns s. If that line has
// no action, another line is selected.
func (s *Sheet[T]) SelectLine(index int) *Sheet[T] {
	s.selected = index
	return s
}

// Begin implements [Starter]. It returns a command that reads the data, or nil if the sheet already
// has data.
func (s *Sheet[T]) Begin() tea.Cmd {
	if s.phase == phaseReady {
		return nil
	}
	return s.Load()
}

// Title implements [Dialog].
func (s *Sheet[T]) Title() string { return s.Name }

// Restyle implements [Restyler].
func (s *Sheet[T]) Restyle() { s.lines = nil }

// Size implements [Dialog].
func (s *Sheet[T]) Size(maxW, maxH int) (w, h int) {
	const least = 8 // minimum height, so that the sheet keeps its size when the data arrives
	w = min(SheetWidth, maxW)
	return w, min(max(len(s.drawnLines(w))+1, least), maxH)
}

// drawnLines returns all lines of the data for a sheet that is w cells wide, or nil while there is
// no data. It caches them until the data or the width changes.
func (s *Sheet[T]) drawnLines(w int) []Line {
	if s.phase != phaseReady {
		return nil
	}
	if s.lines == nil || s.width != w {
		s.lines, s.width = s.Draw(s.Dialogs.Look(), s.value, w-sheetMargin), w
		if !s.hasAction(s.selected) {
			s.selected = 0
			s.selectFrom(0, 1)
		}
	}
	return s.lines
}

// sheetMargin is the width in cells of the margin on the left, which shows the pointer.
const sheetMargin = 2

// Update implements [Dialog].
func (s *Sheet[T]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sheetReadMsg[T]:
		s.applyReadResult(msg)
	case tea.KeyPressMsg:
		return s.press(msg)
	case tea.MouseWheelMsg:
		const step = 3
		switch msg.Button { //nolint:exhaustive // other buttons have no wheel
		case tea.MouseWheelUp:
			s.scroll(-step)
		case tea.MouseWheelDown:
			s.scroll(step)
		}
	case tea.MouseClickMsg:
		return s.click(msg)
	}
	return nil
}

func (s *Sheet[T]) applyReadResult(msg sheetReadMsg[T]) {
	if msg.requestID != s.requestID {
		return
	}
	s.value, s.lines, s.phase = msg.value, nil, phaseReady
	if msg.err != nil {
		s.phase, s.note = phaseFailed, style.OneLine(words.TextOf(msg.err).In(s.Dialogs.Look().Format.Words))
	}
}

func (s *Sheet[T]) press(msg tea.KeyPressMsg) tea.Cmd {
	if msg.String() == "r" {
		return s.Reload()
	}
	if s.phase != phaseReady {
		return nil
	}
	s.note = ""
	switch k := table.DefaultKeyMap(); {
	case key.Matches(msg, k.LineUp):
		s.moveSelection(-1)
	case key.Matches(msg, k.LineDown):
		s.moveSelection(1)
	case key.Matches(msg, k.PageUp):
		s.scroll(1 - s.rows)
	case key.Matches(msg, k.PageDown):
		s.scroll(s.rows - 1)
	case key.Matches(msg, k.GotoTop):
		s.scroll(-len(s.lines))
	case key.Matches(msg, k.GotoBottom):
		s.scroll(len(s.lines))
	case key.Matches(msg, k.Activate):
		return s.openSelected()
	default:
		return s.runKey(msg.String())
	}
	return nil
}

// runKey runs the action of a key. If the action is impossible, it stores the reason for the
// footer.
func (s *Sheet[T]) runKey(pressed string) tea.Cmd {
	for _, k := range s.Keys {
		if k.Key != pressed {
			continue
		}
		if k.Problem != nil {
			if s.note = k.Problem(); s.note != "" {
				return nil
			}
		}
		return k.Run(s.value)
	}
	return nil
}

func (s *Sheet[T]) openSelected() tea.Cmd {
	if s.hasAction(s.selected) {
		return s.lines[s.selected].Open()
	}
	return nil
}

// selectFrom selects the first line with an action, starting at index. It searches downwards if
// step is 1, and upwards if step is -1. It returns false if there is no such line.
func (s *Sheet[T]) selectFrom(index, step int) bool {
	for ; index >= 0 && index < len(s.lines); index += step {
		if s.hasAction(index) {
			s.selected = index
			if s.rows > 0 {
				s.top = max(min(s.top, index), index-s.rows+1)
			}
			return true
		}
	}
	return false
}

// moveSelection selects the next line with an action in the direction delta, which is 1 or -1. If
// there is no such line, it scrolls by one line.
func (s *Sheet[T]) moveSelection(delta int) {
	if !s.selectFrom(s.selected+delta, delta) {
		s.top = max(min(s.top+delta, len(s.lines)-s.rows), 0)
	}
}

// scroll scrolls by delta lines. If a line is selected, it also moves the selection by about delta
// lines.
func (s *Sheet[T]) scroll(delta int) {
	s.top = max(min(s.top+delta, len(s.lines)-s.rows), 0)
	step := 1
	if delta < 0 {
		step = -1
	}
	if s.hasAction(s.selected) {
		s.selectFrom(max(min(s.selected+delta, len(s.lines)-1), 0), step)
	}
}

// click selects the clicked line. If that line is already selected, click runs its action.
func (s *Sheet[T]) click(msg tea.MouseClickMsg) tea.Cmd {
	index := s.top + msg.Y
	if msg.Button != tea.MouseLeft || msg.Y < 0 || msg.Y >= s.rows || !s.hasAction(index) {
		return nil
	}
	if index == s.selected {
		return s.openSelected()
	}
	s.selected = index
	return nil
}

// View implements [Dialog].
func (s *Sheet[T]) View(w, h int) []string {
	lk := s.Dialogs.Look()
	lines := s.drawnLines(w)
	s.rows = max(h-1, 0)
	s.top = max(min(s.top, len(lines)-s.rows), 0)
	out := make([]string, 0, h)
	switch {
	case s.phase == phaseLoading:
		out = append(out, lk.Style(themes.Dim).Render(cmp.Or(s.Progress, words.DialogReading().In(lk.Format.Words))+lk.Glyphs.Ellipsis))
	case s.phase == phaseFailed:
		out = append(out, lk.Wrap(themes.Critical, s.note, w)...)
	case len(lines) == 0:
		out = append(out, lk.Wrap(themes.Text, s.EmptyText, w)...)
	}
	for i := s.top; i < len(lines) && len(out) < s.rows; i++ {
		out = append(out, s.drawLine(lines[i], i == s.selected, w))
	}
	out = style.FitLines(out, w, s.rows, lk.Glyphs.Ellipsis)
	if h > 0 {
		out = append(out, s.footer(w))
	}
	return out
}

func (s *Sheet[T]) drawLine(l Line, chosen bool, w int) string {
	lk := s.Dialogs.Look()
	if l.Open != nil && chosen {
		return lk.Style(themes.Selection).Render(style.Fit(lk.Glyphs.Pointer+" "+ansi.Strip(l.Text), w, lk.Glyphs.Ellipsis))
	}
	return "  " + l.Text
}

// footer returns the last line of the sheet. It shows the keys, or the reason why a key had no
// effect.
func (s *Sheet[T]) footer(w int) string {
	lk := s.Dialogs.Look()
	if s.note != "" && s.phase == phaseReady {
		return style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Warn), s.note).Finish(themes.Style{})
	}
	var keys []style.KeyHint
	switch s.phase {
	case phaseFailed:
		keys = append(keys, style.KeyHint{Key: "r", Description: words.DialogKeyTryAgain().In(lk.Format.Words)})
	case phaseReady:
		if s.hasAction(s.selected) {
			keys = append(keys, style.KeyHint{Key: "enter", Description: cmp.Or(s.Verb, words.KeysOpen().In(lk.Format.Words))})
		}
		for _, k := range s.Keys {
			if k.Description == "" { // the footer lists another key of the same action
				continue
			}
			keys = append(keys, style.KeyHint{Key: k.Key, Description: k.Description})
		}
		if s.Read != nil && s.Progress == "" {
			keys = append(keys, style.KeyHint{Key: "r", Description: words.DialogKeyReadAgain().In(lk.Format.Words)})
		}
	case phaseLoading:
	}
	place := ""
	if n := len(s.lines); s.phase == phaseReady && n > s.rows {
		index, total := min(s.top+s.rows, n), n
		if last := s.lines[n-1].Item; last > 0 { // the position counts items such as messages instead of lines
			index, total = s.lines[index-1].Item, last
		}
		place = " " + lk.FormatCount(index) + "/" + lk.FormatCount(total)
	}
	return lk.HintLine(max(w-len(place), 0), keys...) + lk.Style(themes.Dim).Render(place)
}

// hasAction reports whether the line with the given index has an action.
func (s *Sheet[T]) hasAction(index int) bool {
	return index < len(s.lines) && s.lines[index].Open != nil
}
