package handover

import (
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// endedSituations writes the ended situations, with the number of repetitions, and counts those that
// do not fit.
func (w *writer) endedSituations() {
	if len(w.Past) == 0 {
		return
	}
	w.section("Came and went")
	shown := w.Past[:min(len(w.Past), w.limits.ended)]
	for i := range shown {
		w.endedSituation(&shown[i])
	}
	if left := w.Past[len(shown):]; len(left) > 0 {
		critical := 0
		for i := range left {
			if left[i].Worst == alert.Critical {
				critical++
			}
		}
		w.line("- and %d more that are over, %d of them critical", len(left), critical)
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
