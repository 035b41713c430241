package cli

import (
	"errors"
	"sync"

	"wallboard/cli/serving"
	"wallboard/config"
	"wallboard/hub"
	"wallboard/ui"
)

// mostRewound is how many may look at the recording of a platform at once: each goes
// through it at their own pace. They take turns, so that who looks at what is does not wait.
const mostRewound = 8

var errMostRewound = errors.New("as many look at it as may at once: try again in a while")

// memoryOf is what somebody who looks over SSH may see of what was recorded. Nothing of it
// is saved, and no rule is tried, on the server.
func (f *servedFloor) memoryOf(c *config.Config, u *config.ServeUser, v *hub.Viewer) ui.Memory {
	whole, mine := isWhole(u), serving.PartOf(c, u.Part())
	m := memory(mine)
	m.Save, m.Try, m.Queue, m.Coming = nil, nil, f.queue, f.tape.coming
	if !whole { // of the service's figures nobody could take out what others may not see
		m.Untold = "Who sees a part of the floor, or not all names, is not told what the platform knows of the days before: " +
			"nothing could be taken out of it."
	}
	if m.Open == nil {
		return m
	}
	m.Open = func() (ui.Film, error) {
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
		film := r.Film(r.Info().Last, 1, nil).Follow()
		film.Beside(f.turns)
		return v.Film(film, m.Nameless, func() error {
			defer leave()
			return film.Close()
		}), nil
	}
	return m
}
