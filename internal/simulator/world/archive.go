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

// ContactKind is a kind of contact in the statistics (document 3, section "What the service does").
type ContactKind uint8

// Kinds of contact.
const (
	KindInbound ContactKind = iota
	KindOutbound
	KindVideo
	KindChat
	KindSupport
)

const numContactKinds = int(KindSupport) + 1

// FinishedContact is a finished contact.
type FinishedContact struct {
	ID       string
	Service  string // service code
	Customer int    // from 0 to [NumCallers]-1
	Steps    []ContactStep
}

// ContactStep is a wait, a conversation, or a conversation after a transfer.
type ContactStep struct{ Start, End time.Time }

// archiveDays is the number of days in the archive.
const archiveDays = 90

// Unusual days of the archive: a day with high traffic, and holidays with low traffic. Days are
// counted from the opening day; busyDayOffset is two weeks earlier.
const (
	busyDayOffset  = -14
	busyDayTraffic = 1.9
	holidayTraffic = 0.04
)

func isHoliday(day int) bool { return day == -37 || day == -64 }

// Archive generates the contacts before the opening of a world, hour by hour, when they are
// requested. The contacts depend only on the seed and the size of the world. The methods of an
// Archive are safe for concurrent use.
//
// The days of the archive follow the platform's clock, with busy Mondays and quiet Sundays.
// Hours are counted from the opening, which makes the archive of a seed independent of the
// minute of the clock. On the opening day the archive has as many contacts as the world,
// whatever the weekday. The traffic of other days is relative to the opening day.
type Archive struct {
	seed             uint64
	services         []string
	peakPerHour      [numContactKinds]float64 // number of contacts per hour at the peak of the day
	openingTimeOfDay time.Duration            // time of day at the opening of the world
	openingClock     time.Time                // time on the platform's clock at the opening
	end              time.Time                // beginning of the world's own records, on the platform's clock

	mu          sync.Mutex // guards the fields below
	cachedHours map[archiveHour][]FinishedContact
}

type archiveHour struct {
	kind   ContactKind
	second int64 // seconds since 1970
}

// maxCachedHours is the maximum number of cached hours. A full cache is emptied.
const maxCachedHours = 1000

// FinishedContacts holds the contacts in the archive and those that ended in the world.
type FinishedContacts struct {
	w       *World
	archive *Archive
	ended   [numContactKinds][]endedContact
}

// Archive returns the archive of the contacts before the world's own records.
func (p *FinishedContacts) Archive() *Archive { return p.archive }

// newArchive creates the archive of a world before its first event.
func (p *FinishedContacts) newArchive() *Archive {
	a := &Archive{
		seed: uint64(p.w.opts.Seed), openingTimeOfDay: p.w.opening, openingClock: p.w.opts.Clock, //nolint:gosec // the sign of a seed does not matter
		end: p.w.recordTime(p.w.now), cachedHours: make(map[archiveHour][]FinishedContact),
	}
	a.services, _, _ = p.w.Codes()
	for _, s := range p.w.streams {
		if kind, ok := contactKindOf(s.serviceChannel.channel); ok {
			a.peakPerHour[kind] += s.rate * 3600
		}
	}
	for _, c := range p.w.dialer.campaigns {
		if c.isRunning {
			a.peakPerHour[KindOutbound] += campaignUtilization * float64(time.Hour) / float64(c.attemptInterval)
		}
	}
	a.peakPerHour[KindSupport] = a.peakPerHour[KindInbound] / 60
	return a
}

// campaignUtilization is the share of the possible attempts that a campaign makes. For the
// others, all channels are in use or there are no contacts.
const campaignUtilization = 0.75

// contactKindOf returns the kind of the contacts on a channel. The bool result is false if the
// statistics of document 3 do not include the channel.
func contactKindOf(ch channel) (ContactKind, bool) {
	switch ch {
	case channelCall:
		return KindInbound, true
	case channelVideo:
		return KindVideo, true
	case channelChat, channelLiveHelp:
		return KindChat, true
	case channelMail, channelCustom1, channelCustom2, channelCustom3, channelOmniDesk:
	}
	return 0, false
}

// Count returns the number of contacts of a kind in the archive that began in [from, to).
func (a *Archive) Count(kind ContactKind, from, to time.Time) int {
	n := 0
	a.forEachHour(from, to, func(at time.Time) {
		end := at.Add(time.Hour)
		if !at.Before(from) && !end.After(to) && !end.After(a.end) {
			n += a.countInHour(kind, at)
			return
		}
		n += len(filterByStart(a.contactsInHour(kind, at), from, to, a.end))
	})
	return n
}

