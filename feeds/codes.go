package feeds

import (
	"maps"
	"slices"
	"time"
)

// codes is a set of service or group codes. Codes found through users are kept for a while: callers
// may still wait after a service's last agent has logged out.
type codes struct {
	pinned   bool
	limit    int
	overflow bool                 // codes were left out
	set      map[string]time.Time // code → when a user last had it
	sorted   []string
}

// Codes that no user has any more are dropped after a week, or after an hour if
// the set is full.
const (
	maxCodesLife = 7 * 24 * time.Hour
	minCodesLife = time.Hour
)

func newCodes(pinned []string, limit int) codes {
	c := codes{pinned: len(pinned) > 0, limit: limit, set: make(map[string]time.Time)}
	for _, s := range pinned {
		c.set[s] = time.Time{}
	}
	c.sorted = slices.Sorted(maps.Keys(c.set))
	return c
}

// add adds the codes of a user.
func (c *codes) add(list []string, now time.Time) {
	if c.pinned {
		return
	}
	for _, s := range list {
		if _, known := c.set[s]; !known {
			if len(c.set) >= c.limit {
				c.overflow = true
				continue
			}
			c.sorted = nil
		}
		c.set[s] = now
	}
}

// dropExpired drops codes that no user has had for long. It reports whether that
// made room for codes that were left out.
func (c *codes) dropExpired(now time.Time) (room bool) {
	if c.pinned {
		return false
	}
	life := maxCodesLife
	if c.overflow {
		life = minCodesLife
	}
	before := len(c.set)
	maps.DeleteFunc(c.set, func(_ string, seen time.Time) bool { return now.Sub(seen) > life })
	if len(c.set) == before {
		return false
	}
	c.sorted = nil
	return c.overflow
}

func (c *codes) list() []string {
	if c.sorted == nil {
		c.sorted = slices.Sorted(maps.Keys(c.set))
	}
	return c.sorted
}

// inherit adds codes that another set found through users.
func (c *codes) inherit(old codes) {
	if old.pinned {
		return
	}
	for s, seen := range old.set {
		c.add([]string{s}, seen)
	}
}
