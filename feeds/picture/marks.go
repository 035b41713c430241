package picture

import "time"

// Marks records recent versions of a store.
type Marks []mark

type mark struct {
	at      time.Time
	version uint64
}

// Note records the store's present version.
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

// Before returns the store's version [LagBound] ago, 0 if unknown.
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
