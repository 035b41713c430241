package cli

import (
	"errors"
	"sync"

	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/ui"
)

// mostRewound is the maximum number of concurrent replays per platform. They take turns
// reading, so that live viewers are not delayed.
const mostRewound = 8

var errMostRewound = errors.New("as many look at it as may at once: try again in a while")

// memoryOf returns the access of an SSH viewer to the recording. Saving and backtests are
// disabled on the server.
func (f *servedFloor) memoryOf(c *config.Config, u *config.ServeUser, v *hub.Viewer) ui.Archive {
	whole, mine := isWhole(u), commands.Restrict(c, u.Part())
	m := memory(mine)
	m.Save, m.Backtest, m.Queue, m.Growing = nil, nil, f.queue, f.tape.coming
	if !whole { // the service's figures cannot be filtered per viewer
		m.NoHistoryReason = "Who sees a part of the floor, or not all names, is not told what the platform knows of the days before: " +
			"nothing could be taken out of it."
	}
	if m.Open == nil {
		return m
	}
	m.Open = func() (ui.Recording, error) {
		select {
		case f.rewound <- struct{}{}:
		default:
			return nil, errMostRewound
		}
		leave := sync.OnceFunc(func() { <-f.rewound })
		r, err := recordingOf(c)
		if err != nil {
			leave()
			return nil, err
		}
		film := r.Replay(r.Info().Last, 1, nil).Follow()
		film.ShareTurns(f.turns)
		return v.Replay(film, m.Pseudonymous, func() error {
			defer leave()
			return film.Close()
		}), nil
	}
	return m
}
