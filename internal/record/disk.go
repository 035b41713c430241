package record

import (
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// maxAnswerTime is the time after which a blocked disk operation is reported. It is shorter
	// than a gap.
	maxAnswerTime = 10 * time.Second
	// diskCheckInterval is the interval of the checks.
	diskCheckInterval = time.Second
)

// diskMonitor detects disk operations that block: on a network drive whose server is gone, they
// never return.
type diskMonitor struct {
	startedAt atomic.Int64 // start of the running operation in nanoseconds since 1970; 0: none
}

// runOperation runs a disk operation.
func (d *diskMonitor) runOperation(work func() error) error {
	d.startedAt.Store(time.Now().UnixNano())
	defer d.startedAt.Store(0)
	return work()
}

// isBlocked reports whether an operation has been blocked for too long, and since when.
func (d *diskMonitor) isBlocked() (since time.Time, blocked bool) {
	begun := d.startedAt.Load()
	if begun == 0 {
		return since, false
	}
	since = time.Unix(0, begun)
	return since, time.Since(since) >= maxAnswerTime
}

// watch starts a goroutine that logs when the disk blocks and when it recovers; stop
// ends the goroutine.
func (d *diskMonitor) watch(log *slog.Logger) (stop func()) {
	end := make(chan struct{})
	go func() {
		tick := time.NewTicker(diskCheckInterval)
		defer tick.Stop()
		var hung time.Time
		for {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			since, blocked := d.isBlocked()
			switch {
			case blocked && hung.IsZero():
				hung = since
				log.Error("recording stalled: the disk does not respond", "since", since)
			case !blocked && !hung.IsZero():
				log.Info("recording continues: the disk responds again", "after", time.Since(hung).Round(time.Second))
				hung = time.Time{}
			}
		}
	}()
	return func() { close(end) }
}

// blockedDiskText describes since when the disk has not responded, in local time.
func blockedDiskText(since time.Time) string {
	layout := "15:04"
	if time.Since(since) >= 12*time.Hour {
		layout = "2 Jan 15:04"
	}
	return "the disk has not answered since " + since.Local().Format(layout)
}
