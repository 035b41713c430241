package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
)

// Terminal describes the terminal on which a program runs.
type Terminal struct {
	In  io.Reader // nil: the standard input, or the controlling terminal if the standard input is not a terminal
	Out io.Writer // nil: [os.Stdout]
	// Interval is the time between frames for messages that can wait, if the program is a
	// [ServedModel]. If it is 0, messages do not wait.
	Interval time.Duration
}

// MaxWidth and MaxHeight limit the size of a terminal in cells, because several copies of each cell
// are kept. Even a wall of screens is smaller.
const (
	MaxWidth  = 1000
	MaxHeight = 500
)

// ErrTooLarge means that the terminal reports a size above MaxWidth or MaxHeight.
var ErrTooLarge = errors.New("the terminal reports a size above the limit")

// checkSize returns an error if the terminal is too large when the program starts. Without this
// check, Bubble Tea would allocate the cells of the terminal before the size can be limited.
func checkSize(out io.Writer) error {
	f, ok := out.(term.File)
	if !ok {
		return nil
	}
	w, h, err := term.GetSize(f.Fd())
	if err == nil && (w > MaxWidth || h > MaxHeight) {
		return fmt.Errorf("%w: %dx%d", ErrTooLarge, w, h)
	}
	return nil // the size is allowed, or unknown because out is not a terminal
}

// limitSize limits the size in a [tea.WindowSizeMsg]. It returns all other messages unchanged.
func limitSize(_ tea.Model, msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return tea.WindowSizeMsg{Width: min(size.Width, MaxWidth), Height: min(size.Height, MaxHeight)}
	}
	return msg
}

// openKeyboard returns the input for a program and a function that closes the input. Events are
// passed to emit, except on Windows, where Bubble Tea itself reads the events of the console.
func openKeyboard(in io.Reader, emit func(uv.Event)) (read io.Reader, end func()) {
	end = func() {}
	if in == nil {
		in = os.Stdin
		if !term.IsTerminal(os.Stdin.Fd()) {
			if tty, _, err := tea.OpenTTY(); err == nil {
				in, end = tty, func() { _ = tty.Close() }
			}
		}
	}
	if _, ok := in.(*os.File); ok && runtime.GOOS == "windows" {
		return in, end
	}
	k, read := NewKeyboard(in, emit)
	leave := end
	return read, func() { k.Close(); leave() }
}
