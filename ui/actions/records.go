package actions

import (
	"slices"
	"time"

	"wallboard/model/resource"
)

// records are the actions that were taken on this board, the newest last.
type records struct {
	list []record
	last uint64
}

// record is an action and what became of it.
type record struct {
	number uint64
	order  order
	asked  time.Time // on our clock
	ended  time.Time // zero while it is under way
	report resource.Report
}

// maxRecords bounds the log. The audit file has them all.
const maxRecords = 500

// begin notes an action that is asked for and returns its number.
func (l *records) begin(o order, now time.Time) uint64 {
	l.last++
	if len(l.list) == maxRecords {
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.list = append(l.list, record{number: l.last, order: o, asked: now})
	return l.last
}

// underWay returns what is under way, by name.
func (l *records) underWay() []string {
	var out []string
	for i := range l.list {
		if d := &l.list[i]; d.ended.IsZero() {
			out = append(out, d.order.verb.Words()+": "+d.order.target)
		}
	}
	return out
}

// end notes what became of an action, and returns it.
func (l *records) end(number uint64, r resource.Report, now time.Time) order {
	for i := range l.list {
		if d := &l.list[i]; d.number == number {
			d.ended, d.report = now, r
			return d.order
		}
	}
	return order{}
}
