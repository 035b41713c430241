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
	Waiting   float64 // contacts
	PerSecond float64 // contacts that come
	Work      float64 // seconds that one takes an agent, after-call work included
	Agents    float64 // who are there for it
	Patience  float64 // seconds after which who waits gives up, as a mean; 0: nobody gives up
}

// The times that the parts of a load are estimated from.
const (
	lately   = 6 * time.Minute  // contacts that come
	longer   = 60 * time.Minute // how long one takes, and how long people wait
	leastFor = 90               // seconds
	leastOf  = 3                // contacts
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
	talk, _ := recent.Talk(span.Talk(model.Figure{})).Get()
	wrap, _ := recent.WrapUp(span.WrapUp(model.Figure{})).Get()
	present := t.Present(r.Key())
	l = Load{
		Waiting: float64(waiting), PerSecond: recent.Arrived / recent.Seconds, Work: talk + wrap,
		Agents: present.AtWork(),
	}
	if !span.UnknownLosses && span.GaveUp >= leastOf && span.WaitSeconds > 0 {
		l.Patience = span.WaitSeconds / span.GaveUp
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

// Assumptions says what the figures take for granted, with the numbers.
func (l Load) Assumptions() []string {
	patience := "Nobody is taken to give up: too few did lately to know after how long."
	if l.Patience > 0 {
		patience = "Who waits gives up after " + plainly.Seconds(l.Patience) + " as a mean, as lately."
	}
	return []string{
		fmt.Sprintf("%s contacts a minute come, as in the last minutes.", plainly.Number(l.PerSecond*60)),
		"One takes an agent " + plainly.Seconds(l.Work) + ", the work after it included.",
		fmt.Sprintf("%s there for them; who else serves them stays where they are.", plainly.Count(int(l.Agents+0.5), "agent is", "agents are")),
		patience,
		"Both come and go at random (Erlang A); a mean, so it is often shorter and sometimes much longer.",
	}
}
