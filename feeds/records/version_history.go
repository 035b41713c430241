package records

import "time"

// VersionHistory records a store's versions of the last seconds, to find the version of [MaxReplicaLag]
// ago.
type VersionHistory []versionEntry

type versionEntry struct {
	at      time.Time
	version uint64
}

// Add records that the store has the given version now. It records at most one version per second.
func (h *VersionHistory) Add(version uint64, now time.Time) {
	all := *h
	if n := len(all); n > 0 && now.Sub(all[n-1].at) < time.Second {
		return
	}
	for len(all) > 1 && now.Sub(all[1].at) >= MaxReplicaLag {
		all = all[1:]
	}
	*h = append(all, versionEntry{now, version})
}

// VersionBeforeLag returns the version that the store had [MaxReplicaLag] ago, or 0 if it is unknown.
func (h *VersionHistory) VersionBeforeLag(now time.Time) uint64 {
	var version uint64
	for _, k := range *h {
		if now.Sub(k.at) < MaxReplicaLag {
			break
		}
		version = k.version
	}
	return version
}
