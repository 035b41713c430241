package times

import (
	"fmt"
	"strings"
)

// Waits reports whether a field has come and cannot be read because its unit is
// not known.
func (l *Learner) Waits(f Field) bool {
	switch {
	case l == nil || l.Unit(f) != Unknown:
		return false
	case f.Date():
		return l.unread[f] || l.held[f] > 0
	}
	return l.unread[f] || l.came[f]
}

// Wrong reports whether a field is pinned to another unit than it has.
func (l *Learner) Wrong(f Field) bool {
	return l != nil && l.pins[f] != Unknown && l.found[f] != Unknown && l.pins[f] != l.found[f]
}

// Reread notes whether an operation is being asked for again because a unit was
// found.
func (l *Learner) Reread(op string, on bool) {
	if on {
		l.again[op] = true
	} else {
		delete(l.again, op)
	}
}

// Rereads reports whether an operation is being asked for again because a unit was
// found.
func (l *Learner) Rereads(op string) bool { return l.again[op] }

// Say says which of some fields cannot be read, and why; "" when all can.
func (l *Learner) Say(fields []Field) string {
	if l == nil {
		return ""
	}
	var words []string
	for _, f := range fields {
		switch {
		case l.strange[f]:
			words = append(words, fmt.Sprintf("%v comes in a form that is not understood", f))
		case l.Wrong(f):
			words = append(words, fmt.Sprintf("%v is pinned to %q in [rtd.dialect.units] and is %s", f, l.pins[f], l.found[f].Words()))
		case l.misfits[f] >= votesNeeded:
			words = append(words, fmt.Sprintf("%v: no number of it is a time as %s", f, l.Unit(f).Words()))
		case l.Waits(f):
			words = append(words, fmt.Sprintf("%v: its unit is not known yet", f))
		case f.Date() && l.zone.Met && !l.zone.Known:
			words = append(words, fmt.Sprintf("%v: its zone is not known yet; changes tell it", f))
		}
	}
	return strings.Join(words, "; ")
}

// String lists the units that are known.
func (l *Learner) String() string {
	var words []string
	for _, f := range Fields() {
		if u := l.Unit(f); u != Unknown {
			words = append(words, f.String()+" = "+u.String())
		}
	}
	if l != nil && l.zone.Known {
		words = append(words, fmt.Sprintf("zone %+d min", l.zone.Minutes))
	}
	return strings.Join(words, ", ")
}
