package times

import (
	"fmt"
	"strings"
)

// Waits reports whether a field has come and cannot be read because no unit makes
// a time of its numbers.
func (l *Learner) Waits(f Field) bool { return l != nil && l.came[f] && l.Unit(f) == Unknown }

// Came reports whether numbers of a field have come.
func (l *Learner) Came(f Field) bool { return l != nil && l.came[f] }

// Wrong reports whether a field is pinned to another unit than it has.
func (l *Learner) Wrong(f Field) bool {
	return l != nil && l.pins[f] != Unknown && l.Unit(f) != Unknown && l.pins[f] != l.Unit(f)
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

// Say says which of some fields cannot be read, or are read in a presumed unit, and
// why; "" when all are known.
func (l *Learner) Say(fields []Field) string {
	if l == nil {
		return ""
	}
	var words []string
	for _, f := range fields {
		zone := l.Zone()
		switch {
		case l.texts[f]:
			words = append(words, fmt.Sprintf("%v comes in a form that is not understood", f))
		case l.Wrong(f):
			words = append(words, fmt.Sprintf("%v is pinned to %q in [rtd.dialect.units] and is %s", f, l.pins[f], l.Unit(f).Words()))
		case l.Waits(f):
			words = append(words, fmt.Sprintf("%v: no number of it is a time in any unit", f))
		case l.Presumed(f):
			words = append(words, fmt.Sprintf("%v: presumed to be %s", f, l.Unit(f).Words()))
		case f.Date() && zone.Met && !zone.Known && zone.Presumed:
			words = append(words, fmt.Sprintf("%v: its zone is presumed to be %s", f, zone.Offset()))
		}
	}
	return strings.Join(words, "; ")
}

// Offset writes a zone as in "+02:00".
func (z Zone) Offset() string {
	sign, m := '+', z.Minutes
	if m < 0 {
		sign, m = '-', -m
	}
	return fmt.Sprintf("%c%02d:%02d", sign, m/60, m%60)
}

// Guess reports whether what is shown of a field may be in another unit, or of
// another zone, than the platform's.
func (l *Learner) Guess(f Field) bool {
	zone := l.Zone()
	return l.Presumed(f) || f.Date() && zone.Met && !zone.Known && zone.Presumed
}

// String lists the units that are used.
func (l *Learner) String() string {
	var words []string
	for _, f := range Fields() {
		if u := l.Unit(f); u != Unknown && l.came[f] {
			presumed := ""
			if l.Presumed(f) {
				presumed = " (presumed)"
			}
			words = append(words, f.String()+" = "+u.String()+presumed)
		}
	}
	if z := l.Zone(); z.Known || z.Presumed {
		words = append(words, "zone "+z.Offset())
	}
	return strings.Join(words, ", ")
}
