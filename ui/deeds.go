package ui

import (
	"slices"
	"time"

	"wallboard/model/resource"
)

// deeds are the actions that were taken on this board, the newest last.
type deeds struct {
	list []deed
	last uint64
}

// deed is an action and what became of it.
type deed struct {
	number uint64
	order  order
	asked  time.Time // on our clock
	ended  time.Time // zero while it is under way
	report resource.Report
}

// maxDeeds bounds the log. The audit file has them all.
const maxDeeds = 500

// begin notes an action that is asked for and returns its number.
func (l *deeds) begin(o order, now time.Time) uint64 {
	l.last++
	if len(l.list) == maxDeeds {
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.list = append(l.list, deed{number: l.last, order: o, asked: now})
	return l.last
}

// underWay returns what is under way, by name.
func (l *deeds) underWay() []string {
	var out []string
	for i := range l.list {
		if d := &l.list[i]; d.ended.IsZero() {
			out = append(out, verbName(d.order.verb)+": "+d.order.target)
		}
	}
	return out
}

// end notes what became of an action, and returns it.
func (l *deeds) end(number uint64, r resource.Report, now time.Time) order {
	for i := range l.list {
		if d := &l.list[i]; d.number == number {
			d.ended, d.report = now, r
			return d.order
		}
	}
	return order{}
}
