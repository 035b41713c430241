package feeds

import (
	"time"

	"wallboard/feeds/queries"
)

const (
	// reshapeAfter collects the users who come and go before a filter follows,
	// but not for longer than reshapeWithin: somebody always comes or goes.
	reshapeAfter  = 500 * time.Millisecond
	reshapeWithin = 2 * time.Second
	// reshapePerUser is the same for a large floor: 3 s for 20,000.
	reshapePerUser = 150 * time.Microsecond
	// reshapeLarge is the same for a filter of largeKeys, whose full state comes
	// twice each time.
	reshapeLarge = 10 * time.Second
	largeKeys    = 1000
)

// following is how a subscription keeps up with what it is to be about.
type following struct {
	want    queries.Request
	have    queries.Request // what the subscription that delivers covers
	changed time.Time       // when want last did
	behind  time.Time       // since when it is not what is covered
	parsed  parsed
}

// wanted is the filter of what is wanted, covered that of what is covered.
func (f *following) wanted() queries.Value  { return f.parsed.of(f.want.Filter) }
func (f *following) covered() queries.Value { return f.parsed.of(f.have.Filter) }

// wantedOn and coveredOn are the channels of the names in these. The caller must not
// change the maps.
func (f *following) wantedOn() map[string]uint32  { return f.parsed.channels(f.want.Filter) }
func (f *following) coveredOn() map[string]uint32 { return f.parsed.channels(f.have.Filter) }

// wants tells of a name whether it is wanted, covers whether it is covered.
func (f *following) wants() func(name string) bool  { return f.parsed.has(f.want.Filter) }
func (f *following) covers() func(name string) bool { return f.parsed.has(f.have.Filter) }

// ask sets what is wanted. It reports whether that has changed.
func (f *following) ask(r queries.Request, now time.Time) bool {
	if r == f.want {
		return false
	}
	if !f.differs() {
		f.behind = now
	}
	f.want, f.changed = r, now
	return true
}

// differs reports whether something else is covered than is wanted.
func (f *following) differs() bool { return f.want != f.have }

// settled reports whether a changed filter is to be followed now, where the last
// full state took so long. A big one takes the server long; it is not sent again and
// again while a whole shift logs in.
func (f *following) settled(took time.Duration, now time.Time) bool {
	return now.Sub(f.changed) >= max(reshapeAfter, 2*took) || now.Sub(f.behind) >= f.within(took)
}

// due reports whether the filter is to follow now.
func (f *following) due(took time.Duration, now time.Time) bool {
	return f.differs() && f.settled(took, now)
}

// within is how long it may take until a changed filter is followed.
func (f *following) within(took time.Duration) time.Duration {
	within := max(reshapeWithin, 8*took)
	if f.want.Keys >= largeKeys {
		within = max(within, min(30*took, reshapeLarge))
	}
	return within
}
