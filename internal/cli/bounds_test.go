package cli

import (
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// TestFloodIsBounded uses a platform with more services and agents than the limits: the
// board says so, shows correct data, and shows everything after the limits are raised in
// the same session.
func TestFloodIsBounded(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		bounds := feeds.Bounds{Records: 400, Codes: 7}
		so := simulator.Options{World: world.Options{Seed: 4, Services: 40, Groups: 3, Agents: 150}}
		r := newRig(t, so, func(o *feeds.Options) { o.Bounds = bounds })
		defer r.stop()
		records := func(s *model.Snapshot) int {
			return s.Services.Len() + s.Groups.Len() + s.Users.Len() + s.UserStats.Len() + s.Profiles.Len() +
				s.Campaigns.Len() + s.Attendants.Len() + s.Operators.Len() + s.OperatorProfiles.Len()
		}
		s := r.until(time.Minute, func(s *model.Snapshot) bool {
			return strings.Contains(s.Health.Notice, "max_codes") && strings.Contains(s.Health.Notice, "max_records")
		})
		for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); {
			s = r.until(time.Minute, func(next *model.Snapshot) bool { return next.Seq > s.Seq })
			if n := records(s); n > bounds.Records {
				t.Fatalf("%d records are kept", n)
			}
			if n := len(serviceCodes(s)); n > bounds.Codes {
				t.Fatalf("%d services are asked for", n)
			}
		}
		if s.Health.Live() || s.Health.Drift().Total() != 0 {
			t.Errorf("live: %v, drift: %+v", s.Health.Live(), s.Health.Drift())
		}
		r.feed.Reconfigure(feeds.RuntimeOptions{Campaigns: r.srv.CampaignIDs()})
		r.until(5*time.Minute, func(s *model.Snapshot) bool {
			return s.Health.Live() && s.Health.Notice == "" && s.Users.Len() > 100 && len(serviceCodes(s)) == 40
		})
	})
}
