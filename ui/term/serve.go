package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/powersave"
)

// ServedModel is a program whose frames can be drawn at regular intervals, for example for remote
// viewers.
type ServedModel interface {
	Model
	// CanDeferDraw reports whether a message can wait until the next frame is due.
	CanDeferDraw(msg tea.Msg) bool
	// DrawsLater reports whether the frames of this model are drawn half an interval later than
	// those of other models. It returns true while drawing is slow and not urgent.
	DrawsLater() bool
	// AppendFrame appends the result of Frame to dst. It is called instead of Frame, so that the
	// models of a server need no memory for their frames.
	AppendFrame(dst []byte) []byte
}

// Messages holds several messages for which only one frame is drawn. The Update method of a
// [ServedModel] must handle Messages.
type Messages []tea.Msg

// FrameMsg tells the model that a frame of [Serve] is due. The model then updates everything that
// depends on the clock. FrameMsg is the last of the [Messages] for a frame.
type FrameMsg struct{}

// Size is the size of a terminal in cells.
type Size struct{ Width, Height int }

// Viewer describes a remote viewer and the viewer's terminal.
type Viewer struct {
	In      io.Reader
	Out     io.WriteCloser
	Env     []string // TERM, COLORTERM and other environment variables of the terminal
	Size    Size
	Resizes <-chan Size // new sizes of the terminal; nil: the size does not change
	// Interval is the time between frames without input; 0 means one second. FramePhase delays these
	// frames after the full second, so that the boards of different viewers are not all drawn at
	// the same time.
	Interval, FramePhase time.Duration
	// Shared is the row cache that several viewers share; nil means that the viewer shares none.
	Shared *RowCache
	// DrawTime counts the nanoseconds spent drawing frames; nil means that they are not counted.
	DrawTime *atomic.Int64
	// WriteTimeout is how long the terminal may take to read a frame; 0 means 30 seconds.
	WriteTimeout time.Duration
}

// Errors that end a session.
var (
	// ErrNotReading means that the terminal does not read its output.
	ErrNotReading = errors.New("the terminal does not read its output")
	// ErrClosed means that output cannot be written to the terminal.
	ErrClosed = errors.New("cannot write to the terminal")
)

// maxKeptOutput is the size, in bytes, up to which the output buffer of a session is kept. Most
// frames fit; a whole screen does not.
const maxKeptOutput = 8 << 10

// Times of a session.
const (
	defaultInterval     = time.Second
	defaultWriteTimeout = 30 * time.Second
	minResizeInterval   = 100 * time.Millisecond // minimum time between two resizes
	restoreTimeout      = 2 * time.Second        // maximum time that restoring the terminal may take
)

// Serve runs a program for a viewer until the program quits or ctx ends. It returns nil in both cases, and an
// error if the terminal does not read, if writing to it fails, or if the program or a command panics. Serve
// does not use a [tea.Program]. One goroutine draws, one reads, one writes, and each command runs in its own
// goroutine.
//
// build creates the model. Its argument is the context of the model's commands. All commands have
// ended when Serve returns. A frame is due once per Interval; the model then gets a [FrameMsg]. The
// clock, the snapshot and the end of highlights are updated only then, so they need no timers.
// Input of the viewer, and messages that cannot wait, are drawn immediately. A frame waits until
// the terminal has read the previous frame, and then shows the newest state. The caller must close
// In to end the goroutine that reads. Serve closes Out if the terminal does not read.
func Serve(ctx context.Context, build func(context.Context) ServedModel, v Viewer) (err error) {
	if v.Interval <= 0 {
		v.Interval = defaultInterval
	}
	if v.WriteTimeout <= 0 {
		v.WriteTimeout = defaultWriteTimeout
	}
	if v.DrawTime == nil {
		v.DrawTime = new(atomic.Int64)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &session{
		model: build(ctx), viewer: v, ctx: ctx, commandMessages: make(chan tea.Msg), inputMessages: make(chan tea.Msg),
		frames: make(chan []byte), writeResults: make(chan error, 1),
		screen: remoteScreen{canvas: canvas{rows: RowPainter{Profile: colorprofile.Env(v.Env), Shared: v.Shared}}},
	}
	s.screen.termType = uv.Environ(v.Env).Getenv("TERM")
	var work sync.WaitGroup
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("paint: %v\n%s", r, debug.Stack())
		}
		cancel()
		s.leave()
		if s.viewerQuit { // if the connection is closed, no replies arrive
			s.queries.await()
		}
		s.inputClosed.Store(true)
		close(s.frames)
		s.commands.Wait()
		work.Wait()
	}()
	work.Go(s.write)
	go s.read()
	return s.run()
}

