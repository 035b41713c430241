package control

import (
	"testing"
	"time"

	"wallboard/model"
)

// snapshot returns the live snapshot, which may change while an ActionClient polls it.
func (p *platform) snapshot() *model.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.picture
}

// living returns the health of a live feed.
func living() model.Health {
	return model.Health{
		Link: model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{
			{Name: "userStats", State: model.SubLive}, {Name: "pdCampaignStats", State: model.SubLive},
		},
	}
}

// channels returns a live snapshot of campaign 12 with the given figures.
func channels(allocated, tried int64) *model.Snapshot {
	s := model.NewStore()
	s.Campaigns.Put(&model.Campaign{
		CampaignID: model.IntOf(12), AllocatedChannels: model.IntOf(allocated), UsedChannels: model.IntOf(0),
		TriedContacts: model.IntOf(tried),
	})
	return s.Publish(time.Now(), living())
}

// talking returns a live snapshot in which Anna has the given state.
func talking(status model.UserStatus, since time.Time) *model.Snapshot {
	s := model.NewStore()
	s.UserStats.Put(&model.UserStat{
		Username: model.TextOf("anna"), Name: model.TextOf("Anna"), Surname: model.TextOf("Rossi"),
		AgentFigures: model.AgentFigures{Channel: model.Call, Status: status, TimeInState: model.InstantOf(since)},
	})
	return s.Publish(time.Now(), living())
}

// service returns the platform as a Service.
func (p *platform) service() Service {
	return Service{Session: p, Calls: p, Campaigns: p, Lists: p, Runs: p, Messages: p, Tickets: p, Contacts: p}
}

// client returns a client for the platform.
func (p *platform) desk(t *testing.T, tune func(*Options)) *ActionClient {
	t.Helper()
	o := Options{Service: p.service(), Audit: p, Feed: p.snapshot, Address: "cc.example", Username: "boss"}
	if tune != nil {
		tune(&o)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
