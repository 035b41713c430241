package ui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/look"
	"wallboard/ui/table"
)

// sheet is a dialog that shows what was read from the platform, line by line.
// Lines that lead somewhere can be chosen.
type sheet[T any] struct {
	sc   *scene
	name string
	none string // what is said when there are no lines
	read func(context.Context) (T, error)
	draw func(v T, w int) []sheetLine
	keys []sheetKey[T]

	phase phase
	asked int // counts the readings: the answer to an older one is dropped
	value T
	note  string // why nothing can be shown or done

	lines []sheetLine // value, drawn as wide as width says
	width int
	at    int // the chosen line
	first int // the first visible line
	rows  int // how many were visible
}

// phase is how far a reading has come.
type phase int

const (
	phaseLoading phase = iota
	phaseReady
	phaseFailed
)

// sheetLine is one line of a sheet.
type sheetLine struct {
	text string                 // with styles, as wide as it needs to be
	open func(m *Model) tea.Cmd // nil: it leads nowhere
	item int                    // what it is a line of, counted from 1; 0: of nothing that is counted
}

// sheetKey is what can be done with what a sheet shows.
type sheetKey[T any] struct {
	key, does string
	verb      resource.Verb // what the platform must allow; "" needs nothing
	run       func(m *Model, v T) tea.Cmd
}

// sheetReadMsg brings a sheet what it asked for.
type sheetReadMsg[T any] struct {
	asked int
	value T
	err   error
}

// load asks the platform.
func (s *sheet[T]) load(m *Model) tea.Cmd {
	s.asked++
	s.phase, s.note = phaseLoading, ""
	ctx, read, asked := m.scene.Context, s.read, s.asked
	return m.answer(s, func() tea.Msg {
		v, err := read(ctx)
		return sheetReadMsg[T]{asked, v, err}
	})
}

// reload asks again, unless an answer is on its way or there is nothing to ask.
func (s *sheet[T]) reload(m *Model) tea.Cmd {
	if s.read == nil || s.phase == phaseLoading {
		return nil
	}
	return s.load(m)
}

// openSheet opens a sheet and has it read what it shows, unless it has that
// already.
func openSheet[T any](m *Model, s *sheet[T]) tea.Cmd {
	s.sc = m.scene
	cmd := m.openDialog(s)
	if s.phase == phaseReady {
		return cmd
	}
	return tea.Batch(cmd, s.load(m))
}

func (s *sheet[T]) title(*scene) string { return s.name }

func (s *sheet[T]) restyle(*scene) { s.lines = nil }

func (s *sheet[T]) cursor() (x, y int, ok bool) { return 0, 0, false }

// sheetWidth is how wide text is still easy to read.
const sheetWidth = 96

func (s *sheet[T]) size(maxW, maxH int) (w, h int) {
	const least = 8 // so that the frame does not jump when the answer comes
	w = min(sheetWidth, maxW)
	return w, min(max(len(s.drawn(w))+1, least), maxH)
}

// drawn returns the lines of the sheet at a width.
func (s *sheet[T]) drawn(w int) []sheetLine {
	if s.phase != phaseReady {
		return nil
	}
	if s.lines == nil || s.width != w {
		s.lines, s.width = s.draw(s.value, w-sheetMargin), w
		if !s.leads(s.at) {
			s.at = 0
			s.seek(0, 1)
		}
	}
	return s.lines
}

// sheetMargin is the room for the pointer at a chosen line.
const sheetMargin = 2

func (s *sheet[T]) update(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sheetReadMsg[T]:
		s.take(msg)
	case tea.KeyPressMsg:
		return s.press(m, msg)
	case tea.MouseWheelMsg:
		const step = 3
		switch msg.Button { //nolint:exhaustive // other buttons have no wheel
		case tea.MouseWheelUp:
			s.scroll(-step)
		case tea.MouseWheelDown:
			s.scroll(step)
		}
	case tea.MouseClickMsg:
		return s.click(m, msg)
	}
	return nil
}

func (s *sheet[T]) take(msg sheetReadMsg[T]) {
	if msg.asked != s.asked {
		return
	}
	s.value, s.lines, s.phase = msg.value, nil, phaseReady
	if msg.err != nil {
		s.phase, s.note = phaseFailed, oneLine(msg.err.Error())
	}
}

func (s *sheet[T]) press(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	if msg.String() == "r" {
		return s.reload(m)
	}
	if s.phase != phaseReady {
		return nil
	}
	s.note = ""
	switch k := table.DefaultKeyMap(); {
	case key.Matches(msg, k.LineUp):
		s.move(-1)
	case key.Matches(msg, k.LineDown):
		s.move(1)
	case key.Matches(msg, k.PageUp):
		s.scroll(1 - s.rows)
	case key.Matches(msg, k.PageDown):
		s.scroll(s.rows - 1)
	case key.Matches(msg, k.GotoTop):
		s.scroll(-len(s.lines))
	case key.Matches(msg, k.GotoBottom):
		s.scroll(len(s.lines))
	case key.Matches(msg, k.Activate):
		return s.open(m)
	default:
		return s.run(m, msg.String())
	}
	return nil
}