// session is a program that is shown to one viewer. The goroutine that draws owns all fields except
// the channels, queries and inputClosed, which other goroutines also use.
type session struct {
	model           ServedModel
	viewer          Viewer
	ctx             context.Context //nolint:containedctx // context of the commands
	commandMessages chan tea.Msg    // messages from commands
	inputMessages   chan tea.Msg    // keys and other messages that the terminal sends

	frames       chan []byte // output for the terminal
	writeResults chan error  // result of each write
	commands     sync.WaitGroup

	screen          remoteScreen
	pendingMessages Messages  // messages that wait for the next frame
	dirty           bool      // a change has not been drawn yet
	busy            bool      // the terminal has not read the last frame
	sentAt          time.Time // when the last frame was sent
	resizedAt       time.Time // when a new size was last applied
	pendingSize     Size      // new size to apply; zero: none
	repaintedAt     time.Time // when the whole screen was last written
	extraOutput     []byte    // output to write with the next frame
	output          []byte    // buffer of the last output; reused when it is written

	queries     queries
	viewerQuit  bool        // the viewer has quit
	inputClosed atomic.Bool // no more input must be read
}

// run handles messages and draws frames until the program ends. It returns an error if the terminal does not
// read, if writing to it fails, or if a command panics.
func (s *session) run() error {
	s.extraOutput = s.screen.appendStart(s.extraOutput)
	s.startCommand(s.model.Init())
	s.handleMessage(tea.EnvMsg(s.viewer.Env))
	s.handleMessage(tea.ColorProfileMsg{Profile: s.screen.rows.Profile})
	if s.resize(s.viewer.Size) {
		return nil
	}
	due := time.NewTimer(s.timeUntilFrame(time.Now()))
	defer due.Stop()
	for {
		s.draw()
		ended := false
		select {
		case <-s.ctx.Done():
			return nil
		case msg := <-s.commandMessages:
			if b, ok := msg.(commandPanicMsg); ok {
				return b.error
			}
			if s.model.CanDeferDraw(msg) {
				s.pendingMessages = append(s.pendingMessages, msg)
				continue
			}
			ended = s.handleMessage(msg)
		case msg := <-s.inputMessages:
			ended = s.handleMessage(msg)
		case size := <-s.viewer.Resizes:
			s.pendingSize = size
			due.Reset(min(minResizeInterval, s.timeUntilFrame(time.Now())))
		case err := <-s.writeResults:
			s.busy = false
			if err != nil {
				return fmt.Errorf("%w: %w", ErrClosed, err)
			}
			continue
		case now := <-due.C:
			due.Reset(s.timeUntilFrame(now))
			if s.busy && now.Sub(s.sentAt) > s.viewer.WriteTimeout {
				return ErrNotReading
			}
			if now.Sub(s.repaintedAt) >= repaintInterval {
				s.requestRepaint()
			}
			if !s.busy { // while the terminal is busy, the frame would not be visible
				ended = s.deliverPending()
			}
		}
		if s.pendingSize != (Size{}) && time.Since(s.resizedAt) >= minResizeInterval {
			ended = s.resize(s.pendingSize) || ended
		}
		if ended {
			return nil
		}
	}
}

// timeUntilFrame returns the time until the next frame is due.
func (s *session) timeUntilFrame(now time.Time) time.Duration {
	phase := s.viewer.FramePhase
	if s.model.DrawsLater() {
		phase += s.viewer.Interval / 2
	}
	return powersave.UntilDue(now, s.viewer.Interval, phase)
}

// resize applies a new terminal size. It reports whether the program has ended.
func (s *session) resize(size Size) (ended bool) {
	s.pendingSize, s.resizedAt = Size{}, time.Now()
	msg := limitSize(nil, tea.WindowSizeMsg(size)).(tea.WindowSizeMsg) //nolint:forcetypeassert // limitSize keeps the type
	s.screen.rows.Width, s.screen.rows.Height = max(msg.Width, 0), max(msg.Height, 0)
	s.screen.rows.ResetScreen()
	s.repaintedAt = s.resizedAt
	return s.handleMessage(msg)
}

