package term

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"wallboard/internal/lib/powersave"
	"wallboard/internal/lib/terminal"
)

// FPS is the maximum number of frames per second. At fewer than 30, a held key would move the
// cursor in visible steps.
const FPS = 30

// modeChecksPerSecond is how many times per second Bubble Tea checks whether the modes of the
// terminal have changed, and sends its queries. A higher rate would only make idle programs wake up
// more often.
const modeChecksPerSecond = 2

// frameInterval is the minimum time between two frames.
const frameInterval = time.Second / FPS

// blankFrame is the frame that Bubble Tea draws in place of the model's frames. It is not empty,
// because Bubble Tea would ignore an empty frame.
const blankFrame = " "

// Model is a program whose frames are painted by this package. The content of the tea.View that
// View returns is ignored. Update must return a Model.
type Model interface {
	tea.Model
	// Frame returns the lines of the frame. It is called after View. The result is valid until the
	// next Update, because its memory is reused: a new string for each frame would be most of a
	// program's garbage.
	Frame() []byte
}

// Run runs a program that draws the whole terminal, until the program quits or ctx ends; in both
// cases it returns nil. Otherwise it returns the error of [tea.Program.Run] or of a panic while
// painting. options must not set the input, the output or a context: if the context ends, Bubble
// Tea kills the program and closes its input while a goroutine is still reading it.
func Run(ctx context.Context, m Model, t Terminal, options ...tea.ProgramOption) error {
	if t.Out == nil {
		t.Out = os.Stdout
	}
	if err := checkSize(t.Out); err != nil {
		return err
	}
	out := newLimitedWriter(t.Out)
	defer out.close()
	p := &painter{
		out: out, interval: t.Interval, wake: make(chan struct{}, 1), stop: make(chan struct{}),
		plain: terminal.IsPlain(os.Getenv("TERM")),
	}
	var program *tea.Program
	p.quit = func() { program.Quit() }
	end := newShutdown(p.quit, out.limitWrites, &p.queries)
	filter := func(m tea.Model, msg tea.Msg) tea.Msg { return p.recordSize(end.filterMessage(m, msg)) }
	in, leave := openKeyboard(t.In, func(e uv.Event) { p.queries.recordAnswer(e); program.Send(e) })
	defer leave()
	tty, _ := t.Out.(term.File)
	options = slices.Concat([]tea.ProgramOption{tea.WithInput(in)}, options,
		[]tea.ProgramOption{tea.WithFilter(filter), tea.WithOutput(p.output(tty)), tea.WithFPS(modeChecksPerSecond)})
	program = tea.NewProgram(paintedModel{m, p}, options...)
	stopper := newSuspender(program, end, tty, out.dropOutput, &p.inAltScreen)
	p.suspend = stopper.suspend
	defer context.AfterFunc(ctx, func() { out.limitWrites(); program.Quit() })()
	var painting sync.WaitGroup
	painting.Go(p.run)
	_, err := program.Run()
	close(p.stop)
	painting.Wait()
	p.leaveEarly()
	stopper.close()
	if p.failure != nil {
		return p.failure
	}
	return err
}

// paintedModel wraps a model and passes its frames to a painter.
type paintedModel struct {
	Model
	painter *painter
}

// Update implements [tea.Model].
func (m paintedModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg == rendererSize {
		msg = m.painter.size()
	}
	m.painter.recordReport(msg)
	switch s, ok := m.Model.(ServedModel); {
	case msg == RepaintMsg{}:
		m.painter.requestRepaint()
		return m, nil
	case msg == SuspendMsg{}:
		m.painter.suspend()
		return m, nil
	case msg == frameDueMsg{}:
		msg = m.painter.pendingMessages
		m.painter.pendingMessages = nil
	case m.painter.interval > 0 && ok && s.CanDeferDraw(msg):
		m.painter.pendingMessages = append(m.painter.pendingMessages, msg)
		if len(m.painter.pendingMessages) > 1 {
			return m, nil
		}
		return m, m.painter.waitFrame
	}
	inner, cmd := m.Model.Update(msg)
	return paintedModel{inner.(Model), m.painter}, cmd //nolint:forcetypeassert // documented by Model
}

// rendererSize is the size of the terminal for Bubble Tea's renderer, which draws only blankFrame.
// With the real size, its cells would be an eighth of the memory that the garbage collector scans.
var rendererSize tea.Msg = tea.WindowSizeMsg{Width: 1, Height: 1}

// recordSize keeps the size of the terminal for [paintedModel.Update] and returns rendererSize in its
// place. It returns all other messages unchanged.
func (p *painter) recordSize(msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		p.recordReport(size)
		return rendererSize
	}
	return msg
}

// size returns the last size that recordSize has kept.
func (p *painter) size() tea.WindowSizeMsg {
	p.mu.Lock()
	defer p.mu.Unlock()
	return tea.WindowSizeMsg{Width: p.nextProperties.width, Height: p.nextProperties.height}
}

// frameDueMsg tells the model to handle the messages that wait for a frame.
type frameDueMsg struct{}

