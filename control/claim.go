package control

import (
	"context"
	"sync"
)

// underWay are the actions that are, whoever asked for them.
type underWay struct {
	running sync.WaitGroup
	mu      sync.Mutex
	claimed map[string]string // who acts, by kind and target; "": who runs the program
}

func newUnderWay() *underWay { return &underWay{claimed: make(map[string]string)} }

// begin notes who acts on a target, or says who does already.
func (u *underWay) begin(key, person string) (by string, free bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if by, taken := u.claimed[key]; taken {
		return by, false
	}
	u.claimed[key] = person
	return "", true
}

func (u *underWay) end(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.claimed, key)
}

// claim is what one action has for itself: its targets here, and their locks where other
// desks share the platform.
type claim struct {
	ends  []func() // of the targets here
	locks []Lock
	known bool // what became of the action
}

// confirm asks for each lock whether it still holds.
func (c *claim) confirm(ctx context.Context) error {
	for _, l := range c.locks {
		if err := l.Confirm(ctx); err != nil {
			return err //nolint:wrapcheck // the end of a sentence
		}
	}
	return nil
}

// holds reports whether nobody elsewhere can act on any of the targets.
func (c *claim) holds() bool {
	for _, l := range c.locks {
		if !l.Holds() {
			return false
		}
	}
	return true
}

// warning is what the locks want to be told, once.
func (c *claim) warning() string {
	for _, l := range c.locks {
		if w := l.Warning(); w != "" {
			return w
		}
	}
	return ""
}

func (c *claim) release() {
	for _, l := range c.locks {
		l.Release(c.known)
	}
	for _, end := range c.ends {
		end()
	}
}
