package term

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
)

// foreignText is output of wall, the kernel or a background job.
const foreignText = "\r\n\r\nBroadcast message from root@host\r\nreboot at 22:00\r\n"

// TestRefreshRepairsTheScreen writes foreign output on a screen, and refreshes it.
func TestRefreshRepairsTheScreen(t *testing.T) {
	t.Parallel()
	lines := []string{
		"header \x1b[7mLIVE\x1b[m", "Premium PL \x1b[32m1\x1b[m", strings.Repeat("x", 30), "日本語 3", "\x1b[44m" + strings.Repeat(" ", 30) + "\x1b[m", "", "שירות 4", "last",
	}
	for _, strange := range []string{foreignText, "\x1b[2;4r\x1b[?6h", "\x1b[?7l\x1b[4h", "\x1b[31;44mred"} {
		for _, shared := range []*RowCache{nil, NewRowCache()} {
			screen, right := terminal.NewScreen(30, 8), terminal.NewScreen(30, 8)
			r := RowPainter{Width: 30, Height: 8, Shared: shared}
			frame := []byte(strings.Join(lines, "\n"))
			_, _ = screen.Write(r.Paint(frame))
			_, _ = right.Write((&RowPainter{Width: 30, Height: 8}).Paint(frame))
			_, _ = io.WriteString(screen, strange)
			r.RequestRepaint()
			out := bytes.Clone(r.Paint(frame))
			if bytes.Contains(out, []byte("\x1b[2J")) {
				t.Error("the screen is erased before painting, so it flickers")
			}
			_, _ = screen.Write(out)
			if at := differ(right, screen, 30, 8); at != "" {
				t.Errorf("after %q: %s", strange, at)
			}
			if err := terminal.CheckStream(out, false); err != nil {
				t.Error(err)
			}
			if out := r.Paint(frame); len(out) > 0 {
				t.Errorf("the screen is painted again: %q", out)
			}
		}
	}
}

// wall is a program like a kiosk: a page with figures, one of which changes.
type wall struct{ n atomic.Int64 }

func (*wall) Init() tea.Cmd             { return nil }
func (*wall) CanDeferDraw(tea.Msg) bool { return false }
func (*wall) DrawsLater() bool          { return false }
func (*wall) View() tea.View            { return tea.View{AltScreen: true} }
func (w *wall) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if all, is := msg.(Messages); is && len(all) > 0 {
		w.n.Add(1)
	}
	return w, nil
}

func (w *wall) AppendFrame(dst []byte) []byte { return append(dst, w.Frame()...) }

func (w *wall) Frame() []byte {
	var b bytes.Buffer
	for y := range 33 {
		fmt.Fprintf(&b, "Service %d %60d\n", y, (y*7919)%97)
	}
	fmt.Fprintf(&b, "frame %d", w.n.Load())
	return b.Bytes()
}

// TestDayWithAForeignLineEachMinute simulates a day of a wall with foreign output once
// a minute. A minute later no cell is wrong.
func TestDayWithAForeignLineEachMinute(t *testing.T) {
	t.Parallel()
	minutes := 24 * 60
	if testkit.Race {
		minutes = 2 * 60
	}
	synctest.Test(t, func(t *testing.T) {
		out := &slow{screen: terminal.NewScreen(110, 34)}
		in, end := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		w := &wall{}
		done := make(chan error, 1)
		go func() {
			done <- Serve(ctx, func(context.Context) ServedModel { return w },
				Viewer{In: in, Out: out, Env: []string{"TERM=xterm-256color"}, Size: Size{110, 34}, Interval: 10 * time.Second})
		}()
		<-time.After(time.Second)
		synctest.Wait()
		wrong, bytesBefore := 0, out.n
		for range minutes {
			out.shows(foreignText)
			<-time.After(time.Minute + time.Second)
			synctest.Wait()
			right := terminal.NewScreen(110, 34)
			_, _ = right.Write((&RowPainter{Width: 110, Height: 34}).Paint(w.Frame()))
			if differ(right, out.screen, 110, 34) != "" {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("cells were wrong a minute later, %d of %d times", wrong, minutes)
		}
		perMinute := (out.n - bytesBefore) / minutes
		t.Logf("%d bytes a minute", perMinute)
		if perMinute > 4000 {
			t.Errorf("%d bytes were written a minute", perMinute)
		}
		cancel()
		_ = end.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// slow is a slow terminal that counts its output.
type slow struct {
	mu     sync.Mutex
	screen *terminal.Screen
	n      int
}

// shows draws output of another program.
func (s *slow) shows(foreign string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.screen, foreign)
}

func (s *slow) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n += len(b)
	return s.screen.Write(b)
}

func (s *slow) Close() error { return nil }
