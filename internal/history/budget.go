package history

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/model/contact"
)

// The rate limit of the platform (document 3, section Limits), and its division among requests.
const (
	budgetLimit   = 100
	budgetReserve = 20 // requests per window that only interactive queries may use
	// budgetWindow is longer than a minute, because the intervals between requests may be
	// shorter on arrival than they were when sent.
	budgetWindow  = 62 * time.Second
	slowPeriod    = 2 * time.Minute
	maxCheckPause = 5 * time.Second // longest pause before checking again; other programs may have released capacity
	maxBudgetFile = 64 << 10

	lockTimeout = time.Second // time limit for locking the budget file
)

// budget limits the rate of requests. All programs of a user on a machine count the requests
// of the last minute in a common file.
type budget struct {
	path string // "": the budget is kept only in memory
	now  func() time.Time
	log  *slog.Logger

	mu       sync.Mutex  // guards the fields below and serializes access to the file
	ownState budgetState // requests of this program; used if the file cannot be read
	// unwritten holds the requests that could not be written to the file, for example because
	// the disk is full. ownState contains them too.
	unwritten []int64
}

// budgetState is the content of the budget file. Times are in milliseconds since 1970.
type budgetState struct {
	SlowUntil int64   `json:"slow_until,omitempty"`
	Sent      []int64 `json:"sent"`

	added []int64 // requests counted since the state was read
}

// dropOld drops requests that are older than the window. It also drops requests in the future,
// which remain in the file after a clock was set back.
func (l *budgetState) dropOld(now time.Time) {
	oldest, newest := now.Add(-budgetWindow).UnixMilli(), now.Add(time.Second).UnixMilli()
	l.Sent = slices.DeleteFunc(l.Sent, func(at int64) bool { return at <= oldest || at > newest })
	slices.Sort(l.Sent)
	if l.SlowUntil <= now.UnixMilli() || l.SlowUntil > now.Add(slowPeriod).UnixMilli() {
		l.SlowUntil = 0
	}
}

// limit returns the number of requests allowed in a window. For background requests, it leaves
// out the reserve for interactive ones. The limit is halved for some time after the platform
// rejected a request because of its rate.
func (l *budgetState) limit(background bool) int {
	n := budgetLimit
	if background {
		n -= budgetReserve
	}
	if l.SlowUntil > 0 {
		n /= 2
	}
	return n
}

// reserve counts a request and returns 0. If the limit is reached, it does not count the
// request and returns the time to wait.
func (l *budgetState) reserve(now time.Time, background bool) time.Duration {
	l.dropOld(now)
	limit := l.limit(background)
	if n := len(l.Sent); n >= limit {
		free := time.UnixMilli(l.Sent[n-limit]).Add(budgetWindow)
		return max(free.Sub(now), time.Millisecond)
	}
	l.Sent = append(l.Sent, now.UnixMilli())
	l.added = append(l.added, now.UnixMilli())
	return 0
}

// wait waits until the budget allows a request, and counts it. If it has to wait, it calls
// waiting, unless that is nil, with the remaining time and finally with 0. If the deadline of
// ctx is too early, wait returns [ErrBudgetExhausted] at once.
func (b *budget) wait(ctx context.Context, waiting func(time.Duration)) error {
	background := contact.IsBackground(ctx)
	for waited := false; ; waited = true {
		var left time.Duration
		b.update(func(l *budgetState) { left = l.reserve(b.now(), background) })
		if left == 0 {
			if waited && waiting != nil {
				waiting(0)
			}
			return nil
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < left {
			return &Error{Err: ErrBudgetExhausted, Retry: b.now().Add(left)}
		}
		if waiting != nil {
			waiting(left)
		}
		timer := time.NewTimer(min(left, maxCheckPause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// halveRate halves the allowed rate for two minutes.
func (b *budget) halveRate() {
	b.update(func(l *budgetState) { l.SlowUntil = b.now().Add(slowPeriod).UnixMilli() })
}

// usage returns the used part of the budget and its limit.
func (b *budget) usage() contact.Budget {
	var s contact.Budget
	b.update(func(l *budgetState) {
		l.dropOld(b.now())
		s.Used, s.Limit = len(l.Sent), l.limit(false)
		if l.SlowUntil > 0 {
			s.LoweredUntil = time.UnixMilli(l.SlowUntil)
		}
	})
	return s
}

// update calls change with the state in the file or, if the file is not usable, with the state of
// this program.
func (b *budget) update(change func(*budgetState)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.path != "" {
		err := b.updateFile(change)
		if err == nil {
			return
		}
		b.log.Warn("cannot share the request budget with other programs", "err", err)
	}
	change(&b.ownState)
	b.keepUnwritten(b.ownState.added)
	b.ownState.added = nil
}

// keepUnwritten adds requests to unwritten, and drops those that are older than the window.
func (b *budget) keepUnwritten(added []int64) {
	oldest := b.now().Add(-budgetWindow).UnixMilli()
	b.unwritten = slices.DeleteFunc(append(b.unwritten, added...), func(at int64) bool { return at <= oldest })
}

// updateFile calls change with the state in the file and writes the result. If it returns an error,
// change was not called.
func (b *budget) updateFile(change func(*budgetState)) error {
	if _, err := securefile.CreateFolder(filepath.Dir(b.path)); err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	f, err := securefile.OpenUpdate(b.path)
	if err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	defer f.Close() //nolint:errcheck // lost counts are harmless
	if err := securefile.Lock(f, lockTimeout); err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	defer securefile.Unlock(f)
	text, err := io.ReadAll(io.LimitReader(f, maxBudgetFile))
	if err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	var l budgetState
	// Ignore data behind the state, which a crashed program may have left.
	if json.NewDecoder(bytes.NewReader(text)).Decode(&l) != nil {
		l = b.ownState // the file is new or truncated
	} else {
		l.SlowUntil = max(l.SlowUntil, b.ownState.SlowUntil)
		l.Sent = append(l.Sent, b.unwritten...)
	}
	change(&l)
	b.ownState = budgetState{SlowUntil: l.SlowUntil, Sent: slices.Clone(l.Sent)}
	text, err = json.Marshal(l)
	if err == nil {
		if _, err = f.WriteAt(text, 0); err == nil {
			err = f.Truncate(int64(len(text)))
		}
	}
	if err != nil {
		b.keepUnwritten(l.added)
		b.log.Warn("cannot share the request budget with other programs", "err", err)
		return nil
	}
	b.unwritten = nil
	return nil
}
