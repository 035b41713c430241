package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
)

// clock is a model that counts ticks and keys.
type clock struct {
	ctx     context.Context //nolint:containedctx // context of the commands
	n, keys int
	w, h    int
	drawn   atomic.Int64
	cells   atomic.Int64
	text    string
	typing  bool
	aside   bool
	due     []time.Duration // delay of each frame after the full second
}

type tick struct{}

func (c *clock) Init() tea.Cmd {
	return tea.Batch(c.later(100*time.Millisecond), c.later(130*time.Millisecond), tea.Raw("\a"))
}

// later returns a command that delivers a tick after the duration d.
func (c *clock) later(d time.Duration) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-time.After(d):
			return tick{}
		case <-c.ctx.Done():
			return nil
		}
	}
}

func (c *clock) CanDeferDraw(msg tea.Msg) bool { _, is := msg.(tick); return is }
func (c *clock) DrawsLater() bool              { return c.aside }

func (c *clock) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	c.drawn.Add(1)
	switch msg := msg.(type) {
	case Messages:
		var cmds []tea.Cmd
		for _, one := range msg {
			if (one == FrameMsg{}) {
				c.due = append(c.due, time.Since(time.Now().Truncate(time.Second)))
				continue
			}
			c.n++
			cmds = append(cmds, c.later(100*time.Millisecond))
		}
		return c, tea.Batch(cmds...)
	case tea.WindowSizeMsg:
		c.w, c.h = msg.Width, msg.Height
		c.cells.Store(int64(c.w * c.h))
	case tea.PasteMsg:
		c.text = msg.Content
	case tea.KeyPressMsg:
		c.keys++
		switch msg.Text {
		case "q":
			return c, tea.Quit
		case "/":
			c.typing = true
		case "<":
			c.aside = !c.aside
		case "!":
			panic("the board broke")
		case "?":
			return c, func() tea.Msg { panic("a command broke") }
		}
	}
	return c, nil
}

func (c *clock) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: "floor", MouseMode: tea.MouseModeCellMotion}
	if c.typing {
		v.Cursor = tea.NewCursor(2, 1)
	}
	return v
}

func (c *clock) AppendFrame(dst []byte) []byte { return append(dst, c.Frame()...) }

func (c *clock) Frame() []byte {
	return fmt.Appendf(nil, "\x1b[1mn=%d\x1b[m keys=%d\n%dx%d %s", c.n, c.keys, c.w, c.h, c.text)
}

// far is a fake remote terminal.
type far struct {
	mu     sync.Mutex
	screen *terminal.Screen
	all    bytes.Buffer
	writes atomic.Int64
	stuck  chan struct{} // closed when the terminal reads again; nil: it always reads
	closed chan struct{}
}

func newFar() *far { return &far{screen: terminal.NewScreen(40, 5), closed: make(chan struct{})} }

func (f *far) Write(b []byte) (int, error) {
	if f.stuck != nil {
		select {
		case <-f.stuck:
		case <-f.closed:
			return 0, io.ErrClosedPipe
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes.Add(1)
	f.all.Write(b)
	return f.screen.Write(b)
}

func (f *far) Close() error { close(f.closed); return nil }

func (f *far) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.screen.String()
}

// visit serves a clock to a viewer until the viewer quits, and checks that nothing is left running.
func visit(t *testing.T, f *far, do func(c *clock, typed io.Writer, resizes chan<- Size)) error {
	t.Helper()
	in, typed := io.Pipe()
	resizes := make(chan Size, 1)
	var c *clock
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Serve(t.Context(), func(ctx context.Context) ServedModel {
			c = &clock{ctx: ctx}
			close(ready)
			return c
		}, Viewer{In: in, Out: f, Env: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}, Size: Size{40, 5}, Resizes: resizes})
	}()
	<-ready
	do(c, typed, resizes)
	err := <-done
	_ = in.Close()
	return err
}

func restoredFar(t *testing.T, f *far) {
	t.Helper()
	for mode, on := range f.screen.Modes() {
		if on != (mode == ansi.ModeTextCursorEnable.Mode() || mode == ansi.ModeAutoWrap.Mode()) {
			t.Errorf("mode %d of the terminal is left %v", mode, on)
		}
	}
	if err := terminal.CheckStream(f.all.Bytes(), true); err != nil {
		t.Error(err)
	}
	if s := f.screen.UnknownSequence(); s != "" {
		t.Errorf("the test's terminal does not know %s", s)
	}
}

