package paint

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

	"wallboard/ui/input"
)

// Terminal is where a program is shown, and where its keys come from.
type Terminal struct {
	In  io.Reader // nil: the standard input, or the terminal where that is none
	Out io.Writer // nil: [os.Stdout]
	// Every is how often what can wait is drawn, where the program is a [Served]; 0: at once.
	Every time.Duration
}

// MaxWidth and MaxHeight are the largest terminal that is drawn on, more than a wall
// of screens has. Each cell of it is kept several times.
const (
	MaxWidth  = 1000
	MaxHeight = 500
)

// ErrTooLarge is the error of a terminal that says that it is larger than that.
var ErrTooLarge = errors.New("the terminal says that it is larger than any is")

// fits returns an error if a terminal is too large to begin with: Bubble Tea keeps
// its cells before anybody can say otherwise.
func fits(out io.Writer) error {
	f, ok := out.(term.File)
	if !ok {
		return nil
	}
	w, h, err := term.GetSize(f.Fd())
	if err == nil && (w > MaxWidth || h > MaxHeight) {
		return fmt.Errorf("%w: %dx%d", ErrTooLarge, w, h)
	}
	return nil // what is no terminal has no size
}

// bound keeps a terminal that grows at what can be drawn on.
func bound(_ tea.Model, msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return tea.WindowSizeMsg{Width: min(size.Width, MaxWidth), Height: min(size.Height, MaxHeight)}
	}
	return msg
}

// keyboard returns the input of a program whose events go to take, and what ends it.
// On Windows Bubble Tea reads the events of the console, which are no sequences.
func keyboard(in io.Reader, take func(uv.Event)) (read io.Reader, end func()) {
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
	k, read := input.NewKeyboard(in, take)
	leave := end
	return read, func() { k.Close(); leave() }
}
