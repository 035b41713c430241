package feeds

import (
	"reflect"
	"time"

	"wallboard/internal/lib/powersave"
	"wallboard/model"
)

// publisher holds the newest snapshot and the health that was published with it. The feed's mutex
// guards the health.
type publisher struct {
	lastReport  model.Health // the health in the newest snapshot
	confirmedAt time.Time    // when the health was last published or found unchanged

	model.SnapshotHolder
}

// confirmUnchanged reports whether h equals the last published health. If it does, confirmUnchanged
// sets confirmedAt to now.
func (p *publisher) confirmUnchanged(h model.Health, now time.Time) bool {
	same := reflect.DeepEqual(p.lastReport, h)
	if same {
		p.confirmedAt = now
	}
	return same
}

// publish makes snap the newest snapshot and remembers h, the health in snap.
func (p *publisher) publish(snap *model.Snapshot, h model.Health, now time.Time) {
	p.lastReport, p.confirmedAt = h, now
	p.Put(snap)
}

// frameLeadTime is how long before a frame a snapshot is published, so that the frame shows it.
const frameLeadTime = 50 * time.Millisecond

// nextPublishTime returns when the next snapshot may be published: o.Every after the last one, which was
// published at publishedAt. If the feed has started, busy is false and frames are rarer than
// o.Every, it returns the time shortly before the next frame. busy means that the feed has work
// that is due.
func (p *publisher) nextPublishTime(publishedAt time.Time, o Publishing, busy bool) time.Time {
	due := publishedAt.Add(o.Every)
	if s := p.Latest(); o.Frames <= o.Every || s == nil || s.Health.IsStarting() || busy {
		return due
	}
	return due.Add(powersave.UntilDue(due, o.Frames, -frameLeadTime))
}

// nextRun returns the time of the next run of the ticker, whose sleep s describes. busy is true if work is
// due, and changed if a change waits to be published.
func (p *publisher) nextRun(s *tickerSleep, o Publishing, busy, changed bool) time.Time {
	next := s.lastRun.Add(min(maxStepInterval, o.Every))
	if !busy {
		next = s.lastRun.Add(healthInterval)
	}
	if due := p.nextPublishTime(s.publishedAt, o, busy); changed && due.Before(next) {
		next = due
	}
	return next
}
