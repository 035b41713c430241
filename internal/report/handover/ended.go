package handover

import (
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
)

// endedSituations writes the ended situations, with the number of repetitions, as many as fit.
// It names the other critical ones, and counts the rest.
func (w *writer) endedSituations() {
	if len(w.Past) == 0 {
		return
	}
	w.section("Came and went")
	shown := w.Past[:min(len(w.Past), w.limits.ended)]
	for i := range shown {
		w.endedSituation(&shown[i])
	}
	var critical []string
	left := w.Past[len(shown):]
	for i := range left {
		if p := &left[i]; p.Worst == alert.Critical {
			critical = append(critical, p.Place.Title+" ("+phrases.Duration(p.Total)+")")
		}
	}
	w.remaining(critical, len(left), "that are over")
}

// remaining names the critical situations for which there is no room, and counts the others.
func (w *writer) remaining(critical []string, all int, what string) {
	if len(critical) > 0 {
		w.line("- also critical: %s", escapeText(strings.Join(critical, ", ")))
	}
	if others := all - len(critical); others > 0 {
		w.line("- and %s", strings.TrimSpace(strconv.Itoa(others)+" more "+what))
	}
}

// endedSituation writes one ended situation.
func (w *writer) endedSituation(p *situation.PastSituation) {
	how := ""
	if p.Vanished {
		how = "; the platform no longer sends it"
	}
	w.line("- %s: %s, %s%s: %s", escapeText(p.Place.Title), p.Worst, p.Words(w.clock), how, escapeText(strings.TrimSuffix(p.Headline, ".")))
	w.acknowledgement(p.Ack, p.Alerts...)
}
