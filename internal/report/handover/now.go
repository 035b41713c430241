package handover

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
)

// firstSentence writes the first sentence of the report: the current state.
func (w *writer) firstSentence() {
	var parts []string
	live := w.openSituations()
	switch n := len(live); n {
	case 0:
		parts = append(parts, escapeText(w.Situations.QuietStatement("Nothing needs anybody now")))
	case 1:
		parts = append(parts, "One thing needs somebody now: "+shortSituation(live[0]))
	default:
		parts = append(parts, strconv.Itoa(n)+" things need somebody now, the gravest: "+shortSituation(live[0]))
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
	w.line("\n**%s.**", strings.Join(parts, "; "))
}

// openSituations returns the situations that need attention, most severe first.
func (w *writer) openSituations() []*situation.Situation {
	var out []*situation.Situation
	for i := range w.Situations.Live {
		if s := &w.Situations.Live[i]; s.NeedsAction() {
			out = append(out, s)
		}
	}
	return out
}

// shortSituation describes a situation by its place and the first sentence of its headline.
func shortSituation(s *situation.Situation) string {
	what, _, _ := strings.Cut(s.Headline, ". ")
	return escapeText(s.Place.Title + ": " + strings.TrimSuffix(what, "."))
}

// currentSituations writes the current situations with causes and remedies.
func (w *writer) currentSituations() {
	w.section("Now")
	if w.Watched.After(w.From) {
		before := "what ended before is not known here"
		if w.Kept {
			before = "what ended before is known as far as a board on this machine was open"
		}
		w.line("Watched since %s; %s.\n", w.clock(w.Watched), before)
	}
	live := w.Situations.Live
	if len(live) == 0 && len(w.Situations.Silenced) == 0 {
		w.line("- %s.", escapeText(w.Situations.QuietStatement("Nothing goes on")))
	}
	for i := range live[:min(len(live), w.limits.situations)] {
		w.situation(&live[i], i < w.limits.explained)
	}
	if left := len(live) - w.limits.situations; left > 0 {
		w.line("- and %d more", left)
	}
	for _, s := range w.Situations.Silenced[:min(len(w.Situations.Silenced), w.limits.situations)] {
		w.line("- silent until %s: %s: %s", w.clock(s.Until), escapeText(s.Place.Title), escapeText(s.Headline))
	}
	w.dailySituations()
}

// situation writes one situation.
func (w *writer) situation(s *situation.Situation, explained bool) {
	since := "since " + w.clock(s.Since)
	switch {
	case s.FromStart:
		since += " or earlier"
	case s.Level == alert.Critical && !s.Critical.IsZero() && w.clock(s.Critical) != w.clock(s.Since):
		since = "since " + w.clock(s.Critical) + ", begun " + w.clock(s.Since)
	}
	again := ""
	if s.Times > 1 {
		again = ", " + strconv.Itoa(s.Times) + " times today" + phrases.Lasting(", ", s.Total, " in all", formatDuration)
	}
	w.line("- **%s**: %s **%s** %s%s.", escapeText(s.Place.Title), escapeText(s.Headline), strings.ToUpper(s.Level.String()), since, again)
	if !s.Stale.IsZero() {
		w.line("  - nobody knows whether it still holds; last known at %s", w.clock(s.Stale))
	}
	w.acknowledgement(s.Ack, s.Alerts...)
	if !explained {
		return
	}
	if why := s.CauseLines(); len(why) > 0 {
		w.line("  - why: %s", escapeText(strings.Join(why, " ")))
	}
	if label, helps := s.HelpPhrases(); len(helps) > 0 {
		w.line("  - %s: %s", label, escapeText(strings.Join(helps, "; ")))
	}
}

// acknowledgement writes who acknowledged an alert, with the note and the effect.
func (w *writer) acknowledgement(a alert.Ack, of ...alert.Alert) {
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
	w.line("  - taken over by %s at %s%s", escapeText(a.By), w.clock(a.At), note)
}

// dailySituations writes the figures of the day that are off target.
func (w *writer) dailySituations() {
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
		w.line("- today: %s: %s", escapeText(shown[i].Place.Title), escapeText(text))
		w.acknowledgement(shown[i].Ack, shown[i].Alerts...)
	}
	var rest []string
	for i := range today[len(shown):] {
		rest = append(rest, today[len(shown)+i].Place.Title)
	}
	slices.Sort(rest)
	if n := len(rest); n > 0 {
		names := escapeText(strings.Join(rest[:min(n, w.limits.namedPlaces())], ", "))
		switch {
		case n > w.limits.namedPlaces()+1:
			names += fmt.Sprintf(" and %d others", n-w.limits.namedPlaces())
		case n > w.limits.namedPlaces():
			names += " and 1 other"
		}
		w.line("- today, too: %d more off target, or only just on it: %s", n, names)
	}
}