// Contacts returns the archive's contacts of a kind that began in [from, to), oldest first.
func (a *Archive) Contacts(kind ContactKind, from, to time.Time) []FinishedContact {
	var all []FinishedContact
	a.forEachHour(from, to, func(at time.Time) {
		all = append(all, filterByStart(a.contactsInHour(kind, at), from, to, a.end)...)
	})
	return all
}

// forEachHour calls handle with the start of each hour of the archive that overlaps [from, to).
func (a *Archive) forEachHour(from, to time.Time, handle func(hour time.Time)) {
	first := a.end.Add(-archiveDays * day)
	if from.Before(first) {
		from = first
	}
	if to.After(a.end) {
		to = a.end
	}
	hours := math.Floor(from.Sub(a.openingClock).Hours())
	for hour := a.openingClock.Add(time.Duration(hours) * time.Hour); hour.Before(to); hour = hour.Add(time.Hour) {
		handle(hour)
	}
}

// filterByStart returns the calls that began in [from, to) and before end. The calls must be
// ordered by their beginning.
func filterByStart(calls []FinishedContact, from, to, end time.Time) []FinishedContact {
	if end.Before(to) {
		to = end
	}
	begin := func(c FinishedContact, t time.Time) int { return c.Steps[0].Start.Compare(t) }
	i, _ := slices.BinarySearchFunc(calls, from, begin)
	j, _ := slices.BinarySearchFunc(calls, to, begin)
	return calls[i:max(i, j)]
}

// hourRandom returns a random source that depends only on the seed, the kind and the hour.
func (a *Archive) hourRandom(kind ContactKind, at time.Time) *rand.Rand {
	hour := uint64(at.Sub(a.openingClock)/time.Hour)*uint64(numContactKinds) + uint64(kind) //nolint:gosec // only the low bits matter
	return rand.New(rand.NewPCG(scramble(a.seed), scramble(hour)))
}

// countInHour returns the number of contacts that began in the hour that starts at the given time.
func (a *Archive) countInHour(kind ContactKind, at time.Time) int {
	expected := a.peakPerHour[kind] * a.trafficLevel(kind, at.Add(time.Hour/2))
	drawn := expected + math.Sqrt(expected)*a.hourRandom(kind, at).NormFloat64()
	return max(int(math.Round(drawn)), 0)
}

// trafficLevel returns the traffic at an instant, relative to the peak of the opening day.
func (a *Archive) trafficLevel(kind ContactKind, at time.Time) float64 {
	t := at.Sub(a.openingClock) + a.openingTimeOfDay
	t -= time.Duration(math.Floor(float64(t)/float64(day))) * day
	curve := dayCurve(t)
	if kind == KindOutbound { // campaigns run while the services are open
		curve = 0
		if t >= serviceOpening && t < serviceClosing {
			curve = 1
		}
	}
	at = at.In(a.openingClock.Location())
	day0 := daysBetween(a.openingClock, at)
	level := curve * WeekdayTraffic(at.Weekday()) / WeekdayTraffic(a.openingClock.Weekday())
	random := rand.New(rand.NewPCG(scramble(a.seed+1), scramble(uint64(day0)))) //nolint:gosec // only the low bits matter
	level *= 1 + 0.06*random.NormFloat64()
	switch {
	case day0 == busyDayOffset:
		level *= busyDayTraffic
	case isHoliday(day0):
		level *= holidayTraffic
	}
	return max(level, 0)
}

// WeekdayTraffic returns the traffic of a day of the week, relative to an average day.
func WeekdayTraffic(d time.Weekday) float64 {
	return [...]float64{0.4, 1.14, 1.04, 1, 0.98, 0.92, 0.55}[d] // Sunday first
}

// daysBetween returns the number of midnights between two times, negative if to is before from.
func daysBetween(from, to time.Time) int {
	date := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(date(to).Sub(date(from)) / day)
}

// contactsInHour returns the contacts that began in the hour that starts at the given time.
func (a *Archive) contactsInHour(kind ContactKind, at time.Time) []FinishedContact {
	key := archiveHour{kind, at.Unix()}
	a.mu.Lock()
	defer a.mu.Unlock()
	if calls, ok := a.cachedHours[key]; ok {
		return calls
	}
	if len(a.cachedHours) >= maxCachedHours {
		clear(a.cachedHours)
	}
	calls := a.generateHour(kind, at)
	a.cachedHours[key] = calls
	return calls
}

