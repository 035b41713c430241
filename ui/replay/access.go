package replay

import (
	"maps"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Access describes the part of a recording that a viewer looks at: a replay, or the shift of an
// agent.
type Access struct {
	ReplayFrom time.Time // start of a replay; zero for a shift
	ShiftOf    string    // user name of the agent; "" for a replay
}

// Kind returns the kind of access: "replay" or "shift".
func (a Access) Kind() string {
	if a.ShiftOf != "" {
		return "shift"
	}
	return "replay"
}

// Subject describes what the viewer looks at, for a log.
func (a Access) Subject() string {
	if a.ShiftOf != "" {
		return "agent " + a.ShiftOf
	}
	return "recording from " + a.ReplayFrom.UTC().Format(time.RFC3339)
}

// accessLogInterval is how long accesses to the same part of a recording are not logged again.
const accessLogInterval = 10 * time.Minute

// NewAccessLog returns a function for [Archive.LogAccess] that calls write at most once in ten
// minutes for the same part of a recording. now returns the current time.
func NewAccessLog(now func() time.Time, write func(Access)) func(Access) {
	var mu sync.Mutex
	lastLogged := make(map[Access]time.Time)
	return func(a Access) {
		mu.Lock()
		at := now()
		maps.DeleteFunc(lastLogged, func(_ Access, logged time.Time) bool { return at.Sub(logged) >= accessLogInterval })
		_, repeated := lastLogged[a]
		if !repeated {
			lastLogged[a] = at
		}
		mu.Unlock()
		if !repeated {
			write(a)
		}
	}
}

// logAccess calls LogAccess if it is not nil.
func (a *Archive) logAccess(access Access) {
	if a.LogAccess != nil {
		a.LogAccess(access)
	}
}

// LogReplay returns a command that records the start of a replay.
func (a *Archive) LogReplay(from time.Time) tea.Cmd {
	archive := *a
	return func() tea.Msg {
		archive.logAccess(Access{ReplayFrom: from})
		return nil
	}
}
