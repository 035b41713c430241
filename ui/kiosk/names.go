package kiosk

import (
	"cmp"

	"wallboard/model"
)

// names are how a kiosk names people.
type names struct {
	mode model.NameMode // what the alert engine knows people by
	mask *model.Mask
	raw  *model.Snapshot // the last one, with the names
}

// follow treats the names as a setup says, and reports whether they are treated
// otherwise than before. Who is hidden keeps their number.
func (n *names) follow(o *Setup) bool {
	words := append([]string{o.User}, o.Secrets...)
	mode := cmp.Or(o.Names, model.NamesFull)
	if n.mask == nil || mode == model.NamesFull {
		n.mask = model.NewMask(mode, o.Salt, o.Titles, words...)
	} else {
		n.mask.Follow(mode, o.Titles, words...)
	}
	before := n.mode
	n.mode = mode
	return mode != before
}

// take takes the names out of a snapshot.
func (n *names) take(s *model.Snapshot) *model.Snapshot {
	if s != nil {
		n.raw = s
	}
	return n.mask.Apply(s)
}