// waitFrame waits until the next frame is due and returns a frameDueMsg. It returns nil if painting
// has stopped.
func (p *painter) waitFrame() tea.Msg {
	select {
	case <-time.After(powersave.UntilDue(time.Now(), p.interval, 0)):
		return frameDueMsg{}
	case <-p.stop:
		return nil
	}
}

// View implements [tea.Model]. Bubble Tea calls it after every message.
func (m paintedModel) View() tea.View {
	v := m.Model.View()
	m.painter.scheduleFrame(v, m.Frame())
	v.Content, v.Cursor = blankFrame, nil
	return v
}

// terminalProperties holds the properties of the terminal that affect the output of a frame.
type terminalProperties struct {
	width, height int
	profile       colorprofile.Profile
	widthMethod   ansi.Method
}

// screenContent holds the intended content of the terminal.
type screenContent struct {
	frame         []byte
	cursor        *tea.Cursor // nil: hidden
	hasSyncOutput bool        // the terminal supports synchronized output
	altScreen     bool        // the frame belongs to the alternate screen
	terminalProperties
}

// terminalChanges records which changes of the terminal must be undone when the program ends.
type terminalChanges struct {
	reorderingOff bool // the terminal was told not to reorder rows with right-to-left text
	titleSaved    bool // the terminal has saved its previous title
}

// painter paints frames on a terminal. It also passes the output of Bubble Tea to the terminal.
type painter struct {
	out             io.Writer
	wake, stop      chan struct{}
	quit            func() // ends the program
	suspend         func() // suspends the program
	plain           bool   // the terminal has few features and gets only the necessary sequences
	queries         queries
	interval        time.Duration
	pendingMessages Messages // messages that wait for the next frame

	mu             sync.Mutex // guards next, nextProperties and fullRepaint; never held during a write
	next           screenContent
	nextProperties terminalProperties // properties of the next frame
	fullRepaint    bool               // the next frame must be written completely

	inAltScreen atomic.Bool // Bubble Tea has entered the alternate screen

	terminalMu      sync.Mutex // guards out and the following fields
	screen          screenState
	contentsUnknown bool               // the content of the terminal is unknown
	changes         terminalChanges    // changes to undo when the terminal is returned
	failure         error              // error of a panic; nothing is painted after it
	shownProperties terminalProperties // properties of the last painted frame
	canvas          canvas
	frame           []byte // the frame that is being painted
	buf             []byte // output buffer
}

// output returns the writer for the output of Bubble Tea. If tty is not nil, the writer is a
// terminal file, so that Bubble Tea can query the size.
func (p *painter) output(tty term.File) io.Writer {
	if tty != nil {
		return painterFile{p, tty}
	}
	return p
}

// painterFile is the writer of a painter whose output is a terminal.
type painterFile struct {
	*painter
	file term.File
}

// Read implements [term.File].
func (f painterFile) Read(b []byte) (int, error) { return f.file.Read(b) }

// Close implements [term.File].
func (f painterFile) Close() error { return f.file.Close() }

// Fd implements [term.File].
func (f painterFile) Fd() uintptr { return f.file.Fd() }

// recordReport records the properties of the terminal that a message reports. Bubble Tea passes the
// same messages to its own renderer. The properties take effect with the next view of the model.
func (p *painter) recordReport(msg tea.Msg) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.nextProperties.width, p.nextProperties.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		p.nextProperties.profile = msg.Profile
	case tea.ModeReportMsg:
		switch {
		case msg.Mode == ansi.ModeSynchronizedOutput:
			p.next.hasSyncOutput = msg.Value == ansi.ModeReset
		case SupportsClusters(msg):
			p.nextProperties.widthMethod = ansi.GraphemeWidth
		}
	}
}

// SupportsClusters reports whether msg says that the terminal can measure text by grapheme clusters
// (mode 2027). Bubble Tea then also measures text by clusters.
func SupportsClusters(msg tea.ModeReportMsg) bool {
	return msg.Mode == ansi.ModeUnicodeCore &&
		(msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet)
}

