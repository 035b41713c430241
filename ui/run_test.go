package ui

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/ui/frame"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// TestMain makes the garbage collector run rarely, unless GOGC is set. Under the race detector, which is
// slow, property tests make fewer checks.
func TestMain(m *testing.M) {
	testkit.StartSignalHandling()
	testkit.ReduceGC()
	if testkit.Race {
		if err := flag.Set("rapid.checks", "20"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// stubSource is a source controlled by a test.
type stubSource struct {
	mu    sync.Mutex
	s     *model.Snapshot
	more  chan struct{}
	panic string
}

func newStubSource(s *model.Snapshot) *stubSource {
	return &stubSource{s: s, more: make(chan struct{})}
}

func (s *stubSource) Latest() *model.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.s
}

func (s *stubSource) put(snap *model.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s = snap
	close(s.more)
	s.more = make(chan struct{})
}

func (s *stubSource) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		s.mu.Lock()
		snap, more := s.s, s.more
		s.mu.Unlock()
		if s.panic != "" {
			panic(s.panic)
		}
		if snap != nil && snap.Seq > after {
			return snap, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// screen is an output that counts writes and signals them.
type screen struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	wrote chan struct{}
}

func newScreen() *screen { return &screen{wrote: make(chan struct{}, 1)} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.wrote <- struct{}{}:
	default:
	}
	return s.buf.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// until waits for a text on the screen.
func (s *screen) until(t *testing.T, text string) {
	t.Helper()
	limit := time.After(10 * time.Second)
	for !strings.Contains(s.String(), text) {
		select {
		case <-s.wrote:
		case <-limit:
			t.Fatalf("%q is not on the screen:\n%q", text, s.String())
		}
	}
}

func programOptions() []tea.ProgramOption {
	return []tea.ProgramOption{
		tea.WithInput(nil), tea.WithWindowSize(120, 40), tea.WithoutSignals(),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "SSH_TTY=x"}),
	}
}

// start runs a board in the background and returns its error.
func start(ctx context.Context, o Options, out *screen, options ...tea.ProgramOption) <-chan error {
	done := make(chan error, 1)
	o.Display.Output = out
	go func() { done <- Run(ctx, o, append(programOptions(), options...)...) }()
	return done
}

func TestRunShowsSnapshotsAndEndsWithItsContext(t *testing.T) {
	t.Parallel()
	f := newTestFloor(10)
	src := newStubSource(nil)
	out := newScreen()
	ctx, cancel := context.WithCancel(context.Background())
	done := start(ctx, Options{Source: src, Title: "Bolzano"}, out)
	out.until(t, "Waiting")
	src.put(f.publish())
	out.until(t, "SRV03")
	cancel()
	if err := <-done; err != nil {
		t.Errorf("the end of the context is an error: %v", err)
	}
}

// TestNothingIsWrittenWhenNothingChanges ticks on a board whose clock stands still.
func TestNothingIsWrittenWhenNothingChanges(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	out := newScreen()
	ctx, cancel := context.WithCancel(context.Background())
	seconds := make(chan struct{}, 8)
	at := startTime().Add(950 * time.Millisecond)
	done := start(ctx, Options{
		Source: newStubSource(f.publish()), Names: testNames(),
		Now: func() time.Time {
			select {
			case seconds <- struct{}{}:
			default:
			}
			return at
		},
	}, out)
	out.until(t, "LIVE")
	for range cap(seconds) {
		<-seconds // the first ones belong to the start, the later ones to ticks
	}
	settle(out)
	written := len(out.String())
	for range 4 {
		<-seconds
	}
	if now := len(out.String()); now != written {
		t.Errorf("%d bytes were written although nothing changed", now-written)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// settle waits until the output is quiet.
func settle(out *screen) {
	for {
		select {
		case <-out.wrote:
		case <-time.After(300 * time.Millisecond):
			return
		}
	}
}

func TestPanicIsReturnedAndTheTerminalRestored(t *testing.T) {
	t.Parallel()
	src := newStubSource(nil)
	src.panic = "the source broke"
	out := newScreen()
	err := <-start(context.Background(), Options{Source: src}, out)
	if !errors.Is(err, dialog.ErrPanic) || !strings.Contains(err.Error(), "the source broke") {
		t.Errorf("the error is %v", err)
	}
	restored(t, out)
}

func TestPanicWhileDrawingIsReturned(t *testing.T) {
	t.Parallel()
	out := newScreen()
	calls := 0
	broken := func() time.Time { // clock that panics in the goroutine of the board
		if calls++; calls > 4 {
			panic(errors.New("the clock broke"))
		}
		return startTime()
	}
	err := <-start(context.Background(), Options{Source: newStubSource(newTestFloor(3).publish()), Now: broken}, out)
	if !errors.Is(err, dialog.ErrPanic) || !strings.Contains(err.Error(), "the clock broke") {
		t.Errorf("the error is %v", err)
	}
	restored(t, out)
}

// restored checks that the alternate screen is left and the cursor shown.
func restored(t *testing.T, out *screen) {
	t.Helper()
	s := out.String()
	if !strings.Contains(s, "\x1b[?1049l") || strings.LastIndex(s, "\x1b[?25h") < strings.LastIndex(s, "\x1b[?25l") {
		t.Errorf("the terminal is left as it was:\n%q", s[max(len(s)-200, 0):])
	}
}

func TestSourceErrorIsSaidAndTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.send(sourceFailedMsg{err: errors.New("the store\nis closed")})
	b.shows("No data from the platform: the store is closed")
	b.send(frame.NoticeExpiredMsg{ID: b.notice.ID})
	b.hides("No picture")
}

// TestKeysOfATerminal types on a program.
func TestKeysOfATerminal(t *testing.T) {
	t.Parallel()
	keys, typed := io.Pipe()
	out := newScreen()
	done := start(context.Background(), Options{
		Source: newStubSource(newTestFloor(20).publish()), Names: testNames(),
	}, out, tea.WithInput(keys))
	press := func(keys string) {
		if _, err := io.WriteString(typed, keys); err != nil {
			t.Error(err)
		}
	}
	out.until(t, "Abandoned")
	press("4")
	out.until(t, "Activity")
	press("\r")
	out.until(t, "State on every channel")
	press("q")
	if err := <-done; err != nil {
		t.Error(err)
	}
	_ = typed.Close()
}

// TestSnapshotsBeforeLiveAreDrawnAtOnce checks that the first live snapshot does not wait for the
// next frame, and that later ones do.
func TestSnapshotsBeforeLiveAreDrawnAtOnce(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	local := localBoard{servedBoard{b.Model}}
	waits := func(state model.LinkState) bool {
		b.link(func(l *model.Link) { l.State = state })
		return local.CanDeferDraw(SnapshotMsg{Snapshot: b.scene.floor.Newest})
	}
	empty := localBoard{servedBoard{newBoardOn(t, nil, 80, 24).Model}}
	if !empty.CanDeferDraw(ClockMsg{}) {
		t.Error("the clock of a board without a snapshot does not wait")
	}
	if waits(model.LinkConnecting) {
		t.Error("a snapshot waits although the board is not live")
	}
	if !waits(model.LinkUp) {
		t.Error("a snapshot of a live board does not wait")
	}
	b.floor.Health.Cuts = 1
	if !waits(model.LinkConnecting) {
		t.Error("a snapshot of a board that has lost its connection does not wait")
	}
}
