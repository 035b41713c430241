package timeunit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"wallboard/feeds/timeunit"
)

// floor is a random platform: agents and services, the format of its dates, and
// the units of its lengths.
type floor struct {
	rng      *rand.Rand
	date     timeunit.Unit
	lengths  map[timeunit.Field]timeunit.Unit
	agents   []agent
	services []queue
	hectic   float64       // share of agents that change their state per second
	off      time.Duration // how far the platform's clock is ahead
	current  bool          // the longest wait is the current one
	now      time.Time
	moved    map[timeunit.Field]bool // fields whose numbers grew with time in the last step
}

type agent struct {
	since time.Time
	codes float64 // seconds
	away  bool    // on a break whose time is added to codes
}

// queue is a service; its times are in seconds.
type queue struct {
	longest, average float64
	waiting          bool
}

func (f *floor) String() string {
	return fmt.Sprintf("dates %v, lengths %v, %d agents, %d services, %.4f changes, clock %v", f.date, f.lengths, len(f.agents), len(f.services), f.hectic, f.off)
}

// lengthFields are the lengths that a floor sends.
var lengthFields = []timeunit.Field{timeunit.FieldCodes, timeunit.FieldQueueLongest, timeunit.FieldQueueAverage}

func newFloor(seed uint64) *floor {
	rng := rand.New(rand.NewPCG(seed, 36))
	f := &floor{rng: rng, now: noon.Add(time.Duration(rng.IntN(86400)) * time.Second), lengths: make(map[timeunit.Field]timeunit.Unit)}
	f.date = []timeunit.Unit{timeunit.UnixSeconds, timeunit.UnixMillis, timeunit.UnixMicros, timeunit.Seconds, timeunit.Millis, timeunit.Micros}[rng.IntN(6)]
	unit := []timeunit.Unit{timeunit.Seconds, timeunit.Seconds, timeunit.Millis, timeunit.Micros}[rng.IntN(4)]
	for _, l := range lengthFields {
		f.lengths[l] = unit
	}
	if rng.IntN(20) == 0 { // times of codes, in their own object, may have a unit of their own
		f.lengths[timeunit.FieldCodes] = timeunit.Seconds
	}
	n := 1 + rng.IntN(5000)
	if rng.IntN(2) == 0 {
		n = int(math.Exp(rng.Float64() * math.Log(5000)))
	}
	f.hectic = math.Exp(math.Log(1e-4) + rng.Float64()*math.Log(2000)) // up to 0.2 per second and agent
	if rng.IntN(4) == 0 {
		f.off = time.Duration(rng.IntN(2*86400)-86400) * time.Second
	}
	f.current = rng.IntN(2) == 0
	constant := rng.IntN(20) == 0 // all agents have been in their state since the same time
	together := f.age()
	for range max(n, 1) {
		a := agent{since: f.now.Add(-f.age())}
		switch {
		case constant:
			a.since = f.now.Add(-together)
		case rng.IntN(15) == 0: // absent for days
			a.since = f.now.Add(-time.Duration(rng.IntN(12*86400)) * time.Second)
		}
		if rng.IntN(3) > 0 {
			a.codes = float64(60 + rng.IntN(5400))
		}
		a.away = rng.IntN(8) == 0
		f.agents = append(f.agents, a)
	}
	for range 1 + n/(5+rng.IntN(60)) {
		f.services = append(f.services, f.queue())
	}
	return f
}

// age returns how long an agent has been in a state: some minutes, or hours.
func (f *floor) age() time.Duration {
	return min(time.Duration(300*math.Exp(1.4*f.rng.NormFloat64())*float64(time.Second)), 20*time.Hour)
}

func (f *floor) queue() queue {
	if f.rng.IntN(4) == 0 {
		return queue{}
	}
	average := 40 * math.Exp(1.1*f.rng.NormFloat64())
	return queue{average: average, longest: average * (1 + 8*f.rng.Float64()), waiting: f.rng.IntN(2) == 0}
}

// pass lets time pass.
func (f *floor) pass(d time.Duration) {
	before := f.now
	f.now = f.now.Add(d)
	f.moved = map[timeunit.Field]bool{timeunit.FieldState: true}
	for i := range f.agents {
		a := &f.agents[i]
		if f.rng.Float64() < f.hectic*d.Seconds() {
			a.since = before.Add(time.Duration(f.rng.Float64() * float64(d)))
		}
		if a.away {
			f.moved[timeunit.FieldCodes] = f.moved[timeunit.FieldCodes] || a.codes > 0
			a.codes += d.Seconds()
		}
	}
	for i := range f.services {
		q := &f.services[i]
		switch {
		case f.current && q.waiting:
			f.moved[timeunit.FieldQueueLongest], f.moved[timeunit.FieldQueueAverage] = true, true // both are fields of the same object
			q.longest += d.Seconds()
		case f.rng.Float64() < 0.05:
			*q = f.queue()
		}
	}
}

