package times

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Longest is how long a length may be: what is longer is none.
const Longest = 366 * 24 * time.Hour

const (
	// votesNeeded is how many values must say the same, clearly how many times as
	// many as say anything else. maxVotes bounds how long what is long past
	// counts.
	votesNeeded = 3
	clearly     = 5
	maxVotes    = 256
	// maxSamples is how many values of a field are followed.
	maxSamples = 64
	// leastApart is how far apart two full states must be to tell anything.
	leastApart = 1500 * time.Millisecond
	// oldestVote is how long ago an instant may be to be taken for one, soonest
	// how far ahead.
	oldestVote = 366 * 24 * time.Hour
	soonest    = 24 * time.Hour
	// A zone is a multiple of zoneStep; a change is told within zoneSlack.
	zoneStep  = 15 * time.Minute
	zoneSlack = 20 * time.Second
)

// Learner learns units from what comes. Its zero value knows nothing and is
// told nothing of lengths; a nil one learns nothing.
type Learner struct {
	pins    [count]Unit
	found   [count]Unit
	units   [count]Unit // that follow from these
	votes   [count][units]int
	samples map[place]sample
	held    [count]int // samples by field

	zone    Zone
	zones   map[int]int // votes by minutes
	strange [count]bool
	came    [count]bool
	unread  [count]bool // a value came that could not be read
	fits    [count]bool // a number was a time in the unit that its field has now
	misfits [count]int  // numbers that were none
	numeric bool        // dates come as numbers

	changed bool
	again   map[string]bool // operations that are asked for in units found since
}

// place is where a value is told.
type place struct {
	field  Field
	op     string
	record any
}

// sample is a value of a full state.
type sample struct {
	raw  float64
	at   time.Time
	told Unit // by it and the one before
}

// New returns a learner that goes by pinned units, and a pinned zone, until what
// comes says otherwise.
func New(pins map[Field]Unit, zone Zone) *Learner {
	l := &Learner{samples: make(map[place]sample), zones: make(map[int]int), zone: zone, again: make(map[string]bool)}
	for f, u := range pins {
		l.pins[f] = u
	}
	l.settle()
	return l
}

// Recall takes units that were found before, by the names of fields.
func (l *Learner) Recall(found map[string]string) {
	for _, f := range Fields() {
		if u, ok := Parse(found[f.String()]); ok && (f.Date() || u.Length()) {
			l.found[f] = u
		}
	}
	l.settle()
}

// Found returns the units that were found, by the names of fields.
func (l *Learner) Found() map[string]string {
	found := make(map[string]string)
	for _, f := range Fields() {
		if u := l.found[f]; u != Unknown {
			found[f.String()] = u.String()
		}
	}
	return found
}

// Anew forgets the evidence, as at the start of a connection: what was found
// stays until there is other evidence.
func (l *Learner) Anew() {
	if l == nil {
		return
	}
	clear(l.samples)
	clear(l.zones)
	l.votes, l.held = [count][units]int{}, [count]int{}
	l.fits, l.misfits = [count]bool{}, [count]int{}
}

// Unit returns the unit of a field, [Unknown] while it is not known.
func (l *Learner) Unit(f Field) Unit {
	if l == nil {
		return Unknown
	}
	return l.units[f]
}

// settle says which unit each field has now. A length of which nothing is known by
// itself is in the unit of the others, if they agree: one platform tells its
// lengths in one unit until something says otherwise.
func (l *Learner) settle() {
	shared, differ := Unknown, false
	for _, f := range Fields() {
		u := cmp.Or(l.found[f], l.pins[f])
		switch l.units[f] = u; {
		case u == Unknown:
			differ = differ || f.Date() && l.numeric // it may be a length in any unit
		case u.Length():
			differ = differ || shared != Unknown && shared != u
			shared = u
		}
	}
	for _, f := range Fields() {
		switch {
		case l.units[f] != Unknown || f.Date():
		case f == QueueAverage && cmp.Or(l.found[QueueLongest], l.pins[QueueLongest]) != Unknown:
			l.units[f] = l.units[QueueLongest] // of the same object
		case !differ:
			l.units[f] = shared
		}
	}
}

// Zone is how far texts without a zone are ahead of UTC.
type Zone struct {
	Minutes int
	Known   bool
	Met     bool // such texts come
}

// Zone returns the zone of texts that have none.
func (l *Learner) Zone() Zone {
	if l == nil {
		return Zone{}
	}
	return l.zone
}

// Changed reports whether a unit was found since it was last asked.
func (l *Learner) Changed() bool {
	if l == nil || !l.changed {
		return false
	}
	l.changed = false
	return true
}

