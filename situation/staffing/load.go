// Package staffing says what a queue needs: how many more ready agents clear it and
// when, when it clears by itself, who could help, and how thin a service is. Pure.
package staffing

import (
	"fmt"
	"math"
	"sort"
	"time"

	"wallboard/model"
	"wallboard/situation/plainly"
	"wallboard/situation/track"
)

// Load is what a service has to do at one moment, and who is there for it.
type Load struct {
	Waiting   float64 // contacts that ring at nobody
	PerSecond float64 // contacts that come
	Work      float64 // seconds that one takes an agent, after-call work included
	Agents    float64 // who take them, each as soon as they are free: see [track.Track.Hands]
	Patience  float64 // seconds after which who waits gives up, as a mean; 0: nobody gives up

	Over  time.Duration // the time until now that contacts came so; 0: nobody knows
	Burst track.Burst   // that is left out of it, as it is over
}

// The times that the parts of a load are estimated from.
const (
	lately   = 6 * time.Minute  // that somebody has watched
	longer   = 60 * time.Minute // how long people wait
	leastFor = 90               // seconds
	leastOf  = 3                // contacts
	// hardly is how long somebody is taken to wait before they give up, as long as
	// nobody has: it counts as one who did.
	hardly = 180 // seconds
	// ahead is for how long the agents of now are counted.
	ahead = 5 * time.Minute
)

// Of returns the load of a service, or says what is lacking to know it.
func Of(t *track.Track, r *model.Service, now time.Time) (l Load, lacks string) {
	waiting, ok := r.ChannelStats.QueuedCalls.Get()
	if !ok {
		return l, "How many wait is not known."
	}
	recent := t.Span(r.Key(), now.Add(-lately), now)
	span := t.Span(r.Key(), now.Add(-longer), now)
	switch {
	case recent.Seconds < leastFor:
		return l, "The board has not watched for long enough to know how many contacts come."
	case recent.Unknown:
		return l, "How many contacts come is not known."
	case span.UnknownHeads:
		return l, "Where the agents are is not known."
	case span.Talks < leastOf:
		return l, "Too few contacts have ended to know how long one takes."
	}
	talk, wrap, _ := t.Work(r.Key(), now)
	l = Load{
		Waiting: max(float64(waiting)-float64(t.Ringing(r.Key())), 0), Work: talk + wrap,
		Agents: t.Hands(r.Key(), ahead, now),
	}
	come := t.Rate(r.Key(), now)
	l.PerSecond, l.Over, l.Burst = come.PerSecond, come.Over, come.Burst
	if !span.UnknownLosses {
		l.Patience = (span.WaitSeconds + hardly) / (span.GaveUp + 1)
	}
	return l, ""
}

// horizon is how far ahead anything is said.
const horizon = time.Hour

// Clears returns how long it takes as a mean until nobody waits with so many more
// ready agents, false where that is not within the hour.
//
// It is the queue of Erlang A on its way down, exactly: contacts come at random, each
// takes its time at random about the mean, who waits gives up at random about theirs.
// While somebody waits every agent is busy, so that from n who wait it goes up by what
// comes and down by what the agents finish and who gives up; the time from n to n-1 is
// h(n) = (1 + come h(n+1)) / down(n). The new agents take one each at once.
func (l Load) Clears(more int) (time.Duration, bool) {
	left := int(math.Ceil(l.Waiting)) - more
	if left <= 0 {
		return 0, true
	}
	if l.Work <= 0 {
		return 0, false
	}
	served := (l.Agents + float64(more)) / l.Work
	gives := 0.0
	if l.Patience > 0 {
		gives = 1 / l.Patience
	}
	if gives == 0 && served <= l.PerSecond {
		return 0, false
	}
	down := func(n int) float64 { return served + float64(n)*gives }
	// Far enough up it comes down quickly, whatever is said of the way there.
	top := left + 300
	h := 1 / math.Max(down(top)-l.PerSecond, 1e-6)
	sum := 0.0
	for n := top - 1; n >= 1; n-- {
		h = (1 + l.PerSecond*h) / down(n)
		if n <= left {
			sum += h
		}
	}
	if sum > horizon.Seconds() {
		return 0, false
	}
	return time.Duration(sum * float64(time.Second)), true
}

