package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// listing replaces the configuration service's list of campaigns.
type listing struct {
	mu       sync.Mutex
	ids      []int64
	err      error
	searches int
}

func (l *listing) find(context.Context) (map[int64]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.searches++
	found := make(map[int64]string)
	for _, id := range l.ids {
		found[id] = fmt.Sprint("Campaign ", id)
	}
	return found, l.err
}

func (l *listing) set(err error, ids ...int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids, l.err = ids, err
}

func campaignIDs(s *model.Snapshot) []int64 {
	var ids []int64
	for r := range s.Campaigns.All() {
		ids = append(ids, r.Key())
	}
	slices.Sort(ids)
	return ids
}

// unnamed returns the campaigns that do not have the name that a [listing] gives them.
func unnamed(s *model.Snapshot) (ids []int64) {
	for r := range s.Campaigns.All() {
		if r.Name != fmt.Sprint("Campaign ", r.Key()) {
			ids = append(ids, r.Key())
		}
	}
	return ids
}

// TestCampaignsAreFound adds campaigns to the list of the configuration service while
// the board runs, and takes some away. They are complete when the board says LIVE first.
func TestCampaignsAreFound(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		list := &listing{}
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 2, Agents: 6, Campaigns: 4}}, func(o *feeds.Options) {
			list.set(nil, o.Campaigns[2], o.Campaigns[1])
			o.Campaigns, o.FindCampaigns = o.Campaigns[:1], list.find
		})
		defer r.stop()
		all := r.srv.CampaignIDs()
		shows := func(within time.Duration, want []int64) {
			t.Helper()
			r.until(within, func(s *model.Snapshot) bool { return s.Health.Live() && slices.Equal(campaignIDs(s), want) })
		}
		first := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() })
		if got := campaignIDs(first); !slices.Equal(got, all[:3]) {
			t.Errorf("the first LIVE picture shows the campaigns %v, want %v", got, all[:3])
		}
		list.set(nil, all[1:]...)
		shows(5*time.Minute+10*time.Second, all)
		if got := unnamed(r.feed.Latest()); !slices.Equal(got, all[:1]) { // the list no longer contains this name
			t.Errorf("the campaigns %v have no name, want %v", got, all[:1])
		}
		list.set(errors.New("no answer"))
		pass(10 * time.Minute)
		shows(10*time.Second, all) // a failed search removes no campaign
		list.set(nil, all[1])
		shows(5*time.Minute+10*time.Second, all[:2])
		r.feed.Reconfigure(feeds.RuntimeOptions{Campaigns: all[3:]}) // configured campaigns replace the search
		shows(10*time.Second, all[3:])
		before := list.searches
		if pass(time.Hour); list.searches != before {
			t.Error("it searches although nothing asks for it")
		}
		r.feed.Reconfigure(feeds.RuntimeOptions{FindCampaigns: list.find})
		shows(10*time.Second, all[1:2])
	})
}

// TestCampaignSearchHoldsNothingUp starts a board whose configuration service does not
// answer.
func TestCampaignSearchHoldsNothingUp(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		hang := func(ctx context.Context) (map[int64]string, error) { <-ctx.Done(); return nil, ctx.Err() }
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 2, Agents: 6}}, func(o *feeds.Options) {
			o.Campaigns, o.FindCampaigns = nil, hang
		})
		defer r.stop()
		r.until(6*time.Second, func(s *model.Snapshot) bool { return s.Health.Live() && s.Health.Search.Failed == "no answer yet" })
	})
}

// TestViewerAwaitsTheCampaigns lets the configuration service list the campaigns long after all
// other data are live. Commands that print once wait for them.
func TestViewerAwaitsTheCampaigns(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		list := &listing{}
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 2, Agents: 6, Campaigns: 4}}, func(o *feeds.Options) {
			list.set(nil, o.Campaigns...)
			o.Campaigns, o.FindCampaigns = nil, func(ctx context.Context) (map[int64]string, error) {
				pass(8 * time.Second)
				return list.find(ctx)
			}
		})
		defer r.stop()
		h, err := hub.New(hub.Options{Source: r.feed, Salt: "s", Engine: func(model.FloorPart) (*alert.Engine, error) { return alert.New(alert.Options{}) }})
		if err != nil {
			t.Fatal(err)
		}
		v, err := headless.NewViewer(h, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.AwaitLive(t.Context(), 20*time.Second); err != nil {
			t.Fatal(err)
		}
		if v.Evaluate(); !slices.Equal(campaignIDs(v.LastSnapshot), r.srv.CampaignIDs()) {
			t.Errorf("the viewer has the campaigns %v, want %v", campaignIDs(v.LastSnapshot), r.srv.CampaignIDs())
		}
	})
}

// TestFailedSearchIsReported lets searches for campaigns fail, and succeed again. The
// report says since when and when the next one comes.
func TestFailedSearchIsReported(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		list := &listing{}
		list.set(errors.New("404 Not Found"))
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 2, Agents: 6, Campaigns: 4}}, func(o *feeds.Options) {
			o.Campaigns, o.FindCampaigns = nil, list.find
		})
		defer r.stop()
		began := time.Now()
		reports := func(why string, again time.Duration) {
			t.Helper()
			pass(time.Second)
			s, now := r.feed.Latest().Health.Search, time.Now()
			if s.Failed != why || s.Since.Sub(began).Abs() > time.Second || (s.NextTry.Sub(now)-again).Abs() > 2*time.Second {
				t.Errorf("%q since %v, next try in %v; want %q, %v", s.Failed, s.Since.Sub(began), s.NextTry.Sub(now), why, again)
			}
		}
		reports("404 Not Found", 30*time.Second)
		list.set(feeds.SearchRefusal{Err: errors.New("401 Unauthorized")})
		pass(30 * time.Second)
		reports("401 Unauthorized", 5*time.Minute)
		list.set(nil, r.srv.CampaignIDs()...)
		r.until(5*time.Minute, func(s *model.Snapshot) bool {
			return s.Health.Search == model.CampaignSearch{} && len(campaignIDs(s)) == 4 && len(unnamed(s)) == 0
		})
	})
}
