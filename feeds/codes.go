package feeds

import (
	"maps"
	"slices"
	"time"
)

// codeSet is a set of service or group codes to request. A code found through users stays in the
// set for a while after the last user with the code has logged out, because callers may still be
// waiting.
type codeSet struct {
	pinned   bool                 // the configuration lists the codes; none are added or dropped
	limit    int                  // maximum number of codes
	overflow bool                 // some codes did not fit
	lastUsed map[string]time.Time // code → when a user last had it
	sorted   []string             // sorted codes; nil until requested
}

// codeLife is how long a code stays in the set after the last user with the code has logged out.
// codeLifeWhenFull applies instead when the set is full, to make room for other codes.
const (
	codeLife         = 7 * 24 * time.Hour
	codeLifeWhenFull = time.Hour
)

func newCodeSet(pinned []string, limit int) codeSet {
	c := codeSet{pinned: len(pinned) > 0, limit: limit, lastUsed: make(map[string]time.Time)}
	for _, s := range pinned {
		c.lastUsed[s] = time.Time{}
	}
	c.sorted = slices.Sorted(maps.Keys(c.lastUsed))
	return c
}

// add adds codes that a user has now, up to the limit. It does nothing if the configuration lists
// the codes.
func (c *codeSet) add(list []string, now time.Time) {
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

// dropExpired drops codes that no user has had for too long. room is true if a code was dropped and
// others had not fit into the set.
func (c *codeSet) dropExpired(now time.Time) (room bool) {
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

func (c *codeSet) list() []string {
	if c.sorted == nil {
		c.sorted = slices.Sorted(maps.Keys(c.lastUsed))
	}
	return c.sorted
}

// inherit adds the codes that old found through users. If the codes of old come from the
// configuration, inherit adds nothing.
func (c *codeSet) inherit(old codeSet) {
	if old.pinned {
		return
	}
	for s, seen := range old.lastUsed {
		c.add([]string{s}, seen)
	}
}
