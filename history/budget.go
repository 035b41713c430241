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

	"wallboard/internal/flock"
	"wallboard/internal/private"
	"wallboard/model/past"
)

// The platform's limit (document 3, section Limits), and what is made of it.
const (
	budgetLimit   = 100
	budgetReserve = 20 // of it for what a person asks for
	// budgetWindow is longer than the platform's minute: two requests may
	// reach it closer together than they were sent.
	budgetWindow = 62 * time.Second
	slowFor      = 2 * time.Minute
	longestCheck = 5 * time.Second // other programs may give places back
	maxLedger    = 64 << 10

	lockWait = time.Second // another program may have the file to itself
)

// budget counts the requests of the last minute, in a file that the programs on
// a machine share.
type budget struct {
	path string // "": in memory
	now  func() time.Time
	log  *slog.Logger

	mu  sync.Mutex // guards what follows, and makes one goroutine at a time use the file
	own ledger     // what this program knows, when there is no file or it cannot be used
	// unwritten is set while own has what the file lacks: on a full disk.
	unwritten bool
}

// ledger is what the file holds. Times are milliseconds since 1970.
type ledger struct {
	SlowUntil int64   `json:"slow_until,omitempty"`
	Sent      []int64 `json:"sent"`
}

// settle forgets what is older than the window, and what a clock that went back
// left in the future.
func (l *ledger) settle(now time.Time) {
	oldest, newest := now.Add(-budgetWindow).UnixMilli(), now.Add(time.Second).UnixMilli()
	l.Sent = slices.DeleteFunc(l.Sent, func(at int64) bool { return at <= oldest || at > newest })
	slices.Sort(l.Sent)
	if l.SlowUntil <= now.UnixMilli() || l.SlowUntil > now.Add(slowFor).UnixMilli() {
		l.SlowUntil = 0
	}
}

// add adds what another ledger knows.
func (l *ledger) add(o ledger) {
	l.SlowUntil = max(l.SlowUntil, o.SlowUntil)
	l.Sent = append(l.Sent, o.Sent...)
	slices.Sort(l.Sent)
	l.Sent = slices.Compact(l.Sent)
}

// limit returns how many requests a window may have.
func (l *ledger) limit(background bool) int {
	n := budgetLimit
	if background {
		n -= budgetReserve
	}
	if l.SlowUntil > 0 {
		n /= 2
	}
	return n
}

// take takes a place, or says how long until there is one.
func (l *ledger) take(now time.Time, background bool) time.Duration {
	l.settle(now)
	limit := l.limit(background)
	if n := len(l.Sent); n >= limit {
		free := time.UnixMilli(l.Sent[n-limit]).Add(budgetWindow)
		return max(free.Sub(now), time.Millisecond)
	}
	l.Sent = append(l.Sent, now.UnixMilli())
	return 0
}

// wait takes a place for one request, as soon as there is one. waiting, which
// may be nil, is told how long that takes, and then 0.
func (b *budget) wait(ctx context.Context, waiting func(time.Duration)) error {
	background := past.IsBackground(ctx)
	for waited := false; ; waited = true {
		var left time.Duration
		b.update(func(l *ledger) { left = l.take(b.now(), background) })
		if left == 0 {
			if waited && waiting != nil {
				waiting(0)
			}
			return nil
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < left {
			return &Error{Err: ErrBudget, Retry: b.now().Add(left)}
		}
		if waiting != nil {
			waiting(left)
		}
		timer := time.NewTimer(min(left, longestCheck))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err() //nolint:wrapcheck // the caller's own
		}
	}
}

// slow halves the pace for two minutes.
func (b *budget) slow() {
	b.update(func(l *ledger) { l.SlowUntil = b.now().Add(slowFor).UnixMilli() })
}

// state returns how much is used.
func (b *budget) state() past.Budget {
	var s past.Budget
	b.update(func(l *ledger) {
		l.settle(b.now())
		s.Used, s.Limit = len(l.Sent), l.limit(false)
		if l.SlowUntil > 0 {
			s.Slow = time.UnixMilli(l.SlowUntil)
		}
	})
	return s
}

// update changes the ledger, in the file if it can be used.
func (b *budget) update(change func(*ledger)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.path != "" {
		err := b.updateFile(change)
		if err == nil {
			return
		}
		b.log.Warn("the budget of requests is not shared with other programs", "err", err)
	}
	change(&b.own)
}

// updateFile changes the ledger in the file. It either did so or failed before
// change was called.
func (b *budget) updateFile(change func(*ledger)) error {
	if _, err := private.Folder(filepath.Dir(b.path)); err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	f, err := private.Update(b.path)
	if err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	defer f.Close() //nolint:errcheck // what was lost is counted by the platform
	if err := flock.Lock(f, lockWait); err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	defer flock.Unlock(f)
	text, err := io.ReadAll(io.LimitReader(f, maxLedger))
	if err != nil {
		return fmt.Errorf("budget file: %w", err)
	}
	var l ledger
	// What a program that died left behind a ledger is not read.
	if json.NewDecoder(bytes.NewReader(text)).Decode(&l) != nil {
		l = b.own // the file is new, or cut off
	} else if b.unwritten {
		l.add(b.own)
	}
	change(&l)
	b.own = ledger{l.SlowUntil, slices.Clone(l.Sent)}
	text, err = json.Marshal(l)
	if err == nil {
		if _, err = f.WriteAt(text, 0); err == nil {
			err = f.Truncate(int64(len(text)))
		}
	}
	if b.unwritten = err != nil; b.unwritten {
		b.log.Warn("the budget of requests is not shared with other programs", "err", err)
	}
	return nil
}