// Full takes a number, or the sum of several, of a full state that came at a time on our clock, where
// now is the same on the platform's.
func (l *Learner) Full(op string, record any, f Field, raw float64, at, now time.Time) {
	if l == nil || f == None {
		return
	}
	where := place{f, op, record}
	if raw <= 0 {
		if _, ok := l.samples[where]; ok {
			delete(l.samples, where)
			l.held[f]--
		}
		return
	}
	l.came[f] = true
	if f == QueueAverage {
		return // an average does not grow with time
	}
	was, ok := l.samples[where]
	if !ok && l.held[f] >= maxSamples {
		return
	}
	if !ok {
		l.held[f]++
		l.samples[where] = sample{raw: raw, at: at}
		return
	}
	apart := at.Sub(was.at)
	if apart < leastApart {
		return
	}
	u := judge(was.raw, raw, apart, now)
	if u == Unknown && f == Codes { // of a code, and of the same code in a state
		u = judge(was.raw/2, raw/2, apart, now)
	}
	l.samples[where] = sample{raw, at, u}
	switch {
	case u == Unknown:
	case f.Date() || u.Length() && was.told == u: // a counter that jumps once grows like anything
		l.vote(f, u)
	}
}

// judge tells from two readings of a number which unit it has, [Unknown] where
// they do not tell.
func judge(before, after float64, apart time.Duration, now time.Time) Unit {
	if before == after {
		for u := UnixSeconds; u <= UnixMicros; u++ {
			ms, ok := u.Millis(after)
			if at := time.UnixMilli(ms); ok && now.Sub(at) < oldestVote && at.Sub(now) < soonest {
				return u
			}
		}
		return Unknown
	}
	for u := Seconds; u <= Micros; u++ {
		if u.Seconds(after) > Longest.Seconds() {
			continue // an instant, told at each change, that moved on as fast as time
		}
		if math.Abs(u.Seconds(after-before)-apart.Seconds()) <= 1.2+apart.Seconds()/20 {
			return u
		}
	}
	return Unknown
}

func (l *Learner) vote(f Field, u Unit) {
	v := &l.votes[f]
	v[u]++
	sum := 0
	for _, n := range v {
		sum += n
	}
	if v[u] >= votesNeeded && v[u] >= clearly*(sum-v[u]) && l.found[f] != u {
		l.find(f, u)
	}
	if sum > maxVotes {
		for i := range v {
			v[i] /= 2
		}
	}
}

// find takes a unit for that of a field.
func (l *Learner) find(f Field, u Unit) {
	before := l.units
	l.found[f], l.fits[f], l.misfits[f] = u, false, 0
	l.settle()
	l.changed = l.changed || l.units != before
}

// Fits notes whether a number was a time of this world in the unit that its field
// has. A unit in which several were none, and none was one, is forgotten.
func (l *Learner) Fits(f Field, fits bool) {
	switch {
	case l == nil:
	case fits:
		l.fits[f] = true
	case !l.fits[f]:
		if l.misfits[f]++; l.misfits[f] >= votesNeeded && l.found[f] != Unknown {
			l.find(f, Unknown)
		}
	}
}

// Change takes an instant without a zone that changed just now: milliseconds as
// if in UTC, and the time on the platform's clock.
func (l *Learner) Change(ms int64, now time.Time) {
	if l == nil {
		return
	}
	ahead := time.UnixMilli(ms).Sub(now)
	zone := ahead.Round(zoneStep)
	if (ahead-zone).Abs() > zoneSlack || zone.Abs() > soonest {
		return
	}
	minutes := int(zone.Minutes())
	l.zones[minutes]++
	sum := 0
	for _, n := range l.zones {
		sum += n
	}
	if n := l.zones[minutes]; n >= votesNeeded && n >= clearly*(sum-n) && (!l.zone.Known || l.zone.Minutes != minutes) {
		l.zone.Minutes, l.zone.Known, l.changed = minutes, true, true
	}
	if sum > maxVotes {
		for z := range l.zones {
			l.zones[z] /= 2
		}
	}
}

// Local notes that instants come without a zone.
func (l *Learner) Local() {
	if l != nil {
		l.zone.Met = true
	}
}

// Pending reports whether another full state would help to find the unit of one of
// some fields.
func (l *Learner) Pending(fields []Field) bool {
	return l != nil && slices.ContainsFunc(fields, func(f Field) bool { return l.held[f] > 0 && l.Unit(f) == Unknown })
}

// Strange notes that a field comes in a form that is not understood.
func (l *Learner) Strange(f Field) {
	if l != nil {
		l.strange[f] = true
	}
}

// Unread notes that a value of a field came whose unit is not known.
func (l *Learner) Unread(f Field) {
	if l != nil {
		l.unread[f] = true
	}
}

// Undecided notes that a date came as a number of an unknown unit.
func (l *Learner) Undecided() {
	if l != nil && !l.numeric {
		l.numeric, l.changed = true, true
		l.settle()
	}
}
