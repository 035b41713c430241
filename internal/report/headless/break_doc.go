package headless

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/internal/hub"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// BreaksDoc is the JSON document of the command breaks. Durations are in seconds. A limit of
// null means that there is none; another figure of null means that it is unknown.
type BreaksDoc struct {
	Since   time.Time   `json:"observedSince"`
	Breaks  []breakDoc  `json:"breaks"`
	Release *releaseDoc `json:"release"`
}

// breakDoc describes an agent's breaks of today with an activity code.
type breakDoc struct {
	Username      string   `json:"username"`
	AgentName     string   `json:"agent"`
	BreakName     string   `json:"break"`
	OnBreak       bool     `json:"now"` // the agent is on such a break now
	BreakCount    *int     `json:"breaks"`
	Longest       *float64 `json:"longest"`
	Allowed       *float64 `json:"allowed"`
	Overruns      *int     `json:"overruns"`
	TotalToday    *float64 `json:"today"`
	AllowedPerDay *float64 `json:"allowedPerDay"`
}

// ReadBreaks waits until v is live and until it has observed breaks, at most limit for each, and
// returns the breaks of the day. It returns an error if no agents were observed in time, or if ctx
// ends. The feed of the platform must be running. If recorded is true, ReadBreaks also waits for
// the recorded hours. If over is true, the document contains only breaks over a limit.
func ReadBreaks(ctx context.Context, v *Viewer, limit time.Duration, recorded, over bool) (*BreaksDoc, error) {
	if err := v.AwaitLive(ctx, limit); err != nil {
		return nil, err
	}
	if !awaitBreaks(ctx, v, limit, time.Time{}) {
		return nil, errors.New("no figures of agents were received; `wallboard status` says more")
	}
	if recorded {
		awaitBreaks(ctx, v, maxRecordedWait, v.EvaluatedAt.Add(-time.Minute))
	}
	doc := &BreaksDoc{Breaks: []breakDoc{}}
	doc.addBreaks(v, over)
	doc.Release = newReleaseDoc(awaitReleasePlan(ctx, v, maxRecordedWait), v)
	return doc, nil
}

// maxRecordedWait limits how long [ReadBreaks] waits for the recorded hours, and then for the
// release plan. After that it reports without them.
const maxRecordedWait = 3 * time.Second

// awaitBreaks waits until breaks have been observed and, unless before is zero, the observation
// began earlier than before. It returns false if limit has passed or the context has ended.
func awaitBreaks(ctx context.Context, v *Viewer, limit time.Duration, before time.Time) bool {
	const step = 200 * time.Millisecond
	for waited := time.Duration(0); ; waited += step {
		var since time.Time
		v.Observations().ReadBreaks(func(t *breaks.Tracker) { since = t.ObservedSince() })
		if !since.IsZero() && (before.IsZero() || since.Before(before)) {
			return true
		}
		if waited >= limit || ctx.Err() != nil {
			return false
		}
		v.EvaluateFor(ctx, step)
	}
}

// addBreaks adds the breaks known to v, or only those over a limit if over is true.
func (d *BreaksDoc) addBreaks(v *Viewer, over bool) {
	var records []breaks.DayTotal
	v.Observations().ReadBreaks(func(t *breaks.Tracker) { records, d.Since = t.DayTotals(v.EvaluatedAt), t.ObservedSince() })
	names := v.Names()
	var namesakes model.Namesakes
	if v.LastSnapshot != nil {
		namesakes.Update(v.LastSnapshot.Users)
	}
	for i := range records {
		r := &records[i]
		if over && !r.ExceedsLimit() {
			continue
		}
		name := textformat.DistinctPersonName(v.LastSnapshot, names, &namesakes, r.Username, model.Call)
		if name == r.Username {
			name = cmp.Or(r.Name, name)
		}
		one := breakDoc{
			Username: r.Username, AgentName: name, BreakName: names.NameOf(model.NameActivity, r.Code), OnBreak: r.OnBreak,
		}
		if r.WasObserved() {
			one.BreakCount, one.Longest, one.Overruns = new(r.Breaks), new(r.Longest.Round(time.Second).Seconds()), new(r.Overruns)
		}
		for _, limit := range []struct {
			of time.Duration
			to **float64
		}{{r.Limit.PerBreak, &one.Allowed}, {r.Limit.PerDay, &one.AllowedPerDay}} {
			if limit.of > 0 {
				*limit.to = new(limit.of.Seconds())
			}
		}
		if s, ok := r.Total.Seconds(); ok {
			one.TotalToday = new(s.Seconds())
		}
		d.Breaks = append(d.Breaks, one)
	}
}

