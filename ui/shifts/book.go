// Package shifts is what a board knows of the shifts of agents so far: read from a recording
// beside the board, one after another, and drawn as a strip of states for each hour. What
// came since it was read is the board's own.
package shifts

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/recount"
	"wallboard/ui/task"
)

// Reader tells what an agent did, as long as a recording knows it. It is called from
// commands.
type Reader func(ctx context.Context, username string) ([]recount.Shift, error)

const (
	// rest is how long somebody looks at an agent in passing before their shift is read.
	rest = time.Second
	// slow is from how long on a reading is not for those who only pass.
	slow = 300 * time.Millisecond
	// again is how long after a failure the same is not tried.
	again = time.Minute
	// most is how many shifts are kept.
	most = 32
)

// Book is the shifts that a board has read. It belongs to the goroutine of the board. A nil
// one knows nothing and reads nothing.
type Book struct {
	known   map[string]*known // by user name
	wanted  string            // whose shift somebody looks at; "": nobody's
	passing bool              // they only pass
	since   time.Time         // they have looked since then, on the board's clock
	seen    bool              // they still do
	reading bool
	took    time.Duration // the last reading
	changed uint64        // counts what has come
	epoch   uint64        // counts how often everything was forgotten
}

// known is what was read of an agent.
type known struct {
	shifts   []recount.Shift
	at       time.Time               // the server's clock when it was read
	answered map[model.Channel]int64 // what they had answered by then
	failed   bool
}

// Forget lets go of everything: the board shows another platform, or names people otherwise.
func (b *Book) Forget() {
	*b = Book{epoch: b.epoch + 1, changed: b.changed + 1}
}

// Want has the shift of an agent read, unless it is known, as soon as the board can. Of whom
// somebody looks at only in passing it is read when they stay, and where that is soon done.
// now is on the board's clock.
func (b *Book) Want(username string, passing bool, now time.Time) {
	if b == nil {
		return
	}
	b.seen = true
	if b.wanted != username || b.passing != passing {
		b.wanted, b.passing, b.since = username, passing, now
	}
}

// Tend returns what reads the shift that was wanted since it was called last; nil: there is
// nothing to read. s is what the board shows, of the time at on the server's clock; now is on
// the board's.
func (b *Book) Tend(ctx context.Context, reader func() Reader, s *model.Snapshot, at, now time.Time) tea.Cmd {
	if !b.seen {
		b.wanted = ""
	}
	b.seen = false
	if b.wanted == "" || b.reading || s == nil {
		return nil
	}
	if b.passing && (now.Sub(b.since) < rest || b.took > slow) {
		return nil
	}
	if k := b.known[b.wanted]; k != nil && (k.holds(at) || k.failed && absolute(at.Sub(k.at)) < again) {
		return nil
	}
	read := reader()
	if read == nil {
		return nil
	}
	b.reading = true
	username, epoch := b.wanted, b.epoch
	answered := make(map[model.Channel]int64)
	for _, ch := range model.Channels() {
		answered[ch] = answeredBy(s, username, ch)
	}
	return task.Guard(func() tea.Msg {
		begun := time.Now()
		list, err := read(ctx, username)
		return readMsg{b, epoch, username, known{list, at, answered, err != nil}, time.Since(begun)}
	})
}

// readMsg brings the shift of an agent.
type readMsg struct {
	to       *Book
	epoch    uint64
	username string
	known    known
	took     time.Duration
}

// Arrive hands it to the book.
func (m readMsg) Arrive() tea.Cmd {
	b := m.to
	if m.epoch != b.epoch {
		return nil
	}
	b.reading, b.took = false, m.took
	if b.known == nil || len(b.known) >= most {
		b.known = make(map[string]*known)
	}
	b.known[m.username] = &m.known
	b.changed++
	return nil
}

// holds reports whether what was read tells the shift as of a time on the server's clock: the
// board remembers an hour by itself, and counts the contacts of the present one.
func (k *known) holds(at time.Time) bool {
	return !k.failed && k.at.Truncate(time.Hour).Equal(at.Truncate(time.Hour))
}

// Changed counts what has come: as long as it is the same, so is what is known.
func (b *Book) Changed() uint64 {
	if b == nil {
		return 0
	}
	return b.changed
}

// answeredBy is how many contacts an agent has answered on a channel, 0 where nobody knows.
func answeredBy(s *model.Snapshot, username string, ch model.Channel) int64 {
	r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch})
	if r == nil {
		return 0
	}
	n, _ := r.NumberCallFromServiceAnswered.Get()
	return n
}

func absolute(d time.Duration) time.Duration { return max(d, -d) }
