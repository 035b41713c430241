package paint

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
)

// Served is a program whose frames can be drawn at a steady pace, as for somebody elsewhere.
type Served interface {
	Model
	// Patient reports whether a message can wait for the next frame that is due.
	Patient(msg tea.Msg) bool
	// Aside reports whether its frames are due half their pace later than those of others:
	// they take long, and nothing in them is urgent.
	Aside() bool
}

// Together is several messages that make one frame. The Update of a [Served] takes
// it.
type Together []tea.Msg

// Due is the message of a frame of [Serve] that is due: what goes by the clock moves on. It
// comes last of those that make the frame.
type Due struct{}

// Size is that of a terminal, in cells.
type Size struct{ Width, Height int }

// Viewer is somebody elsewhere, and their terminal.
type Viewer struct {
	In      io.Reader
	Out     io.WriteCloser
	Env     []string // TERM, COLORTERM and what else says what it can do
	Size    Size
	Resizes <-chan Size // nil: it keeps its size
	// Every is how often what changes by itself is drawn; 0: once a second. Phase is
	// how long after the full second, so that not all are drawn at once.
	Every, Phase time.Duration
	// Shared are what other viewers are painted with; nil: there are none.
	Shared *Strips
	// Busy counts the nanoseconds that frames take to be made; nil: nobody asks.
	Busy *atomic.Int64
	// Patience is how long a terminal may take over one frame; 0: 30 s.
	Patience time.Duration
}

// What ends a session.
var (
	// ErrStuck is the error of a terminal that does not take what is written.
	ErrStuck = errors.New("the terminal takes nothing")
	// ErrGone is the error of a terminal that cannot be written to.
	ErrGone = errors.New("the terminal is gone")
)

// The pace of a viewer.
const (
	slot       = time.Second
	patience   = 30 * time.Second
	resizePace = 100 * time.Millisecond // between two sizes
	farewell   = 2 * time.Second        // for restoring the terminal
)

// Serve runs a program for a viewer until it quits or ctx ends, neither of which is
// an error: the same model, without a [tea.Program]. One goroutine draws, one reads,
// one writes, and each command has its own as long as it runs.
//
// The model is made with the context of its commands, all of which have ended when
// Serve returns. A frame is due once in Every, and the model is told so: the clock, the
// picture and the end of highlights come with it, and nothing has to wake it up for them.
// Only what the viewer does is shown at once. While a terminal has not taken
// a frame the next one waits, and the newest is drawn. The reading of In ends with
// In: who has opened it closes it. An Out that takes nothing any more is closed.
func Serve(ctx context.Context, build func(context.Context) Served, v Viewer) (err error) {
	if v.Every <= 0 {
		v.Every = slot
	}
	if v.Patience <= 0 {
		v.Patience = patience
	}
	if v.Busy == nil {
		v.Busy = new(atomic.Int64)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &session{
		m: build(ctx), v: v, ctx: ctx, msgs: make(chan tea.Msg), keys: make(chan tea.Msg),
		frames: make(chan []byte), wrote: make(chan error, 1),
		screen: screen{canvas: canvas{rows: Rows{Profile: colorprofile.Env(v.Env), Shared: v.Shared}}},
	}
	s.screen.term = uv.Environ(v.Env).Getenv("TERM")
	var work sync.WaitGroup
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("paint: %v\n%s", r, debug.Stack())
		}
		cancel()
		s.leave()
		if s.quit { // else the connection is over, too
			s.questions.await()
		}
		s.over.Store(true)
		close(s.frames)
		s.commands.Wait()
		work.Wait()
	}()
	work.Go(s.write)
	go s.read()
	return s.run()
}

// session is a program that is shown to one viewer. All but the channels belongs to
// the goroutine that draws.
type session struct {
	m    Served
	v    Viewer
	ctx  context.Context //nolint:containedctx // it ends the commands
	msgs chan tea.Msg    // of commands
	keys chan tea.Msg    // of the terminal

	frames   chan []byte // to the terminal
	wrote    chan error  // what became of the last of them
	commands sync.WaitGroup

	screen  screen
	waiting Together  // for the next frame that is due
	dirty   bool      // something was not drawn yet
	busy    bool      // the terminal has not taken the last frame
	since   time.Time // when it was given that
	sized   time.Time // when the size changed
	size    Size      // that is to be taken; zero: none
	whole   time.Time // when all of the screen was written
	raw     []byte    // that is to be written beside the frames

	questions questions
	quit      bool        // the viewer has left
	over      atomic.Bool // nothing is read any more
}

