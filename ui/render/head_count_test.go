package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"wallboard/model"
)

// headsOf returns the states with a count above zero.
func headsOf(h headCount, c *agentCounts) string {
	var out []string
	for _, s := range withRemainder(h.stateShares(c, model.Call), h.loggedIn) {
		if n := s.value.Or(0); n > 0 {
			out = append(out, fmt.Sprint(s.state.Word, " ", n))
		}
	}
	return strings.Join(out, ", ")
}

func TestHeads(t *testing.T) {
	t.Parallel()
	service := headCount{
		loggedIn: n(20), ready: n(4), notReady: n(2), wrapUp: n(1), busy: n(13), onService: n(6),
		callIn: n(1), callOut: n(0), privateOut: n(0),
	}
	group := headCount{loggedIn: n(20), ready: n(4), notReady: n(2), wrapUp: n(1)}
	agents := agentCounts{busyHere: 6, states: map[model.UserStatus]int64{
		model.Busy: 9, model.Booked: 1, model.NotReadyBusy: 2, model.BusyDNCallIn: 1,
		model.Ready: 4, model.NotReady: 2, model.WNR: 1,
	}}
	for _, tt := range []struct {
		name string
		head headCount
		crew agentCounts
		want string
	}{
		{
			"service", service, agents,
			"Talking 6, Busy elsewhere 3, Booked 1, Wrap-up 1, Call in 1, Ready 4, Busy not ready 2, Not ready 2",
		},
		{
			"service whose agents are not known", service,
			agentCounts{},
			"Talking 6, Busy elsewhere 6, Wrap-up 1, Call in 1, Ready 4, Not ready 2",
		},
		{
			"group", group, agents,
			"Talking 6, Busy elsewhere 3, Booked 1, Wrap-up 1, Call in 1, Ready 4, Busy not ready 2, Not ready 2",
		},
		{"group whose agents are not known", group, agentCounts{}, "Wrap-up 1, Ready 4, Not ready 2, Other 13"},
		{
			"agents of another moment take no more than is left",
			headCount{loggedIn: n(8), ready: n(4), notReady: n(2), wrapUp: n(1)},
			agents,
			"Talking 1, Wrap-up 1, Ready 4, Not ready 2",
		},
		{
			"agents of whom some are not known", group,
			agentCounts{states: map[model.UserStatus]int64{model.Booked: 3, "ON_THE_MOON": 2}},
			"Booked 3, Wrap-up 1, Ready 4, Not ready 2, Other 10",
		},
		{"nothing is known", headCount{}, agentCounts{}, ""},
	} {
		if d := cmp.Diff(tt.want, headsOf(tt.head, &tt.crew)); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}

func TestCrew(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	put := func(username string, profile int64, status model.UserStatus, service string) {
		r := &model.UserStat{Username: text(username)}
		r.Channel, r.Status, r.LoggedProfileID = model.Call, status, n(profile)
		r.CurrentService, r.CurrentGroup = text(service), text("G")
		s.UserStats.Put(r)
	}
	put("here", 1, model.Busy, "S")
	put("there", 2, model.Busy, "other")
	put("booked", 3, model.Booked, "S")
	put("stranger", 4, model.Ready, "other")
	s.Users.Put(&model.User{Username: text("stranger"), Services: []string{"S"}})
	snap := s.Publish(now, model.Health{})
	scope := Scope{Channel: model.Call, Service: "S"}

	c := countAgents(snap, scope, &model.ProfilesInStatus{ProfileIDs: []int64{1, 2, 3}})
	if c.busyHere != 1 || c.states[model.Busy] != 2 || c.states[model.Booked] != 1 || c.states[model.Ready] != 0 {
		t.Errorf("by profile: %+v", c)
	}
	c = countAgents(snap, scope, &model.ProfilesInStatus{})
	if c.busyHere != 1 || c.states[model.Busy] != 1 || c.states[model.Ready] != 1 {
		t.Errorf("by assignment: %+v", c)
	}
	c = countAgents(snap, Scope{Channel: model.Chat, Service: "S"}, &model.ProfilesInStatus{})
	if c.states != nil {
		t.Errorf("on a channel without agents: %+v", c)
	}
}

func TestGroupDetailNamesWhoIsBusy(t *testing.T) {
	t.Parallel()
	s := floor()
	busy := rossi()
	busy.Status = model.Busy
	s.UserStats.Put(busy)
	got := ansi.Strip(strings.Join(GroupDetail(s.Publish(now, model.Health{}), view(model.Call), "G1", 100), "\n"))
	for _, want := range []string{"● Talking               1  11.1 %", "? Other                 4  44.4 %"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
