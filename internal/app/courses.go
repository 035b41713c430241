package app

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"wallboard/internal/alert/alertfile"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/lib/securefile"
)

const (
	maxCourseFile      = 64 << 20 // bytes
	courseSaveInterval = time.Minute
)

// courseFile stores the courses of the last days, from which forecasts learn. All boards of a user
// share the file of a platform: each adds what the others do not have.
type courseFile struct {
	log  *forecast.CourseLog
	path string // "": not stored
}

// openCourses loads the courses of a platform. A file that cannot be read is replaced later.
func (p *Platform) openCourses(address string) courseFile {
	f := courseFile{log: new(forecast.CourseLog)}
	if p.env.Simulated {
		return f
	}
	f.path = strings.TrimSuffix(strings.Replace(alertfile.Path(address), "alerts-", "days-", 1), ".jsonl") + ".json"
	if err := f.load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.Log.Warn("the recorded days cannot be read, forecasts start without them", "error", err)
	}
	return f
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
