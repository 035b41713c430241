package feeds

import (
	"maps"
	"slices"
	"time"
)

// codes are services or groups. When the last agent of one goes home its callers
// still wait, so what was found through users stays for a while.
type codes struct {
	pinned bool
	most   int
	full   bool                 // there are more than that
	set    map[string]time.Time // when a user had it last
	sorted []string
}

// Codes that no user has any more are forgotten after a week, or sooner where
// there is no room for others.
const (
	codesLife    = 7 * 24 * time.Hour
	codesAtLeast = time.Hour
)

func newCodes(pinned []string, most int) codes {
	c := codes{pinned: len(pinned) > 0, most: most, set: make(map[string]time.Time)}
	for _, s := range pinned {
		c.set[s] = time.Time{}
	}
	c.sorted = slices.Sorted(maps.Keys(c.set))
	return c
}

// add takes the codes of a user over.
func (c *codes) add(list []string, now time.Time) {
	if c.pinned {
		return
	}
	for _, s := range list {
		if _, known := c.set[s]; !known {
			if len(c.set) >= c.most {
				c.full = true
				continue
			}
			c.sorted = nil
		}
		c.set[s] = now
	}
}

// forget drops what no user has had for long. It reports whether there is room now
// for what there was none for.
func (c *codes) forget(now time.Time) (room bool) {
	if c.pinned {
		return false
	}
	life := codesLife
	if c.full {
		life = codesAtLeast
	}
	before := len(c.set)
	maps.DeleteFunc(c.set, func(_ string, seen time.Time) bool { return now.Sub(seen) > life })
	if len(c.set) == before {
		return false
	}
	c.sorted = nil
	return c.full
}

func (c *codes) list() []string {
	if c.sorted == nil {
		c.sorted = slices.Sorted(maps.Keys(c.set))
	}
	return c.sorted
}

// inherit takes over codes that were found through users.
func (c *codes) inherit(old codes) {
	if old.pinned {
		return
	}
	for s, seen := range old.set {
		c.add([]string{s}, seen)
	}
}
