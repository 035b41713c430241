package handover

import (
	"maps"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// writeOpenSituations writes all current situations with their causes, remedies and owners,
// critical ones first, followed by the silenced situations.
func (w *writer) writeOpenSituations() {
	w.writeSection(words.HandoverSectionOpen())
	live := w.liveSituations()
	for i := range w.input.unjudged {
		w.writeRecordedSituation(&w.input.unjudged[i])
	}
	if len(live) == 0 && len(w.Situations.Silenced) == 0 && len(w.input.unjudged) == 0 {
		w.tellLine("- ", words.HandoverSentence(escaped(w.Situations.QuietStatement(w.tell(words.HandoverNoneOpen())))))
	}
	for _, s := range live {
		w.writeSituation(s)
	}
	for _, s := range w.Situations.Silenced {
		w.tellLine("- ", words.HandoverSilent(w.clockText(s.Until), bold(s.Place.Title), escapeText(s.Headline)))
	}
}

// levelMark returns a level in bold capital letters.
func levelMark(l *words.Language, level alert.Level) string {
	text := words.HandoverMarkWarning()
	if level == alert.Critical {
		text = words.HandoverMarkCritical()
	}
	return bold(text.In(l))
}

// writeRecordedSituation writes a situation that only the recording contains.
func (w *writer) writeRecordedSituation(one *situation.OpenSituation) {
	w.tellLine("- ", words.HandoverSituation(bold(one.Place.Title), escapeText(one.Headline), levelMark(w.input.Words, one.Worst), words.HandoverSince(w.beginText(one.Began, one.FromStart))))
	reason := words.HandoverTooNew()
	if k := one.Place.Key; k.Scope == alert.Service && w.input.Snapshot != nil && w.input.Snapshot.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel}) == nil {
		reason = words.HandoverNotReported()
	}
	status := words.HandoverRecorded(w.clockText(one.At), reason)
	if one.Ack.By == "" {
		status = words.HandoverClauses(status, words.HandoverNotTaken())
	}
	w.tellLine("  - ", status)
	w.writeAcknowledgement(one.Ack)
}

// writeSituation writes one situation with its causes, remedies and owner.
func (w *writer) writeSituation(s *situation.Situation) {
	since := words.HandoverSince(w.beginText(s.Since, s.FromStart))
	if !s.FromStart && s.Level == alert.Critical && !s.CriticalSince.IsZero() && w.formatTime(s.CriticalSince) != w.formatTime(s.Since) {
		since = words.HandoverSinceBegan(w.clockText(s.CriticalSince), w.clockText(s.Since))
	}
	switch {
	case s.OccurrencesToday > 1 && s.TotalToday >= time.Second:
		since = words.HandoverAgainTotal(since, s.OccurrencesToday, lengthText(s.TotalToday))
	case s.OccurrencesToday > 1:
		since = words.HandoverAgain(since, s.OccurrencesToday)
	}
	w.tellLine("- ", words.HandoverSituation(bold(s.Place.Title), escapeText(s.Headline), levelMark(w.input.Words, s.Level), since))
	if !s.StaleSince.IsZero() {
		w.tellLine("  - ", words.HandoverStale(w.clockText(s.StaleSince)))
	}
	w.writeAcknowledgement(s.Ack, s.Alerts...)
	var status []words.Text
	if s.Ack.By == "" {
		status = append(status, words.HandoverNotTaken())
	}
	if why := s.CauseLines(); len(why) > 0 {
		status = append(status, words.HandoverWhy(escapeText(strings.Join(why, " "))))
	}
	if len(status) > 0 {
		w.tellLine("  - ", words.Clauses(status...))
	}
	if label, helps := s.HelpPhrases(); len(helps) > 0 {
		w.tellLine("  - ", words.HandoverHeadline(escapeText(label), escapeText(strings.Join(helps, "; "))))
	}
}

// writeAcknowledgement writes the name of the user who acknowledged the given alerts, with the
// user's note and the effect. It writes nothing if a is the zero Ack.
func (w *writer) writeAcknowledgement(a alert.Ack, of ...alert.Alert) {
	if a.By == "" {
		return
	}
	text := words.HandoverTaken(escapeText(a.By), w.clockText(a.At))
	if a.Note != "" {
		text = words.HandoverTakenNote(text, escapeText(a.Note))
	}
	for i := range of {
		if e := w.Effects[of[i].ID]; e != "" {
			text = words.Clauses(text, escaped(e))
			break
		}
	}
	w.tellLine("  - ", text)
}

// writeDailySituations writes the figures of the day that are off target, with their causes. It
// writes a reason why there are none once for all places.
func (w *writer) writeDailySituations() {
	today := w.Situations.Today
	if len(today) > 0 {
		w.writeLine("")
	}
	titles := make(map[string][]string) // by the reason why the causes are unknown
	for i := range today {
		if s := &today[i]; isUnexplained(s) {
			titles[s.UnexplainedReason] = append(titles[s.UnexplainedReason], escapeText(s.Place.Title))
		}
	}
	for i := range today {
		if s := &today[i]; !isUnexplained(s) || len(titles[s.UnexplainedReason]) < 2 {
			w.writeLine("- %s", escapeText(s.Explanation()))
			w.writeAcknowledgement(s.Ack, s.Alerts...)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(titles)) {
		if all := titles[reason]; len(all) > 1 {
			w.writeLine("- %s: %s", strings.Join(all, ", "), escapeText(reason))
		}
	}
}

// isUnexplained reports whether there is nothing to write about a figure of the day but the reason why
// its causes are unknown.
func isUnexplained(s *situation.Situation) bool {
	return len(s.Causes) == 0 && s.UnexplainedReason != "" && s.Ack == (alert.Ack{})
}
