package feeds

import (
	"maps"
	"slices"
	"time"
)

// codes is a set of services or groups. Codes found through users stay for a
// while: when a service's last agent goes home, its callers still wait.
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
	codesLife    = 7 * 24 * time.Hour
	codesAtLeast = time.Hour
)

func newCodes(pinned []string, most int) codes {
	c := codes{pinned: len(pinned) > 0, limit: most, set: make(map[string]time.Time)}
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

// forget drops codes that no user has had for long. It reports whether that
// made room for codes that were left out.
func (c *codes) forget(now time.Time) (room bool) {
	if c.pinned {
		return false
	}
	life := codesLife
	if c.overflow {
		life = codesAtLeast
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