// deliverPending passes the waiting messages and a [FrameMsg] to the program. It reports whether the
// program has ended.
func (s *session) deliverPending() (ended bool) {
	messages := append(s.pendingMessages, FrameMsg{})
	s.pendingMessages = nil
	return s.update(messages)
}

// handleMessage handles a message itself or passes it to the program. It reports whether the
// program has ended.
func (s *session) handleMessage(msg tea.Msg) (ended bool) {
	switch msg := msg.(type) {
	case nil:
		return false
	case tea.QuitMsg:
		s.viewerQuit = true
		return true
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.startCommand(cmd)
		}
		return false
	case RepaintMsg:
		s.requestRepaint()
		return false
	case tea.RawMsg:
		s.extraOutput = fmt.Append(s.extraOutput, msg.Msg)
		return false
	}
	if msg == tea.RequestBackgroundColor() {
		s.extraOutput = append(s.extraOutput, ansi.RequestBackgroundColor...)
		return false
	}
	s.extraOutput = s.screen.handleReport(s.extraOutput, msg)
	return s.update(msg)
}

// update passes a message to the program and starts the returned command. The result is always
// false, because only a [tea.QuitMsg] ends the program.
func (s *session) update(msg tea.Msg) (ended bool) {
	startedAt := time.Now()
	_, cmd := s.model.Update(msg)
	s.addDrawTime(startedAt)
	s.dirty = true
	if cmd != nil {
		s.startCommand(cmd)
	}
	return false
}

func (s *session) addDrawTime(startedAt time.Time) {
	s.viewer.DrawTime.Add(int64(time.Since(startedAt)))
}

// startCommand runs a command in its own goroutine and passes its message to the session.
func (s *session) startCommand(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.commands.Go(func() {
		if msg := runCommand(cmd); msg != nil {
			select {
			case s.commandMessages <- msg:
			case <-s.ctx.Done():
			}
		}
	})
}

type commandPanicMsg struct{ error }

// runCommand runs a command and returns its message. If the command panics, it returns a
// commandPanicMsg.
func runCommand(cmd tea.Cmd) (msg tea.Msg) {
	defer func() {
		if r := recover(); r != nil {
			msg = commandPanicMsg{fmt.Errorf("command panicked: %v\n%s", r, debug.Stack())}
		}
	}()
	return cmd()
}

// draw sends the current frame to the terminal, unless nothing has changed or the terminal has not
// read the previous frame yet.
func (s *session) draw() {
	if s.busy || !s.dirty && len(s.extraOutput) == 0 {
		return
	}
	s.dirty = false
	startedAt := time.Now()
	frame := s.viewer.Shared.takeFrameBuffer()
	*frame = s.model.AppendFrame((*frame)[:0])
	out := s.screen.appendView(append(s.output[:0], s.extraOutput...), s.model.View(), *frame)
	s.viewer.Shared.returnFrameBuffer(frame)
	s.addDrawTime(startedAt)
	s.extraOutput, s.output = s.extraOutput[:0], nil
	if cap(out) <= maxKeptOutput {
		s.output = out
	}
	if len(out) == 0 {
		return
	}
	s.busy, s.sentAt = true, time.Now()
	select {
	case s.frames <- out:
	case <-s.ctx.Done():
	}
}

// write writes frames to the terminal until s.frames is closed.
func (s *session) write() {
	for b := range s.frames {
		_, err := s.viewer.Out.Write(s.queries.filterOutput(b))
		select {
		case s.writeResults <- err:
		default: // the session no longer receives the results
		}
	}
}

// leave restores the terminal, unless the terminal does not read its output. It takes at most
// restoreTimeout.
func (s *session) leave() {
	timeout := time.NewTimer(restoreTimeout)
	defer timeout.Stop()
	taken := func() bool {
		select {
		case <-s.writeResults: //nolint:errcheck // the result of the last write does not matter
			return true
		case <-timeout.C:
			_ = s.viewer.Out.Close() // makes the current write fail
			return false
		}
	}
	if s.busy && !taken() {
		return
	}
	s.frames <- s.screen.appendRestore(nil)
	taken()
}
