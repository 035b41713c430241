package app

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
)

const (
	maxIntradaySize      = 64 << 20 // maximum size of the file in bytes
	intradaySyncInterval = time.Minute
)

// intradayFile stores the courses of calls of the last days, which forecasts need. All boards of a
// user share one file per platform. Each board adds the half hours that the file lacks.
type intradayFile struct {
	log *forecast.IntradayLog

	mu       sync.Mutex
	path     string // "": the courses are not stored
	isLoaded bool
	unsaved  bool // some changes could not be written yet
}

// open switches to the file of the platform in c after writing the courses of the previous
// platform. The courses of a simulated platform are not stored.
func (f *intradayFile) open(c *config.Config, simulated bool) error {
	err := f.sync()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log.Restart(c.History.Location())
	if f.path, f.isLoaded, f.unsaved = "", false, false; !simulated {
		f.path = securefile.StatePath("days", c.RTD.URL, ".json")
	}
	return err
}

// StoredIntraday returns the courses that this user's boards have stored for the platform in c.
func StoredIntraday(c *config.Config) (*forecast.IntradayLog, error) {
	f := intradayFile{log: new(forecast.IntradayLog)}
	err := errors.Join(f.open(c, false), f.sync())
	return f.log, err
}

// sync merges the stored courses into the log at the first call and whenever the log has changed, and
// writes a changed log to the file. If the file cannot be read, the next write replaces it.
func (f *intradayFile) sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return nil
	}
	f.unsaved = f.log.ConsumeChange() || f.unsaved
	if f.isLoaded && !f.unsaved {
		return nil
	}
	f.isLoaded = true
	err := f.load() // other boards may have added courses to the file
	if f.unsaved {
		failure := f.store()
		f.unsaved = failure != nil
		err = errors.Join(err, failure)
	}
	return err
}

func (f *intradayFile) load() error {
	text, err := securefile.Read(f.path, maxIntradaySize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	days, err := forecast.DecodeIntradayDays(text)
	f.log.Merge(days)
	return err
}

func (f *intradayFile) store() error {
	text, err := forecast.EncodeIntradayDays(f.log.Days())
	if err != nil {
		return err
	}
	return securefile.Replace(f.path, text)
}

// run calls sync at once, every minute, and when ctx ends. It calls failed with an error unless the
// previous error was the same.
func (f *intradayFile) run(ctx context.Context, failed func(error)) {
	tick := time.NewTicker(intradaySyncInterval)
	defer tick.Stop()
	last := ""
	for {
		if err := f.sync(); err != nil && err.Error() != last {
			last = err.Error()
			failed(err)
		}
		if ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}
