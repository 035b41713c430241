package alerts

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/ui/snapshot"
)

// past caches the ended situations. It is computed again when another alert has ended.
type past struct {
	list []situation.PastSituation
	n    int
	last string // id of the alert that ended last
}

// follow updates the list from the ended alerts, latest first.
func (p *past) follow(view *snapshot.View, over []alert.Alert, now *situation.View) {
	last := ""
	if len(over) > 0 {
		last = over[0].ID
	}
	if p.n == len(over) && p.last == last {
		return
	}
	p.n, p.last = len(over), last
	p.list = situation.PastOf(view.Newest, view.Names, over, now)
}
