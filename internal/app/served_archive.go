package app

import (
	"errors"
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/ui/replay"
)

// MaxReplays is the maximum number of concurrent replays per platform. They take turns
// reading, so that live viewers are not delayed.
const MaxReplays = 8

var errTooManyReplays = errors.New("too many replays are open: try again in a few minutes")

// archiveFor returns the access of an SSH viewer to the recording. Saving and backtests are
// disabled on the server.
func (f *ServedPlatform) archiveFor(c *config.Config, u *config.ServeUser, v *hub.Viewer) replay.Archive {
	seesAll, restricted := seesEverything(u), Restrict(c, u.Part())
	m := NewArchive(restricted)
	m.Save, m.Backtest, m.Queue, m.Growing = nil, nil, f.evaluationQueue, f.Platform.Recorder.StillRecording
	if !seesAll { // the service's figures cannot be filtered per viewer
		m.NoHistoryReason = "The history of earlier days is only available to viewers who see the whole floor with full names: " +
			"the platform's answers cannot be filtered."
	}
	if m.Open == nil {
		return m
	}
	m.Open = func() (replay.Recording, error) {
		select {
		case f.replaySlots <- struct{}{}:
		default:
			return nil, errTooManyReplays
		}
		release := sync.OnceFunc(func() { <-f.replaySlots })
		r, err := OpenRecording(c)
		if err != nil {
			release()
			return nil, err
		}
		replay := r.Replay(r.Info().Last, 1, nil).Follow()
		replay.ShareCPU(f.replayLimiter)
		return v.Replay(replay, m.Pseudonymous, func() error {
			defer release()
			return replay.Close()
		}), nil
	}
	return m
}
