package hub

import (
	"time"

	"wallboard/alert"
	"wallboard/situation"
)

// Untaken is a critical situation that nobody has taken over for a while, as some
// viewers may see it; Over: it is somebody's now, or well again.
type Untaken struct {
	Sight     Sight
	Situation situation.Situation
	Since     time.Time // when it became critical, on the server's clock
	Over      bool
}

// untaken tells once of each situation that nobody has taken over for so long; 0: of
// none. It returns what there is to tell.
func (p *picture) untaken(after time.Duration, now time.Time) []Untaken {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.view == nil {
		return nil
	}
	var out []Untaken
	open := make(map[string]Untaken)
	for i := range p.view.Live {
		s := &p.view.Live[i]
		since, critical := criticalSince(s)
		if !critical || s.Eased || after <= 0 || now.Sub(since) < after {
			continue
		}
		u := Untaken{Sight: p.sight, Situation: *s, Since: since}
		if _, told := p.passed[s.ID]; !told {
			out = append(out, u)
		}
		open[s.ID] = u
	}
	for id, u := range p.passed {
		if _, still := open[id]; !still {
			u.Over = true
			out = append(out, u)
		}
	}
	p.passed = open
	return out
}

// criticalSince is since when a situation has alerts that are critical, are nobody's and
// are heard, if it has.
func criticalSince(s *situation.Situation) (since time.Time, is bool) {
	for i := range s.Alerts {
		a := &s.Alerts[i]
		if a.Level != alert.Critical || a.Ack != (alert.Ack{}) || !a.Silent.IsZero() {
			continue
		}
		if !is || a.LevelSince.Before(since) {
			since, is = a.LevelSince, true
		}
	}
	return since, is
}
