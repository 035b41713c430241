package doctor

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// counterHistory records whether the figures of the services rise and fall, because document 2
// does not say which figures accumulate over the day and which are current values.
type counterHistory struct {
	lastCalls  map[model.ServiceKey]model.ServiceCalls
	rose, fell map[string]bool
	resets     []time.Time // times at which the received calls of a service decreased
}

func newCounterHistory() *counterHistory {
	return &counterHistory{lastCalls: make(map[model.ServiceKey]model.ServiceCalls), rose: make(map[string]bool), fell: make(map[string]bool)}
}

// compare records the figures that rose or fell since the previous snapshot.
func (c *counterHistory) compare(s *model.Snapshot) {
	for _, rec := range s.Services.Rows() {
		current, previous := rec.ChannelStats, c.lastCalls[rec.Key()]
		if current == previous {
			continue
		}
		c.lastCalls[rec.Key()] = current
		if previous.Typename == "" && !previous.ReceivedCalls.Known() {
			continue // the service was not in the previous snapshot
		}
		currentValue, previousValue := reflect.ValueOf(current), reflect.ValueOf(previous)
		for i := range currentValue.NumField() {
			a, okA := previousValue.Field(i).Interface().(model.Int)
			b, okB := currentValue.Field(i).Interface().(model.Int)
			if !okA || !okB || !a.Known() || !b.Known() {
				continue
			}
			name := currentValue.Type().Field(i).Tag.Get("json")
			c.rose[name] = c.rose[name] || b.Or(0) > a.Or(0)
			c.fell[name] = c.fell[name] || b.Or(0) < a.Or(0)
		}
		if current.ReceivedCalls.Or(0) < previous.ReceivedCalls.Or(0) {
			c.resets = append(c.resets, s.At)
		}
	}
}

// addTo adds findings to the report: the figures that only rose, those that rose and fell, the
// last reset of the received calls, and whether the counters add up. watched is the duration
// for which the feed was observed.
func (c *counterHistory) addTo(r *Report, s *model.Snapshot, watched time.Duration) {
	var live, up []string
	for _, name := range slices.Sorted(maps.Keys(c.rose)) {
		switch {
		case c.fell[name]:
			live = append(live, name)
		case c.rose[name]:
			up = append(up, name)
		}
	}
	hasTotal := false
	for _, kind := range []struct {
		text  string
		names []string
	}{{"only rose within " + formatDuration(watched) + ": ", up}, {"rise and fall, so they are the present state: ", live}} {
		if len(kind.names) > 0 {
			r.addFinding(realTimeService, "Counters", VerdictOK, kind.text+strings.Join(kind.names, ", "), "")
			hasTotal = true
		}
	}
	if !hasTotal {
		r.addFinding(realTimeService, "Counters", VerdictSkip, "nothing moved within "+formatDuration(watched), "watch longer: --learn 2m")
	}
	if n := len(c.resets); n > 0 {
		r.addFinding(realTimeService, "Reset", VerdictNote, fmt.Sprintf("received calls fell at %s", c.resets[n-1].UTC().Format(time.TimeOnly+" UTC")), "")
	} else {
		r.addFinding(realTimeService, "Reset", VerdictSkip, "not seen within "+formatDuration(watched), "")
	}
	c.addSum(r, s)
}

// addSum adds a finding with the number of services for which received = answered + abandoned
// + closed + waiting.
func (*counterHistory) addSum(r *Report, s *model.Snapshot) {
	holds, known := 0, 0
	for _, rec := range s.Services.Rows() {
		f := &rec.ChannelStats
		parts := []model.Int{f.AnsweredCalls, f.HangupCalls, f.ClosedCalls, f.QueuedCalls}
		if !f.ReceivedCalls.Known() || slices.ContainsFunc(parts, func(n model.Int) bool { return !n.Known() }) {
			continue
		}
		known++
		var total int64
		for _, n := range parts {
			total += n.Or(0)
		}
		if total == f.ReceivedCalls.Or(0) {
			holds++
		}
	}
	text := fmt.Sprintf("received = answered + abandoned + closed + waiting holds for %d of %d services", holds, known)
	switch {
	case known == 0:
		r.addFinding(realTimeService, "Sum", VerdictSkip, "the server does not send the figures that it takes", "")
	case holds == known:
		r.addFinding(realTimeService, "Sum", VerdictOK, text, "")
	default:
		r.addFinding(realTimeService, "Sum", VerdictNote, text, "take care with figures of your own that add them up")
	}
}
