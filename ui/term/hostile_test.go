package term

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// typist counts keys, and quits on z.
type typist struct {
	counter
	keys *atomic.Int64
	size *atomic.Int64
}

func (m *typist) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.keys.Add(1)
		if msg.Text == "z" {
			return m, tea.Quit
		}
	case tea.WindowSizeMsg:
		m.size.Store(int64(msg.Width) * int64(msg.Height))
	}
	return m, nil
}

// TestHostileKeys sends input that no user types. Bubble Tea's own reader panics on the
// first and draws ten million frames for the second.
func TestHostileKeys(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"\x1b[" + strings.Repeat("1;", 40) + "1A", strings.Repeat("j", 10<<20)} {
		in, typed := io.Pipe()
		m := &typist{keys: new(atomic.Int64), size: new(atomic.Int64)}
		done := make(chan error, 1)
		go func() {
			done <- Run(t.Context(), m, Terminal{In: in, Out: io.Discard}, tea.WithWindowSize(20, 3), tea.WithoutSignals())
		}()
		go func() {
			_, err := io.WriteString(typed, keys)
			for err == nil { // types z until it is handled as a key
				_, err = io.WriteString(typed, "z")
				<-time.After(20 * time.Millisecond)
			}
		}()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = in.Close()
		if n := m.keys.Load(); n == 0 || n > 12_000 { // more than a million keys were sent
			t.Errorf("%d keys were heard", n)
		}
	}
}

// TestWindowThatIsTooLarge resizes a terminal beyond all limits, which took gigabytes in earlier
// versions.
func TestWindowThatIsTooLarge(t *testing.T) {
	t.Parallel()
	m := &typist{keys: new(atomic.Int64), size: new(atomic.Int64)}
	in, typed := io.Pipe()
	go func() {
		_, _ = fmt.Fprint(typed, "\x1b[8;65535;65535t\x1b[48;65535;65535;1;1t")
		_, _ = fmt.Fprint(typed, "z")
	}()
	err := Run(t.Context(), m, Terminal{In: in, Out: io.Discard}, tea.WithWindowSize(4*MaxWidth, 2), tea.WithoutSignals())
	if err != nil || m.size.Load() != 2*MaxWidth {
		t.Errorf("%d cells, %v", m.size.Load(), err)
	}
	_ = in.Close()
	if got := limitSize(nil, tea.WindowSizeMsg{Width: 65535, Height: 65535}); got != (tea.WindowSizeMsg{Width: MaxWidth, Height: MaxHeight}) {
		t.Errorf("%v", got)
	}
}

// TestTerminalThatIsTooLarge checks that a too large terminal is refused before its cells are allocated.
func TestTerminalThatIsTooLarge(t *testing.T) {
	t.Parallel()
	if err := checkSize(io.Discard); err != nil {
		t.Error(err)
	}
	pty := largePTY(t)
	if err := Run(t.Context(), &counter{}, Terminal{In: strings.NewReader(""), Out: pty}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("the error is %v", err)
	}
}
