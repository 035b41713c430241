package timeunit

import (
	"fmt"
	"strings"
)

// HasNoPlausibleUnit reports whether numbers of a field were received but are implausible in every unit.
func (l *Learner) HasNoPlausibleUnit(f Field) bool {
	return l != nil && l.receivedFields[f] && l.Unit(f) == UnitUnknown
}

// WasReceived reports whether numbers of the field f were received.
func (l *Learner) WasReceived(f Field) bool { return l != nil && l.receivedFields[f] }

// ContradictsPin reports whether a field is pinned to a unit but another unit was detected.
func (l *Learner) ContradictsPin(f Field) bool {
	return l != nil && l.pinnedUnits[f] != UnitUnknown && l.Unit(f) != UnitUnknown && l.pinnedUnits[f] != l.Unit(f)
}

// SetRereading records whether the operation op is being queried again because the unit of one of
// its times has changed.
func (l *Learner) SetRereading(op string, on bool) {
	if on {
		l.rereading[op] = true
	} else {
		delete(l.rereading, op)
	}
}

// IsRereading reports whether the operation op is being queried again because a unit of its times
// has changed.
func (l *Learner) IsRereading(op string) bool { return l.rereading[op] }

// Describe describes, for display, which of the fields cannot be read, contradict their pinned
// unit, or have a presumed unit or zone. It returns "" if there are none.
func (l *Learner) Describe(fields []Field) string {
	if l == nil {
		return ""
	}
	var words []string
	for _, f := range fields {
		zone := l.Zone()
		switch {
		case l.unreadableFields[f]:
			words = append(words, fmt.Sprintf("%v comes in a form that is not understood", f))
		case l.ContradictsPin(f):
			words = append(words, fmt.Sprintf("%v is pinned to %q in [rtd.dialect.units] and is %s", f, l.pinnedUnits[f], l.Unit(f).Description()))
		case l.HasNoPlausibleUnit(f):
			words = append(words, fmt.Sprintf("%v: no number of it is a time in any unit", f))
		case l.IsPresumed(f):
			words = append(words, fmt.Sprintf("%v: presumed to be %s", f, l.Unit(f).Description()))
		case f.IsDate() && zone.TextReceived && !zone.Known && zone.Presumed:
			words = append(words, fmt.Sprintf("%v: its zone is presumed to be %s", f, zone.Offset()))
		}
	}
	return strings.Join(words, "; ")
}

// Offset formats the zone as an offset from UTC, like "+02:00".
func (z Zone) Offset() string {
	sign, m := '+', z.Minutes
	if m < 0 {
		sign, m = '-', -m
	}
	return fmt.Sprintf("%c%02d:%02d", sign, m/60, m%60)
}

// IsUncertain reports whether displayed values of a field may be wrong because of their unit or
// zone. After a unit has changed, all received fields are uncertain until the operations have been
// queried again.
func (l *Learner) IsUncertain(f Field) bool {
	zone := l.Zone()
	if l != nil && len(l.rereading) > 0 && (l.receivedFields[f] || f.IsDate() && zone.TextReceived) {
		return true
	}
	return l.IsPresumed(f) || f.IsDate() && zone.TextReceived && !zone.Known && zone.Presumed
}

// String lists the fields with the units in use, and the zone.
func (l *Learner) String() string {
	var words []string
	for _, f := range Fields() {
		if u := l.Unit(f); u != UnitUnknown && l.receivedFields[f] {
			presumed := ""
			if l.IsPresumed(f) {
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
