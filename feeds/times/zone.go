package times

import (
	"math"
	"slices"
	"time"
)

const (
	// A zone is a multiple of zoneStep; a change is told within zoneSlack.
	zoneStep  = 15 * time.Minute
	zoneSlack = 20 * time.Second
	// The zones of the world, in minutes ahead of UTC.
	firstZone = -12 * 60
	lastZone  = 14 * 60
	// maxVotes bounds how long what is long past counts.
	maxVotes = 256
	// clearly is how many times as many changes have to tell a zone as tell others.
	clearly = 5
)

// Zone is how far texts without a zone are ahead of UTC.
type Zone struct {
	Minutes  int
	Known    bool
	Presumed bool // it is the likeliest one
	Met      bool // such texts come
}

// zoneBelief is what is known of the zone.
type zoneBelief struct {
	zone  Zone
	votes map[int]int // of changes that were just told, by minutes
	look  []int64     // texts of a full state, in milliseconds as if in UTC
	read  bool        // texts were read in this zone
	stale bool        // texts were read in another zone before
}

// pin starts from a zone.
func (z *zoneBelief) pin(zone Zone) { z.zone, z.votes = zone, make(map[int]int) }

func (z *zoneBelief) anew() {
	clear(z.votes)
	z.look = nil
}

// sinceLocal is for how long agents are in a state. Short times are no less likely
// than the median.
var sinceLocal = State.spread()

// zonePrior returns the logarithm of how likely a zone is, in minutes.
func zonePrior(minutes int) float64 {
	switch {
	case minutes == 0:
		return -1.2
	case minutes%60 == 0:
		return -3.8
	case minutes%30 == 0:
		return -6
	}
	return -8
}

// conclude presumes the zone that the texts of a full state make the likeliest. It
// reports whether texts were read in another one before.
func (z *zoneBelief) conclude(now time.Time) (changed bool) {
	texts := z.look
	if z.look = nil; len(texts) == 0 || z.zone.Known {
		return false
	}
	n := float64(min(len(texts), mostRows)) / float64(len(texts))
	newest := slices.Max(texts)
	best, minutes := math.Inf(-1), 0
	for m := firstZone; m <= lastZone; m += int(zoneStep.Minutes()) {
		agoOf := func(ms int64) float64 { return float64(now.UnixMilli()-ms)/1e3 + float64(m)*60 }
		youngest := agoOf(newest)
		if youngest < -5 {
			continue // nothing lies in the future
		}
		w := zonePrior(m) - youngest/max(3600/float64(len(texts)), 300)
		for _, ms := range texts {
			w += sinceLocal.log(max(agoOf(ms), sinceLocal.median)) * n
		}
		if w > best {
			best, minutes = w, m
		}
	}
	if len(z.votes) > 0 && minutes != z.zone.Minutes && z.zone.Presumed {
		return false // a change has told it
	}
	return z.presume(minutes)
}

// presume takes a zone, and reports whether texts were read in another one before.
func (z *zoneBelief) presume(minutes int) (changed bool) {
	if z.zone.Presumed && z.zone.Minutes == minutes {
		return false
	}
	z.zone.Minutes, z.zone.Presumed = minutes, true
	if z.read {
		z.read, z.stale = false, true
		return true
	}
	return false
}

// change takes a text that was just told, and reports whether texts were read in
// another zone before.
func (z *zoneBelief) change(ms int64, now time.Time) (changed bool) {
	ahead := time.UnixMilli(ms).Sub(now)
	zone := ahead.Round(zoneStep)
	if (ahead-zone).Abs() > zoneSlack || zone.Abs() > 24*time.Hour {
		return false
	}
	minutes := int(zone.Minutes())
	z.votes[minutes]++
	sum, most := 0, 0
	for m, n := range z.votes {
		if sum += n; n > z.votes[most] || n == z.votes[most] && m == z.zone.Minutes {
			most = m
		}
	}
	if sum > maxVotes {
		for m := range z.votes {
			z.votes[m] /= 2
		}
	}
	n := z.votes[most]
	firm := n >= agreed && n >= clearly*(sum-n)
	if z.zone.Known && (!firm || most == z.zone.Minutes) {
		return false
	}
	if z.zone.Known {
		z.zone.Known, z.zone.Presumed = false, true
	}
	changed = z.presume(most)
	z.zone.Known = firm
	return changed
}

// Zone returns the zone of texts that have none.
func (l *Learner) Zone() Zone {
	if l == nil {
		return Zone{}
	}
	return l.zone.zone
}

// Change takes an instant without a zone that changed just now: milliseconds as
// if in UTC, and the time on the platform's clock.
func (l *Learner) Change(ms int64, now time.Time) {
	if l != nil && l.zone.change(ms, now) {
		l.changed = true
	}
}

// Local takes an instant without a zone of a full state, in milliseconds as if in
// UTC, as [Learner.Sample] takes a number.
func (l *Learner) Local(ms int64) {
	if l == nil {
		return
	}
	if l.zone.zone.Met = true; len(l.zone.look) < maxRows {
		l.zone.look = append(l.zone.look, ms)
	}
}

// MetLocal takes an instant without a zone that is read now, and returns the zone
// to read it in.
func (l *Learner) MetLocal(ms int64, at, now time.Time) Zone {
	if l == nil {
		return Zone{}
	}
	z := &l.zone
	if z.zone.Met = true; !z.zone.Known && !z.zone.Presumed {
		l.Local(ms)
		l.Conclude(at, now)
	}
	z.read = true
	return z.zone
}