// scheduleFrame makes the painter paint a frame if the frame has changed.
func (p *painter) scheduleFrame(v tea.View, frame []byte) {
	cursor := v.Cursor
	if cursor != nil {
		c := *cursor
		c.Color = nil // keep the cursor color of the terminal
		cursor = &c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &p.next
	if sameCursor(n.cursor, cursor) && n.terminalProperties == p.nextProperties && bytes.Equal(n.frame, frame) {
		return
	}
	n.cursor, n.altScreen, n.terminalProperties = cursor, v.AltScreen, p.nextProperties
	n.frame = append(n.frame[:0], frame...)
	if n.width <= 0 { // the first frame with a size must not be delayed
		return
	}
	p.wakeUp()
}

// run paints the scheduled frames, at most FPS of them per second, until p.stop is closed. It wakes up only
// for a frame and, every repaintInterval, for a full repaint.
func (p *painter) run() {
	pause := time.NewTimer(0)
	defer pause.Stop()
	whole := time.NewTicker(repaintInterval)
	defer whole.Stop()
	var paintedAt time.Time
	for {
		select {
		case <-p.stop:
			return
		case <-whole.C:
			p.requestRepaint()
		case <-p.wake:
		}
		if wait := frameInterval - time.Since(paintedAt); wait > 0 {
			pause.Reset(wait)
			select {
			case <-p.stop:
				return
			case <-pause.C:
			}
		}
		p.terminalMu.Lock()
		p.paint()
		p.terminalMu.Unlock()
		paintedAt = time.Now()
	}
}

// Write writes output of Bubble Tea to the terminal. This output enters and leaves the alternate
// screen, sets modes, sends queries, and clears the screen when its size changes. Afterwards the
// content of the terminal is unknown, so Write makes the painter repaint it immediately.
func (p *painter) Write(b []byte) (n int, err error) {
	p.terminalMu.Lock()
	defer p.terminalMu.Unlock()
	n = len(b)
	in := bytes.LastIndex(b, []byte(ansi.SetModeAltScreenSaveCursor))
	out := bytes.LastIndex(b, []byte(ansi.ResetModeAltScreenSaveCursor))
	if out > in {
		_, _ = io.WriteString(p.out, p.exitSequence()) // if this fails, a later write returns the error
	}
	b = p.queries.filterOutput(b)
	if in >= 0 && p.screen == screenEnteredEarly { // entering the screen twice would lose the saved cursor position
		b = bytes.Replace(b, []byte(ansi.SetModeAltScreenSaveCursor), nil, 1)
	}
	if in > out && !p.plain && !p.changes.titleSaved {
		p.changes.titleSaved = true
		_, _ = io.WriteString(p.out, saveTitle)
	}
	if _, err = p.out.Write(b); err != nil {
		n = 0
	}
	if out > in && p.changes.titleSaved {
		p.changes.titleSaved = false
		_, _ = io.WriteString(p.out, restoreTitle)
	}
	switch {
	case in > out:
		p.screen = screenAlternate
		p.inAltScreen.Store(true)
	case out > in:
		p.screen = screenOriginal
		p.inAltScreen.Store(false)
	case p.screen == screenEnteredEarly: // a query that Bubble Tea sends before it enters the alternate screen
		return n, err
	}
	p.contentsUnknown = true
	p.paint()
	return n, err
}

// exitSequence returns the output to write before Bubble Tea's output that leaves the alternate
// screen.
func (p *painter) exitSequence() string {
	text := ""
	if p.canvas.cursor != nil {
		text = ansi.SetCursorStyle(0)
	}
	if p.changes.reorderingOff {
		text += enableReordering
	}
	p.changes.reorderingOff = false
	return text
}

// initTerminal appends to b the output that sets up the terminal. It also marks the content of the
// terminal as unknown.
func (p *painter) initTerminal(b []byte, l terminalProperties) []byte {
	c := &p.canvas
	c.rows.Width, c.rows.Height, c.rows.Profile, c.rows.WidthMethod = l.width, l.height, l.profile, l.widthMethod
	c.rows.ResetScreen()
	if c.rows.IsolateRTL = !p.plain; c.rows.IsolateRTL && !p.changes.reorderingOff {
		p.changes.reorderingOff = true
		b = append(b, disableReordering...)
	}
	if l.widthMethod == ansi.GraphemeWidth {
		// Bubble Tea would set this mode only with its next change of the terminal, which may never
		// happen. It resets the mode at the end.
		b = append(b, ansi.SetModeUnicodeCore...)
	}
	if c.cursor != nil {
		c.cursor = nil
		b = append(b, ansi.ResetModeTextCursorEnable+ansi.SetCursorStyle(0)...)
	}
	return b
}

// paint writes the changes of the next frame to the terminal. If the write fails, the program
// continues, and the next call of paint writes the whole frame.
func (p *painter) paint() {
	p.mu.Lock()
	next := p.next
	p.frame = append(p.frame[:0], next.frame...)
	repaint := p.fullRepaint
	p.fullRepaint = false
	p.mu.Unlock()
	if p.failure != nil || next.width <= 0 || next.height <= 0 {
		return
	}
	if p.screen == screenUntouched && next.altScreen {
		p.enterEarly()
	}
	if p.screen != screenEnteredEarly && p.screen != screenAlternate {
		return
	}
	defer func() {
		if r := recover(); r != nil { // otherwise the panic would end the process with the terminal in raw mode
			p.failure = fmt.Errorf("paint: %v\n%s", r, debug.Stack())
			go p.quit() // in a goroutine, because quit may wait for this goroutine
		}
	}()
	p.buf = p.buf[:0]
	if p.contentsUnknown || next.terminalProperties != p.shownProperties {
		p.buf = p.initTerminal(p.buf, next.terminalProperties)
	}
	if repaint {
		p.canvas.requestRepaint()
	}
	p.canvas.hasSyncOutput = next.hasSyncOutput
	p.buf = p.canvas.appendChanges(p.buf, next.cursor, p.frame)
	var err error
	if len(p.buf) > 0 {
		_, err = p.out.Write(p.buf)
	}
	p.contentsUnknown, p.shownProperties = err != nil, next.terminalProperties
}
