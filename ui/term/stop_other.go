//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package term

import (
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// stopper would suspend a program, but here no shell could continue it.
type stopper struct{}

func newStopper(*tea.Program, *shutdown, term.File, func(), *atomic.Bool) *stopper { return &stopper{} }

func (*stopper) suspend() {}

func (*stopper) close() {}
