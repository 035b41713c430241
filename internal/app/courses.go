package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"wallboard/internal/alert/alertfile"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
)

const (
	maxCourseFile      = 64 << 20 // bytes
	courseSaveInterval = time.Minute
)

// courseFile stores the courses of the last days, from which forecasts learn. All boards of a user
// share the file of a platform: each adds the half hours that are missing in the file.
type courseFile struct {
	log *forecast.CourseLog

	mu   sync.Mutex
	path string // "": not stored
}

// open stores the courses of the previous platform, and loads those of a configuration's. A file
// that cannot be read is replaced later.
func (f *courseFile) open(c *config.Config, simulated bool, log *slog.Logger) {
	if err := f.save(); err != nil {
		log.Warn("the course of the day cannot be stored", "error", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log.Restart(c.History.Location())
	if f.path = ""; simulated {
		return
	}
	f.path = strings.TrimSuffix(strings.Replace(alertfile.Path(c.RTD.URL), "alerts-", "days-", 1), ".jsonl") + ".json"
	if err := f.load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("the recorded days cannot be read, forecasts start without them", "error", err)
	}
}

func (f *courseFile) load() error {
	text, err := securefile.Read(f.path, maxCourseFile)
	if err != nil {
		return err
	}
	days, err := forecast.DecodeCourses(text)
	f.log.Merge(days)
	return err
}

// save stores the courses if they have changed.
func (f *courseFile) save() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" || !f.log.Changed() {
		return nil
	}
	_ = f.load() // what other boards have added
	text, err := forecast.EncodeCourses(f.log.Days())
	if err == nil {
		err = securefile.Replace(f.path, text)
	}
	return err
}

// run stores changed courses until the context ends.
func (f *courseFile) run(ctx context.Context, failed func(error)) {
	tick := time.NewTicker(courseSaveInterval)
	defer tick.Stop()
	last := ""
	for {
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
		if err := f.save(); err != nil && err.Error() != last {
			last = err.Error()
			failed(err)
		}
		if ctx.Err() != nil {
			return
		}
	}
}
