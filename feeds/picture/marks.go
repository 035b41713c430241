package picture

import "time"

// Marks are the versions that a store had lately.
type Marks []mark

type mark struct {
	at      time.Time
	version uint64
}

// Note remembers the store's version for as long as it is of use.
func (m *Marks) Note(version uint64, now time.Time) {
	all := *m
	if n := len(all); n > 0 && now.Sub(all[n-1].at) < time.Second {
		return
	}
	for len(all) > 1 && now.Sub(all[1].at) >= LagBound {
		all = all[1:]
	}
	*m = append(all, mark{now, version})
}

// Before returns the store's version [LagBound] ago, 0 when that is not known.
func (m *Marks) Before(now time.Time) uint64 {
	var version uint64
	for _, k := range *m {
		if now.Sub(k.at) < LagBound {
			break
		}
		version = k.version
	}
	return version
}