// generateHour generates the contacts of an hour.
func (a *Archive) generateHour(kind ContactKind, at time.Time) []FinishedContact {
	dice := a.hourRandom(kind, at)
	calls := make([]FinishedContact, a.countInHour(kind, at))
	h := handlingOf(channelCall)
	switch kind {
	case KindVideo:
		h = handlingOf(channelVideo)
	case KindChat:
		h = handlingOf(channelChat)
	case KindSupport:
		h.talkTime = 4 * time.Hour
	case KindOutbound, KindInbound:
	}
	for i := range calls {
		start := at.Add(time.Duration(dice.Int64N(int64(time.Hour)))).Truncate(time.Millisecond)
		seconds := func(mean time.Duration) time.Duration {
			return time.Duration(dice.ExpFloat64()*float64(mean)).Truncate(time.Millisecond) + time.Second
		}
		c := &calls[i]
		c.Service = a.services[int(float64(len(a.services))*dice.Float64()*dice.Float64())]
		c.Customer = callerFromRandom(dice.Float64())
		wait := ContactStep{start, start.Add(seconds(12 * time.Second))}
		c.Steps = []ContactStep{wait}
		if dice.Float64() < 0.07 {
			continue // abandoned
		}
		talk := ContactStep{wait.End, wait.End.Add(seconds(h.talkTime))}
		c.Steps = append(c.Steps, talk)
		if dice.Float64() < 0.09 { // transferred
			c.Steps = append(c.Steps, ContactStep{talk.End, talk.End.Add(seconds(h.talkTime / 2))})
		}
	}
	slices.SortFunc(calls, func(x, y FinishedContact) int { return x.Steps[0].Start.Compare(y.Steps[0].Start) })
	for i := range calls {
		calls[i].ID = fmt.Sprintf("%d.%d%05d", calls[i].Steps[0].Start.Unix(), kind, i)
	}
	return calls
}

// callerFromRandom returns the number of a customer for a random number from 0 to 1. Customers
// with a low number call more often; the first customers are in the address book.
func callerFromRandom(random float64) int {
	return min(int(NumCallers*random*random*random), NumCallers-1)
}

// endedContact is a contact that ended in the world; the archive generates all others.
type endedContact struct {
	number                 uint64 // sequence number of the contact; 0: an attempt of the dialer
	service                *service
	customer               int
	start, answeredAt, end time.Duration // answeredAt is 0 if the contact was not answered
}

// addEnded stores a contact that ends now. If there are too many contacts, it drops the older half.
func (p *FinishedContacts) addEnded(kind ContactKind, e endedContact) {
	list := &p.ended[kind]
	if len(*list) >= p.w.opts.MaxFinished {
		*list = slices.Delete(*list, 0, (len(*list)+1)/2)
	}
	e.end = p.w.now
	*list = append(*list, e)
}

// addContact stores a contact of a service that ends now, if the statistics include its channel.
func (p *FinishedContacts) addContact(c *contact) {
	if kind, ok := contactKindOf(c.serviceChannel.channel); ok {
		p.addEnded(kind, endedContact{number: c.number, service: c.serviceChannel.service, customer: p.w.phones.callerOf(&c.contactBase), start: c.startedAt, answeredAt: c.answeredAt})
	}
}

// Ended returns the contacts of a kind that began in [from, to) and ended in the world,
// ordered by their beginning. It does not include the archive.
func (p *FinishedContacts) Ended(kind ContactKind, from, to time.Time) []FinishedContact {
	var calls []FinishedContact
	for i, e := range p.ended[kind] {
		start := p.w.recordTime(e.start)
		if start.Before(from) || !start.Before(to) {
			continue
		}
		c := FinishedContact{Service: e.service.code, Customer: e.customer}
		if c.ID = p.w.phones.callID(&contactBase{number: e.number, startedAt: e.start}); e.number == 0 {
			c.ID = fmt.Sprintf("%d.d%d", start.Unix(), i)
		}
		if end := p.w.recordTime(e.end); e.answeredAt > 0 {
			answer := p.w.recordTime(e.answeredAt)
			c.Steps = []ContactStep{{start, answer}, {answer, end}}
		} else {
			c.Steps = []ContactStep{{start, end}}
		}
		calls = append(calls, c)
	}
	slices.SortStableFunc(calls, func(x, y FinishedContact) int {
		return cmp.Or(x.Steps[0].Start.Compare(y.Steps[0].Start), cmp.Compare(x.ID, y.ID))
	})
	return calls
}

// Count returns the number of contacts that Ended returns.
func (p *FinishedContacts) Count(kind ContactKind, from, to time.Time) int {
	n := 0
	for _, e := range p.ended[kind] {
		if start := p.w.recordTime(e.start); !start.Before(from) && start.Before(to) {
			n++
		}
	}
	return n
}
