package world

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// PastKind is a kind of contact in the statistics (document 3, section "What the
// service does").
type PastKind uint8

// Kinds of contact.
const (
	PastInbound PastKind = iota
	PastOutbound
	PastVideo
	PastChat
	PastSupport
)

const numPastKinds = int(PastSupport) + 1

// PastCall is a finished contact.
type PastCall struct {
	ID       string
	Service  string // code
	Customer int    // from 0 to [NumCallers]-1
	Steps    []PastStep
}

// PastStep is a wait, a conversation, or a conversation after a transfer.
type PastStep struct{ Start, End time.Time }

// pastDays is the number of days in the archive.
const pastDays = 90

// Unusual days, counted from today: a day with high traffic, and holidays with low
// traffic.
const (
	busyDay        = -14
	busyDayTraffic = 1.9
	holidayTraffic = 0.04
)

func isHoliday(day int) bool { return day == -37 || day == -64 }

// Archive generates the contacts before the opening of a world from the world's seed
// and size, hour by hour on demand. Its methods are safe for concurrent use.
//
// Its days follow the platform's clock, with busy Mondays and quiet Sundays. Its hours
// are counted from the opening, so that the archive of a seed is the same at any minute
// of the clock. On the opening day the archive is as busy as the live floor, whatever the
// weekday; the traffic of other days is relative to that day.
type Archive struct {
	seed     uint64
	services []string
	perHour  [numPastKinds]float64 // contacts at the peak of the day
	opening  time.Duration         // opening of the world since midnight
	clock    time.Time             // platform's clock at the opening
	end      time.Time             // start of the world's own records

	mu    sync.Mutex // guards the fields below
	hours map[pastHour][]PastCall
}

type pastHour struct {
	kind   PastKind
	second int64 // seconds since 1970
}

// maxCachedHours limits the number of cached hours.
const maxCachedHours = 1000

// Past holds the finished contacts: the archive and those that ended in the world.
type Past struct {
	w       *World
	archive *Archive
	ended   [numPastKinds][]endedContact
}

// Archive returns the contacts before the start of the world's own records.
func (p *Past) Archive() *Archive { return p.archive }

// newArchive creates the archive of a world before its first event.
func (p *Past) newArchive() *Archive {
	a := &Archive{
		seed: uint64(p.w.opts.Seed), opening: p.w.opening, clock: p.w.opts.Clock, //nolint:gosec // the sign of a seed does not matter
		end: p.w.instant(p.w.now), hours: make(map[pastHour][]PastCall),
	}
	a.services, _, _ = p.w.Codes()
	for _, s := range p.w.streams {
		if kind, ok := pastKind(s.line.ch); ok {
			a.perHour[kind] += s.rate * 3600
		}
	}
	for _, c := range p.w.dialer.campaigns {
		if c.running {
			a.perHour[PastOutbound] += campaignUse * float64(time.Hour) / float64(c.pace)
		}
	}
	a.perHour[PastSupport] = a.perHour[PastInbound] / 60
	return a
}

// campaignUse is the part of its dialing chances that a campaign uses; otherwise
// channels are busy or it has no contacts.
const campaignUse = 0.75

// pastKind returns the kind of the contacts of a channel; the result is false if the
// statistics do not include them.
func pastKind(ch channel) (PastKind, bool) {
	switch ch {
	case channelCall:
		return PastInbound, true
	case channelVideo:
		return PastVideo, true
	case channelChat, channelLiveHelp:
		return PastChat, true
	case channelMail, channelCustom1, channelCustom2, channelCustom3, channelOmniDesk:
	}
	return 0, false
}

// Count returns the number of contacts of a kind that began in [from, to).
func (a *Archive) Count(kind PastKind, from, to time.Time) int {
	n := 0
	a.forEachHour(from, to, func(at time.Time) {
		end := at.Add(time.Hour)
		if !at.Before(from) && !end.After(to) && !end.After(a.end) {
			n += a.countInHour(kind, at)
			return
		}
		n += len(beganWithin(a.hour(kind, at), from, to, a.end))
	})
	return n
}

