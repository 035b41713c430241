package hub

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// UnclaimedSituation reports that no viewer has taken over a critical situation for some time.
// Situation is the situation as seen with Visibility. HasEnded reports that the situation is
// no longer unclaimed, for example because it has been taken over or has ended.
type UnclaimedSituation struct {
	Visibility Visibility
	Situation  situation.Situation
	Since      time.Time // when the situation became critical, on the server's clock
	HasEnded   bool
}

// unclaimedChanges returns the situations that have become unclaimed and, with HasEnded set, the
// reported situations that no longer are. A situation is unclaimed if it needs action and has been
// critical for at least after. If after is 0, no situation is unclaimed.
func (p *sharedView) unclaimedChanges(after time.Duration, now time.Time) []UnclaimedSituation {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lastEvaluation.view == nil {
		return nil
	}
	var out []UnclaimedSituation
	open := make(map[string]UnclaimedSituation)
	for i := range p.lastEvaluation.view.Live {
		s := &p.lastEvaluation.view.Live[i]
		since, critical := criticalSince(s)
		if !critical || !s.NeedsAction() || after <= 0 || now.Sub(since) < after {
			continue
		}
		u := UnclaimedSituation{Visibility: p.visibility, Situation: *s, Since: since}
		if _, told := p.reportedUnclaimed[s.ID]; !told {
			out = append(out, u)
		}
		open[s.ID] = u
	}
	for id, u := range p.reportedUnclaimed {
		if _, still := open[id]; !still {
			u.HasEnded = true
			out = append(out, u)
		}
	}
	p.reportedUnclaimed = open
	return out
}

// criticalSince returns the time since which a situation has had critical alerts that are
// neither acknowledged nor silenced. critical is false if it has none.
func criticalSince(s *situation.Situation) (since time.Time, critical bool) {
	for i := range s.Alerts {
		a := &s.Alerts[i]
		if a.Level != alert.Critical || a.Ack != (alert.Ack{}) || !a.SilentUntil.IsZero() {
			continue
		}
		if !critical || a.LevelSince.Before(since) {
			since, critical = a.LevelSince, true
		}
	}
	return since, critical
}
