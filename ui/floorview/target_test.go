package floorview_test

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/floorview"
)

// TestSubjects checks that SubjectOf returns the record from whose alert key it was called.
func TestSubjects(t *testing.T) {
	t.Parallel()
	for _, k := range []floorview.RecordKind{floorview.Service, floorview.Group, floorview.Agent, floorview.Campaign} {
		key := k.AlertKey("17", model.Call)
		if kind, code, ok := floorview.SubjectOf(key); !ok || kind != k || code != "17" {
			t.Errorf("kind %d: %+v leads to %d %q, %v", k, key, kind, code, ok)
		}
	}
	for _, key := range []alert.Key{{Scope: alert.Floor}, floorview.Subscription.AlertKey("services", model.Call)} {
		if _, _, ok := floorview.SubjectOf(key); ok {
			t.Errorf("%+v can be opened", key)
		}
	}
}

// TestMissingReason checks the states of agents and campaigns that may be gone.
func TestMissingReason(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	store.Users.Put(&model.User{Username: model.TextOf("anna"), Statuses: model.ChannelStatuses{Call: model.Ready}})
	r := &model.UserStat{Username: model.TextOf("anna")}
	r.Channel, r.Status, r.TimeInState = model.Call, model.Busy, model.InstantOf(at(3))
	store.UserStats.Put(r)
	store.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(7)})
	s := store.Publish(at(5), model.Health{})
	if status, since, ok := floorview.CallState(s, "anna"); !ok || status != model.Busy || since != model.InstantOf(at(3)) {
		t.Errorf("anna is %s since %v, %v", status, since, ok)
	}
	if _, _, ok := floorview.CallState(s, "bob"); ok {
		t.Error("bob, who is not listed, has a state")
	}
	v := floorview.View{LocalNow: at(5).Add(time.Second), Channel: model.Call, Names: model.Names{}}
	v.SetNewest(s)
	for _, tt := range []struct {
		kind floorview.RecordKind
		key  string
		want string
	}{
		{floorview.Agent, "anna", ""},
		{floorview.Agent, "bob", "bob has logged out: the platform no longer lists this agent."},
		{floorview.Campaign, "7", ""},
		{floorview.Campaign, "8", "The platform no longer sends figures for campaign 8."},
	} {
		target, ok := v.TargetOf(tt.kind, tt.key)
		if got := v.MissingReason(target); !ok || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.key, got, ok, tt.want)
		}
	}
	for kind, key := range map[floorview.RecordKind]string{floorview.Service: "S1", floorview.Campaign: "all", floorview.Agent: ""} {
		if target, ok := v.TargetOf(kind, key); ok {
			t.Errorf("%+v can be acted on", target)
		}
	}
}
