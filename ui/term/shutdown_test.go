package term

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// TestEndWaitsForAnswers quits while an answer of the terminal is pending: the program keeps reading
// until the answer arrives, or for answerTimeout.
func TestEndWaitsForAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		asks        string
		answers     uv.Event      // event that answers the query; nil: none
		after       time.Duration // time until the answer
		least, most time.Duration // minimum and maximum time until the end
	}{
		{name: "nothing was asked"},
		{"the mode", ansi.RequestModeSynchronizedOutput, uv.ModeReportEvent{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset}, 300 * time.Millisecond, 300 * time.Millisecond, 300 * time.Millisecond},
		{"the background", ansi.RequestBackgroundColor, uv.BackgroundColorEvent{}, 300 * time.Millisecond, 300 * time.Millisecond, 300 * time.Millisecond},
		{"the keyboard", ansi.RequestKittyKeyboard, uv.KeyboardEnhancementsEvent{}, 300 * time.Millisecond, 300 * time.Millisecond, 300 * time.Millisecond},
		{"a slow terminal", ansi.RequestBackgroundColor, uv.BackgroundColorEvent{}, 1800 * time.Millisecond, 1800 * time.Millisecond, 1800 * time.Millisecond},
		{"one of two answers", ansi.RequestKittyKeyboard + ansi.RequestBackgroundColor, uv.BackgroundColorEvent{}, 300 * time.Millisecond, answerTimeout, answerTimeout},
		{"a mute terminal", ansi.RequestBackgroundColor, nil, 0, answerTimeout, answerTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			var q queries
			q.filterOutput([]byte(tt.asks))
			begun := time.Now()
			ended := make(chan struct{})
			e := newShutdown(nil, func() {}, &q)
			quit := func() {
				if e.filterMessage(nil, tea.QuitMsg{}) != nil {
					close(ended)
				}
			}
			e.quit = quit
			if tt.answers != nil {
				go func() { <-time.After(tt.after); q.recordAnswer(tt.answers) }()
			}
			quit()
			<-ended
			if d := time.Since(begun); d < tt.least || d > tt.most {
				t.Errorf("%s: it ended after %v", tt.name, d)
			}
			<-time.After(answerTimeout)
		})
	}
}

// TestNoQueriesAfterTheEnd quits before Bubble Tea has sent its first queries: the queries are not sent,
// because the program would not read the answers.
func TestNoQueriesAfterTheEnd(t *testing.T) {
	t.Parallel()
	var q queries
	if e := newShutdown(nil, func() {}, &q); !e.requestEnd() {
		t.Fatal("the program waits for answers although it has sent no query")
	}
	all := strings.Join(trackedQueries(), "figures") + ansi.SetModeBracketedPaste
	const want = "figuresfiguresfigures" + ansi.SetModeBracketedPaste
	if got := string(q.filterOutput([]byte(all))); got != want {
		t.Errorf("%q is written, want %q", got, want)
	}
	if _, maximum := q.pending(); maximum != 0 {
		t.Error("the program waits for answers to queries that were not sent")
	}
}

// TestEndWhileTheShellHasTheTerminal checks that a suspended program ends only after it has the terminal
// again.
func TestEndWhileTheShellHasTheTerminal(t *testing.T) {
	t.Parallel()
	quits := 0
	e := newShutdown(func() { quits++ }, func() {}, new(queries))
	if !e.releaseToShell() || e.releaseToShell() {
		t.Fatal("cannot suspend")
	}
	if first, second := e.requestEnd(), e.requestEnd(); first || second || quits != 0 {
		t.Error("the program ends without the terminal")
	}
	e.regainTerminal()
	if quits != 1 || !e.requestEnd() || e.releaseToShell() {
		t.Errorf("the program does not end with the terminal: %d", quits)
	}
}

// stopped is a terminal that stops reading.
type stopped struct{ read chan struct{} }

func (s stopped) Write(b []byte) (int, error) { <-s.read; return len(b), nil }

// TestOutletOfATerminalThatStopsReading checks that writes fail soon after the program is asked to end.
func TestOutletOfATerminalThatStopsReading(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := stopped{make(chan struct{})}
		o := newLimitedWriter(s)
		failed := make(chan error, 1)
		go func() {
			_, err := io.WriteString(o, "a frame")
			failed <- err
		}()
		<-time.After(time.Hour)
		select {
		case err := <-failed:
			t.Fatalf("a write to a slow terminal failed: %v", err)
		default:
		}
		begun := time.Now()
		o.limitWrites()
		if err := <-failed; !errors.Is(err, ErrNotReading) || time.Since(begun) > exitWriteTimeout {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		if _, err := io.WriteString(o, "the end"); !errors.Is(err, ErrNotReading) || time.Since(begun) > exitWriteTimeout {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		close(s.read)
		o.close()
	})
}

// TestLimitOutput checks that a program can end although its output is not read: its writes block until
// its context ends, and fail a second later.
func TestLimitOutput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := stopped{make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		out, release := LimitOutput(ctx, s)
		failed := make(chan error, 1)
		go func() {
			_, err := io.WriteString(out, "a snapshot")
			failed <- err
		}()
		<-time.After(time.Hour)
		begun := time.Now()
		cancel()
		if err := <-failed; !errors.Is(err, ErrNotReading) || time.Since(begun) > exitWriteTimeout {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		close(s.read)
		release()
	})
}
