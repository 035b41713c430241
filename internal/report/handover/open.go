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

// writeOpenSituations writes all current situations with their causes and owners, critical ones first,
// followed by the silenced situations.
func (w *writer) writeOpenSituations() {
	live := w.liveSituations()
	for _, critical := range []bool{true, false} {
		for _, s := range live {
			if critical == (s.Level == alert.Critical) {
				w.writeSituation(s)
			}
		}
		for i := range w.input.recordedOnly {
			if s := &w.input.recordedOnly[i]; critical == (s.HighestLevel == alert.Critical) {
				w.writeRecordedSituation(s)
			}
		}
	}
	for _, s := range w.Situations.Silenced {
		w.writeText("- ", words.HandoverSilent(w.clockText(s.Until), bold(s.Place.Title), escapeText(s.Headline)))
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
	text := words.HandoverSituation(bold(one.Place.Title), escapeText(one.Headline), levelMark(w.input.Words, one.HighestLevel), words.HandoverSince(w.beginText(one.Began, one.FromStart)))
	reason := words.HandoverTooNew()
	if k := one.Place.Key; k.Scope == alert.Service && w.input.Snapshot != nil && w.input.Snapshot.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel}) == nil {
		reason = words.HandoverNotReported()
	}
	status := words.HandoverSentence(words.HandoverRecorded(w.clockText(one.At), reason))
	w.writeText("- ", words.JoinSentences(text, status, w.acknowledgedText(one.Ack)))
}

// writeSituation writes one situation with its owner and causes.
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
	text := []words.Text{words.HandoverSituation(bold(s.Place.Title), escapeText(s.Headline), levelMark(w.input.Words, s.Level), since)}
	if !s.StaleSince.IsZero() {
		text = append(text, words.HandoverSentence(words.HandoverStale(w.clockText(s.StaleSince))))
	}
	text = append(text, w.acknowledgedText(s.Ack, s.Alerts...))
	for _, cause := range s.CauseLines() {
		text = append(text, escaped(cause))
	}
	w.writeText("- ", words.JoinSentences(text...))
}

// acknowledgedText returns a sentence with the name of the user who acknowledged the given alerts, the user's
// note and the effect, or that no user has taken the situation over.
func (w *writer) acknowledgedText(a alert.Ack, of ...alert.Alert) words.Text {
	if a.By == "" {
		return words.HandoverSentence(words.HandoverNotTaken())
	}
	text := words.HandoverTaken(escapeText(a.By), w.clockText(a.At))
	if a.Note != "" {
		text = words.HandoverTakenNote(text, escapeText(strings.TrimSuffix(a.Note, ".")))
	}
	for i := range of {
		if e := w.Effects[of[i].ID]; e != "" {
			text = words.JoinClauses(text, escaped(e))
			break
		}
	}
	return words.HandoverSentence(text)
}

// writeDailySituations writes the figures of the day that are off target, with their causes. If the causes
// are unknown, it writes the reason once for all places.
func (w *writer) writeDailySituations() {
	today := w.Situations.Today
	titles := make(map[string][]string) // by the reason why the causes are unknown
	for i := range today {
		if s := &today[i]; isUnexplained(s) {
			figures := w.translate(words.HandoverHeadline(escapeText(s.Place.Title), escapeText(strings.TrimSuffix(s.Headline, "."))))
			titles[s.UnexplainedReason] = append(titles[s.UnexplainedReason], figures)
		}
	}
	for i := range today {
		if s := &today[i]; !isUnexplained(s) || len(titles[s.UnexplainedReason]) < 2 {
			text := escaped(s.Explanation())
			if s.Ack.By != "" {
				text = words.JoinSentences(text, w.acknowledgedText(s.Ack, s.Alerts...))
			}
			w.writeText("- ", text)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(titles)) {
		if all := titles[reason]; len(all) > 1 {
			w.writeLine("- %s", escapeText(reason))
			for _, figures := range all {
				w.writeLine("  - %s.", figures)
			}
		}
	}
}

// isDailyOnly reports whether an ended situation was about a figure of the day and no user took it over.
func isDailyOnly(p *situation.PastSituation) bool { return p.Daily && p.Ack == (alert.Ack{}) }

// isUnexplained reports whether there is nothing to write about a figure of the day but the reason why
// its causes are unknown.
func isUnexplained(s *situation.Situation) bool {
	return len(s.Causes) == 0 && s.UnexplainedReason != "" && s.Ack == (alert.Ack{})
}
