package cli

import (
	"slices"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/secret"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

func serviceCodes(s *model.Snapshot) []string {
	var codes []string
	for r := range s.Services.All() {
		codes = append(codes, r.Key().Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// TestReconfigureTheFeed changes the services on an open connection: there is data all the time.
func TestReconfigureTheFeed(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 4, Agents: 12}}, nil)
		defer r.stop()
		all := serviceCodes(r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && len(serviceCodes(s)) == 4 }))
		r.feed.Reconfigure(feeds.RuntimeOptions{Services: all[1:2], Campaigns: r.srv.CampaignIDs()})
		r.until(time.Minute, func(s *model.Snapshot) bool {
			if s.Services.Len() == 0 {
				t.Fatal("the services are gone in between")
			}
			return s.Health.Live() && slices.Equal(serviceCodes(s), all[1:2])
		})
		r.feed.Reconfigure(feeds.RuntimeOptions{})
		s := r.until(time.Minute, func(s *model.Snapshot) bool {
			return s.Health.Live() && slices.Equal(serviceCodes(s), all) && s.Campaigns.Len() == 0
		})
		if n := s.Health.Link.Reconnects; n != 0 {
			t.Errorf("it connected anew %d times", n)
		}
	})
}

// TestRedial uses a refused token and then a valid one: the snapshot stays, marked as old,
// and the feed retries at once.
func TestRedial(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var fo feeds.Options
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 4, Agents: 12}}, func(o *feeds.Options) { fo = *o })
		defer r.stop()
		r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() })
		wrong := fo
		wrong.Credentials = feeds.Credentials{AccessToken: secret.New("wrong")}
		if err := r.feed.Reconnect(wrong); err != nil {
			t.Fatal(err)
		}
		s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkRefused })
		if s.Services.Len() == 0 {
			t.Error("the old picture is gone")
		}
		began := time.Now()
		if err := r.feed.Reconnect(fo); err != nil {
			t.Fatal(err)
		}
		r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() })
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
