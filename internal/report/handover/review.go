package handover

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/internal/record/analysis"
	"wallboard/model"
)

// Review is the data of the review of one incident.
type Review struct {
	Report   Report // notes, actions and effects during the incident; see [Report.ReviewOf]
	Incident situation.Story
	Playbook *situation.Playbook    // nil: there is none
	Cost     *analysis.IncidentCost // nil: unknown
	CostNote string                 // why the cost is unknown
	Earlier  []EarlierRule          // changed rules that would have reported the incident earlier, the earliest first
	// EarlierNote is the reason why no other rules were tested. It is "" if they were, or if
	// there is no recording.
	EarlierNote string
	// Recording is the path of the file with the recording of the incident. If it is "",
	// RecordingNote gives the reason.
	Recording, RecordingNote string
	// ReplayCommand is the shell command that replays the incident from a longer recording.
	// CutCommand is the command that writes the incident to a file. Each of them is "" if it
	// is not possible.
	ReplayCommand, CutCommand string
}

// reviewMargin is the time before the start and after the end of an incident in which actions
// and notes are part of its review.
const reviewMargin = 5 * time.Minute

// ReviewOf returns the review of an incident. Its report contains only the notes and actions during
// the incident; see reviewMargin.
func (r *Report) ReviewOf(in situation.Story, playbooks []situation.Playbook) Review {
	out := Review{Report: *r, Incident: in, Playbook: situation.FindPlaybook(playbooks, in.Place.Key, in.Alerts)}
	out.Report.From = in.Began.Add(-reviewMargin)
	out.Report.Situations, out.Report.Past, out.Report.Alerts = situation.View{}, nil, in.Alerts
	isDuring := func(at time.Time) bool {
		return !at.Before(out.Report.From) && !at.After(in.Until(r.At).Add(reviewMargin))
	}
	out.Report.Actions = slices.DeleteFunc(slices.Clone(r.Actions), func(a Action) bool { return !isDuring(a.At) })
	began := in.Began.Add(-reviewMargin)
	if in.FromStart { // the incident may have begun up to an hour earlier, as for the checklist on the board
		began = in.Began.Add(-time.Hour)
	}
	if r.input.hasMarks && len(out.Report.Actions) == 0 && !r.WatchedSince.After(in.Began) {
		out.Report.ActionsNote = ""
	}
	ticks := situation.Ticks(r.Notes, in.Place.Key, began, in.Until(r.At))
	out.Report.Notes = slices.DeleteFunc(slices.Clone(r.Notes), func(n model.Note) bool {
		if n.Tick.Item != "" {
			return ticks[n.Tick.Item].ID != n.ID
		}
		return !isDuring(n.At) && (!n.At.Before(in.Until(r.At)) || !n.Until.After(in.Began))
	})
	return out
}

// MeasureCost sets the cost of the incident, or sets CostNote to the reason why it is unknown.
// measure reads the cost from a recording. A nil measure means that there is no recording.
func (r *Review) MeasureCost(ctx context.Context, measure analysis.CostFunc) {
	scope, ok := waitScope(r.Incident.Place.Key)
	switch {
	case r.Incident.Place.Key.Scope == alert.Group:
		r.CostNote = "Unknown: contacts are counted for services, not for groups."
		return
	case !ok:
		r.CostNote = "It has no queue, so it cost no contacts directly."
		return
	case measure == nil:
		r.CostNote = "Unknown: nothing is recorded."
		return
	}
	cost, ok, err := measure(ctx, scope, r.Incident.Began, r.Incident.Until(r.Report.At))
	switch {
	case err != nil:
		r.CostNote = "Unknown: " + err.Error()
	case !ok:
		r.CostNote = "Unknown: the recording does not cover all of the time, or the counters started again."
	default:
		r.Cost = &cost
	}
}

// ReviewMarkdown formats the review of an incident as Markdown.
func ReviewMarkdown(r Review) string {
	w := &reviewWriter{&writer{Report: r.Report}, &r}
	in := &r.Incident
	w.out.writeLine("# Incident review: %s", escapeText(in.Place.Title))
	w.out.writeLine("")
	w.out.writeLine("%s%s, %s, %s.", escapeSite(r.Report.Site), w.out.At.Format("Monday, 2 January 2006"), in.Period(r.Report.At, w.out.formatTime), in.Worst)
	w.out.writeLine("")
	w.out.writeLine("%s", escapeText(phrases.Sentence(in.Headline)))
	w.writeTimeline()
	w.out.writeSection("Cause")
	if len(in.Causes) == 0 {
		w.out.writeLine("Unknown. Rewind the board to the incident and press w.")
	}
	for _, c := range in.Causes {
		w.out.writeLine("- %s", escapeText(c))
	}
	w.writeMeasures()
	w.writePlaybook()
	w.writeCost()
	w.writeEarlier()
	w.out.writeSection("Recording")
	switch {
	case r.Recording != "":
		w.out.writeLine("`wallboard play %s`", filepath.Base(r.Recording))
	case r.ReplayCommand != "":
		w.out.writeLine("- Replay it: `%s`", r.ReplayCommand)
		w.out.writeLine("- Save it: `%s`", r.CutCommand)
	default:
		w.out.writeLine("%s", escapeText(cmp.Or(r.RecordingNote, "None.")))
	}
	return w.out.String()
}

