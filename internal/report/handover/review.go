package handover

import (
	"cmp"
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/record/analysis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Review is the data of the review of one incident.
type Review struct {
	Report       Report // notes, actions and effects during the incident; see [Report.ReviewOf]
	Incident     situation.IncidentSummary
	Playbook     *situation.Playbook    // nil: there is none
	Cost         *analysis.IncidentCost // nil: unknown
	CostNote     words.Text             // why the cost is unknown
	EarlierRules []EarlierRule          // changed rules that would have reported the incident earlier, the earliest first
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
func (r *Report) ReviewOf(in situation.IncidentSummary, playbooks []situation.Playbook) Review {
	out := Review{Report: *r, Incident: in, Playbook: situation.FindPlaybook(playbooks, in.Place.Key, in.Alerts)}
	out.Report.From = in.Began.Add(-reviewMargin)
	out.Report.Situations, out.Report.PastSituations, out.Report.Alerts = situation.View{}, nil, in.Alerts
	isDuring := func(at time.Time) bool {
		return !at.Before(out.Report.From) && !at.After(in.EndTime(r.At).Add(reviewMargin))
	}
	out.Report.Actions = slices.DeleteFunc(slices.Clone(r.Actions), func(a Action) bool { return !isDuring(a.At) })
	began := in.Began.Add(-reviewMargin)
	if in.FromStart { // the incident may have begun up to an hour earlier, as for the checklist on the board
		began = in.Began.Add(-time.Hour)
	}
	if r.input.hasMarks && len(out.Report.Actions) == 0 && !r.WatchedSince.After(in.Began) {
		out.Report.ActionsNote = ""
	}
	ticks := situation.Ticks(r.Notes, in.Place.Key, began, in.EndTime(r.At))
	out.Report.Notes = slices.DeleteFunc(slices.Clone(r.Notes), func(n model.Note) bool {
		if n.Tick.Item != "" {
			return ticks[n.Tick.Item].ID != n.ID
		}
		return !isDuring(n.At) && (!n.At.Before(in.EndTime(r.At)) || !n.Until.After(in.Began))
	})
	return out
}

// MeasureCost sets the cost of the incident, or sets CostNote to the reason why it is unknown.
// measure reads the cost from a recording. A nil measure means that there is no recording.
func (r *Review) MeasureCost(ctx context.Context, measure analysis.CostFunc) {
	scope, ok := waitScope(r.Incident.Place.Key)
	switch {
	case r.Incident.Place.Key.Scope == alert.Group:
		r.CostNote = words.HandoverCostGroup()
		return
	case !ok:
		r.CostNote = words.HandoverCostNoQueue()
		return
	case measure == nil:
		r.CostNote = words.HandoverCostNotRecorded()
		return
	}
	cost, ok, err := measure(ctx, scope, r.Incident.Began, r.Incident.EndTime(r.Report.At))
	switch {
	case err != nil:
		r.CostNote = words.HandoverCostUnknown(words.TextOf(err))
	case !ok:
		r.CostNote = words.HandoverCostIncomplete()
	default:
		r.Cost = &cost
	}
}

// ReviewMarkdown formats the review of an incident as Markdown.
func ReviewMarkdown(r Review) string {
	w := &reviewWriter{&writer{Report: r.Report}, &r}
	in := &r.Incident
	out := w.out
	out.writeText("# ", words.HandoverReview(escapeText(in.Place.Title)))
	out.writeLine("")
	head := words.HandoverReviewHead(words.LongDate(out.At), in.Period(r.Report.At, out.formatTime), levelText(in.HighestLevel))
	if r.Report.Site != "" {
		head = words.HandoverAtSite(escapeText(r.Report.Site), head)
	}
	out.writeText("", head)
	out.writeLine("")
	out.writeLine("%s", headlineText(in.Headline))
	w.writeTimeline()
	out.writeSection(words.HandoverSectionCause())
	if len(in.Causes) == 0 {
		out.writeText("", words.HandoverCauseUnknown())
	}
	for _, c := range in.Causes {
		out.writeLine("- %s", escapeText(c))
	}
	w.writeMeasures()
	w.writePlaybook()
	w.writeCost()
	w.writeEarlierRules()
	out.writeSection(words.HandoverSectionRecording())
	switch {
	case r.Recording != "":
		out.writeLine("`wallboard play %s`", filepath.Base(r.Recording))
	case r.ReplayCommand != "":
		out.writeText("- ", words.HandoverReplay("`"+r.ReplayCommand+"`"))
		out.writeText("- ", words.HandoverSave("`"+r.CutCommand+"`"))
	default:
		out.writeLine("%s", escapeText(cmp.Or(r.RecordingNote, out.translate(words.HandoverNone()))))
	}
	return out.out.String()
}

// appendSuffix returns text followed by suffix, or "" if text is "".
func appendSuffix(text, suffix string) string {
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
	list := []timelineEntry{{in.Began, w.out.translate(words.HandoverBegan())}}
	add := func(at time.Time, text words.Text) { list = append(list, timelineEntry{at, w.out.translate(text)}) }
	for i := range in.Alerts {
		a := &in.Alerts[i]
		add(alertedAt(a), words.HandoverAlert(w.ruleTitle(a.Rule), in.Place.TitleOf(a))) // the figures in the text are those of its last moment
		if a.Level == alert.Critical && a.LevelSince.After(a.Raised) {
			add(a.LevelSince, words.HandoverTurnedCritical(w.ruleTitle(a.Rule)))
		}
		if a.Ack.By != "" {
			text := words.HandoverTakenBy(a.Ack.By)
			if a.Ack.Note != "" {
				text = words.HandoverTakenNote(text, a.Ack.Note)
			}
			add(a.Ack.At, text)
		}
	}
	for i := range w.out.Notes {
		n := &w.out.Notes[i]
		tell, shown := words.HandoverNote, *n
		if n.Tick.Item != "" {
			tell, shown.Until = words.HandoverStepDone, time.Time{}
		}
		_, text := textformat.DescribeNote(&shown, n.At, w.out.input.Words, w.out.formatTime)
		add(n.At, tell(text))
	}
	for i := range w.out.Actions {
		add(w.out.Actions[i].At, w.out.Actions[i].text())
	}
	switch {
	case in.Unfinished:
		add(in.Ended, words.HandoverStillOpen())
	case !in.Ended.IsZero():
		add(in.Ended, words.HandoverResolved())
	}
	slices.SortStableFunc(list, func(a, b timelineEntry) int { return a.at.Compare(b.at) })
	w.out.writeSection(words.HandoverSectionTimeline())
	last := timelineEntry{}
	for _, e := range list {
		if e != last { // one take-over can acknowledge several alerts
			w.out.writeLine("- %s %s", e.at.In(w.out.At.Location()).Format(time.TimeOnly), escapeText(e.text))
		}
		last = e
	}
}

// ruleTitle returns the name of a rule as the board shows it.
func (w *reviewWriter) ruleTitle(rule string) string { return w.out.translate(alert.RuleTitle(rule)) }

// alertedAt returns the time at which an alert was raised. For an alert that already existed
// when the board started, it returns the time since which the condition is known to hold.
func alertedAt(a *alert.Alert) time.Time {
	if a.FromStart {
		return a.Since
	}
	return a.Raised
}

// actionAndTarget returns the action with its target: "stop campaign 302" for the action "stop
// campaign" and the target "campaign 302".
func (a *Action) actionAndTarget() words.Text {
	name := words.Name(a.Action)
	if op, ok := words.OperationOf(a.Action); ok {
		name = words.OperationName(op)
	}
	if a.Target == "" {
		return name
	}
	return words.HandoverAction(name, strings.TrimPrefix(a.Target, a.Action[strings.LastIndex(a.Action, " ")+1:]+" "))
}

// firstAlertAt returns the time of the first alert of an incident. It leaves out alerts about figures
// of the day. It returns the zero time if there is none.
func firstAlertAt(in *situation.IncidentSummary) (first time.Time) {
	for i := range in.Alerts {
		if at := alertedAt(&in.Alerts[i]); !in.Alerts[i].Daily && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// text describes an action by its user, target and outcome.
func (a *Action) text() words.Text {
	text := a.actionAndTarget()
	if a.Outcome != "" {
		text = words.HandoverActionOutcome(text, words.OutcomeName(words.OutcomeOf(a.Outcome)))
	}
	if a.UserName != "" {
		text = words.RuleMessage(words.Name(a.UserName), text)
	}
	return text
}

// writeMeasures writes the actions and acknowledgements with their effects.
func (w *reviewWriter) writeMeasures() {
	w.out.writeSection(words.HandoverSectionMeasures())
	effect := func(text string) string {
		return cmp.Or(strings.TrimSuffix(text, "."), w.out.translate(words.HandoverNoEffect()))
	}
	var lines []string
	for i := range w.out.Actions {
		a := &w.out.Actions[i]
		lines = append(lines, w.out.translate(a.text())+": "+effect(a.Effect))
	}
	seen := make(map[alert.Ack]bool)
	for i := range w.review.Incident.Alerts {
		a := &w.review.Incident.Alerts[i]
		if a.Ack.By == "" || seen[a.Ack] {
			continue
		}
		seen[a.Ack] = true
		lines = append(lines, w.out.translate(words.HandoverTakeOver(a.Ack.By))+": "+effect(w.out.Effects[a.ID]))
	}
	if len(lines) == 0 {
		w.out.writeLine("%s", escapeText(cmp.Or(w.out.ActionsNote, w.out.translate(words.HandoverNothingDone()))))
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
	w.out.writeSection(words.HandoverSectionPlaybook())
	done := make(map[string]*model.Note)
	for i := range w.out.Notes {
		done[w.out.Notes[i].Tick.Item] = &w.out.Notes[i]
	}
	for _, item := range p.Items() {
		mark, by := " ", ""
		if n := done[item.Text]; n != nil {
			mark, by = "x", " ("+escapeText(appendSuffix(n.By, ", ")+w.out.formatTime(n.At))+")"
		}
		w.out.writeLine("- [%s] %s: %s%s", mark, item.Section, escapeText(item.Text), by)
	}
	if p.EndCondition != "" {
		w.out.writeLine("")
		w.out.writeText("", words.HandoverResolvedWhen(escapeText(p.EndCondition)))
	}
}

// writeCost writes the number of contacts that the incident affected, compared with the
// earlier part of the day.
func (w *reviewWriter) writeCost() {
	w.out.writeSection(words.HandoverSectionCost())
	c := w.review.Cost
	if c == nil {
		w.out.writeLine("%s", w.out.escape(w.review.CostNote))
		return
	}
	compare := func(part, of, earlier, earlierOf int64) words.Text {
		text := words.HandoverShare(int(part), int(of))
		if of > 0 {
			text = words.HandoverSharePercent(int(part), int(of), percent(w.out.input.Words, float64(part)/float64(of)))
		}
		if earlierOf > 0 {
			text = words.HandoverEarlierShare(text, percent(w.out.input.Words, float64(earlier)/float64(earlierOf)))
		}
		return text
	}
	w.out.writeText("- ", words.HandoverCostAbandoned(compare(c.Abandoned, c.Received, c.EarlierAbandoned, c.EarlierReceived)))
	switch {
	case c.Answered == 0:
		w.out.writeText("- ", words.HandoverCostNoneAnswered())
	case c.AnsweredInTime >= 0:
		w.out.writeText("- ", words.HandoverCostLate(compare(c.Answered-c.AnsweredInTime, c.Answered, c.EarlierAnswered-c.EarlierInTime, c.EarlierAnswered)))
	}
	if c.EarlierReceived > 0 {
		usual := float64(c.EarlierAbandoned) / float64(c.EarlierReceived) * float64(c.Received)
		w.out.writeText("- ", words.HandoverCostMore(int(math.RoundToEven(max(float64(c.Abandoned)-usual, 0)))))
	}
	if in := &w.review.Incident; in.MostWaiting == 0 || in.Ended.IsZero() || in.Unfinished { // otherwise the headline contains the peak
		w.out.writeText("- ", words.HandoverCostPeak(max(int(c.MostWaiting), in.MostWaiting), max(c.LongestWait, in.LongestWait)))
	}
}

// writeEarlierRules writes the section about rules that would have reported the incident earlier.
func (w *reviewWriter) writeEarlierRules() {
	in := &w.review.Incident
	w.out.writeSection(words.HandoverSectionEarlier())
	first, written := firstAlertAt(in), false
	for i := range in.Alerts {
		a := &in.Alerts[i]
		if wait := a.Raised.Sub(a.Since); wait >= time.Second && !a.FromStart && a.Since.Before(first) && !slices.ContainsFunc(w.review.EarlierRules, func(e EarlierRule) bool { return e.Rule == a.Rule }) {
			written = true
			w.out.writeText("- ", words.HandoverRuleTrue(escapeText(w.ruleTitle(a.Rule)), wait, a.Rule))
		}
	}
	if c := w.review.Cost; c != nil && !c.WaitingSince.IsZero() && first.Sub(c.WaitingSince) >= 10*time.Second {
		written = true
		w.out.writeText("- ", words.HandoverWaitedBefore(c.WaitingSince.In(w.out.At.Location()).Format(time.TimeOnly), first.Sub(c.WaitingSince)))
	}
	for _, e := range w.review.EarlierRules {
		written = true
		alerted := words.HandoverWouldAlert(escapeText(w.ruleTitle(e.Rule)), e.Rule+"."+strings.ReplaceAll(e.Change, " = ", "="), e.At.In(w.out.At.Location()).Format(time.TimeOnly), e.Lead)
		w.out.writeText("- ", words.HandoverWouldRaise(alerted, w.out.clockText(e.Since), e.Alerts, e.AlertsNow))
	}
	if w.review.EarlierNote != "" {
		written = true
		w.out.writeLine("- %s", escapeText(w.review.EarlierNote))
	}
	if !written {
		w.out.writeText("", words.HandoverNotEarlier())
	}
}
