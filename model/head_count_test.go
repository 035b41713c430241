package model_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
)

// headsOf returns the states with a count above zero.
func headsOf(h model.HeadCount, c *model.AgentCounts) string {
	var out []string
	for _, s := range h.ByState(c) {
		if n := s.Count.Or(0); n > 0 {
			out = append(out, fmt.Sprint(s.State, " ", n))
		}
	}
	return strings.Join(out, ", ")
}

func TestHeadCountByState(t *testing.T) {
	t.Parallel()
	service := model.HeadCount{
		LoggedIn: n(20), Ready: n(4), NotReady: n(2), WrapUp: n(1), Busy: n(13), OnService: n(6),
		CallIn: n(1), CallOut: n(0), PrivateOut: n(0),
	}
	group := model.HeadCount{LoggedIn: n(20), Ready: n(4), NotReady: n(2), WrapUp: n(1)}
	agents := model.AgentCounts{BusyHere: 6, States: map[model.UserStatus]int64{
		model.Busy: 9, model.Booked: 1, model.NotReadyBusy: 2, model.BusyDNCallIn: 1,
		model.Ready: 4, model.NotReady: 2, model.WNR: 1,
	}}
	const all = "BUSY 6, BUSY_ELSEWHERE 3, BOOKED 1, WNR 1, BUSY_dn_call_in 1, READY 4, NOT_READY_BUSY 2, NOT_READY 2"
	for _, tt := range []struct {
		name string
		head model.HeadCount
		crew model.AgentCounts
		want string
	}{
		{"service", service, agents, all},
		{
			"service whose agents are not known", service,
			model.AgentCounts{},
			"BUSY 6, BUSY_ELSEWHERE 6, WNR 1, BUSY_dn_call_in 1, READY 4, NOT_READY 2",
		},
		{"group", group, agents, all},
		{"group whose agents are not known", group, model.AgentCounts{}, "WNR 1, READY 4, NOT_READY 2"},
		{
			"agents of another moment take no more than is left",
			model.HeadCount{LoggedIn: n(8), Ready: n(4), NotReady: n(2), WrapUp: n(1)},
			agents,
			"BUSY 1, WNR 1, READY 4, NOT_READY 2",
		},
		{
			"agents of whom some are not known", group,
			model.AgentCounts{States: map[model.UserStatus]int64{model.Booked: 3, "ON_THE_MOON": 2}},
			"BOOKED 3, WNR 1, READY 4, NOT_READY 2",
		},
		{"nothing is known", model.HeadCount{}, model.AgentCounts{}, ""},
	} {
		if d := cmp.Diff(tt.want, headsOf(tt.head, &tt.crew)); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}

func TestCountAgents(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	put := func(username string, profile int64, status model.UserStatus, service string) {
		r := &model.UserStat{Username: model.TextOf(username)}
		r.Channel, r.Status, r.LoggedProfileID = model.Call, status, model.IntOf(profile)
		r.CurrentService, r.CurrentGroup = model.TextOf(service), model.TextOf("G")
		s.UserStats.Put(r)
	}
	put("here", 1, model.Busy, "S")
	put("there", 2, model.Busy, "other")
	put("booked", 3, model.Booked, "S")
	put("stranger", 4, model.Ready, "other")
	s.Users.Put(&model.User{Username: model.TextOf("stranger"), Services: []string{"S"}})
	snap := s.Publish(time.Time{}, model.Health{})
	service := model.ServiceKey{Code: "S", Channel: model.Call}

	c := model.CountServiceAgents(snap, service, &model.ProfilesInStatus{ProfileIDs: []int64{1, 2, 3}})
	if c.BusyHere != 1 || c.States[model.Busy] != 2 || c.States[model.Booked] != 1 || c.States[model.Ready] != 0 {
		t.Errorf("by profile: %+v", c)
	}
	c = model.CountServiceAgents(snap, service, &model.ProfilesInStatus{})
	if c.BusyHere != 1 || c.States[model.Busy] != 1 || c.States[model.Ready] != 1 {
		t.Errorf("by assignment: %+v", c)
	}
	c = model.CountGroupAgents(snap, model.GroupKey{Code: "G", Channel: model.Call}, &model.ProfilesInStatus{})
	if c.BusyHere != 2 || c.States[model.Busy] != 2 || c.States[model.Ready] != 1 {
		t.Errorf("of a group: %+v", c)
	}
	c = model.CountServiceAgents(snap, model.ServiceKey{Code: "S", Channel: model.Chat}, &model.ProfilesInStatus{})
	if c.States != nil {
		t.Errorf("on a channel without agents: %+v", c)
	}
}
