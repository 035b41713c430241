package diagnosis

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// Limits for finding the mark that a surge of contacts follows.
const (
	maxFirstDelay     = 15 * time.Minute // longest time from a mark to its surge if the usual delay of such marks is unknown
	minDelaySpread    = 3 * time.Minute  // deviation from the usual delay that is always allowed
	maxSurgeLead      = time.Minute      // a surge may seem to begin this long before its mark, because its onset is an estimate
	minDelays         = 2                // minimum number of known delays for a usual delay
	minSurgelessMarks = 3                // if this many marks with the same text had no surge, a mark with that text explains no surge
	longestSurge      = time.Hour        // a surge that lasts longer counts as the usual rate
)

// surge is the current surge of contacts of a service. onset is its beginning, and lastObserved is
// when it was last observed.
type surge struct{ onset, lastObserved time.Time }

// surgeOnset returns the first estimate of when the current surge of a service began, because later
// estimates are less exact. recent is the current estimate, used if the surge is new.
func (l *serviceHistory) surgeOnset(recent, now time.Time) time.Time {
	if now.Sub(l.surge.lastObserved) > currentSpan || now.Sub(l.surge.onset) > longestSurge {
		l.surge.onset = recent
	}
	l.surge.lastObserved = now
	return l.surge.onset
}

// surgeMark returns the mark that a surge most likely follows, or nil. usual is the usual delay
// of marks with the same text, or 0 if it is unknown. marks must be sorted by time.
func surgeMark(marks []model.Note, onset time.Time) (followed *model.Note, usual time.Duration) {
	for i := range marks {
		m := &marks[i]
		delay := onset.Sub(m.At)
		if delay < -maxSurgeLead || delay > 2*maxFirstDelay || !m.IsMessage() {
			continue
		}
		switch median, spread, ok := usualDelay(marks[:i], m.Text, onset); {
		case !ok:
		case median > 0 && (delay-median).Abs() <= spread: // a mark with a fitting usual delay is preferred to the nearest mark
			return m, median
		case median == 0 && delay <= maxFirstDelay:
			followed = m
		}
	}
	return followed, 0
}

// usualDelay returns the usual delay from marks with a text to their surges, and how much a delay
// may differ from it. Both are 0 if too few delays are known. If most earlier marks with this text
// were not followed by a surge, ok is false.
func usualDelay(earlier []model.Note, text string, now time.Time) (median, spread time.Duration, ok bool) {
	var delays []time.Duration
	unfollowed := 0
	for i := range earlier {
		m := &earlier[i]
		switch {
		case !strings.EqualFold(m.Text, text):
		case !m.Surge.IsZero():
			delays = append(delays, m.Surge.Sub(m.At))
		case now.Sub(m.At) > 2*maxFirstDelay:
			unfollowed++
		}
	}
	if unfollowed >= minSurgelessMarks && unfollowed > 2*len(delays) {
		return 0, 0, false
	}
	if len(delays) < minDelays {
		return 0, 0, true
	}
	slices.Sort(delays)
	median = max(delays[len(delays)/2], time.Second)
	deviations := make([]time.Duration, len(delays))
	for i, d := range delays {
		deviations[i] = (d - median).Abs()
	}
	slices.Sort(deviations)
	return median, max(2*deviations[len(deviations)/2], minDelaySpread), true
}

// addSurgeMark looks for the mark that a surge of contacts follows and adds it to the texts of the
// cause c. rate is the current arrival rate.
func (w *causeFinder) addSurgeMark(c *Cause, rate ArrivalRate) {
	l := w.history.serviceHistory(w.in.Key)
	if w.in.Notes == nil || l == nil {
		return
	}
	recent := w.in.Since.Add(-time.Minute)
	switch {
	case rate.Burst != (Burst{}):
		recent = rate.Burst.From
	case rate.Changed:
		recent = w.in.Now.Add(-rate.Period)
	}
	onset := l.surgeOnset(recent, w.in.Now)
	mark, usual := surgeMark(w.in.Notes.All(), onset)
	if mark == nil {
		return
	}
	w.in.Notes.RecordSurge(mark.ID, onset)
	at, m := w.in.clock(mark.At), &c.Messages
	follow := words.CauseTheyFollow(mark.Text, at)
	if usual > 0 {
		follow = words.CauseTheyFollowDelay(mark.Text, at, words.ApproxDuration(usual))
	}
	m.Text, m.Brief = words.JoinSentences(m.Text, follow), words.CauseBriefAfter(m.Brief, mark.Text, at)
}
