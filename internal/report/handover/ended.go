package handover

import (
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
)

// writeEndedSituations writes the ended situations, with the number of repetitions, as many as fit.
// It names the other critical ones, and counts the rest.
func (w *writer) writeEndedSituations() {
	if len(w.Past) == 0 {
		return
	}
	w.writeSection("Came and went")
	shown := w.Past[:min(len(w.Past), w.limits.ended)]
	for i := range shown {
		w.writeEndedSituation(&shown[i])
	}
	var critical []string
	left := w.Past[len(shown):]
	for i := range left {
		if p := &left[i]; p.Worst == alert.Critical {
			critical = append(critical, p.Place.Title+" ("+phrases.Duration(p.Total)+")")
		}
	}
	w.writeRemaining(critical, len(left), "that are over")
}

// writeRemaining names the critical situations for which there is no room, and counts the others.
func (w *writer) writeRemaining(critical []string, all int, what string) {
	if len(critical) > 0 {
		w.writeLine("- also critical: %s", escapeText(strings.Join(critical, ", ")))
	}
	if others := all - len(critical); others > 0 {
		w.writeLine("- and %s", strings.TrimSpace(strconv.Itoa(others)+" more "+what))
	}
}

// writeEndedSituation writes one ended situation.
func (w *writer) writeEndedSituation(p *situation.PastSituation) {
	how := ""
	if p.Vanished {
		how = "; the platform no longer sends it"
	}
	w.writeLine("- %s: %s, %s%s: %s", escapeText(p.Place.Title), p.Worst, p.Description(w.formatTime), how, escapeText(strings.TrimSuffix(p.Headline, ".")))
	w.writeAcknowledgement(p.Ack, p.Alerts...)
}
