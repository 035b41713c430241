// Package uitest drives a board in tests without a Bubble Tea program: it sends messages to the
// board and checks the frames. It also provides a floor for the board to show. It does not import
// package ui, so that the tests of package ui can also use it.
package uitest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// Model is the board under test.
type Model interface {
	tea.Model
	Frame() []byte
	Page() panes.Page
	Dialog() dialog.Dialog
}

// Messages creates the messages that a board receives from its program: Snapshot for a new
// snapshot, Clock for a tick of the clock.
type Messages struct {
	Snapshot func(*model.Snapshot) tea.Msg
	Clock    tea.Msg
}

// Board drives a board. The context of the board has ended, so that timers and waits return
// immediately without a message. Time passes only in [Board.AdvanceClock] and [Board.PassTwentyMinutes].
type Board struct {
	Model
	T       testing.TB
	Floor   *Floor
	Now     time.Time
	HasQuit bool

	// Mask changes the snapshots before the board gets them. If it is nil, they are not changed.
	Mask func(*model.Snapshot) *model.Snapshot
	// Failure returns the error of a board that has failed. If Failure is nil, failures are not
	// checked.
	Failure func() error

	Width, Height int

	messages Messages
	shown    string // the last frame that was checked
}

// NewBoard returns the driver of a board that shows the floor f, which may be nil.
func NewBoard(t testing.TB, f *Floor, messages Messages) *Board {
	return &Board{T: t, Floor: f, Now: StartTime(), messages: messages}
}

// Clock returns the current time on the board's clock.
func (b *Board) Clock() time.Time { return b.Now }

