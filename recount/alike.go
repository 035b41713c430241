package recount

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"
)

// Moment is how a service, or all of a channel, stood at a time.
type Moment struct {
	At             time.Time
	Waiting, Ready int64
	Came           int64 // contacts in the ten minutes before
	Wait           time.Duration
}

// Like is a moment of the past that is like another, and how it went on.
type Like struct {
	Moment
	Over    time.Duration // until nobody waited any more; 0: that is not known, see Lasted
	Freed   int64         // how many were ready then
	Longest time.Duration // the longest wait on the way
	Lasted  time.Duration // for how long it is known how it went on
}

const (
	cameIn = 10 * time.Minute // what Came is counted over
	// alikeApart is how far two moments of the past are apart, so that they are not one.
	alikeApart = 30 * time.Minute
	// alikeAhead is how long it is looked how a moment went on.
	alikeAhead = time.Hour
)

// ErrTooSoon says that the recording does not reach to the moment that others are looked for.
var ErrTooSoon = errors.New("of the last ten minutes not enough is recorded to look for others like them")

// Alike returns the moment at a time, and those of the past that are like it: about as many
// waiting and ready, about as much coming, at about the same time of the day; the nearest
// first. The error may be [ErrTooSoon].
func Alike(ctx context.Context, p Pictures, when time.Time, of Scope, zone *time.Location, most int) (Moment, []Like, error) {
	from, _ := p.Span()
	var course []standing
	for s, err := range p.Through(from, when, everyWhole, of.tables()...) {
		if err == nil {
			err = stopped(ctx)
		}
		if err != nil {
			return Moment{}, nil, err
		}
		if now, known := standingOf(s, of); known && (len(course) == 0 || s.At.After(course[len(course)-1].at)) {
			course = append(course, now)
		}
	}
	var moments []Moment
	places := []int{} // of the moments in the course
	for i, first := 0, 0; i < len(course); i++ {
		for course[i].at.Sub(course[first].at) > cameIn {
			first++
		}
		if course[i].at.Sub(course[first].at) < cameIn-2*everyWhole || course[i].received < course[first].received {
			continue // not known, or the counters began anew
		}
		moments = append(moments, Moment{course[i].at, course[i].waiting, course[i].ready, course[i].received - course[first].received, course[i].wait})
		places = append(places, i)
	}
	n := len(moments)
	if n == 0 || when.Sub(moments[n-1].At) > apart {
		return Moment{}, nil, ErrTooSoon
	}
	now := moments[n-1]
	var found []int
	for i, m := range moments[:n-1] {
		if now.At.Sub(m.At) >= alikeApart && distance(now, m, zone) <= 1 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int {
		return cmp.Compare(distance(now, moments[a], zone), distance(now, moments[b], zone))
	})
	var out []Like
	for _, i := range found {
		if len(out) < most && !slices.ContainsFunc(out, func(l Like) bool { return l.At.Sub(moments[i].At).Abs() < alikeApart }) {
			out = append(out, followed(course[places[i]:], moments[i]))
		}
	}
	return now, out, nil
}

// distance is how far two moments are apart: above 1 they are not alike.
func distance(a, b Moment, zone *time.Location) float64 {
	const share = 0.35 // of a figure by which another may be off
	off := func(x, y int64, least float64) float64 {
		return math.Abs(float64(x-y)) / max(least, share*float64(max(x, y)))
	}
	minute := func(t time.Time) int { h, m, _ := t.In(zone).Clock(); return 60*h + m }
	hours := float64(min((minute(a.At)-minute(b.At)+24*60)%(24*60), (minute(b.At)-minute(a.At)+24*60)%(24*60))) / 60
	return max(off(a.Waiting, b.Waiting, 2), off(a.Ready, b.Ready, 1.5), off(a.Came, b.Came, 4), hours/4)
}

// followed tells how a moment went on.
func followed(course []standing, m Moment) Like {
	l := Like{Moment: m, Longest: m.Wait, Freed: m.Ready}
	for i, s := range course[1:] {
		if s.at.Sub(m.At) > alikeAhead || s.at.Sub(course[i].at) > apart {
			break
		}
		l.Lasted, l.Longest, l.Freed = s.at.Sub(m.At), max(l.Longest, s.wait), s.ready
		if m.Waiting > 0 && s.waiting == 0 {
			l.Over = l.Lasted
			break
		}
	}
	return l
}

// Words tell how a moment stood.
func (m *Moment) Words() string {
	return strconv.FormatInt(m.Waiting, 10) + " waiting, " + strconv.FormatInt(m.Ready, 10) + " ready, " +
		strconv.FormatInt(m.Came, 10) + " came in 10 min"
}

// Ended tells how it went on.
func (l *Like) Ended() string {
	minutes := func(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Minutes()))) + " min" }
	ready := strconv.FormatInt(l.Freed, 10) + " ready"
	longest := ", longest wait " + clock(l.Longest)
	switch {
	case l.Lasted == 0:
		return "how it went on is not recorded"
	case l.Over > 0:
		return "over after " + minutes(l.Over) + ", with " + ready + longest
	case l.Waiting > 0:
		return "not over " + minutes(l.Lasted) + " later" + longest
	case l.Longest > l.Wait+20*time.Second:
		return "within " + minutes(l.Lasted) + " somebody waited " + clock(l.Longest)
	}
	return "stayed so for " + minutes(l.Lasted) + longest
}
