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

	"wallboard/internal/lib/terminal"
)

// FPS is the highest number of frames per second. Below 30 a held key would stutter.
const FPS = 30

// modeChecksPerSecond is how often per second Bubble Tea checks for mode changes. A higher rate
// would only wake up idle programs more often.
const modeChecksPerSecond = 4

// frameInterval is the minimum time between two frames.
const frameInterval = time.Second / FPS

// blankFrame is the frame that Bubble Tea draws instead of the model's. Bubble Tea would ignore an
// empty frame.
const blankFrame = " "

// Model is a program whose frames are painted by this package. The content of its tea.View is
// ignored, and its Update must return a Model.
type Model interface {
	tea.Model
	// Frame returns the lines of the terminal. Frame is called after View, and the result is valid
	// until the next Update. The bytes are reused, because new strings for each frame would be most
	// of a program's garbage.
	Frame() []byte
}

// Run runs a program that draws the whole terminal, until the program quits or ctx ends. Neither is
// an error. Run returns the error of [tea.Program.Run], or that of a panic while painting. options
// must not set the input, the output or a context. Bubble Tea kills a program whose context ends,
// and closes its input while a goroutine still reads it.
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
	in, leave := openKeyboard(t.In, func(e uv.Event) { p.queries.recordAnswer(e); program.Send(e) })
	defer leave()
	tty, _ := t.Out.(term.File)
	options = slices.Concat([]tea.ProgramOption{tea.WithInput(in)}, options,
		[]tea.ProgramOption{tea.WithFilter(end.filterMessage), tea.WithOutput(p.output(tty)), tea.WithFPS(modeChecksPerSecond)})
	program = tea.NewProgram(paintedModel{m, p}, options...)
	stopper := newStopper(program, end, tty, out.silence, &p.inAltScreen)
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

// paintedModel is a model whose frames go to a painter.
type paintedModel struct {
	Model
	p *painter
}

// Update implements [tea.Model].
func (m paintedModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.p.recordReport(msg)
	switch s, ok := m.Model.(ServedModel); {
	case msg == RepaintMsg{}:
		m.p.requestRepaint()
		return m, nil
	case msg == SuspendMsg{}:
		m.p.suspend()
		return m, nil
	case msg == frameDueMsg{}:
		msg = m.p.pendingMessages
		m.p.pendingMessages = nil
	case m.p.interval > 0 && ok && s.CanWait(msg):
		m.p.pendingMessages = append(m.p.pendingMessages, msg)
		if len(m.p.pendingMessages) > 1 {
			return m, nil
		}
		return m, m.p.waitFrame
	}
	inner, cmd := m.Model.Update(msg)
	return paintedModel{inner.(Model), m.p}, cmd //nolint:forcetypeassert // documented by Model
}

// frameDueMsg is the message that the waiting messages are due.
type frameDueMsg struct{}

// waitFrame is the command that waits until the next frame is due. It returns a frameDueMsg, or nil
// if painting has stopped.
func (p *painter) waitFrame() tea.Msg {
	select {
	case <-time.After(UntilDue(time.Now(), p.interval, 0)):
		return frameDueMsg{}
	case <-p.stop:
		return nil
	}
}

// View implements [tea.Model]. Bubble Tea calls it after every message.
func (m paintedModel) View() tea.View {
	v := m.Model.View()
	m.p.scheduleFrame(v, m.Frame())
	v.Content, v.Cursor = blankFrame, nil
	return v
}

// terminalProperties holds the properties of the terminal that a frame depends on.
type terminalProperties struct {
	width, height int
	profile       colorprofile.Profile
	widthMethod   ansi.Method
}

// screenContent is the intended contents of the terminal.
type screenContent struct {
	frame     []byte
	cursor    *tea.Cursor // nil: hidden
	sync      bool        // the terminal supports synchronized output
	altScreen bool        // the frame is for the alternate screen
	terminalProperties
}

// terminalChanges records the changes of the terminal that must be undone when the program ends.
type terminalChanges struct {
	reorderingOff bool // the terminal was told not to reorder its rows
	titleSaved    bool // the terminal has saved the title that it had before the program
}

// painter paints frames on a terminal, and passes on the output that Bubble Tea writes to it.
type painter struct {
	out             io.Writer
	wake, stop      chan struct{}
	quit            func() // ends the program
	suspend         func() // suspends the program to the shell
	plain           bool   // the terminal supports few features and is sent only the necessary sequences
	queries         queries
	interval        time.Duration
	pendingMessages Messages // messages that wait for the next frame

	mu             sync.Mutex // guards next, nextProperties and fullRepaint; never held while writing to the terminal
	next           screenContent
	nextProperties terminalProperties // properties of the next frame
	fullRepaint    bool               // write the whole next frame

	inAltScreen atomic.Bool // Bubble Tea has entered the alternate screen

	terminalMu      sync.Mutex // guards out and the following fields
	screen          screenState
	contentsUnknown bool               // the contents of the terminal are unknown
	changes         terminalChanges    // to be undone when leaving the terminal
	failure         error              // error of a panic: painting has stopped
	shownProperties terminalProperties // properties of the last painted frame
	canvas          canvas
	frame           []byte // the frame being painted
	buf             []byte // output buffer
}

// output returns the writer for Bubble Tea. If tty is not nil, the writer is a terminal file, so that
// Bubble Tea can query the size.
func (p *painter) output(tty term.File) io.Writer {
	if tty != nil {
		return painterFile{p, tty}
	}
	return p
}

