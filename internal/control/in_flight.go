package control

import (
	"context"
	"sync"

	"wallboard/internal/words"
)

// runningActions tracks the running actions of all users, by target.
type runningActions struct {
	running sync.WaitGroup
	mu      sync.Mutex
	owners  map[string]string // user of the running action, by kind and target; "": the user who runs the program
}

// begin registers an action of person on the target key. If another action on this target is
// running, free is false and by is the user of that action.
func (u *runningActions) begin(key, person string) (by string, free bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if by, taken := u.owners[key]; taken {
		return by, false
	}
	u.owners[key] = person
	return "", true
}

func (u *runningActions) end(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.owners, key)
}

// reservation holds everything that an action has reserved: its targets in this program and, if
// other clients share the platform, the locks of the targets.
type reservation struct {
	releases     []func() // functions that release the targets in this program
	locks        []Lock
	outcomeKnown bool // the outcome of the action is known
}

// confirm confirms all locks, which announces the request to the other clients. It returns the error of
// the first lock that cannot be confirmed.
func (c *reservation) confirm(ctx context.Context) error {
	for _, l := range c.locks {
		if err := l.Confirm(ctx); err != nil {
			return err
		}
	}
	return nil
}

// isHeld reports whether all locks are held. While they are, no other client can act on the targets.
func (c *reservation) isHeld() bool {
	for _, l := range c.locks {
		if !l.IsHeld() {
			return false
		}
	}
	return true
}

// warning returns the first warning of a lock, or the zero Text if there is none.
func (c *reservation) warning() words.Text {
	for _, l := range c.locks {
		if w := l.Warning(); w != "" {
			return words.Name(w)
		}
	}
	return words.Text{}
}

func (c *reservation) release() {
	for _, l := range c.locks {
		l.Release(c.outcomeKnown)
	}
	for _, end := range c.releases {
		end()
	}
}
