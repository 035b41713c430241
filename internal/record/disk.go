package record

import (
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// maxAnswerTime is the time after which a blocked disk operation is reported: less
	// than the distance of a gap.
	maxAnswerTime = 10 * time.Second
	// diskCheckEvery is the interval of the checks.
	diskCheckEvery = time.Second
)

// disk detects disk operations that block, as on a network drive whose server is gone:
// they return no error but nothing at all.
type disk struct {
	begun atomic.Int64 // start of the running operation in nanoseconds since 1970; 0: none
}

// do runs a disk operation.
func (d *disk) do(work func() error) error {
	d.begun.Store(time.Now().UnixNano())
	defer d.begun.Store(0)
	return work()
}

// hangs reports whether an operation has been blocked for too long, and since when.
func (d *disk) hangs() (since time.Time, does bool) {
	begun := d.begun.Load()
	if begun == 0 {
		return since, false
	}
	since = time.Unix(0, begun)
	return since, time.Since(since) >= maxAnswerTime
}

// watch starts a goroutine that logs when the disk blocks and when it recovers; over
// stops it.
func (d *disk) watch(log *slog.Logger) (over func()) {
	end := make(chan struct{})
	go func() {
		tick := time.NewTicker(diskCheckEvery)
		defer tick.Stop()
		var hung time.Time
		for {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			since, does := d.hangs()
			switch {
			case does && hung.IsZero():
				hung = since
				log.Error("recording stalled: the disk does not respond", "since", since)
			case !does && !hung.IsZero():
				log.Info("recording continues: the disk responds again", "after", time.Since(hung).Round(time.Second))
				hung = time.Time{}
			}
		}
	}()
	return func() { close(end) }
}

// diskTrouble describes since when the disk has not responded, in local time.
func diskTrouble(since time.Time) string {
	layout := "15:04"
	if time.Since(since) >= 12*time.Hour {
		layout = "2 Jan 15:04"
	}
	return "the disk has not answered since " + since.Local().Format(layout)
}
