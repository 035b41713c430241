package timeunit

import (
	"math"
	"slices"
	"time"
)

const (
	// zoneStep is the smallest difference between two time zones. zoneTolerance is how long after a
	// change its message may arrive.
	zoneStep      = 15 * time.Minute
	zoneTolerance = 20 * time.Second
	// firstZone and lastZone are the first and the last time zone considered, in minutes ahead of
	// UTC.
	firstZone = -12 * 60
	lastZone  = 14 * 60
	// maxVotes is the number of votes at which all votes are halved, so that old votes count less.
	maxVotes = 256
	// minVoteRatio is the smallest ratio of a zone's votes to those of all other zones together at
	// which the zone counts as known.
	minVoteRatio = 5
)

// Zone is the time zone of strings without one, as an offset from UTC.
type Zone struct {
	Minutes      int  // minutes ahead of UTC
	Known        bool // the zone is configured, or observed changes have confirmed it
	Presumed     bool // the most likely zone, but not known
	TextReceived bool // strings without a zone were received
}

// zoneEstimate holds the evidence about the time zone of strings without one, and the most likely
// zone.
type zoneEstimate struct {
	zone            Zone
	votes           map[int]int // number of observed changes that imply a zone, by the zone's minutes ahead of UTC
	texts           []int64     // instants of the current full state, in Unix milliseconds as if in UTC
	readInZone      bool        // values in use were read in zone
	readInOtherZone bool        // values in use were read in another zone
}

// pinZone sets the learner's initial zone.
func (z *zoneEstimate) pinZone(zone Zone) { z.zone, z.votes = zone, make(map[int]int) }

func (z *zoneEstimate) reset() {
	clear(z.votes)
	z.texts = nil
}

// stateDuration is the distribution of the time that an agent spends in a state. To choose a zone,
// all times below the median count as equally likely.
var stateDuration = FieldState.distribution()

// zonePrior returns the log-likelihood of a zone before any evidence. minutes is the zone, in
// minutes ahead of UTC.
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

// chooseZone makes the most likely zone for the strings of a full state the presumed one. It does
// nothing if the zone is known, or if observed changes support the presumed zone. changed is true
// if strings were read in another zone before.
func (z *zoneEstimate) chooseZone(now time.Time) (changed bool) {
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
			continue // no instant can be in the future
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
		return false // observed changes are better evidence than a full state
	}
	return z.setPresumedZone(minutes)
}

// setPresumedZone makes the zone with the given minutes ahead of UTC the presumed one. changed is true if
// strings were read in another zone before.
func (z *zoneEstimate) setPresumedZone(minutes int) (changed bool) {
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

// addChange evaluates an instant that has just changed and is therefore close to now. ms is the
// instant in Unix milliseconds, as if in UTC. changed is true if the zone changed and strings had
// been read in the previous one.
func (z *zoneEstimate) addChange(ms int64, now time.Time) (changed bool) {
	ahead := time.UnixMilli(ms).Sub(now)
	zone := ahead.Round(zoneStep)
	if (ahead-zone).Abs() > zoneTolerance || zone.Abs() > 24*time.Hour {
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
	isKnown := n >= minAgreeingCount && n >= minVoteRatio*(sum-n)
	if z.zone.Known && (!isKnown || most == z.zone.Minutes) {
		return false
	}
	if z.zone.Known {
		z.zone.Known, z.zone.Presumed = false, true
	}
	changed = z.setPresumedZone(most)
	z.zone.Known = isKnown
	return changed
}

// Zone returns the known or presumed zone of strings without a zone.
func (l *Learner) Zone() Zone {
	if l == nil {
		return Zone{}
	}
	return l.zone.zone
}

// LearnZone learns from an instant without a zone that has just changed and is therefore close to
// now. ms is the instant in Unix milliseconds, as if in UTC. now is the time on the platform's
// clock.
func (l *Learner) LearnZone(ms int64, now time.Time) {
	if l != nil && l.zone.addChange(ms, now) {
		l.unitChanged = true
	}
}

// AddLocalSample adds an instant without a zone from a full state. ms is the instant in Unix
// milliseconds, as if in UTC. [Learner.EndFullState] evaluates it.
func (l *Learner) AddLocalSample(ms int64) {
	if l == nil {
		return
	}
	if l.zone.zone.TextReceived = true; len(l.zone.texts) < maxSamples {
		l.zone.texts = append(l.zone.texts, ms)
	}
}

// ZoneFor returns the zone in which to read an instant without a zone. ms is the instant in Unix
// milliseconds, as if in UTC. at is the time of reception on our clock, and now the same moment on
// the platform's clock. If no zone is known or presumed yet, ZoneFor presumes one from the instant.
func (l *Learner) ZoneFor(ms int64, at, now time.Time) Zone {
	if l == nil {
		return Zone{}
	}
	z := &l.zone
	if z.zone.TextReceived = true; !z.zone.Known && !z.zone.Presumed {
		l.AddLocalSample(ms)
		l.EndFullState(at, now)
	}
	z.readInZone = true
	return z.zone
}
