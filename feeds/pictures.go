package feeds

import (
	"reflect"
	"time"

	"wallboard/model"
)

// publisher publishes the newest snapshot. The feed's mutex guards the report.
type publisher struct {
	reported model.Health // published with the newest snapshot
	at       time.Time    // when it was last confirmed

	model.SnapshotHolder
}

// unchanged reports whether h equals the last report, and then confirms that.
func (p *publisher) unchanged(h model.Health, now time.Time) bool {
	same := reflect.DeepEqual(p.reported, h)
	if same {
		p.at = now
	}
	return same
}

// publish publishes a snapshot.
func (p *publisher) publish(snap *model.Snapshot, h model.Health, now time.Time) {
	p.reported, p.at = h, now
	p.Put(snap)
}