// NewEngine returns an engine for a single board. Each prepare function may change the engine
// before its first evaluation.
func NewEngine(t testing.TB, o alert.Options, prepare ...func(*alert.Engine)) *hub.Viewer {
	t.Helper()
	v, err := hub.NewPrivateViewer(hub.Options{
		Engine: func(model.FloorPart) (*alert.Engine, error) { return alert.New(o) }, Names: o.Names,
		RestoreEngine: func(e *alert.Engine) {
			for _, change := range prepare {
				change(e)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// EndedContext returns a context that has ended.
func EndedContext() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// Start starts the board m on a terminal of w by h cells. If there is a floor, the board shows it.
func (b *Board) Start(m Model, w, h int) {
	b.T.Helper()
	b.Model = m
	b.Run(m.Init())
	b.Resize(w, h)
	if b.Floor != nil {
		b.Publish()
	}
}

// Resize changes the size of the terminal to w by h cells.
func (b *Board) Resize(w, h int) {
	b.T.Helper()
	b.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// View returns the view of the board with the frame as its content.
func (b *Board) View() tea.View {
	v := b.Model.View()
	v.Content = string(b.Frame())
	return v
}

// Publish sends a snapshot of the current floor to the board.
func (b *Board) Publish() {
	b.T.Helper()
	b.Floor.Time = b.Now
	s := b.Floor.Snapshot()
	if b.Mask != nil {
		s = b.Mask(s)
	}
	b.Send(b.messages.Snapshot(s))
}

// AdvanceClock advances the clock by d and sends a clock tick to the board.
func (b *Board) AdvanceClock(d time.Duration) {
	b.T.Helper()
	b.Now = b.Now.Add(d)
	b.Send(b.messages.Clock)
}

// Send sends a message to the board and runs the commands that the board returns. The test fails if
// the board fails, or if its frame is not valid terminal output.
func (b *Board) Send(msg tea.Msg) {
	b.T.Helper()
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		b.Width, b.Height = size.Width, size.Height
	}
	_, cmd := b.Update(msg)
	b.Run(cmd)
	if b.Failure != nil && b.Failure() != nil {
		b.T.Fatal(b.Failure())
	}
	if v := b.View(); v.Content != b.shown && !testkit.Race {
		b.shown = v.Content
		if err := errors.Join(terminal.CheckFrame(v.Content), terminal.CheckFrame(v.WindowTitle)); err != nil {
			b.T.Fatal(err)
		}
	}
}

// Run runs a command and sends its messages to the board.
func (b *Board) Run(cmd tea.Cmd) {
	b.T.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		b.HasQuit = true
	case tea.BatchMsg:
		for _, c := range msg {
			b.Run(c)
		}
	default:
		b.Send(msg)
	}
}

// Press presses keys, given by their names for [KeyPress].
func (b *Board) Press(keys ...string) {
	b.T.Helper()
	for _, k := range keys {
		b.Send(KeyPress(k))
	}
}

// PressLater presses a key. It returns a function that runs the command that the board returned for
// the key.
func (b *Board) PressLater(key string) func() {
	b.T.Helper()
	_, cmd := b.Update(KeyPress(key))
	return func() { b.Run(cmd) }
}

// KeyPress returns the message for a key with a name such as "enter" or "ctrl+s". Any other string
// is text to type.
func KeyPress(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok && len(letter) == 1 {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	switch code := codes[name]; {
	case name == "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	case name == "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case code != 0:
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// Type types text, with one key press per character.
func (b *Board) Type(text string) {
	b.T.Helper()
	for _, r := range text {
		b.Press(string(r))
	}
}

// Fill pastes values into the fields of a form, one after the other. For an empty value, the field
// is left unchanged.
func (b *Board) Fill(values ...string) {
	b.T.Helper()
	for i, v := range values {
		if i > 0 {
			b.Press("tab")
		}
		if v != "" {
			b.Send(tea.PasteMsg{Content: v})
		}
	}
}

// Click clicks the cell x, y of the screen.
func (b *Board) Click(x, y int) {
	b.T.Helper()
	b.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// Text returns the frame without styles.
func (b *Board) Text() string { return ansi.Strip(b.View().Content) }

// Lines returns the lines of the frame, without styles and without spaces at both ends.
func (b *Board) Lines() []string {
	lines := strings.Split(b.Text(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return lines
}

// Row returns the first line of the frame that contains all words, and its index. If there is no
// such line, it returns "" and -1.
func (b *Board) Row(words ...string) (string, int) {
	b.T.Helper()
	for y, l := range strings.Split(b.Text(), "\n") {
		found := true
		for _, w := range words {
			found = found && strings.Contains(l, w)
		}
		if found {
			return l, y
		}
	}
	return "", -1
}

// CheckShows fails the test unless a line of the frame contains all words.
func (b *Board) CheckShows(words ...string) {
	b.T.Helper()
	if _, y := b.Row(words...); y < 0 {
		b.T.Errorf("no line with %q in:\n%s", words, b.Text())
	}
}

// CheckHides fails the test if a line of the frame contains all words.
func (b *Board) CheckHides(words ...string) {
	b.T.Helper()
	if l, y := b.Row(words...); y >= 0 {
		b.T.Errorf("%q is on the screen: %s", words, l)
	}
}

// CheckShowsAll fails the test unless each of the texts is on the screen.
func (b *Board) CheckShowsAll(texts ...string) {
	b.T.Helper()
	for _, s := range texts {
		b.CheckShows(s)
	}
}

// CheckHidesAll fails the test if any of the texts is on the screen.
func (b *Board) CheckHidesAll(texts ...string) {
	b.T.Helper()
	for _, s := range texts {
		b.CheckHides(s)
	}
}

// CheckFits fails the test unless the frame has as many lines as the screen and no line is too wide.
func (b *Board) CheckFits() {
	b.T.Helper()
	lines := strings.Split(b.View().Content, "\n")
	if len(lines) != b.Height {
		b.T.Errorf("%dx%d: %d lines", b.Width, b.Height, len(lines))
	}
	for _, l := range lines {
		if w := style.Width(l); w > b.Width {
			b.T.Errorf("%dx%d: a line of %d cells: %q", b.Width, b.Height, w, l)
		}
	}
}

// Selected returns the key of the selected row of the focused table, or "" if no row is selected.
func (b *Board) Selected() string {
	p := b.Page().Focused()
	if p == nil {
		return ""
	}
	key, _ := p.Table.Selected()
	return key
}

// PassTwentyMinutes lets twenty minutes pass, during which the number of callers of a service
// changes. For almost five of these minutes there is no connection. It is faster on a board without
// a size, which draws nothing.
func (b *Board) PassTwentyMinutes() {
	b.T.Helper()
	const steps = 120
	for i := range steps {
		b.Now = b.Now.Add(10 * time.Second)
		b.Floor.PutService(4, model.Call, int64(i*i/50%9))
		b.Floor.Health.Link.State = model.LinkUp
		if i > steps-50 && i < steps-20 {
			b.Floor.Health.Link.State = model.LinkBackoff
		}
		b.Publish()
	}
}

// ChangeLink changes the state of the connection by calling change, and sends the result to the
// board.
func (b *Board) ChangeLink(change func(*model.Link)) {
	b.T.Helper()
	change(&b.Floor.Health.Link)
	b.Publish()
}

// Theme returns the built-in theme with the given name. It fails the test if there is none.
func Theme(t testing.TB, name string) themes.Theme {
	t.Helper()
	theme, err := themes.LoadEmbedded(name)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}