// run draws until the program ends.
func (s *session) run() error {
	s.raw = s.screen.enter(s.raw)
	s.do(s.m.Init())
	s.take(tea.EnvMsg(s.v.Env))
	s.take(tea.ColorProfileMsg{Profile: s.screen.rows.Profile})
	if s.resize(s.v.Size) {
		return nil
	}
	due := time.NewTimer(s.untilDue(time.Now()))
	defer due.Stop()
	for {
		s.draw()
		over := false
		select {
		case <-s.ctx.Done():
			return nil
		case msg := <-s.msgs:
			if b, is := msg.(broken); is {
				return b.error
			}
			if s.m.Patient(msg) {
				s.waiting = append(s.waiting, msg)
				continue
			}
			over = s.take(msg)
		case msg := <-s.keys:
			over = s.take(msg)
		case size := <-s.v.Resizes:
			s.size = size
			due.Reset(min(resizePace, s.untilDue(time.Now())))
		case err := <-s.wrote:
			s.busy = false
			if err != nil {
				return fmt.Errorf("%w: %w", ErrGone, err)
			}
			continue
		case now := <-due.C:
			due.Reset(s.untilDue(now))
			if s.busy && now.Sub(s.since) > s.v.Patience {
				return ErrStuck
			}
			if now.Sub(s.whole) >= repaintEvery {
				s.refresh()
			}
			if !s.busy { // else nobody sees it
				over = s.flush()
			}
		}
		if s.size != (Size{}) && time.Since(s.sized) >= resizePace {
			over = s.resize(s.size) || over
		}
		if over {
			return nil
		}
	}
}

// untilDue is how long it is until the next frame that is due.
func (s *session) untilDue(now time.Time) time.Duration {
	phase := s.v.Phase
	if s.m.Aside() {
		phase += s.v.Every / 2
	}
	return UntilDue(now, s.v.Every, phase)
}

// UntilDue is how long it is until the next of the instants that are as far apart as every,
// the first of them a phase after a full second.
func UntilDue(now time.Time, every, phase time.Duration) time.Duration {
	return now.Add(-phase).Truncate(every).Add(every + phase).Sub(now)
}

// resize has the terminal be of another size.
func (s *session) resize(size Size) (over bool) {
	s.size, s.sized = Size{}, time.Now()
	msg := bound(nil, tea.WindowSizeMsg(size)).(tea.WindowSizeMsg) //nolint:forcetypeassert // as bound has it
	s.screen.rows.Width, s.screen.rows.Height = max(msg.Width, 0), max(msg.Height, 0)
	s.screen.rows.Forget()
	s.whole = s.sized
	return s.take(msg)
}

// flush has the program take what waits, and that a frame is due.
func (s *session) flush() (over bool) {
	all := append(s.waiting, Due{})
	s.waiting = nil
	return s.update(all)
}

// take has the program take a message, and reports whether that ends it.
func (s *session) take(msg tea.Msg) (over bool) {
	switch msg := msg.(type) {
	case nil:
		return false
	case tea.QuitMsg:
		s.quit = true
		return true
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.do(cmd)
		}
		return false
	case Repaint:
		s.refresh()
		return false
	case tea.RawMsg:
		s.raw = fmt.Append(s.raw, msg.Msg)
		return false
	}
	if msg == tea.RequestBackgroundColor() {
		s.raw = append(s.raw, "\x1b]11;?\x07"...)
		return false
	}
	s.raw = s.screen.learn(s.raw, msg)
	return s.update(msg)
}

func (s *session) update(msg tea.Msg) (over bool) {
	begun := time.Now()
	_, cmd := s.m.Update(msg)
	s.busyFor(begun)
	s.dirty = true
	if cmd != nil {
		s.do(cmd)
	}
	return false
}

// busyFor notes how long something took.
func (s *session) busyFor(begun time.Time) { s.v.Busy.Add(int64(time.Since(begun))) }

// do runs a command.
func (s *session) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.commands.Go(func() {
		if msg := run(cmd); msg != nil {
			select {
			case s.msgs <- msg:
			case <-s.ctx.Done():
			}
		}
	})
}

// broken is a command that panicked.
type broken struct{ error }

// run runs a command.
func run(cmd tea.Cmd) (msg tea.Msg) {
	defer func() {
		if r := recover(); r != nil {
			msg = broken{fmt.Errorf("paint: %v\n%s", r, debug.Stack())}
		}
	}()
	return cmd()
}

// draw gives the terminal the present frame, if it has taken the one before.
func (s *session) draw() {
	if s.busy || !s.dirty && len(s.raw) == 0 {
		return
	}
	s.dirty = false
	begun := time.Now()
	out := s.screen.show(s.raw, s.m.View(), s.m.Frame())
	s.busyFor(begun)
	s.raw = nil
	if len(out) == 0 {
		return
	}
	s.busy, s.since = true, time.Now()
	select {
	case s.frames <- out:
	case <-s.ctx.Done():
	}
}

// write writes frames until there are no more.
func (s *session) write() {
	for b := range s.frames {
		s.questions.note(b)
		_, err := s.v.Out.Write(b)
		select {
		case s.wrote <- err:
		default: // nobody wants to know
		}
	}
}

// leave restores the terminal, if it takes anything.
func (s *session) leave() {
	late := time.NewTimer(farewell)
	defer late.Stop()
	taken := func() bool {
		select {
		case <-s.wrote: //nolint:errcheck // it is the last one
			return true
		case <-late.C:
			_ = s.v.Out.Close() // what is being written ends
			return false
		}
	}
	if s.busy && !taken() {
		return
	}
	s.frames <- s.screen.leave(nil)
	taken()
}
