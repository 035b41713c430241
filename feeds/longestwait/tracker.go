package longestwait

import (
	"time"

	"wallboard/model"
)

// Tracker follows the queues of one platform. It is for one goroutine.
type Tracker struct {
	pinned model.WaitMeaning // WaitAsSent: it is found out
	lines  map[model.ServiceKey]*line

	shown    map[model.ServiceKey]*model.Service // the records that the lines were told last
	followed time.Time                           // when all of them were looked at
}

// New returns a tracker. A pinned meaning is not questioned; [model.WaitAsSent] is
// found out.
func New(pinned model.WaitMeaning) *Tracker {
	return &Tracker{pinned: pinned, lines: make(map[model.ServiceKey]*line), shown: make(map[model.ServiceKey]*model.Service)}
}

// See takes the present figures of a service. It is called whenever they change,
// and at least once a second while they are known to be current.
func (t *Tracker) See(r *model.Service, now time.Time) {
	l := t.lines[r.Key()]
	if l == nil {
		l = newLine()
		t.lines[r.Key()] = l
	}
	l.look(&r.ChannelStats, r.UserStats.ReadyUsers.Count, now)
}

// Evidence is what is known about the meaning of the field on one channel.
type Evidence struct {
	Meaning  model.WaitMeaning
	Presumed bool // fewer than two observations support it
	Pinned   bool
	Against  bool // observations contradict the pinned meaning
}

// enough is how many observations make a presumption knowledge, clearly how many
// times as many speak for one of two meanings.
const (
	enough  = 2
	clearly = 5
)

// Evidence returns the meaning of the field on a channel.
func (t *Tracker) Evidence(ch model.Channel) Evidence {
	var falls, overs, current, daily int
	for k, l := range t.lines {
		if k.Channel != ch {
			continue
		}
		falls, overs = falls+l.signs.falls, overs+l.signs.overs
		current, daily = current+count(l.signs.current), daily+count(l.signs.daily)
	}
	found := judge(falls, overs, current, daily)
	if t.pinned == model.WaitAsSent {
		return found
	}
	against := found.Meaning != t.pinned && !found.Presumed && found.Meaning != model.WaitOpen
	return Evidence{Meaning: t.pinned, Pinned: true, Against: against}
}

// judge weighs falls and values above the time since the queue was empty, which
// prove a meaning, and what single looks suggest.
func judge(falls, overs, current, daily int) Evidence {
	switch {
	case overs > 0 && falls > overs*clearly, overs == 0 && falls > 0:
		return Evidence{Meaning: model.WaitCurrent, Presumed: falls < enough}
	case falls > 0 && overs > falls*clearly, falls == 0 && overs > 0:
		return Evidence{Meaning: model.WaitDaily, Presumed: overs < enough}
	case falls > 0 && overs > 0:
		return Evidence{Meaning: model.WaitOther, Presumed: min(falls, overs) < enough}
	case current > daily*clearly:
		return Evidence{Meaning: model.WaitCurrent, Presumed: true}
	case daily > current*clearly:
		return Evidence{Meaning: model.WaitDaily, Presumed: true}
	}
	return Evidence{Meaning: model.WaitOpen}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Wait returns the longest current wait of a service, which was seen before.
// evidence is that of its channel.
func (t *Tracker) Wait(k model.ServiceKey, evidence Evidence, now time.Time) model.Wait {
	l := t.lines[k]
	if l == nil {
		return model.Wait{Meaning: evidence.Meaning, Presumed: evidence.Presumed}
	}
	meaning := evidence.Meaning
	if meaning.Current() && l.calls.QueuedCalls.Or(0) > 0 {
		switch {
		case !l.calls.MaxTimeCallOnQueue.Known():
			meaning = model.WaitOpen
		case l.contradicts() && !evidence.Pinned:
			meaning = model.WaitOther
		}
	}
	if meaning.Current() {
		return model.Wait{Meaning: meaning, Presumed: evidence.Presumed}
	}
	w := l.wait(now)
	w.Meaning, w.Presumed = meaning, evidence.Presumed
	if w.AtMost.Known() || !w.For.Known() || meaning == model.WaitOther {
		return w
	}
	// The callers waited before the first look: what the platform sends is the best
	// bound there is.
	if v, ok := l.calls.MaxTimeCallOnQueue.Get(); ok {
		w.AtMost = model.IntOf(max(v, w.For.Or(0)))
	}
	return w
}
