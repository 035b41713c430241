package handover

import (
	"slices"
	"time"

	"wallboard/alert"
)

// mostEnded is how many lines tell of what is over, so that a report fits a page.
const mostEnded = 8

// repeat is what was raised about one record by one rule and is over, however often.
type repeat struct {
	last  alert.Alert
	times int
	total time.Duration
	first time.Time
	worst alert.Level
	taken bool // somebody has noted something on one of them
}

// repeats puts together what is over, the longest first.
func repeats(alerts []alert.Alert) []repeat {
	type about struct {
		rule string
		key  alert.Key
	}
	at := make(map[about]int)
	var out []repeat
	for _, a := range alerts {
		if a.Ended.IsZero() {
			continue
		}
		k := about{a.Rule, a.Key}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, repeat{last: a, first: a.Since})
		}
		r := &out[i]
		r.times++
		r.total += max(a.Ended.Sub(a.Since), 0)
		r.worst, r.taken = max(r.worst, a.Worst), r.taken || a.Ack.By != ""
		if a.Since.Before(r.first) {
			r.first = a.Since
		}
		if a.Ended.After(r.last.Ended) {
			r.last = a
		}
	}
	slices.SortStableFunc(out, func(a, b repeat) int {
		if a.worst != b.worst {
			return int(b.worst) - int(a.worst)
		}
		return int((b.total - a.total) / time.Second)
	})
	return out
}

// ended writes what is over: what was there once with its times, what came again
// counted, and of what is too much for a page how much it is.
func (w *writer) ended() {
	all := repeats(w.Alerts)
	if len(all) == 0 {
		return
	}
	w.section("Came and went")
	for i := range all[:min(len(all), mostEnded)] {
		r := &all[i]
		if r.times == 1 {
			w.alert(&r.last)
			continue
		}
		about := safe(r.last.Rule)
		if where := w.Where(r.last.Key); where != "" {
			about += ", " + safe(where)
		}
		w.line("- %s, %d times since %s, %s in all, the last to %s: %s%s: %s", r.worst, r.times, w.clock(r.first), span(r.total),
			w.clock(r.last.Ended), about, channelWord(orCall(r.last.Key.Channel)), safe(r.last.Text))
	}
	if left := len(all) - mostEnded; left > 0 {
		w.line("- and %d more that are over", left)
	}
}
