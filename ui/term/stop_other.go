//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package term

import (
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// stopper does nothing on systems whose shells cannot continue a suspended program.
type stopper struct{}

func newStopper(*tea.Program, *shutdown, term.File, func(), *atomic.Bool) *stopper { return &stopper{} }

func (*stopper) suspend() {}

func (*stopper) close() {}
