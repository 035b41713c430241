// Package paint runs a Bubble Tea program whose frames it brings to the terminal
// itself, by the rows that changed.
//
// Bubble Tea's own renderer parses and measures every cell of the frame for each
// change of it, which at 200x60 takes it fifty times as long as a board takes to
// draw; it writes by a clock of its own; and a terminal that does not read stops
// the program's messages. Here a row that is the same text is not looked at, a
// frame goes out when it is there, and only the newest waits for a slow terminal.
// Everything else stays Bubble Tea's: raw mode, keys and mouse, modes, colours
// and title of the terminal, and its restoration in every case. What it has to
// write for that still waits for a terminal that does not read.
package paint

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// FPS is how often a changed frame is written at most, per second. Below 30 a
// key that is held down would stutter.
const FPS = 30

// modesFPS is how often Bubble Tea looks whether it has modes to set, per second: more
// often it would wake up an idle program for nothing.
const modesFPS = 4

// pause is the least time between two frames.
const pause = time.Second / FPS

// blank is the frame that Bubble Tea draws. It takes an empty one for none.
const blank = " "

// Model is a program whose frames are painted. The content of its views is not
// looked at, and Update must return a Model.
type Model interface {
	tea.Model
	// Frame returns the lines of the terminal. It is called after View, and what it
	// returns is good until the next Update: a text for each frame would be most of
	// what a program leaves to be collected.
	Frame() []byte
}

// Run runs a program that draws the whole terminal until it ends or ctx does, which
// is no error. It returns the error of [tea.Program.Run], or that of a panic here.
// options must name neither another input or output nor a context: a program that one
// ends is killed, and Bubble Tea closes the input of such a program while a goroutine
// still reads it.
func Run(ctx context.Context, m Model, on Terminal, options ...tea.ProgramOption) error {
	if on.Out == nil {
		on.Out = os.Stdout
	}
	if err := fits(on.Out); err != nil {
		return err
	}
	out := newOutlet(on.Out)
	defer out.close()
	p := &painter{
		out: out, every: on.Every, wake: make(chan struct{}, 1), stop: make(chan struct{}),
		plain: plainTerminal(os.Getenv("TERM")),
	}
	var program *tea.Program
	p.quit = func() { program.Quit() }
	end := newEnding(p.quit, out.end, &p.questions)
	in, leave := keyboard(on.In, func(e uv.Event) { p.questions.answer(e); program.Send(e) })
	defer leave()
	tty, _ := on.Out.(term.File)
	options = slices.Concat([]tea.ProgramOption{tea.WithInput(in)}, options,
		[]tea.ProgramOption{tea.WithFilter(end.filter), tea.WithOutput(p.output(tty)), tea.WithFPS(modesFPS)})
	program = tea.NewProgram(painted{m, p}, options...)
	stopper := newStopper(program, end, tty, out.silence)
	p.suspend = stopper.suspend
	defer context.AfterFunc(ctx, func() { out.end(); program.Quit() })()
	var painting sync.WaitGroup
	painting.Go(p.run)
	_, err := program.Run()
	close(p.stop)
	painting.Wait()
	p.leave()
	stopper.close()
	if p.broken != nil {
		return p.broken
	}
	return err //nolint:wrapcheck // it is a Run of Bubble Tea to who calls it
}

// painted is a model whose frames go to a painter.
type painted struct {
	Model
	p *painter
}

// Update implements [tea.Model].
func (m painted) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.p.learn(msg)
	switch s, is := m.Model.(Served); {
	case msg == Repaint{}:
		m.p.refresh()
		return m, nil
	case msg == Suspend{}:
		m.p.suspend()
		return m, nil
	case msg == dueMsg{}:
		msg = m.p.waiting
		m.p.waiting = nil
	case m.p.every > 0 && is && s.Patient(msg):
		m.p.waiting = append(m.p.waiting, msg)
		if len(m.p.waiting) > 1 {
			return m, nil
		}
		return m, m.p.due
	}
	inner, cmd := m.Model.Update(msg)
	return painted{inner.(Model), m.p}, cmd //nolint:forcetypeassert // as Model has it
}

