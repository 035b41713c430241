package handover

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
)

// writeFirstSentence writes the first sentence of the report, which summarises the situations.
func (w *writer) writeFirstSentence() {
	var parts []string
	live := w.situationsNeedingAction()
	switch n := len(live); n {
	case 0:
		parts = append(parts, escapeText(w.Situations.QuietStatement("Nothing needs anybody now")))
	case 1:
		parts = append(parts, "One thing needs somebody now: "+shortSituationText(live[0]))
	default:
		parts = append(parts, strconv.Itoa(n)+" things need somebody now, the gravest: "+shortSituationText(live[0]))
	}
	if n := w.Situations.AckedCount(); n > 0 {
		parts = append(parts, strconv.Itoa(n)+" taken over")
	}
	if text := w.Situations.TodaySummary(); text != "" {
		parts = append(parts, escapeText(text)+" today")
	}
	if n := len(w.Past); n > 0 {
		parts = append(parts, strconv.Itoa(n)+" things came and went")
		if n == 1 {
			parts[len(parts)-1] = "1 thing came and went"
		}
	}
	w.writeLine("\n**%s.**", strings.Join(parts, "; "))
}

// situationsNeedingAction returns the live situations that need action, most severe first.
func (w *writer) situationsNeedingAction() []*situation.Situation {
	var out []*situation.Situation
	for i := range w.Situations.Live {
		if s := &w.Situations.Live[i]; s.NeedsAction() {
			out = append(out, s)
		}
	}
	return out
}

// shortSituationText returns the place of a situation and the first sentence of its headline.
func shortSituationText(s *situation.Situation) string {
	what, _, _ := strings.Cut(s.Headline, ". ")
	return escapeText(s.Place.Title + ": " + strings.TrimSuffix(what, "."))
}

// writeCurrentSituations writes the section about current situations, critical ones first: as
// many as the limit allows, some of them with causes and remedies. It names the critical
// situations that are left out, and counts the others. It adds silenced situations and the
// figures of the day that are off target.
func (w *writer) writeCurrentSituations() {
	w.writeSection("Now")
	if w.WatchedSince.After(w.From) {
		before := "what ended before is not known here"
		if w.HasStoredAlerts {
			before = "what ended before is known as far as a board on this machine was open"
		}
		w.writeLine("Watched since %s; %s.\n", w.formatTime(w.WatchedSince), before)
	}
	live := slices.Clone(w.Situations.Live)
	slices.SortStableFunc(live, func(a, b situation.Situation) int { return cmp.Compare(b.Level, a.Level) })
	if len(live) == 0 && len(w.Situations.Silenced) == 0 {
		w.writeLine("- %s.", escapeText(w.Situations.QuietStatement("Nothing goes on")))
	}
	var critical []string
	for i := range live {
		switch s := &live[i]; {
		case i < w.limits.situations:
			w.writeSituation(s, i < w.limits.explained)
		case s.Level == alert.Critical:
			critical = append(critical, s.Place.Title)
		}
	}
	w.writeRemaining(critical, max(len(live)-w.limits.situations, 0), "")
	for _, s := range w.Situations.Silenced[:min(len(w.Situations.Silenced), w.limits.situations)] {
		w.writeLine("- silent until %s: %s: %s", w.formatTime(s.Until), escapeText(s.Place.Title), escapeText(s.Headline))
	}
	w.writeDailySituations()
}

// writeSituation writes one situation, with its causes and remedies if explained is true.
func (w *writer) writeSituation(s *situation.Situation, explained bool) {
	since := "since " + w.formatTime(s.Since)
	switch {
	case s.FromStart:
		since += " or earlier"
	case s.Level == alert.Critical && !s.CriticalSince.IsZero() && w.formatTime(s.CriticalSince) != w.formatTime(s.Since):
		since = "since " + w.formatTime(s.CriticalSince) + ", begun " + w.formatTime(s.Since)
	}
	again := ""
	if s.Times > 1 {
		again = ", " + strconv.Itoa(s.Times) + " times today" + phrases.Lasting(", ", s.Total, " in total", phrases.Duration)
	}
	w.writeLine("- **%s**: %s **%s** %s%s.", escapeText(s.Place.Title), escapeText(s.Headline), strings.ToUpper(s.Level.String()), since, again)
	if !s.StaleSince.IsZero() {
		w.writeLine("  - nobody knows whether it still holds; last known at %s", w.formatTime(s.StaleSince))
	}
	w.writeAcknowledgement(s.Ack, s.Alerts...)
	if !explained {
		return
	}
	if why := s.CauseLines(); len(why) > 0 {
		w.writeLine("  - why: %s", escapeText(strings.Join(why, " ")))
	}
	if label, helps := s.HelpPhrases(); len(helps) > 0 {
		w.writeLine("  - %s: %s", label, escapeText(strings.Join(helps, "; ")))
	}
}

// writeAcknowledgement writes who acknowledged one of the alerts, with the note of this user
// and the effect. It writes nothing if none of the alerts was acknowledged.
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

// writeDailySituations writes the figures of the day that are off target.
func (w *writer) writeDailySituations() {
	today := w.Situations.Today
	if len(today) == 0 {
		return
	}
	shown := today[:min(len(today), w.limits.daily)]
	for i := range shown {
		text := shown[i].Headline
		if i+1 < w.limits.explained {
			text = strings.Join(append([]string{text}, shown[i].CauseLines()...), " ")
		}
		w.writeLine("- today: %s: %s", escapeText(shown[i].Place.Title), escapeText(text))
		w.writeAcknowledgement(shown[i].Ack, shown[i].Alerts...)
	}
	var rest []string
	for i := range today[len(shown):] {
		rest = append(rest, today[len(shown)+i].Place.Title)
	}
	slices.Sort(rest)
	if n := len(rest); n > 0 {
		names := escapeText(strings.Join(rest[:min(n, w.limits.maxNamedPlaces())], ", "))
		switch {
		case n > w.limits.maxNamedPlaces()+1:
			names += fmt.Sprintf(" and %d others", n-w.limits.maxNamedPlaces())
		case n > w.limits.maxNamedPlaces():
			names += " and 1 other"
		}
		w.writeLine("- today, too: %d more %s: %s", n, situation.DailyLabel(today[len(shown):]), names)
	}
}
