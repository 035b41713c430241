package handover

import (
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
)

// writeEndedSituations writes the section about ended situations: as many as the limit allows,
// with the number of repetitions. It names the critical situations that are left out, and
// counts the others.
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

// writeRemaining names the critical situations that were left out, and counts the other ones.
// all is the number of all that were left out; what follows the count in the text.
func (w *writer) writeRemaining(critical []string, all int, what string) {
	if len(critical) > 0 {
		w.writeLine("- also critical: %s", escapeText(strings.Join(critical, ", ")))
	}
	if others := all - len(critical); others > 0 {
		w.writeLine("- and %s", strings.TrimSpace(strconv.Itoa(others)+" more "+what))
	}
}

// writeEndedSituation writes one ended situation and its acknowledgement.
func (w *writer) writeEndedSituation(p *situation.PastSituation) {
	how := ""
	if p.Vanished {
		how = "; the platform no longer sends it"
	}
	w.writeLine("- %s: %s, %s%s: %s", escapeText(p.Place.Title), p.Worst, p.Description(w.formatTime), how, escapeText(strings.TrimSuffix(p.Headline, ".")))
	w.writeAcknowledgement(p.Ack, p.Alerts...)
}
