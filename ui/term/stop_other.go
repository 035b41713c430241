//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package term

import (
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// suspender does nothing on systems whose shells cannot continue a suspended program.
type suspender struct{}

func newSuspender(*tea.Program, *shutdown, term.File, func(), *atomic.Bool) *suspender {
	return &suspender{}
}

func (*suspender) suspend() {}

func (*suspender) close() {}
