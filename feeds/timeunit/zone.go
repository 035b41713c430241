package timeunit

import (
	"math"
	"slices"
	"time"
)

const (
	// zoneStep is the smallest difference of zones. A change may arrive up to zoneSlack after it
	// happened.
	zoneStep  = 15 * time.Minute
	zoneSlack = 20 * time.Second
	// The zones of the world, in minutes ahead of UTC.
	firstZone = -12 * 60
	lastZone  = 14 * 60
	// maxVotes limits how long old votes count.
	maxVotes = 256
	// minVoteRatio is the ratio of votes for a zone to votes for others that makes
	// it known.
	minVoteRatio = 5
)

// Zone is the offset of texts without a zone from UTC.
type Zone struct {
	Minutes  int  // ahead of UTC
	Known    bool // changes have confirmed it
	Presumed bool // most likely, not known
	Seen     bool // such texts were received
}

// zoneBelief is the evidence about the zone.
type zoneBelief struct {
	zone            Zone
	votes           map[int]int // changes that just happened, by the offset they imply in minutes
	texts           []int64     // texts of a full state, in Unix milliseconds as if in UTC
	readInZone      bool        // texts were read in this zone
	readInOtherZone bool        // texts were read in another zone before
}

// pin starts with a zone.
func (z *zoneBelief) pin(zone Zone) { z.zone, z.votes = zone, make(map[int]int) }

func (z *zoneBelief) reset() {
	clear(z.votes)
	z.texts = nil
}

// stateDuration is the distribution of the time in a state. Times below its median count as equally
// likely.
var stateDuration = State.distribution()

// zonePrior returns the log-prior of a zone in minutes.
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

// chooseZone presumes the most likely zone for the texts of a full state. It
// reports whether texts were read in another zone before.
func (z *zoneBelief) chooseZone(now time.Time) (changed bool) {
	texts := z.texts
	if z.texts = nil; len(texts) == 0 || z.zone.Known {
		return false
	}
	n := float64(min(len(texts), maxFullStateWeight)) / float64(len(texts))
	newest := slices.Max(texts)
	best, minutes := math.Inf(-1), 0
	for m := firstZone; m <= lastZone; m += int(zoneStep.Minutes()) {
		agoOf := func(ms int64) float64 { return float64(now.UnixMilli()-ms)/1e3 + float64(m)*60 }
		youngest := agoOf(newest)
		if youngest < -5 {
			continue // no instant is in the future
		}
		w := zonePrior(m) - youngest/max(3600/float64(len(texts)), 300)
		for _, ms := range texts {
			w += stateDuration.logLikelihood(max(agoOf(ms), stateDuration.median)) * n
		}
		if w > best {
			best, minutes = w, m
		}
	}
	if len(z.votes) > 0 && minutes != z.zone.Minutes && z.zone.Presumed {
		return false // a change is better evidence
	}
	return z.presume(minutes)
}

// presume sets the zone and reports whether texts were read in another zone
// before.
func (z *zoneBelief) presume(minutes int) (changed bool) {
	if z.zone.Presumed && z.zone.Minutes == minutes {
		return false
	}
	z.zone.Minutes, z.zone.Presumed = minutes, true
	if z.readInZone {
		z.readInZone, z.readInOtherZone = false, true
		return true
	}
	return false
}

// addChange evaluates the text of a change that just happened and reports whether texts were
// read in another zone before.
func (z *zoneBelief) addChange(ms int64, now time.Time) (changed bool) {
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
	firm := n >= minAgreeingCount && n >= minVoteRatio*(sum-n)
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

// Zone returns the zone for texts without one.
func (l *Learner) Zone() Zone {
	if l == nil {
		return Zone{}
	}
	return l.zone.zone
}

// LearnZone learns from the text of an instant that just changed. ms is the text in Unix
// milliseconds as if it were UTC, now the present time on the platform's clock.
func (l *Learner) LearnZone(ms int64, now time.Time) {
	if l != nil && l.zone.addChange(ms, now) {
		l.unitChanged = true
	}
}

// SampleLocal adds an instant without a zone from a full state, in Unix milliseconds
// as if in UTC, like [Learner.Sample].
func (l *Learner) SampleLocal(ms int64) {
	if l == nil {
		return
	}
	if l.zone.zone.Seen = true; len(l.zone.texts) < maxSamples {
		l.zone.texts = append(l.zone.texts, ms)
	}
}

// ZoneFor handles an instant without a zone that is read now and returns the
// zone to use.
func (l *Learner) ZoneFor(ms int64, at, now time.Time) Zone {
	if l == nil {
		return Zone{}
	}
	z := &l.zone
	if z.zone.Seen = true; !z.zone.Known && !z.zone.Presumed {
		l.SampleLocal(ms)
		l.EndFullState(at, now)
	}
	z.readInZone = true
	return z.zone
}