// Calls returns the contacts of a kind that began in [from, to), in this order.
func (a *Archive) Calls(kind PastKind, from, to time.Time) []PastCall {
	var all []PastCall
	a.forEachHour(from, to, func(at time.Time) {
		all = append(all, beganWithin(a.hour(kind, at), from, to, a.end)...)
	})
	return all
}

// forEachHour calls handle for every hour of the archive that overlaps a range.
func (a *Archive) forEachHour(from, to time.Time, handle func(hour time.Time)) {
	first := a.end.Add(-pastDays * day)
	if from.Before(first) {
		from = first
	}
	if to.After(a.end) {
		to = a.end
	}
	hours := math.Floor(from.Sub(a.clock).Hours())
	for hour := a.clock.Add(time.Duration(hours) * time.Hour); hour.Before(to); hour = hour.Add(time.Hour) {
		handle(hour)
	}
}

// beganWithin returns the calls that began in a range and before end.
func beganWithin(calls []PastCall, from, to, end time.Time) []PastCall {
	if end.Before(to) {
		to = end
	}
	begin := func(c PastCall, t time.Time) int { return c.Steps[0].Start.Compare(t) }
	i, _ := slices.BinarySearchFunc(calls, from, begin)
	j, _ := slices.BinarySearchFunc(calls, to, begin)
	return calls[i:max(i, j)]
}

// hourRandom returns the random source of an hour, which is always the same.
func (a *Archive) hourRandom(kind PastKind, at time.Time) *rand.Rand {
	hour := uint64(at.Sub(a.clock)/time.Hour)*uint64(numPastKinds) + uint64(kind) //nolint:gosec // only the low bits matter
	return rand.New(rand.NewPCG(scramble(a.seed), scramble(hour)))
}

// countInHour returns the number of contacts that began in the hour from at.
func (a *Archive) countInHour(kind PastKind, at time.Time) int {
	expected := a.perHour[kind] * a.trafficLevel(kind, at.Add(time.Hour/2))
	drawn := expected + math.Sqrt(expected)*a.hourRandom(kind, at).NormFloat64()
	return max(int(math.Round(drawn)), 0)
}

// trafficLevel returns the traffic at an instant relative to the peak.
func (a *Archive) trafficLevel(kind PastKind, at time.Time) float64 {
	t := at.Sub(a.clock) + a.opening
	t -= time.Duration(math.Floor(float64(t)/float64(day))) * day
	curve := dayCurve(t)
	if kind == PastOutbound { // campaigns run while the services are open
		curve = 0
		if t >= opens && t < closes {
			curve = 1
		}
	}
	at = at.In(a.clock.Location())
	day0 := daysBetween(a.clock, at)
	level := curve * WeekdayTraffic(at.Weekday()) / WeekdayTraffic(a.clock.Weekday())
	dice := rand.New(rand.NewPCG(scramble(a.seed+1), scramble(uint64(day0)))) //nolint:gosec // only the low bits matter
	level *= 1 + 0.06*dice.NormFloat64()
	switch {
	case day0 == busyDay:
		level *= busyDayTraffic
	case isHoliday(day0):
		level *= holidayTraffic
	}
	return max(level, 0)
}

// WeekdayTraffic returns the relative traffic of a day of the week. An average day
// has 1.
func WeekdayTraffic(d time.Weekday) float64 {
	return [...]float64{0.4, 1.14, 1.04, 1, 0.98, 0.92, 0.55}[d] // Sunday first
}

// daysBetween returns the number of midnights between two times.
func daysBetween(from, to time.Time) int {
	date := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(date(to).Sub(date(from)) / day)
}

// hour returns the contacts that began in the hour from at.
func (a *Archive) hour(kind PastKind, at time.Time) []PastCall {
	key := pastHour{kind, at.Unix()}
	a.mu.Lock()
	defer a.mu.Unlock()
	if calls, ok := a.hours[key]; ok {
		return calls
	}
	if len(a.hours) >= maxCachedHours {
		clear(a.hours)
	}
	calls := a.generate(kind, at)
	a.hours[key] = calls
	return calls
}

