package alerts

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/ui/floorview"
)

// endedSituations caches the situations that have ended. update recomputes them only if another
// alert has ended since the last call.
type endedSituations struct {
	list       []situation.PastSituation
	alertCount int    // number of ended alerts
	lastID     string // ID of the alert that ended last
}

// update updates the cached situations from ended, the ended alerts. The alert that ended last must
// come first.
func (p *endedSituations) update(view *floorview.View, ended []alert.Alert, current *situation.View) {
	last := ""
	if len(ended) > 0 {
		last = ended[0].ID
	}
	if p.alertCount == len(ended) && p.lastID == last {
		return
	}
	p.alertCount, p.lastID = len(ended), last
	p.list = situation.SummarizeEndedAlerts(view.Newest, view.Names, ended, current)
}
