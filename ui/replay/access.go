package replay

import (
	"maps"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// RecordingAccess describes the part of a recording that a viewer looks at: a replay, or the shift of an
// agent.
type RecordingAccess struct {
	ReplayFrom time.Time // start of a replay; zero for a shift
	ShiftUser  string    // user name of the agent; "" for a replay
}

// Kind returns the kind of access: "replay" or "shift".
func (a RecordingAccess) Kind() string {
	if a.ShiftUser != "" {
		return "shift"
	}
	return "replay"
}

// Subject describes what the viewer looks at, for a log.
func (a RecordingAccess) Subject() string {
	if a.ShiftUser != "" {
		return "agent " + a.ShiftUser
	}
	return "recording from " + a.ReplayFrom.UTC().Format(time.RFC3339)
}

// accessLogInterval is how long accesses to the same part of a recording are not logged again.
const accessLogInterval = 10 * time.Minute

// NewAccessLog returns a function for [Archive.LogAccess] that calls write at most once in ten
// minutes for the same part of a recording. now returns the current time.
func NewAccessLog(now func() time.Time, write func(RecordingAccess)) func(RecordingAccess) {
	var mu sync.Mutex
	lastLogged := make(map[RecordingAccess]time.Time)
	return func(a RecordingAccess) {
		mu.Lock()
		at := now()
		maps.DeleteFunc(lastLogged, func(_ RecordingAccess, logged time.Time) bool { return at.Sub(logged) >= accessLogInterval })
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
func (a *Archive) logAccess(access RecordingAccess) {
	if a.LogAccess != nil {
		a.LogAccess(access)
	}
}

// LogReplay returns a command that records the start of a replay.
func (a *Archive) LogReplay(from time.Time) tea.Cmd {
	archive := *a
	return func() tea.Msg {
		archive.logAccess(RecordingAccess{ReplayFrom: from})
		return nil
	}
}
