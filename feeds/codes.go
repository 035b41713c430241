package feeds

import (
	"maps"
	"slices"
	"time"
)

// codes is a set of service or group codes. Codes found through users are kept for a while: callers
// may still wait after a service's last agent has logged out.
type codes struct {
	pinned   bool                 // the configuration lists the codes; none are added or dropped
	limit    int                  // maximum number of codes
	overflow bool                 // codes were left out
	lastUsed map[string]time.Time // code → when a user last had it
	sorted   []string             // the codes in order; nil until requested
}

// Codes that no user has any more are dropped after a week, or after an hour if
// the set is full.
const (
	codeLife         = 7 * 24 * time.Hour
	codeLifeWhenFull = time.Hour
)

func newCodes(pinned []string, limit int) codes {
	c := codes{pinned: len(pinned) > 0, limit: limit, lastUsed: make(map[string]time.Time)}
	for _, s := range pinned {
		c.lastUsed[s] = time.Time{}
	}
	c.sorted = slices.Sorted(maps.Keys(c.lastUsed))
	return c
}

// add adds the codes of a user.
func (c *codes) add(list []string, now time.Time) {
	if c.pinned {
		return
	}
	for _, s := range list {
		if _, known := c.lastUsed[s]; !known {
			if len(c.lastUsed) >= c.limit {
				c.overflow = true
				continue
			}
			c.sorted = nil
		}
		c.lastUsed[s] = now
	}
}

// dropExpired drops codes that no user has had for long. It reports whether that
// made room for codes that were left out.
func (c *codes) dropExpired(now time.Time) (room bool) {
	if c.pinned {
		return false
	}
	life := codeLife
	if c.overflow {
		life = codeLifeWhenFull
	}
	before := len(c.lastUsed)
	maps.DeleteFunc(c.lastUsed, func(_ string, seen time.Time) bool { return now.Sub(seen) > life })
	if len(c.lastUsed) == before {
		return false
	}
	c.sorted = nil
	return c.overflow
}

func (c *codes) list() []string {
	if c.sorted == nil {
		c.sorted = slices.Sorted(maps.Keys(c.lastUsed))
	}
	return c.sorted
}

// inherit adds codes that another set found through users.
func (c *codes) inherit(old codes) {
	if old.pinned {
		return
	}
	for s, seen := range old.lastUsed {
		c.add([]string{s}, seen)
	}
}