// dueMsg comes when what waits is to be drawn.
type dueMsg struct{}

// due waits until then.
func (p *painter) due() tea.Msg {
	select {
	case <-time.After(UntilDue(time.Now(), p.every, 0)):
		return dueMsg{}
	case <-p.stop:
		return nil
	}
}

// View implements [tea.Model]. Bubble Tea calls it after every message.
func (m painted) View() tea.View {
	v := m.Model.View()
	m.p.show(v, m.Frame())
	v.Content, v.Cursor = blank, nil
	return v
}

// look is how a frame is brought to the terminal.
type look struct {
	width, height int
	profile       colorprofile.Profile
	widths        ansi.Method
}

// picture is what the terminal should show.
type picture struct {
	frame  []byte
	cursor *tea.Cursor // nil: hidden
	sync   bool        // the terminal can show a change in one go
	alt    bool        // it is for the alternate screen
	look
}

// painter is the terminal that Bubble Tea writes to, and what paints on it.
type painter struct {
	out        io.Writer
	wake, stop chan struct{}
	quit       func() // ends the program
	suspend    func() // stops it for a while
	plain      bool   // the terminal knows little, and is told no more than it must be
	questions  questions
	every      time.Duration
	waiting    Together // for the next frame that is due

	mu    sync.Mutex // guards next and told; nobody writes to the terminal under it
	next  picture
	told  look // the look of the frame that comes next
	again bool // the next frame is written whole

	terminal  sync.Mutex // guards out and what follows
	where     place
	anew      bool  // what it shows is not known
	unordered bool  // it was told not to reorder its rows
	broken    error // a panic: nothing is painted any more
	shown     look
	canvas    canvas
	frame     []byte // that is painted
	buf       []byte // what is to be written
}

// output is the painter as Bubble Tea wants it, which asks a terminal for its size; tty
// is nil for none.
func (p *painter) output(tty term.File) io.Writer {
	if tty != nil {
		return file{p, tty}
	}
	return p
}

// file is a painter on a terminal.
type file struct {
	*painter
	f term.File
}

// Read implements [term.File].
func (f file) Read(b []byte) (int, error) { return f.f.Read(b) } //nolint:wrapcheck // it is the terminal to Bubble Tea

// Close implements [term.File].
func (f file) Close() error { return f.f.Close() } //nolint:wrapcheck // it is the terminal to Bubble Tea

// Fd implements [term.File].
func (f file) Fd() uintptr { return f.f.Fd() }

// learn notes what Bubble Tea tells its own renderer. It holds from the view on
// that the model makes of it.
func (p *painter) learn(msg tea.Msg) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.told.width, p.told.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		p.told.profile = msg.Profile
	case tea.ModeReportMsg:
		switch {
		case msg.Mode == ansi.ModeSynchronizedOutput:
			p.next.sync = msg.Value == ansi.ModeReset
		case ByClusters(msg):
			p.told.widths = ansi.GraphemeWidth
		}
	}
}

// ByClusters reports whether a terminal that reports a mode can measure text by
// clusters (mode 2027). Then it is measured so, as Bubble Tea does.
func ByClusters(msg tea.ModeReportMsg) bool {
	return msg.Mode == ansi.ModeUnicodeCore &&
		(msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet)
}

// show has a frame painted as its view has it, unless that was shown last.
func (p *painter) show(v tea.View, frame []byte) {
	cursor := v.Cursor
	if cursor != nil {
		c := *cursor
		c.Color = nil // it keeps the terminal's
		cursor = &c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &p.next
	if sameCursor(n.cursor, cursor) && n.look == p.told && bytes.Equal(n.frame, frame) {
		return
	}
	n.cursor, n.alt, n.look = cursor, v.AltScreen, p.told
	n.frame = append(n.frame[:0], frame...)
	if n.width <= 0 { // the frame after this one is the first, and does not wait for its turn
		return
	}
	p.wakeUp()
}

// run paints until it is stopped.
func (p *painter) run() {
	again := time.NewTimer(0)
	defer again.Stop()
	whole := time.NewTicker(repaintEvery)
	defer whole.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-again.C:
		}
		select {
		case <-p.stop:
			return
		case <-whole.C:
			p.refresh()
		case <-p.wake:
		}
		p.terminal.Lock()
		p.paint()
		p.terminal.Unlock()
		again.Reset(pause)
	}
}

