package plots

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// ShiftReader reads the recorded shifts of an agent. It is called in commands.
type ShiftReader func(ctx context.Context, username string) ([]analysis.Shift, error)

const (
	// dwellTime is how long a viewer must stay at an agent before a preview reads the shift.
	dwellTime = time.Second
	// slowReading is the duration of the last reading above which previews read no shift.
	slowReading = 300 * time.Millisecond
	// retryAfter is the time after a failure before another attempt.
	retryAfter = time.Minute
	// maxResults is the number of shifts that are kept.
	maxResults = 32
)

// ShiftCache holds the shifts that a board has read. It belongs to the goroutine of the board. A nil
// ShiftCache is empty and reads nothing.
type ShiftCache struct {
	results          map[string]*shiftResult // by user name
	requested        string                  // the agent in view; "": none
	isPreview        bool                    // requested only for a preview
	requestedAt      time.Time               // when it was requested, on the board's clock
	isRequestedAgain bool                    // requested since the last call of NextRead
	reading          bool                    // a command is reading a shift
	lastDuration     time.Duration           // duration of the last reading
	version          uint64                  // counts the results
	forgetCount      uint64                  // counts calls of Forget
}

// shiftResult holds the result of a reading.
type shiftResult struct {
	shifts   []analysis.Shift
	readAt   time.Time               // the server's clock at the reading
	answered map[model.Channel]int64 // contacts answered by then
	failed   bool
}

// Forget drops all shifts, when the board changes to another platform or to other names.
func (b *ShiftCache) Forget() {
	*b = ShiftCache{forgetCount: b.forgetCount + 1, version: b.version + 1}
}

// Request requests the shift of an agent. For a preview it is read only after the viewer has
// stayed at the agent for a moment, and if reading is fast. now is on the board's clock.
func (b *ShiftCache) Request(username string, isPreview bool, now time.Time) {
	if b == nil {
		return
	}
	b.isRequestedAgain = true
	if b.requested != username || b.isPreview != isPreview {
		b.requested, b.isPreview, b.requestedAt = username, isPreview, now
	}
}

// NextRead returns a command that reads the shift requested since the last call, or nil if nothing
// has to be read. s is the shown snapshot, at is its time on the server's clock, and now is on the
// board's clock.
func (b *ShiftCache) NextRead(ctx context.Context, reader func() ShiftReader, s *model.Snapshot, at, now time.Time) tea.Cmd {
	if !b.isRequestedAgain {
		b.requested = ""
	}
	b.isRequestedAgain = false
	if b.requested == "" || b.reading || s == nil {
		return nil
	}
	if b.isPreview && (now.Sub(b.requestedAt) < dwellTime || b.lastDuration > slowReading) {
		return nil
	}
	if k := b.results[b.requested]; k != nil && (k.isValid(at) || k.failed && absolute(at.Sub(k.readAt)) < retryAfter) {
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
	return dialog.Guard(func() tea.Msg {
		startedAt := time.Now()
		list, err := read(ctx, username)
		return shiftReadMsg{b, epoch, username, shiftResult{list, at, answered, err != nil}, time.Since(startedAt)}
	})
}

// shiftReadMsg carries the shift of an agent.
type shiftReadMsg struct {
	cache    *ShiftCache
	epoch    uint64
	username string
	result   shiftResult
	duration time.Duration
}

// Arrive stores the shift in the cache.
func (m shiftReadMsg) Arrive() tea.Cmd {
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

// isValid reports whether the result is still valid at a time on the server's clock. Shifts are read
// again every hour, because the board itself knows only the last hour.
func (k *shiftResult) isValid(at time.Time) bool {
	return !k.failed && k.readAt.Truncate(time.Hour).Equal(at.Truncate(time.Hour))
}

// Version returns a number that changes with every result.
func (b *ShiftCache) Version() uint64 {
	if b == nil {
		return 0
	}
	return b.version
}

// answeredBy returns the number of contacts that an agent has answered on a channel, 0
// if unknown.
func answeredBy(s *model.Snapshot, username string, ch model.Channel) int64 {
	r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch})
	if r == nil {
		return 0
	}
	n, _ := r.NumberCallFromServiceAnswered.Get()
	return n
}

func absolute(d time.Duration) time.Duration { return max(d, -d) }
