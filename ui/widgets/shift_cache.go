package widgets

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// ShiftReader reads the recorded shifts of an agent, one for each channel. It may block, so only
// commands call it.
type ShiftReader func(ctx context.Context, username string) ([]analysis.Shift, error)

const (
	// previewDelay is how long the cursor must stay on an agent before a preview reads the agent's
	// shift.
	previewDelay = time.Second
	// slowReadThreshold is the duration above which reading a shift is slow. After a slow reading,
	// previews do not read shifts.
	slowReadThreshold = 300 * time.Millisecond
	// retryAfter is the time between a failed reading and the next attempt.
	retryAfter = time.Minute
	// maxResults limits the number of agents whose shifts are cached.
	maxResults = 32
)

// ShiftCache caches the shifts that a board has read. It belongs to the goroutine of the board. For a
// nil ShiftCache, Request does nothing, and Draw and Version behave as for an empty one.
type ShiftCache struct {
	results          map[string]*shiftResult // keys: user names of agents
	requested        string                  // user name of the agent whose shift is needed; "": none
	isPreview        bool                    // the shift is needed only for a preview
	requestedAt      time.Time               // when requested last changed, on the board's clock
	isRequestedAgain bool                    // Request was called after the last call of NextRead
	reading          bool                    // a command is reading a shift
	lastDuration     time.Duration           // duration of the last reading
	version          uint64                  // increases with every change of the cache
	forgetCount      uint64                  // number of calls of DropAll so far
}

// shiftResult is the result of reading the shifts of an agent, which may have failed.
type shiftResult struct {
	shifts   []analysis.Shift
	readAt   time.Time               // when the shifts were read, on the server's clock
	answered map[model.Channel]int64 // number of contacts that the agent had answered at readAt
	failed   bool
}

// DropAll drops all shifts. The board calls it when it shows another platform or when names have
// changed.
func (b *ShiftCache) DropAll() {
	*b = ShiftCache{forgetCount: b.forgetCount + 1, version: b.version + 1}
}

// Request requests the shift of an agent on the screen. For a preview, the shift is read only if
// reading is fast, and only after the cursor has stayed on the agent for previewDelay. now is on the
// board's clock.
func (b *ShiftCache) Request(username string, isPreview bool, now time.Time) {
	if b == nil {
		return
	}
	b.isRequestedAgain = true
	if b.requested != username || b.isPreview != isPreview {
		b.requested, b.isPreview, b.requestedAt = username, isPreview, now
	}
}

// NextRead returns a command that reads the requested shift. It returns nil if the shift is known or
// must not be read yet, if a command is still running, if there is no snapshot or reader, or if there
// was no request since the last call. s is the shown snapshot, at its time on the server's clock, and
// now the time on the board's clock.
func (b *ShiftCache) NextRead(ctx context.Context, reader func() ShiftReader, s *model.Snapshot, at, now time.Time) tea.Cmd {
	if !b.isRequestedAgain {
		b.requested = ""
	}
	b.isRequestedAgain = false
	if b.requested == "" || b.reading || s == nil {
		return nil
	}
	if b.isPreview && (now.Sub(b.requestedAt) < previewDelay || b.lastDuration > slowReadThreshold) {
		return nil
	}
	if k := b.results[b.requested]; k != nil && (k.isValid(at) || k.failed && at.Sub(k.readAt).Abs() < retryAfter) {
		return nil
	}
	read := reader()
	if read == nil {
		return nil
	}
	b.reading = true
	username, epoch := b.requested, b.forgetCount
	answered := make(map[model.Channel]int64)
	for _, ch := range model.Channels() {
		answered[ch] = answeredBy(s, username, ch)
	}
	return dialog.RecoverPanic(func() tea.Msg {
		startedAt := time.Now()
		list, err := read(ctx, username)
		return shiftReadMsg{b, epoch, username, shiftResult{list, at, answered, err != nil}, time.Since(startedAt)}
	})
}

// shiftReadMsg carries the result of reading an agent's shift to the cache.
type shiftReadMsg struct {
	cache    *ShiftCache
	epoch    uint64
	username string
	result   shiftResult
	duration time.Duration
}

// Apply stores the result in the cache. It drops the result if DropAll was called while the shift
// was being read.
func (m shiftReadMsg) Apply() tea.Cmd {
	b := m.cache
	if m.epoch != b.forgetCount {
		return nil
	}
	b.reading, b.lastDuration = false, m.duration
	if b.results == nil || len(b.results) >= maxResults {
		b.results = make(map[string]*shiftResult)
	}
	b.results[m.username] = &m.result
	b.version++
	return nil
}

// isValid reports whether the result can still be used at the time at on the server's clock. Shifts
// are read again every hour, because the board itself remembers only the last hour.
func (k *shiftResult) isValid(at time.Time) bool {
	return !k.failed && k.readAt.Truncate(time.Hour).Equal(at.Truncate(time.Hour))
}

// Version returns a number that changes with every change of the cache.
func (b *ShiftCache) Version() uint64 {
	if b == nil {
		return 0
	}
	return b.version
}

// answeredBy returns the number of contacts that an agent has answered on a channel. It returns 0
// if the number is unknown.
func answeredBy(s *model.Snapshot, username string, ch model.Channel) int64 {
	r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch})
	if r == nil {
		return 0
	}
	n, _ := r.NumberCallFromServiceAnswered.Get()
	return n
}
