package feeds

import (
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
)

const (
	// filterDelay is how long the wanted filter must stay unchanged before the active filter
	// follows. On a large floor users log in and out all the time, so the active filter follows
	// after maxFilterDelay in any case. Both times are longer if a full state takes long to arrive.
	filterDelay    = 500 * time.Millisecond
	maxFilterDelay = 2 * time.Second
	// filterDelayPerUser times the number of users is the delay if that is longer than filterDelay:
	// 3 s for 20,000 users.
	filterDelayPerUser = 150 * time.Microsecond
	// maxLargeFilterDelay may replace maxFilterDelay for a filter of at least largeFilterKeys keys,
	// if a full state takes long to arrive. Each change of such a filter transfers the full state
	// twice.
	maxLargeFilterDelay = 10 * time.Second
	largeFilterKeys     = 1000
)

// filterProgress tracks how the active filter of a subscription follows the wanted filter.
type filterProgress struct {
	wantedRequest graphql.Request
	activeRequest graphql.Request // filter of the active subscription
	changedAt     time.Time       // when wantedRequest last changed
	differsSince  time.Time       // when wantedRequest and activeRequest began to differ
	cache         records.FilterCache
}

// wantedFilter returns the parsed filter of wantedRequest, and activeFilter that of activeRequest.
func (f *filterProgress) wantedFilter() graphql.Value { return f.cache.Value(f.wantedRequest.Filter) }

func (f *filterProgress) activeFilter() graphql.Value { return f.cache.Value(f.activeRequest.Filter) }

// wantedChannels returns, for each name in the wanted filter, a bit set of its channels;
// activeChannels returns the same for the active filter. The caller must not modify the maps.
func (f *filterProgress) wantedChannels() map[string]uint32 {
	return f.cache.Channels(f.wantedRequest.Filter)
}

func (f *filterProgress) activeChannels() map[string]uint32 {
	return f.cache.Channels(f.activeRequest.Filter)
}

func (f *filterProgress) activeContains() func(name string) bool {
	return f.cache.ContainsName(f.activeRequest.Filter)
}

// setWanted sets the wanted filter and reports whether it changed.
func (f *filterProgress) setWanted(r graphql.Request, now time.Time) bool {
	if r == f.wantedRequest {
		return false
	}
	if !f.differs() {
		f.differsSince = now
	}
	f.wantedRequest, f.changedAt = r, now
	return true
}

// differs reports whether the active filter differs from the wanted one.
func (f *filterProgress) differs() bool { return f.wantedRequest != f.activeRequest }

// hasSettled reports whether to replace the active filter with the wanted one now. took is how long
// the last full state took. The longer it took, the longer the wait. So a server is not asked for
// the full state again and again while a whole shift logs in.
func (f *filterProgress) hasSettled(took time.Duration, now time.Time) bool {
	return now.Sub(f.changedAt) >= max(filterDelay, 2*took) || now.Sub(f.differsSince) >= f.maxUpdateDelay(took)
}

// filterUpdateDue reports whether the wanted filter differs from the active one and should replace it
// now.
func (f *filterProgress) filterUpdateDue(took time.Duration, now time.Time) bool {
	return f.differs() && f.hasSettled(took, now)
}

// maxUpdateDelay returns the longest time that changes of the wanted filter are collected before the
// active filter follows. took is how long the last full state took.
func (f *filterProgress) maxUpdateDelay(took time.Duration) time.Duration {
	limit := max(maxFilterDelay, 8*took)
	if f.wantedRequest.Keys >= largeFilterKeys {
		limit = max(limit, min(30*took, maxLargeFilterDelay))
	}
	return limit
}