// BreakLines returns lines about the agents on a break, the other agents who were over a limit today, and the
// release plan, in words for reading aloud. v must have evaluated the snapshot s. now is on the server's
// clock.
func BreakLines(v *hub.Viewer, s *model.Snapshot, now time.Time, zone *time.Location, l *words.Language) []string {
	w, spoken := &Viewer{Viewer: v, LastSnapshot: s, EvaluatedAt: now}, l.Spoken()
	var away []breaks.AgentOnBreak
	v.Observations().ReadBreaks(func(t *breaks.Tracker) { away = t.AgentsOnBreak(now) })
	out := []string{words.SpeakOnBreak(len(away)).In(spoken)}
	var namesakes model.Namesakes
	namesakes.Update(s.Users)
	for i := range away {
		a := &away[i]
		name := textformat.DistinctPersonName(s, v.Names(), &namesakes, a.Username, model.Call)
		out = append(out, name+": "+words.JoinSentences(a.Lines(v.Names().NameOf(model.NameActivity, a.Code), now, zone)...).In(spoken))
	}
	day := &BreaksDoc{}
	day.addBreaks(w, true)
	for i := range day.Breaks {
		if r := &day.Breaks[i]; !r.OnBreak {
			out = append(out, words.SpeakOverLimit(r.AgentName, r.BreakName, r.overrunText()).In(spoken))
		}
	}
	plan := newReleaseDoc(v.Observations().ReleasePlan(now, model.Call), w)
	for _, line := range plan.lines() {
		out = append(out, line.In(spoken))
	}
	return out
}

// overrunText describes the longest break if one was over the limit per break, or if the total of the day or
// its limit is unknown. Otherwise it describes the total and its limit.
func (r *breakDoc) overrunText() words.Text {
	if r.Overruns != nil && *r.Overruns > 0 || r.TotalToday == nil || r.AllowedPerDay == nil {
		return words.SpeakLongestBreak(textformat.DurationFromSeconds(*r.Longest))
	}
	return words.SpeakBreakTotal(textformat.DurationFromSeconds(*r.TotalToday), textformat.DurationFromSeconds(*r.AllowedPerDay))
}

// Rows returns a heading and the breaks as rows of a table.
func (d *BreaksDoc) Rows() [][]string {
	length := func(seconds *float64) string {
		if seconds == nil {
			return "-"
		}
		return textformat.Duration(time.Duration(*seconds * float64(time.Second)))
	}
	count := func(n *int) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	rows := [][]string{{"AGENT", "BREAK", "NOW", "BREAKS", "LONGEST", "ALLOWED", "OVER", "TODAY", "PER DAY"}}
	for i := range d.Breaks {
		r := &d.Breaks[i]
		now, longest := "", "-"
		if r.OnBreak {
			now = "yes"
		}
		if r.BreakCount != nil && *r.BreakCount > 0 {
			longest = length(r.Longest)
		}
		rows = append(rows, []string{
			r.AgentName, r.BreakName, now, count(r.BreakCount), longest, length(r.Allowed), count(r.Overruns), length(r.TotalToday), length(r.AllowedPerDay),
		})
	}
	return rows
}

// Text describes the time since which breaks have been observed, and the release plan.
func (d *BreaksDoc) Text() string {
	since := d.Since.Local()
	text := words.SpeakBreaksSince(words.SpeakCountRecords(len(d.Breaks)), words.DateClock(words.Date(since), words.ClockOf(since, nil))).In(nil) + "\n"
	if d.Release != nil {
		for _, line := range d.Release.lines() {
			text += line.In(nil) + "\n"
		}
	}
	return text
}