// escapeSite returns the escaped name of a site followed by a comma, or "" if site is "".
func escapeSite(site string) string {
	if site == "" {
		return ""
	}
	return escapeText(site) + ", "
}

// suffixed returns text followed by suffix, or "" if text is "".
func suffixed(text, suffix string) string {
	if text == "" {
		return ""
	}
	return text + suffix
}

type reviewWriter struct {
	out    *writer
	review *Review
}

// timelineEntry is an event in the timeline of an incident.
type timelineEntry struct {
	at   time.Time
	text string
}

// writeTimeline writes the events of the incident, ordered by time.
func (w *reviewWriter) writeTimeline() {
	in := &w.review.Incident
	list := []timelineEntry{{in.Began, "began"}}
	add := func(at time.Time, text string) { list = append(list, timelineEntry{at, text}) }
	for i := range in.Alerts {
		a := &in.Alerts[i]
		add(alertedAt(a), "alert “"+a.Rule+"”: "+in.Place.TitleOf(a)) // the figures in the text are those of its last moment
		if a.Level == alert.Critical && a.LevelSince.After(a.Raised) {
			add(a.LevelSince, "critical: “"+a.Rule+"”")
		}
		if a.Ack.By != "" {
			text := "taken over by " + a.Ack.By
			if a.Ack.Note != "" {
				text += ": " + a.Ack.Note
			}
			add(a.Ack.At, text)
		}
	}
	for i := range w.out.Notes {
		n := &w.out.Notes[i]
		verb, shown := "note: ", *n
		if n.Tick.Item != "" {
			verb, shown.Until = "done: ", time.Time{}
		}
		_, text := phrases.DescribeNote(&shown, n.At, w.out.formatTime)
		add(n.At, verb+text)
	}
	for i := range w.out.Actions {
		add(w.out.Actions[i].At, actionText(&w.out.Actions[i]))
	}
	switch {
	case in.Unfinished:
		add(in.Ended, "still open when the recording stopped")
	case !in.Ended.IsZero():
		add(in.Ended, "ended")
	}
	slices.SortStableFunc(list, func(a, b timelineEntry) int { return a.at.Compare(b.at) })
	w.out.writeSection("Timeline")
	last := timelineEntry{}
	for _, e := range list {
		if e != last { // one take-over can acknowledge several alerts
			w.out.writeLine("- %s %s", e.at.In(w.out.At.Location()).Format(time.TimeOnly), escapeText(e.text))
		}
		last = e
	}
}

// alertedAt returns the time at which an alert was raised. For an alert that already existed
// when the board started, it returns the time since which the condition is known to hold.
func alertedAt(a *alert.Alert) time.Time {
	if a.FromStart {
		return a.Since
	}
	return a.Raised
}

// deed returns the action with its target: "stop campaign 302" for the action "stop campaign" and
// the target "campaign 302".
func (a *Action) deed() string {
	if a.Target == "" {
		return a.Action
	}
	return a.Action + " " + strings.TrimPrefix(a.Target, a.Action[strings.LastIndex(a.Action, " ")+1:]+" ")
}

