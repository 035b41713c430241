package record

import (
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// maxAnswerTime is how long a disk operation may run before it is reported as blocked. It is
	// shorter than the shortest gap in a recording.
	maxAnswerTime = 10 * time.Second
	// diskCheckInterval is how often [diskMonitor.watch] checks for a blocked operation.
	diskCheckInterval = time.Second
)

// diskMonitor detects blocked disk operations, for example on a network drive whose server is gone.
type diskMonitor struct {
	startedAt atomic.Int64 // start of the running operation in nanoseconds since 1970; 0: none
}

// runOperation calls work, a disk operation, and returns its error.
func (d *diskMonitor) runOperation(work func() error) error {
	d.startedAt.Store(time.Now().UnixNano())
	defer d.startedAt.Store(0)
	return work()
}

// isBlocked reports whether the running operation has taken longer than maxAnswerTime. since is the
// time at which the operation began.
func (d *diskMonitor) isBlocked() (since time.Time, blocked bool) {
	begun := d.startedAt.Load()
	if begun == 0 {
		return since, false
	}
	since = time.Unix(0, begun)
	return since, time.Since(since) >= maxAnswerTime
}

// watch starts a goroutine that logs when the disk stops responding and when it responds
// again. The returned function stop ends the goroutine.
func (d *diskMonitor) watch(log *slog.Logger) (stop func()) {
	end := make(chan struct{})
	go func() {
		tick := time.NewTicker(diskCheckInterval)
		defer tick.Stop()
		var blockedSince time.Time
		for {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			since, blocked := d.isBlocked()
			switch {
			case blocked && blockedSince.IsZero():
				blockedSince = since
				log.Error("recording stalled: the disk does not respond", "since", since)
			case !blocked && !blockedSince.IsZero():
				log.Info("recording continues: the disk responds again", "after", time.Since(blockedSince).Round(time.Second))
				blockedSince = time.Time{}
			}
		}
	}()
	return func() { close(end) }
}

// blockedDiskText returns a sentence with the time, in local time, since which the disk has
// not responded.
func blockedDiskText(since time.Time) string {
	layout := "15:04"
	if time.Since(since) >= 12*time.Hour {
		layout = "2 Jan 15:04"
	}
	return "the disk has not answered since " + since.Local().Format(layout)
}
