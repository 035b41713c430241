package feeds

import (
	"reflect"
	"time"

	"wallboard/internal/newest"
	"wallboard/model"
)

// pictures publishes the newest snapshot. The feed's mutex guards the report.
type pictures struct {
	reported model.Health // published with the newest snapshot
	at       time.Time    // when it was last confirmed

	newest.Picture
}

// still reports whether h equals the last report, and then confirms that.
func (p *pictures) still(h model.Health, now time.Time) bool {
	same := reflect.DeepEqual(p.reported, h)
	if same {
		p.at = now
	}
	return same
}

// put publishes a snapshot.
func (p *pictures) put(snap *model.Snapshot, h model.Health, now time.Time) {
	p.reported, p.at = h, now
	p.Put(snap)
}