// generate generates the contacts of an hour.
func (a *Archive) generate(kind PastKind, at time.Time) []PastCall {
	dice := a.hourRandom(kind, at)
	calls := make([]PastCall, a.countInHour(kind, at))
	h := handlingOf(channelCall)
	switch kind {
	case PastVideo:
		h = handlingOf(channelVideo)
	case PastChat:
		h = handlingOf(channelChat)
	case PastSupport:
		h.talk = 4 * time.Hour
	case PastOutbound, PastInbound:
	}
	for i := range calls {
		start := at.Add(time.Duration(dice.Int64N(int64(time.Hour)))).Truncate(time.Millisecond)
		seconds := func(mean time.Duration) time.Duration {
			return time.Duration(dice.ExpFloat64()*float64(mean)).Truncate(time.Millisecond) + time.Second
		}
		c := &calls[i]
		c.Service = a.services[int(float64(len(a.services))*dice.Float64()*dice.Float64())]
		c.Customer = frequentCaller(dice.Float64())
		wait := PastStep{start, start.Add(seconds(12 * time.Second))}
		c.Steps = []PastStep{wait}
		if dice.Float64() < 0.07 {
			continue // abandoned
		}
		talk := PastStep{wait.End, wait.End.Add(seconds(h.talk))}
		c.Steps = append(c.Steps, talk)
		if dice.Float64() < 0.09 { // transferred
			c.Steps = append(c.Steps, PastStep{talk.End, talk.End.Add(seconds(h.talk / 2))})
		}
	}
	slices.SortFunc(calls, func(x, y PastCall) int { return x.Steps[0].Start.Compare(y.Steps[0].Start) })
	for i := range calls {
		calls[i].ID = fmt.Sprintf("%d.%d%05d", calls[i].Steps[0].Start.Unix(), kind, i)
	}
	return calls
}

// frequentCaller returns a customer for a random number from 0 to 1. The first customers, those of
// the address book, call more often.
func frequentCaller(random float64) int {
	return min(int(NumCallers*random*random*random), NumCallers-1)
}

// endedContact is a contact that ended in the world itself.
type endedContact struct {
	number               uint64 // sequence number of the ticket; 0 for an attempt of a dialer
	service              *service
	customer             int
	start, answered, end time.Duration // answered is 0 if the contact was not answered
}

// add stores a finished contact.
func (p *Past) add(kind PastKind, e endedContact) {
	list := &p.ended[kind]
	if len(*list) >= p.w.opts.MaxFinished {
		*list = slices.Delete(*list, 0, (len(*list)+1)/2)
	}
	e.end = p.w.now
	*list = append(*list, e)
}

// addContact stores a finished contact of a service.
func (p *Past) addContact(c *contact) {
	if kind, ok := pastKind(c.line.ch); ok {
		p.add(kind, endedContact{number: c.number, service: c.line.service, customer: p.w.phones.caller(&c.ticket), start: c.start, answered: c.answered})
	}
}

// Ended returns the contacts of a kind that began in [from, to) and ended in the
// world, in the order of their beginning.
func (p *Past) Ended(kind PastKind, from, to time.Time) []PastCall {
	var calls []PastCall
	for i, e := range p.ended[kind] {
		start := p.w.instant(e.start)
		if start.Before(from) || !start.Before(to) {
			continue
		}
		c := PastCall{Service: e.service.code, Customer: e.customer}
		if c.ID = p.w.phones.callID(&ticket{number: e.number, start: e.start}); e.number == 0 {
			c.ID = fmt.Sprintf("%d.d%d", start.Unix(), i)
		}
		if end := p.w.instant(e.end); e.answered > 0 {
			answer := p.w.instant(e.answered)
			c.Steps = []PastStep{{start, answer}, {answer, end}}
		} else {
			c.Steps = []PastStep{{start, end}}
		}
		calls = append(calls, c)
	}
	slices.SortStableFunc(calls, func(x, y PastCall) int {
		return cmp.Or(x.Steps[0].Start.Compare(y.Steps[0].Start), cmp.Compare(x.ID, y.ID))
	})
	return calls
}

// Count returns the number of contacts that Ended returns.
func (p *Past) Count(kind PastKind, from, to time.Time) int {
	n := 0
	for _, e := range p.ended[kind] {
		if start := p.w.instant(e.start); !start.Before(from) && start.Before(to) {
			n++
		}
	}
	return n
}
