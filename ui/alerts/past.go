package alerts

import (
	"wallboard/alert"
	"wallboard/situation"
	"wallboard/ui/floor"
)

// past is what came and went, found anew when something more is over.
type past struct {
	list []situation.Past
	n    int
	last string // the alert that ended last
}

// follow finds it of alerts that are over, the last of them first.
func (p *past) follow(view *floor.View, over []alert.Alert, now *situation.View) {
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