// run does what a key of the sheet says, or notes why it cannot be done.
func (s *sheet[T]) run(m *Model, pressed string) tea.Cmd {
	for _, k := range s.keys {
		if k.key != pressed {
			continue
		}
		if k.verb != "" {
			if s.note = s.sc.refusal(k.verb); s.note != "" {
				return nil
			}
		}
		return k.run(m, s.value)
	}
	return nil
}

func (s *sheet[T]) open(m *Model) tea.Cmd {
	if s.leads(s.at) {
		return s.lines[s.at].open(m)
	}
	return nil
}

// seek chooses the first line from a place on that leads somewhere, and tells
// whether there is one.
func (s *sheet[T]) seek(at, step int) bool {
	for ; at >= 0 && at < len(s.lines); at += step {
		if s.leads(at) {
			s.at = at
			if s.rows > 0 {
				s.first = max(min(s.first, at), at-s.rows+1)
			}
			return true
		}
	}
	return false
}

// move chooses the next line that leads somewhere; where none does, it scrolls.
func (s *sheet[T]) move(by int) {
	if !s.seek(s.at+by, by) {
		s.first = max(min(s.first+by, len(s.lines)-s.rows), 0)
	}
}

// scroll moves what is visible, and the choice along with it.
func (s *sheet[T]) scroll(by int) {
	s.first = max(min(s.first+by, len(s.lines)-s.rows), 0)
	step := 1
	if by < 0 {
		step = -1
	}
	if s.leads(s.at) {
		s.seek(max(min(s.at+by, len(s.lines)-1), 0), step)
	}
}

// click chooses a line, and opens the one that is chosen already.
func (s *sheet[T]) click(m *Model, msg tea.MouseClickMsg) tea.Cmd {
	at := s.first + msg.Y
	if msg.Button != tea.MouseLeft || msg.Y < 0 || msg.Y >= s.rows || !s.leads(at) {
		return nil
	}
	if at == s.at {
		return s.open(m)
	}
	s.at = at
	return nil
}

func (s *sheet[T]) view(sc *scene, w, h int) []string {
	lines := s.drawn(w)
	s.rows = max(h-1, 0)
	s.first = max(min(s.first, len(lines)-s.rows), 0)
	out := make([]string, 0, h)
	switch {
	case s.phase == phaseLoading:
		out = append(out, sc.look.Style(themes.Dim).Render("Asking the platform"+sc.look.Glyphs.Ellipsis))
	case s.phase == phaseFailed:
		out = append(out, sc.said(themes.Critical, s.note, w)...)
	case len(lines) == 0:
		out = append(out, sc.said(themes.Text, s.none, w)...)
	}
	for i := s.first; i < len(lines) && len(out) < s.rows; i++ {
		out = append(out, s.line(lines[i], i == s.at, w))
	}
	out = look.FitLines(out, w, s.rows, sc.look.Glyphs.Ellipsis)
	if h > 0 {
		out = append(out, s.footer(w))
	}
	return out
}

func (s *sheet[T]) line(l sheetLine, chosen bool, w int) string {
	sc := s.sc
	if l.open != nil && chosen {
		return sc.look.Style(themes.Selection).Render(look.Fit(sc.look.Glyphs.Pointer+" "+ansi.Strip(l.text), w, sc.look.Glyphs.Ellipsis))
	}
	return "  " + l.text
}

// footer says which keys there are, or why one did nothing.
func (s *sheet[T]) footer(w int) string {
	sc := s.sc
	if s.note != "" && s.phase == phaseReady {
		return look.NewLine(w, sc.look.Glyphs.Ellipsis).Add(sc.look.Style(themes.Warn), s.note).End(themes.Style{})
	}
	var keys []hint
	switch s.phase {
	case phaseFailed:
		keys = append(keys, hint{"r", "try again"})
	case phaseReady:
		if s.leads(s.at) {
			keys = append(keys, hint{"enter", "open"})
		}
		for _, k := range s.keys {
			keys = append(keys, hint{k.key, k.does})
		}
		if s.read != nil {
			keys = append(keys, hint{"r", "read again"})
		}
	case phaseLoading:
	}
	place := ""
	if n := len(s.lines); s.phase == phaseReady && n > s.rows {
		at, all := min(s.first+s.rows, n), n
		if last := s.lines[n-1].item; last > 0 { // people count messages, not lines
			at, all = s.lines[at-1].item, last
		}
		place = " " + sc.look.Count(at) + "/" + sc.look.Count(all)
	}
	return sc.hints(max(w-len(place), 0), keys...) + sc.look.Style(themes.Dim).Render(place)
}

// leads reports whether a line leads somewhere.
func (s *sheet[T]) leads(at int) bool { return at < len(s.lines) && s.lines[at].open != nil }

// said returns a sentence as lines of at most w cells.
func (sc *scene) said(t themes.Token, sentence string, w int) []string {
	lines := form.Wrap(sentence, w)
	for i := range lines {
		lines[i] = sc.look.Style(t).Render(lines[i])
	}
	return lines
}
