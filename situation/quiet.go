package situation

import (
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/plainly"
	"wallboard/situation/track"
)

// quiet is what is said where nothing goes on. It says that all services are on target
// only where every one of them is known to be, and nothing of the day is amiss.
func (w *Watch) quiet(s *model.Snapshot, today []Situation) string {
	switch {
	case !fresh(s):
		return "Nothing is known of the present: the feed is not live"
	case s.Services.Len() == 0:
		return "No service is shown to this login"
	}
	d := w.duty(s)
	if d.queues > 0 && d.unknown == d.queues {
		return "Nothing is raised; who waits is not known"
	}
	text := "Nothing needs you now"
	if len(today) == 0 && d.unknown == 0 && d.services > 0 && d.inTarget == d.services {
		text = "All " + strconv.Itoa(d.services) + " services are on target"
		if d.services == 1 {
			text = "The service is on target"
		}
	}
	parts := []string{text}
	if d.queues > 0 {
		parts = append(parts, d.wait())
	}
	if text := ofDay(today); text != "" {
		parts = append(parts, "today: "+text)
	}
	if d.unknown > 0 {
		parts = append(parts, "who waits is not known of "+plainly.Count(d.unknown, "service", "services"))
	}
	return strings.Join(parts, " · ")
}

// duty is how the services of a floor do, each counted once, whatever its channels.
type duty struct {
	services int
	inTarget int // known to be, on all of their channels
	queues   int // services where somebody sits and waits
	unknown  int // of those: where it is not known who does
	longest  time.Duration
	on       model.Channel // where that one waits
	waiting  bool
	timed    bool // of all who wait it is known for how long
}

func (w *Watch) duty(s *model.Snapshot) duty {
	type one struct{ off, queue, unknown, counted bool }
	byCode := make(map[string]*one)
	d := duty{timed: true}
	for r := range s.Services.All() {
		c := byCode[r.Key().Code]
		if c == nil {
			c = &one{}
			byCode[r.Key().Code] = c
		}
		in, counts := w.inTarget(r)
		c.off, c.counted = c.off || !in, c.counted || counts
		if r.Channel == model.MailACD || r.Channel == model.OmniDesk {
			continue // what lies there for hours by its nature is no wait
		}
		c.queue = true
		waiting, known := r.ChannelStats.QueuedCalls.Get()
		wait, timed := r.ChannelStats.LongestWait().Seconds()
		switch {
		case !known:
			c.unknown = true
		case waiting > 0:
			d.waiting, d.timed = true, d.timed && timed
			if wait > d.longest {
				d.longest, d.on = wait, r.Channel
			}
		}
	}
	d.services = len(byCode)
	counted := false
	for _, c := range byCode {
		counted = counted || c.counted
		if !c.off {
			d.inTarget++
		}
		if c.queue {
			d.queues++
		}
		if c.unknown {
			d.unknown++
		}
	}
	if !counted { // nothing has come yet that a target could be about
		d.inTarget = 0
	}
	return d
}

// inTarget reports whether a service is known to be in its target on a channel, and
// whether anything has come there today that it is about.
func (w *Watch) inTarget(r *model.Service) (in, counts bool) {
	if w.goal == nil {
		return false, false
	}
	goal := w.goal(r.Key().Code)
	target, some := goal.ServiceLevel.Get()
	inTime, all, known := r.ChannelStats.Counted(goal.Formula)
	if !some || !known {
		return false, false
	}
	return float64(inTime) >= target*float64(all), all > 0
}

// wait says how long the one has waited who has waited longest.
func (d *duty) wait() string {
	switch {
	case d.waiting && d.timed:
		text := "longest wait " + plainly.Span(d.longest)
		if d.on != "" && d.on != model.Call { // the figures beside it are mostly about calls
			text += " (" + plainly.Channel(d.on) + ")"
		}
		return text
	case d.waiting:
		return "for how long the longest waits is not known"
	case d.unknown > 0:
		return "nobody waits, as far as it is known"
	}
	return "nobody waits"
}

// ofDay says what of the day is not as it should be: each service is counted once.
func ofDay(today []Situation) string {
	codes := make(map[string]bool)
	for i := range today {
		sit := &today[i]
		k := sit.Place.Key
		if k.Scope != alert.Service {
			return plainly.Count(len(today), "figure is", "figures are") + " not as they should be"
		}
		codes[k.Code] = true
	}
	switch len(codes) {
	case 0:
		return ""
	case 1:
		return today[0].Place.Title + " off target"
	}
	return strconv.Itoa(len(codes)) + " services off target"
}

// fresh reports whether services and agents are told as they are now.
func fresh(s *model.Snapshot) bool { return track.Fresh(&s.Health) }