// tell passes the full state of the floor to a learner.
func (f *floor) tell(l *timeunit.Learner) {
	for i, a := range f.agents {
		l.AddSample("userStats", i, timeunit.FieldState, f.number(a.since), f.now, f.now)
		l.AddSample("userStats", i, timeunit.FieldCodes, raw(a.codes, f.lengths[timeunit.FieldCodes]), f.now, f.now)
	}
	l.EndFullState(f.now, f.now)
	for i, q := range f.services {
		l.AddSample("serviceStats", i, timeunit.FieldQueueLongest, raw(q.longest, f.lengths[timeunit.FieldQueueLongest]), f.now, f.now)
		l.AddSample("serviceStats", i, timeunit.FieldQueueAverage, raw(q.average, f.lengths[timeunit.FieldQueueAverage]), f.now, f.now)
	}
	l.EndFullState(f.now, f.now)
}

// number returns an instant in the platform's format.
func (f *floor) number(at time.Time) float64 {
	if f.date.IsDuration() {
		return raw(f.now.Sub(at).Seconds(), f.date)
	}
	return raw(float64(at.Add(f.off).UnixMicro())/1e6, f.date)
}

// raw returns a duration as an integer in a unit.
func raw(seconds float64, u timeunit.Unit) float64 { return math.Floor(seconds / u.Seconds(1)) }

// wrong returns the fields whose detected unit is wrong.
func (f *floor) wrong(l *timeunit.Learner) (fields []timeunit.Field) {
	if l.WasReceived(timeunit.FieldState) && l.Unit(timeunit.FieldState) != f.date {
		fields = append(fields, timeunit.FieldState)
	}
	for _, field := range lengthFields {
		if l.WasReceived(field) && l.Unit(field) != f.lengths[field] {
			fields = append(fields, field)
		}
	}
	return fields
}

// impossible returns an implausible time as it is read.
func (f *floor) impossible(l *timeunit.Learner) string {
	u, long := l.Unit(timeunit.FieldState), 0
	for _, a := range f.agents {
		n := f.number(a.since)
		if n <= 0 {
			continue
		}
		at := f.now.Add(-time.Duration(u.Seconds(n) * float64(time.Second)))
		if !u.IsDuration() {
			at = time.UnixMilli(int64(u.Seconds(n) * 1e3))
		}
		switch age := f.now.Sub(at); {
		case age > timeunit.MaxDuration || age < -27*time.Hour:
			return fmt.Sprintf("%v as %v is %v ago", n, u, age)
		case age > 14*24*time.Hour:
			long++
		}
	}
	if 2*long > len(f.agents) {
		return fmt.Sprintf("%d of %d agents are in their state for weeks", long, len(f.agents))
	}
	for _, q := range f.services {
		if s := l.Unit(timeunit.FieldQueueLongest).Seconds(raw(q.longest, f.lengths[timeunit.FieldQueueLongest])); s > timeunit.MaxDuration.Seconds() {
			return fmt.Sprintf("a wait of %v s", s)
		}
	}
	return ""
}

// floors returns how many floors to try, from UNITS_FLOORS.
func floors(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("UNITS_FLOORS"))
	if err != nil {
		return 2000
	}
	return n
}

// TestRandomFloors detects the units of random floors: 99.5 % correct from the
// first full state, none impossible, and correct from the second full state in
// which a number of the field moved with time.
func TestRandomFloors(t *testing.T) {
	t.Parallel()
	n := floors(t)
	first, corrected := 0, 0
	for seed := range uint64(n) {
		f := newFloor(seed)
		l := timeunit.New(nil, timeunit.Zone{})
		came := make(map[timeunit.Field]bool)
		for look := range 4 {
			f.tell(l)
			if said := f.impossible(l); said != "" {
				t.Errorf("floor %d, full state %d: %s; %v", seed, look+1, said, f)
			}
			for i, field := range f.wrong(l) {
				switch {
				case look == 0 && i == 0:
					first++
					t.Logf("floor %d is taken for %v: %v", seed, l, f)
				case came[field] && f.moved[field]:
					t.Errorf("floor %d is still taken for %v in full state %d: %v", seed, l, look+1, f)
				case look == 3:
					corrected++
				}
			}
			for _, field := range timeunit.Fields() {
				came[field] = l.WasReceived(field)
			}
			f.pass(2 * time.Second)
		}
	}
	t.Logf("%d floors: %d wrong in the first full state, %d fields that never moved in the last", n, first, corrected)
	if float64(first) > 0.005*float64(n) {
		t.Errorf("%d of %d floors were wrong in the first full state", first, n)
	}
}