// Write is Bubble Tea writing to the terminal: it enters and leaves the alternate
// screen, sets modes, asks, and clears the screen when its size changes. What the
// terminal shows after that is not known, so it is painted anew at once.
func (p *painter) Write(b []byte) (n int, err error) {
	p.terminal.Lock()
	defer p.terminal.Unlock()
	n = len(b)
	in := bytes.LastIndex(b, []byte(ansi.SetModeAltScreenSaveCursor))
	out := bytes.LastIndex(b, []byte(ansi.ResetModeAltScreenSaveCursor))
	if out > in {
		_, _ = io.WriteString(p.out, p.farewell()) // the error comes with what follows
	}
	p.questions.note(b)
	if in >= 0 && p.where == ahead { // twice would make the terminal forget where its cursor was
		b = bytes.Replace(b, []byte(ansi.SetModeAltScreenSaveCursor), nil, 1)
	}
	if _, err = p.out.Write(b); err != nil {
		n = 0
	}
	switch {
	case in > out:
		p.where = inside
	case out > in:
		p.where = outside
	case p.where == ahead: // it asks the terminal something, and is about to enter
		return n, err //nolint:wrapcheck // it is the terminal to who calls it
	}
	p.anew = true
	p.paint()
	return n, err //nolint:wrapcheck // it is the terminal to who calls it
}

// farewell is what the terminal is told before Bubble Tea leaves the alternate screen.
func (p *painter) farewell() string {
	text := ""
	if p.canvas.cursor != nil {
		text = ansi.SetCursorStyle(0)
	}
	if p.unordered {
		text += reordering
	}
	p.unordered = false
	return text
}

// begin takes the terminal for one of which nothing is known, and appends what it has
// to be told.
func (p *painter) begin(b []byte, l look) []byte {
	c := &p.canvas
	c.rows.Width, c.rows.Height, c.rows.Profile, c.rows.Widths = l.width, l.height, l.profile, l.widths
	c.rows.Forget()
	if c.rows.Isolate = !p.plain; c.rows.Isolate && !p.unordered {
		p.unordered = true
		b = append(b, noReordering...)
	}
	if l.widths == ansi.GraphemeWidth {
		// Bubble Tea asks for it with its next change of the terminal, which may
		// never come, and takes it back at the end.
		b = append(b, ansi.SetModeUnicodeCore...)
	}
	if c.cursor != nil {
		c.cursor = nil
		b = append(b, ansi.ResetModeTextCursorEnable+ansi.SetCursorStyle(0)...)
	}
	return b
}

// paint brings the terminal to what it should show. What cannot be written is
// written with the next frame; a terminal that is gone ends the program elsewhere.
func (p *painter) paint() {
	p.mu.Lock()
	next := p.next
	p.frame = append(p.frame[:0], next.frame...)
	again := p.again
	p.again = false
	p.mu.Unlock()
	if p.broken != nil || next.width <= 0 || next.height <= 0 {
		return
	}
	if p.where == before && next.alt {
		p.goAhead()
	}
	if p.where != ahead && p.where != inside {
		return
	}
	defer func() {
		if r := recover(); r != nil { // it would end the process with the terminal raw
			p.broken = fmt.Errorf("paint: %v\n%s", r, debug.Stack())
			go p.quit() // who paints may be whom it waits for
		}
	}()
	p.buf = p.buf[:0]
	if p.anew || next.look != p.shown {
		p.buf = p.begin(p.buf, next.look)
	}
	if again {
		p.canvas.refresh()
	}
	p.canvas.sync = next.sync
	p.buf = p.canvas.show(p.buf, next.cursor, p.frame)
	var err error
	if len(p.buf) > 0 {
		_, err = p.out.Write(p.buf)
	}
	p.anew, p.shown = err != nil, next.look
}