// firstAlertAt returns the time of the first alert of an incident. It leaves out alerts about figures
// of the day. It returns the zero time if there is none.
func firstAlertAt(in *situation.Story) (first time.Time) {
	for i := range in.Alerts {
		if at := alertedAt(&in.Alerts[i]); !in.Alerts[i].Daily && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// actionText describes an action by its user, target and outcome.
func actionText(a *Action) string {
	text := suffixed(a.UserName, ": ") + a.deed()
	if a.Outcome != "" {
		text += ", " + a.Outcome
	}
	return text
}

// writeMeasures writes the actions and acknowledgements with their effects.
func (w *reviewWriter) writeMeasures() {
	w.out.writeSection("Measures and their effect")
	var lines []string
	for i := range w.out.Actions {
		a := &w.out.Actions[i]
		lines = append(lines, actionText(a)+": "+cmp.Or(strings.TrimSuffix(a.Effect, "."), "effect not measured"))
	}
	seen := make(map[alert.Ack]bool)
	for i := range w.review.Incident.Alerts {
		a := &w.review.Incident.Alerts[i]
		if a.Ack.By == "" || seen[a.Ack] {
			continue
		}
		seen[a.Ack] = true
		lines = append(lines, "take-over by "+a.Ack.By+": "+cmp.Or(strings.TrimSuffix(w.out.Effects[a.ID], "."), "effect not measured"))
	}
	if len(lines) == 0 {
		w.out.writeLine("%s", escapeText(cmp.Or(w.out.ActionsNote, "No one took it over, and no action is recorded.")))
	}
	for _, line := range lines {
		w.out.writeLine("- %s", escapeText(line))
	}
}

// writePlaybook writes the playbook with its ticks.
func (w *reviewWriter) writePlaybook() {
	p := w.review.Playbook
	if p == nil {
		return
	}
	w.out.writeSection("Playbook")
	done := make(map[string]*model.Note)
	for i := range w.out.Notes {
		done[w.out.Notes[i].Tick.Item] = &w.out.Notes[i]
	}
	for _, item := range p.Items() {
		mark, by := " ", ""
		if n := done[item.Text]; n != nil {
			mark, by = "x", " ("+escapeText(suffixed(n.By, ", ")+w.out.formatTime(n.At))+")"
		}
		w.out.writeLine("- [%s] %s: %s%s", mark, item.Section, escapeText(item.Text), by)
	}
	if p.OverWhen != "" {
		w.out.writeLine("")
		w.out.writeLine("Resolved when: %s", escapeText(p.OverWhen))
	}
}

// writeCost writes the number of contacts that the incident affected, compared with the
// earlier part of the day.
func (w *reviewWriter) writeCost() {
	w.out.writeSection("Cost in contacts")
	c := w.review.Cost
	if c == nil {
		w.out.writeLine("%s", escapeText(w.review.CostNote))
		return
	}
	compare := func(part, of, earlier, earlierOf int64) string {
		text := fmt.Sprintf("%d of %d", part, of)
		if of > 0 {
			text += " (" + phrases.Percent(float64(part)/float64(of)) + ")"
		}
		if earlierOf > 0 {
			text += "; earlier that day " + phrases.Percent(float64(earlier)/float64(earlierOf))
		}
		return text
	}
	w.out.writeLine("- Abandoned: %s", compare(c.Abandoned, c.Received, c.EarlierAbandoned, c.EarlierReceived))
	if c.AnsweredInTime >= 0 {
		w.out.writeLine("- Answered late: %s", compare(c.Answered-c.AnsweredInTime, c.Answered, c.EarlierAnswered-c.EarlierInTime, c.EarlierAnswered))
	}
	if c.EarlierReceived > 0 {
		usual := float64(c.EarlierAbandoned) / float64(c.EarlierReceived) * float64(c.Received)
		w.out.writeLine("- More abandoned than at the earlier rate: %.0f", max(float64(c.Abandoned)-usual, 0))
	}
	if in := &w.review.Incident; in.MostWaiting == 0 || in.Ended.IsZero() || in.Unfinished { // otherwise the headline contains the peak
		w.out.writeLine("- At worst %d waiting, the longest %s", max(c.MostWaiting, int64(in.MostWaiting)), phrases.Duration(max(c.LongestWait, in.LongestWait)))
	}
}

// writeEarlier writes the section about rules that would have reported the incident earlier.
func (w *reviewWriter) writeEarlier() {
	in := &w.review.Incident
	w.out.writeSection("What a rule could have reported earlier")
	first, written := firstAlertAt(in), false
	for i := range in.Alerts {
		a := &in.Alerts[i]
		if wait := a.Raised.Sub(a.Since); wait >= time.Second && !a.FromStart && a.Since.Before(first) && !slices.ContainsFunc(w.review.Earlier, func(e EarlierRule) bool { return e.Rule == a.Rule }) {
			written = true
			w.out.writeLine("- “%s” was true %s before it alerted. On the board, `:try %s.for=0s` shows what a shorter `for` would have raised.", escapeText(a.Rule), phrases.Duration(wait), a.Rule)
		}
	}
	if c := w.review.Cost; c != nil && !c.WaitingSince.IsZero() && first.Sub(c.WaitingSince) >= 10*time.Second {
		written = true
		w.out.writeLine("- Contacts had been waiting since %s, %s before the first alert.", c.WaitingSince.In(w.out.At.Location()).Format(time.TimeOnly), phrases.Duration(first.Sub(c.WaitingSince)))
	}
	for _, e := range w.review.Earlier {
		written = true
		w.out.writeLine("- “%s” with `%s` would have alerted at %s, %s earlier; since %s it would have raised %s instead of %d.", escapeText(e.Rule), e.Change,
			e.At.In(w.out.At.Location()).Format(time.TimeOnly), phrases.Duration(e.Lead), w.out.formatTime(e.Since), phrases.Count(e.Alerts, "alert", "alerts"), e.AlertsNow)
	}
	if w.review.EarlierNote != "" {
		written = true
		w.out.writeLine("- %s", escapeText(w.review.EarlierNote))
	}
	if !written {
		w.out.writeLine("Nothing: the first alert came as soon as its condition was true.")
	}
}