// painterFile is a painter on a terminal.
type painterFile struct {
	*painter
	f term.File
}

// Read implements [term.File].
func (f painterFile) Read(b []byte) (int, error) { return f.f.Read(b) }

// Close implements [term.File].
func (f painterFile) Close() error { return f.f.Close() }

// Fd implements [term.File].
func (f painterFile) Fd() uintptr { return f.f.Fd() }

// recordReport records the properties of the terminal that Bubble Tea also passes to its own
// renderer. These properties apply from the model's next view on.
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
			p.next.sync = msg.Value == ansi.ModeReset
		case SupportsClusters(msg):
			p.nextProperties.widthMethod = ansi.GraphemeWidth
		}
	}
}

// SupportsClusters reports whether a mode report shows that the terminal can measure text by
// grapheme clusters (mode 2027). Bubble Tea then measures text by clusters, too.
func SupportsClusters(msg tea.ModeReportMsg) bool {
	return msg.Mode == ansi.ModeUnicodeCore &&
		(msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet)
}

// scheduleFrame schedules a frame to be painted, unless the frame is unchanged.
func (p *painter) scheduleFrame(v tea.View, frame []byte) {
	cursor := v.Cursor
	if cursor != nil {
		c := *cursor
		c.Color = nil // keep the terminal's color
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
	if n.width <= 0 { // the frame after this one is the first, and is drawn without delay
		return
	}
	p.wakeUp()
}

// run paints scheduled frames, at most FPS a second, until p.stop is closed.
func (p *painter) run() {
	repaintTimer := time.NewTimer(0)
	defer repaintTimer.Stop()
	whole := time.NewTicker(repaintInterval)
	defer whole.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-repaintTimer.C:
		}
		select {
		case <-p.stop:
			return
		case <-whole.C:
			p.requestRepaint()
		case <-p.wake:
		}
		p.terminalMu.Lock()
		p.paint()
		p.terminalMu.Unlock()
		repaintTimer.Reset(frameInterval)
	}
}

// Write writes output of Bubble Tea to the terminal. This output enters and leaves the alternate
// screen, sets modes, sends queries, and clears the screen when its size changes. Afterwards the
// contents of the terminal are unknown, so they are painted again at once.
func (p *painter) Write(b []byte) (n int, err error) {
	p.terminalMu.Lock()
	defer p.terminalMu.Unlock()
	n = len(b)
	in := bytes.LastIndex(b, []byte(ansi.SetModeAltScreenSaveCursor))
	out := bytes.LastIndex(b, []byte(ansi.ResetModeAltScreenSaveCursor))
	if out > in {
		_, _ = io.WriteString(p.out, p.exitSequence()) // a later write reports the error
	}
	p.queries.recordWritten(b)
	if in >= 0 && p.screen == screenEnteredEarly { // entering it twice would lose the saved position of the cursor
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
	case p.screen == screenEnteredEarly: // a query, before Bubble Tea enters the alternate screen
		return n, err
	}
	p.contentsUnknown = true
	p.paint()
	return n, err
}

// exitSequence returns the output to write before Bubble Tea leaves the alternate screen.
func (p *painter) exitSequence() string {
	text := ""
	if p.canvas.cursor != nil {
		text = ansi.SetCursorStyle(0)
	}
	if p.changes.reorderingOff {
		text += reordering
	}
	p.changes.reorderingOff = false
	return text
}

// initTerminal forgets what is on the terminal, and appends the output that sets the terminal up
// again.
func (p *painter) initTerminal(b []byte, l terminalProperties) []byte {
	c := &p.canvas
	c.rows.Width, c.rows.Height, c.rows.Profile, c.rows.WidthMethod = l.width, l.height, l.profile, l.widthMethod
	c.rows.Forget()
	if c.rows.Isolate = !p.plain; c.rows.Isolate && !p.changes.reorderingOff {
		p.changes.reorderingOff = true
		b = append(b, noReordering...)
	}
	if l.widthMethod == ansi.GraphemeWidth {
		// Bubble Tea sets this mode only with its next change of the terminal, which may never
		// come. It resets the mode at the end.
		b = append(b, ansi.SetModeUnicodeCore...)
	}
	if c.cursor != nil {
		c.cursor = nil
		b = append(b, ansi.ResetModeTextCursorEnable+ansi.SetCursorStyle(0)...)
	}
	return b
}

// paint writes the changes of the next frame to the terminal. After a failed write, the next call
// writes the whole frame. A failed write does not end the program.
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
		if r := recover(); r != nil { // the panic would end the process with the terminal in raw mode
			p.failure = fmt.Errorf("paint: %v\n%s", r, debug.Stack())
			go p.quit() // quit may wait for the goroutine that paints
		}
	}()
	p.buf = p.buf[:0]
	if p.contentsUnknown || next.terminalProperties != p.shownProperties {
		p.buf = p.initTerminal(p.buf, next.terminalProperties)
	}
	if repaint {
		p.canvas.requestRepaint()
	}
	p.canvas.sync = next.sync
	p.buf = p.canvas.appendChanges(p.buf, next.cursor, p.frame)
	var err error
	if len(p.buf) > 0 {
		_, err = p.out.Write(p.buf)
	}
	p.contentsUnknown, p.shownProperties = err != nil, next.terminalProperties
}
