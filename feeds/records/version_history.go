package records

import "time"

// VersionHistory records the versions that a store had in the last seconds, to tell which version
// it had [MaxLag] ago.
type VersionHistory []versionEntry

// versionEntry records the version that a store had at a time.
type versionEntry struct {
	at      time.Time
	version uint64
}

// Add records, at most once a second, that the store has the given version now.
func (h *VersionHistory) Add(version uint64, now time.Time) {
	all := *h
	if n := len(all); n > 0 && now.Sub(all[n-1].at) < time.Second {
		return
	}
	for len(all) > 1 && now.Sub(all[1].at) >= MaxLag {
		all = all[1:]
	}
	*h = append(all, versionEntry{now, version})
}

// VersionBeforeLag returns the version that the store had [MaxLag] ago, or 0 if that is unknown.
func (h *VersionHistory) VersionBeforeLag(now time.Time) uint64 {
	var version uint64
	for _, k := range *h {
		if now.Sub(k.at) < MaxLag {
			break
		}
		version = k.version
	}
	return version
}
