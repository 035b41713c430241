package app

import (
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/ui/replay"
)

// MaxReplays is the maximum number of concurrent replays per platform. Replays read the recording
// in turns, so they do not delay live viewers.
const MaxReplays = 8

var errTooManyReplays = words.NewError(words.AppTooManyReplays(), nil)

// archiveFor returns an SSH viewer's access to the recording. The viewer can neither save parts of
// the recording nor run backtests.
func (f *ServedPlatform) archiveFor(c *config.Config, u *config.ServeUser, v *hub.Viewer) replay.Archive {
	seesAll, restricted := seesEverything(u), Restrict(c, u.Part())
	m := NewArchive(restricted, VisibilityOf(u))
	m.Save, m.Backtest, m.Queue, m.IsPreparing = nil, nil, f.evaluationQueue, f.Platform.Recorder.StillRecording
	if !seesAll { // the figures of past days cannot be restricted to a part of the floor
		m.NoHistoryReason = words.AppHistoryRestricted()
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
		replay := r.Replay(r.Info().Last, 1, nil).FollowRecording()
		replay.ShareCPU(f.replayLimiter)
		return v.NewReplay(replay, m.Pseudonymous, func() error {
			defer release()
			return replay.Close()
		}), nil
	}
	return m
}
