package feeds

import (
	"reflect"
	"time"

	"wallboard/internal/newest"
	"wallboard/model"
)

// pictures hands the newest picture to whoever waits for it. What was reported with
// it belongs to the feed's mutex.
type pictures struct {
	reported model.Health // with the newest one
	at       time.Time    // when that was last true

	newest.Picture
}

// still notes that there is nothing but a report, and reports whether that is the
// same as before.
func (p *pictures) still(h model.Health, now time.Time) bool {
	same := reflect.DeepEqual(p.reported, h)
	if same {
		p.at = now
	}
	return same
}

// put hands out a picture.
func (p *pictures) put(snap *model.Snapshot, h model.Health, now time.Time) {
	p.reported, p.at = h, now
	p.Put(snap)
}
