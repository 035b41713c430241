package feeds

import (
	"reflect"
	"time"

	"wallboard/model"
)

// publisher holds the newest snapshot and the health that was published with it. The feed's mutex
// guards the health.
type publisher struct {
	lastReport  model.Health // the health in the newest snapshot
	confirmedAt time.Time    // when the health was last published or found unchanged

	model.SnapshotHolder
}

// confirmUnchanged reports whether h equals the last published health. If so, it sets confirmedAt
// to now.
func (p *publisher) confirmUnchanged(h model.Health, now time.Time) bool {
	same := reflect.DeepEqual(p.lastReport, h)
	if same {
		p.confirmedAt = now
	}
	return same
}

// publish makes snap the newest snapshot. h is the health in snap.
func (p *publisher) publish(snap *model.Snapshot, h model.Health, now time.Time) {
	p.lastReport, p.confirmedAt = h, now
	p.Put(snap)
}