// TestServedAside checks that the frames of a program are drawn half an interval later while DrawsLater
// returns true, and at the usual time afterwards.
func TestServedAside(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var drawn *clock
		err := visit(t, newFar(), func(c *clock, typed io.Writer, _ chan<- Size) {
			drawn = c
			for _, key := range []string{"<", "<", "q"} {
				time.Sleep(3*time.Second + 100*time.Millisecond) //nolint:forbidigo // on a fake clock
				_, _ = io.WriteString(typed, key)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		// A frame that was already due keeps its time.
		const half = time.Second / 2
		if want := []time.Duration{0, 0, 0, 0, half, half, half, 0, 0, 0}; !slices.Equal(drawn.due, want) {
			t.Errorf("frames were due %v after the full second, not %v", drawn.due, want)
		}
	})
}

// TestServedViewer serves a viewer who types, pastes, resizes and quits.
func TestServedViewer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFar()
		shows := func(text string) {
			t.Helper()
			synctest.Wait()
			if !strings.Contains(f.text(), text) {
				t.Errorf("no %q on\n%s", text, f.text())
			}
		}
		err := visit(t, f, func(c *clock, typed io.Writer, resizes chan<- Size) {
			shows("n=0 keys=0\n40x5")
			writes, drawn := f.writes.Load(), c.drawn.Load()
			<-time.After(5*time.Second + time.Millisecond) // ticks arrive ten times a second
			shows("n=10")
			if w, d := f.writes.Load()-writes, c.drawn.Load()-drawn; w != 5 || d != 5 {
				t.Errorf("%d frames were written and %d drawn in 5 s", w, d)
			}
			_, _ = io.WriteString(typed, "j\x1b[A")
			shows("keys=2")
			_, _ = io.WriteString(typed, "\x1b[200~qqq\x1b[201~")
			shows("40x5 qqq")
			_, _ = io.WriteString(typed, "/")
			shows("keys=3")
			if x, y, on := f.screen.Cursor(); !on || x != 2 || y != 1 {
				t.Errorf("the cursor is at %d, %d, %v", x, y, on)
			}
			for w := range 100 { // only the last of many sizes counts
				select {
				case resizes <- Size{20 + w%10, 4}:
				default:
				}
			}
			<-time.After(200 * time.Millisecond)
			shows("x4 qqq")
			resizes <- Size{65535, 65535}
			<-time.After(200 * time.Millisecond)
			synctest.Wait()
			if n := c.cells.Load(); n != MaxWidth*MaxHeight {
				t.Errorf("it has %d cells", n)
			}
			resizes <- Size{30, 5}
			<-time.After(200 * time.Millisecond)
			_, _ = io.WriteString(typed, "q")
		})
		if err != nil {
			t.Error(err)
		}
		restoredFar(t, f)
	})
}

// TestEndsOfSessions ends sessions in all other ways.
func TestEndsOfSessions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"!": "the board broke", "?": "a command broke"} {
		synctest.Test(t, func(t *testing.T) {
			f := newFar()
			err := visit(t, f, func(_ *clock, typed io.Writer, _ chan<- Size) {
				_, _ = io.WriteString(typed, name)
			})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", name, err)
			}
			restoredFar(t, f)
		})
	}
}

// TestTerminalThatTakesNothing checks that the output to a terminal that does not read is closed, and
// that no frames are buffered for it.
func TestTerminalThatTakesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFar()
		f.stuck = make(chan struct{})
		start := time.Now()
		var c *clock
		err := visit(t, f, func(seen *clock, _ io.Writer, _ chan<- Size) { c = seen })
		if !errors.Is(err, ErrNotReading) {
			t.Error(err)
		}
		if took := time.Since(start); took < defaultWriteTimeout || took > defaultWriteTimeout+restoreTimeout+2*time.Second {
			t.Errorf("it took %v", took)
		}
		if n := c.drawn.Load(); n > 10 {
			t.Errorf("%d frames were drawn in vain", n)
		}
	})
}

// TestSlowTerminalGetsTheNewestFrame reads a frame after a delay.
func TestSlowTerminalGetsTheNewestFrame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFar()
		f.stuck = make(chan struct{})
		err := visit(t, f, func(_ *clock, typed io.Writer, _ chan<- Size) {
			for range 10 {
				_, _ = io.WriteString(typed, "j")
			}
			<-time.After(10 * time.Second)
			close(f.stuck)
			<-time.After(1100 * time.Millisecond)
			synctest.Wait()
			if !strings.Contains(f.text(), "n=2 keys=10") || f.writes.Load() > 4 {
				t.Errorf("%d writes, and\n%s", f.writes.Load(), f.text())
			}
			_, _ = io.WriteString(typed, "q")
		})
		if err != nil {
			t.Error(err)
		}
	})
}
