package proof_test

import (
	"fmt"
	"time"

	"wallboard/internal/simulator/rtd"
)

// fault is a kind of fault with its frequency.
type fault struct {
	name    string
	perHour float64
	cuts    bool // ends the connection
	loses   bool // silently loses an update
	make    func(*run)
}

// schedule returns the faults and their rates (docs/dev/proof.md names them).
func schedule() []fault {
	return []fault{
		{"connection dropped", 3, true, false, func(r *run) { r.srv.Faults().DropSockets(0) }},
		{"connection broken at a byte of an answer", 3, true, false, func(r *run) { r.breakAll(false, nil) }},
		{"connection broken at a byte of a request", 2, true, false, func(r *run) { r.breakAll(true, nil) }},
		{"closed with a code at a byte", 2, true, false, func(r *run) { r.breakAll(false, closeFrame(r.code())) }},
		{"closed with a code", 2, true, false, func(r *run) { r.srv.Faults().DropSockets(r.code()) }},
		{"half open", 1, true, false, func(r *run) { r.network.each((*wire).halfOpen) }},
		{"stalled for up to 2 min", 2, false, false, func(r *run) {
			d := time.Duration(r.rng.IntN(120_000)) * time.Millisecond
			r.network.each(func(w *wire) { w.hold(d) })
		}},
		{"server stalled for up to 2 min", 1, false, false, func(r *run) {
			r.srv.Faults().StallWrites(time.Duration(r.rng.IntN(120_000)) * time.Millisecond)
		}},
		{"one byte at a time for 30 s", 1, false, false, func(r *run) { r.network.trickle(30 * time.Second) }},
		{"nobody gets through for up to 2 min", 0.5, true, false, func(r *run) {
			r.network.unreachable(time.Duration(r.rng.IntN(120)) * time.Second)
			r.srv.Faults().DropSockets(0)
		}},
		{"every request refused for up to 2 min", 0.5, true, false, func(r *run) {
			r.srv.Faults().RefuseRequests(true)
			r.srv.Faults().DropSockets(0)
			r.after(time.Duration(r.rng.IntN(120))*time.Second, func() { r.srv.Faults().RefuseRequests(false) })
		}},
		{"sessions expired", 0.5, true, false, func(r *run) { r.srv.Faults().ExpireSession() }},
		{"update lost", 6, false, true, func(r *run) { r.srv.Faults().RTD.LoseDelta(1 + r.rng.IntN(3)) }},
		{"update repeated", 6, false, false, func(r *run) { r.srv.Faults().RTD.RepeatDelta(1 + r.rng.IntN(3)) }},
		{"update overtaken by the next", 6, false, true, func(r *run) { r.srv.Faults().RTD.ReorderDelta(1 + r.rng.IntN(2)) }},
		{"server started anew behind open sockets", 0.25, false, true, func(r *run) { r.srv.Faults().Restart() }},
		{"stood still for up to 1 min, and updates lost meanwhile", 1, true, true, func(r *run) { r.sleepMachine(time.Duration(10+r.rng.IntN(50)) * time.Second) }},
		{"message spoilt", 3, false, true, func(r *run) { r.srv.Faults().RTD.CorruptMessages(1) }},
		{"message of a megabyte", 0.5, false, false, func(r *run) { r.srv.Faults().RTD.EnlargeMessage(1 << 20) }},
		{"server restarted, counters anew, its clock wrong by up to an hour", 0.25, true, false, func(r *run) {
			r.stopSrv()
			r.skew = time.Duration(r.rng.IntN(7200)-3600) * time.Second
			r.startPlatform()
		}},
	}
}

// code returns a random valid close code.
func (r *run) code() int { return 1000 + r.rng.IntN(4000) }

// breakAll cuts every connection after some more bytes.
func (r *run) breakAll(towardsServer bool, last []byte) {
	bytes := r.rng.IntN(2000)
	r.network.each(func(w *wire) { w.breakAfter(bytes, towardsServer, last) })
}

// sleepMachine sets the board's clock forward, as after a sleep of its machine,
// following two seconds without updates.
func (r *run) sleepMachine(d time.Duration) {
	r.srv.Faults().RTD.LoseDelta(1 << 20)
	r.after(2*time.Second, func() {
		r.srv.Faults().RTD.LoseDelta(0)
		r.slept.Add(int64(d))
	})
}

// after schedules do to run when d has passed.
func (r *run) after(d time.Duration, do func()) {
	r.repair = append(r.repair, later{time.Now().Add(d), do})
}

// due runs the functions that are due.
func (r *run) due() {
	all := r.repair
	r.repair = nil
	for _, l := range all {
		if time.Now().Before(l.at) {
			r.repair = append(r.repair, l)
			continue
		}
		l.do() // do may schedule more functions
	}
}

// faults injects the faults of this second.
func (r *run) faults() {
	for _, f := range schedule() {
		if r.rng.Float64() >= f.perHour*r.haste/3600 || r.lossless && f.loses {
			continue
		}
		f.make(r)
		r.countFault(f.name)
		r.lastFault = fmt.Sprintf("%s after %v", f.name, r.elapsed())
		if f.cuts {
			r.cuts++
			if r.cut {
				r.healed++ // several pending cuts recover together
			}
			r.cut = true
		}
	}
}

// dialect is a server with one interpretation of document 2.
type dialect struct {
	name string
	rtd.Switches
	lag        time.Duration // maximum lag of query answers
	perMessage int           // maximum number of records per message; 0 means no limit
	arrivals   rtd.Arrivals
	gather     time.Duration // time for which a subscription collects updates
}

// dialects returns the servers to test with.
func dialects() []dialect {
	return []dialect{
		{name: "as documented"},
		{name: "first message empty", Switches: rtd.Switches{FirstMessage: rtd.FirstNone}},
		{name: "first message a delta, absent keys", Switches: rtd.Switches{FirstMessage: rtd.FirstDelta, NullKeys: rtd.NullKeysAbsent}},
		{name: "numbers as text", Switches: rtd.Switches{Numbers: rtd.NumbersString}},
		{name: "numbers with a fraction", Switches: rtd.Switches{Numbers: rtd.NumbersFloat, NullKeys: rtd.NullKeysAbsent}},
		{name: "instants in seconds", Switches: rtd.Switches{DateForm: rtd.DateSeconds}},
		{name: "instants in milliseconds", Switches: rtd.Switches{DateForm: rtd.DateMilliseconds, FirstMessage: rtd.FirstNone}},
		{name: "other roots", Switches: rtd.Switches{RenamedRoots: true}},
		{name: "other roots, closed schema", Switches: rtd.Switches{RenamedRoots: true, NoIntrospection: true}},
		{name: "queries behind by up to 5 s", lag: 5 * time.Second},
		{name: "updates without keys", Switches: rtd.Switches{KeylessDeltas: true}},
		{name: "lists in part", Switches: rtd.Switches{PartialLists: true}},
		{name: "filters as variables only", Switches: rtd.Switches{Filters: rtd.FiltersVariables, NoIntrospection: true}},
		{name: "six keys in a filter", Switches: rtd.Switches{MaxFilterKeys: 6}},
		{name: "WebSockets do not pass", Switches: rtd.Switches{Upgrade: rtd.UpgradeStripped}},
		{name: "everything at once", lag: 2 * time.Second, Switches: rtd.Switches{
			FirstMessage: rtd.FirstDelta, NullKeys: rtd.NullKeysAbsent, Numbers: rtd.NumbersString,
			DateForm: rtd.DateMilliseconds, RenamedRoots: true, KeylessDeltas: true, PartialLists: true,
		}},
	}
}
