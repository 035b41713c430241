package record

import (
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// longestAnswer is how long a disk may take before somebody is told: less than what is a gap
	// between two pictures.
	longestAnswer = 10 * time.Second
	// lookAtDisk is how often it is looked whether the disk hangs.
	lookAtDisk = time.Second
)

// disk knows since when something is under way on the disk. One that hangs, as a network's
// does whose server is gone, returns no error: it returns nothing at all.
type disk struct {
	begun atomic.Int64 // when what is under way began, in nanoseconds since 1970; 0: nothing is
}

// do does something on the disk.
func (d *disk) do(work func() error) error {
	d.begun.Store(time.Now().UnixNano())
	defer d.begun.Store(0)
	return work()
}

// hangs reports whether the disk has not answered for too long, and since when.
func (d *disk) hangs() (since time.Time, does bool) {
	begun := d.begun.Load()
	if begun == 0 {
		return since, false
	}
	since = time.Unix(0, begun)
	return since, time.Since(since) >= longestAnswer
}

// watch has the log say when the disk hangs, and when that is over, until over.
func (d *disk) watch(log *slog.Logger) (over func()) {
	end := make(chan struct{})
	go func() {
		tick := time.NewTicker(lookAtDisk)
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
				log.Error("nothing is being recorded: the disk does not answer", "since", since)
			case !does && !hung.IsZero():
				log.Info("the disk answers again", "after", time.Since(hung).Round(time.Second))
				hung = time.Time{}
			}
		}
	}()
	return func() { close(end) }
}

// unanswered says since when the disk has not answered, by the clock of the viewer.
func unanswered(since time.Time) string {
	layout := "15:04"
	if time.Since(since) >= 12*time.Hour {
		layout = "2 Jan 15:04"
	}
	return "the disk has not answered since " + since.Local().Format(layout)
}
