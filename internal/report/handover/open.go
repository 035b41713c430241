package handover

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// writeOpenSituations writes all current situations with their causes, remedies and owners,
// critical ones first, followed by the silenced situations.
func (w *writer) writeOpenSituations() {
	w.writeSection("Open")
	live := w.liveSituations()
	for i := range w.input.unjudged {
		w.writeRecordedSituation(&w.input.unjudged[i])
	}
	if len(live) == 0 && len(w.Situations.Silenced) == 0 && len(w.input.unjudged) == 0 {
		w.writeLine("- %s.", escapeText(w.Situations.QuietStatement("No situation is open")))
	}
	for _, s := range live {
		w.writeSituation(s)
	}
	for _, s := range w.Situations.Silenced {
		w.writeLine("- silent until %s: **%s**: %s", w.formatTime(s.Until), escapeText(s.Place.Title), escapeText(s.Headline))
	}
}

// writeRecordedSituation writes a situation that only the recording contains.
func (w *writer) writeRecordedSituation(one *situation.OpenSituation) {
	w.writeLine("- **%s**: %s **%s** since %s.", escapeText(one.Place.Title), escapeText(one.Headline), strings.ToUpper(one.Worst.String()), w.beginText(one.Began, one.FromStart))
	reason := "this report has not watched for long enough to judge it"
	if k := one.Place.Key; k.Scope == alert.Service && w.input.Snapshot != nil && w.input.Snapshot.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel}) == nil {
		reason = "the platform sends nothing about it to a program that has just started; all its agents may be logged out"
	}
	w.writeLine("  - as recorded at %s; %s", w.formatTime(one.At), reason)
	if one.Ack.By == "" {
		w.writeLine("  - not taken over")
	}
	w.writeAcknowledgement(one.Ack)
}

// writeSituation writes one situation with its causes, remedies and owner.
func (w *writer) writeSituation(s *situation.Situation) {
	since := "since " + w.formatTime(s.Since)
	switch {
	case s.FromStart:
		since += " or earlier"
	case s.Level == alert.Critical && !s.CriticalSince.IsZero() && w.formatTime(s.CriticalSince) != w.formatTime(s.Since):
		since = "since " + w.formatTime(s.CriticalSince) + ", begun " + w.formatTime(s.Since)
	}
	again := ""
	if s.OccurrencesToday > 1 {
		again = ", " + strconv.Itoa(s.OccurrencesToday) + " times today" + phrases.BracketedDuration(", ", s.TotalToday, " in total", lengthText)
	}
	w.writeLine("- **%s**: %s **%s** %s%s.", escapeText(s.Place.Title), escapeText(s.Headline), strings.ToUpper(s.Level.String()), since, again)
	if !s.StaleSince.IsZero() {
		w.writeLine("  - no current data; last known at %s", w.formatTime(s.StaleSince))
	}
	if s.Ack.By == "" {
		w.writeLine("  - not taken over")
	}
	w.writeAcknowledgement(s.Ack, s.Alerts...)
	if why := s.CauseLines(); len(why) > 0 {
		w.writeLine("  - why: %s", escapeText(strings.Join(why, " ")))
	}
	if label, helps := s.HelpPhrases(); len(helps) > 0 {
		w.writeLine("  - %s: %s", label, escapeText(strings.Join(helps, "; ")))
	}
}

// writeAcknowledgement writes the name of the user who acknowledged the given alerts, with the
// user's note and the effect. It writes nothing if a is the zero Ack.
func (w *writer) writeAcknowledgement(a alert.Ack, of ...alert.Alert) {
	if a.By == "" {
		return
	}
	note := ""
	if a.Note != "" {
		note = ": " + escapeText(a.Note)
	}
	for i := range of {
		if e := w.Effects[of[i].ID]; e != "" {
			note += "; " + escapeText(e)
			break
		}
	}
	w.writeLine("  - taken over by %s at %s%s", escapeText(a.By), w.formatTime(a.At), note)
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