// GivesUp reports whether more of those who wait give up than are served, as it goes
// now.
func (l Load) GivesUp() bool {
	return l.Patience > 0 && l.Waiting/l.Patience > l.Agents/max(l.Work, 1)
}

// steady is for how long contacts have come so before anybody would staff for it: a burst
// of a minute is over before they are there.
const steady = 3 * time.Minute

// KeepsUp returns how many more agents it takes that as many contacts are served as come,
// whoever waits now and whoever gives up; 0: those who are there do, or it has not been so
// for long enough to tell.
func (l Load) KeepsUp() int {
	if l.Over < steady {
		return 0
	}
	return max(int(math.Ceil(l.PerSecond*l.Work-l.Agents-0.05)), 0)
}

// mostMore is how many more agents are thought of.
const mostMore = 60

// Needed returns the fewest more ready agents with which nobody waits within a time,
// false where that takes more than anybody could send.
func (l Load) Needed(within time.Duration) (more int, ok bool) {
	// More agents never take longer.
	more = sort.Search(mostMore+1, func(n int) bool {
		d, ok := l.Clears(n)
		return ok && d <= within
	})
	if more > mostMore {
		return 0, false
	}
	return more, true
}

// Serves is [Load.Needed], and enough that most of those who wait do not give up.
func (l Load) Serves(within time.Duration) (more int, ok bool) {
	more, ok = l.Needed(within)
	for ok && more < mostMore && l.with(more).GivesUp() {
		more++
	}
	return more, ok && !l.with(more).GivesUp()
}

// Range returns how many more agents it takes at least and at most, around an estimate:
// with the estimates of the load off to the better and to the worse by what is usual.
func (l Load) Range(estimate int, within time.Duration) (least, most int) {
	if estimate == 0 {
		return 0, 0
	}
	least, most = estimate, 2*estimate
	if n, ok := l.off(-1).Needed(within); ok {
		least = min(n, estimate)
	}
	if n, ok := l.off(1).Needed(within); ok {
		most = n
	}
	return least, max(most, estimate+1)
}

// headsOff is the part by which the agents who take contacts are usually misjudged.
const headsOff = 0.1

// off is the load when its estimates are off to the worse, by -1 to the better: as many
// more contacts come as chance brings, and fewer agents take them.
func (l Load) off(by float64) Load {
	over := max(l.Over.Seconds(), lately.Seconds()/4)
	l.PerSecond = max(l.PerSecond+by*math.Sqrt(l.PerSecond*over)/over, 0)
	l.Agents *= math.Pow(1-headsOff, by)
	return l
}

// with is the load when so many more agents have come, each of whom takes one who waits.
func (l Load) with(more int) Load {
	l.Waiting, l.Agents = max(l.Waiting-float64(more), 0), l.Agents+float64(more)
	return l
}

// Assumptions says what the figures take for granted, with the numbers.
func (l Load) Assumptions() []string {
	patience := "The forecast assumes that nobody gives up: the platform does not say how many do."
	if l.Patience > 0 {
		patience = "Who waits gives up after " + plainly.Seconds(l.Patience) + " on average, as others did lately."
	}
	return []string{
		fmt.Sprintf("%s contacts a minute come, as over the last %s%s.", plainly.Number(l.PerSecond*60), plainly.About(l.Over), l.without()),
		"One takes an agent " + plainly.Seconds(l.Work) + ", the work after it included.",
		fmt.Sprintf("%s them, counted by when they are free: who is so sooner, as in after-call work, for more than one; who is busy with something longer, or serves others with a queue, in part. Who is away, or goes after this contact, stays away.",
			plainly.Count(int(l.Agents+0.5), "agent takes", "agents take")),
		patience,
		"Both come and go at random (Erlang A): the time is an average, often shorter and sometimes much longer.",
	}
}

// without says which contacts are left out of how many come.
func (l Load) without() string {
	if l.Burst == (track.Burst{}) {
		return ""
	}
	return fmt.Sprintf(" without the %.0f that came within %s, as that is over", l.Burst.Came, plainly.About(l.Burst.To.Sub(l.Burst.From)))
}
