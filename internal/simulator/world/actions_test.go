package world

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// act performs an action chosen by kind, with arguments chosen by x and y. Its
// effect must show at once, or there must be none if it is refused.
func act(t reporter, w *World, kind, x, y int) {
	t.Helper()
	before := w.State()
	users := slices.Concat(w.agents, w.operators)
	u := users[x%len(users)]
	c := w.dialer.campaigns[x%len(w.dialer.campaigns)]
	refused := false
	switch kind % numActions {
	case 0:
		refused = actDial(t, w, u, y)
	case 1:
		calls, _ := w.Phones().Calls(u.username, false)
		refused = w.Phones().HangUpUser(u.username) != nil
		eq(t, "hang-up refused without a call", refused && len(calls) > 0, false)
	case 2:
		refused = actHangUp(t, w, u)
	case 3:
		refused = w.Phones().HangUpExten(u.extension()) != nil
	case 4:
		refused = true // the change is visible only in Calls
		actRecord(t, w, u, y%2 == 0)
	case 5:
		refused = w.Dialer().StartCampaign(c.settings.ID, y%2 == 0) != nil
		eq(t, "started", !refused, c.settings.Enabled)
	case 6:
		eq(t, "stop", w.Dialer().StopCampaign(c.settings.ID, y%2 == 0), nil)
		eq(t, "channels of a stopped campaign", c.stat.AllocatedChannels, c.stat.UsedChannels)
	case 7:
		actSet(t, w, c, y)
	case 8:
		added, err := w.Dialer().AddCampaign(Campaign{Name: fmt.Sprint("new ", y%3), ServiceCode: u.world.services[0].code, Enabled: y%2 == 0, Lists: c.settings.Lists})
		refused = err != nil
		eq(t, "added", refused, errors.Is(err, ErrExists))
		eq(t, "present", slices.ContainsFunc(w.State().Campaigns, func(r *CampaignStat) bool { return r.CampaignID == added.ID }), !refused)
	case 9:
		actAdd(t, w, c, y)
	case 10:
		actDelete(t, w, c, y)
	case 11:
		w.Dialer().ResetItems()
		eq(t, "tried after a reset", c.stat.TriedContacts, c.stat.UsedChannels)
	}
	if refused {
		same(t, "what a refused action leaves", w.State(), before)
	}
}

const numActions = 12

func actDial(t reporter, w *World, u *user, y int) (refused bool) {
	t.Helper()
	numbers := []string{"0212345", NumberTalks, NumberTalks, NumberBusy, NumberNoAnswer, NumberUnassigned, NumberUnrecorded, NumberFails, NumberInvalid}
	o := DialParams{Number: numbers[y%len(numbers)], Record: y%2 == 0, RecordAuto: y%5 == 0}
	if y%3 > 0 {
		o.Service = w.services[y%len(w.services)].code
	}
	var before Figures
	if m := u.channel(channelCall); m != nil {
		before = m.figures()
	}
	r, err := w.Phones().Dial(u.username, o)
	if r.UniqueID == "" {
		eq(t, "refused", err != nil, true)
		return true
	}
	after := u.channel(channelCall).figures()
	eq(t, "state after dialling", after.Status, BusyDNCallOut)
	eq(t, "calls out", after.NumberCallOut, before.NumberCallOut+1)
	eq(t, "in state since", after.TimeInState, w.recordTime(w.now))
	calls, _ := w.Phones().Calls(u.username, false)
	same(t, "calls after dialling", calls, []CallRecord{r})
	return false
}

func actHangUp(t reporter, w *World, u *user) (refused bool) {
	t.Helper()
	calls, _ := w.Phones().Calls(u.username, false)
	if len(calls) == 0 {
		eq(t, "no call", w.Phones().HangUp("1.1"), ErrNoCall)
		return true
	}
	id := calls[0].UniqueID
	eq(t, "hang up", w.Phones().HangUp(id), nil)
	eq(t, "again", w.Phones().HangUp(id), ErrNoCall)
	return false
}

func actRecord(t reporter, w *World, u *user, start bool) {
	t.Helper()
	calls, _ := w.Phones().Calls(u.username, false)
	if len(calls) == 0 {
		return
	}
	was, id := calls[0].RecFileName, calls[0].UniqueID
	if start {
		_, err := w.Phones().StartRecording(u.username, id, "a.wav", false)
		eq(t, "recording refused", err != nil, was != "" || calls[0].DNIS == NumberUnrecorded)
	} else {
		err := w.Phones().StopRecording(u.username, id)
		eq(t, "stop refused", err != nil, was == "")
		calls, _ = w.Phones().Calls(u.username, false)
		eq(t, "file", calls[0].RecFileName, "")
	}
}

func actSet(t reporter, w *World, c *campaign, y int) {
	t.Helper()
	s := c.settings.clone()
	s.Enabled = y%4 > 0
	s.Priority = int64(1 + y%10)
	s.ReservedChannels = int64(y % 7)
	s.ServiceCode = w.services[y%len(w.services)].code
	s.EndDate = time.Time{}
	if y%5 == 0 {
		s.EndDate = w.Now().Add(time.Minute)
	}
	if len(s.Lists) > 0 {
		s.Lists[0].Enabled = y%3 > 0
	}
	got, err := w.Dialer().SetCampaign(s, y%2 == 0)
	if err != nil {
		t.Fatalf("set campaign: %v", err)
	}
	same(t, "settings", got, s)
}

func actAdd(t reporter, w *World, c *campaign, y int) {
	t.Helper()
	todo := c.stat.ToDoContacts
	items := make([]Item, y%20)
	for i := range items {
		items[i] = Item{CampaignID: c.settings.ID, PhoneNumber: fmt.Sprint(1000 + i)}
	}
	if _, err := w.Dialer().AddItems(items); err != nil {
		t.Fatalf("add items: %v", err)
	}
	eq(t, "to do", c.stat.ToDoContacts, todo+int64(len(items)))
}

func actDelete(t reporter, w *World, c *campaign, y int) {
	t.Helper()
	var items []Item
	untried := 0
	for i, it := range c.items {
		if i%3 == y%3 {
			items = append(items, Item{ID: it.ID})
			if !it.wasTried {
				untried++
			}
		}
	}
	deleted, err := w.Dialer().DeleteItems(items, y%2 == 0)
	if err != nil {
		t.Fatalf("delete items: %v", err)
	}
	eq(t, "deleted", len(deleted), untried)
	again, err := w.Dialer().DeleteItems(deleted, false)
	eq(t, "deleted twice", errors.Is(err, ErrNoItem), len(deleted) > 0)
	eq(t, "deleted twice", len(again), 0)
}

// checkCalls compares the calls with the users' states.
func checkCalls(t reporter, w *World) {
	t.Helper()
	seen := map[string]bool{}
	for _, u := range slices.Concat(w.agents, w.operators) {
		calls, err := w.Phones().Calls(u.username, false)
		if err != nil || len(calls) > 1 {
			t.Fatalf("%s has the calls %v, error %v", u.username, calls, err)
		}
		m := u.channel(channelCall)
		state := stateOffline
		if m != nil {
			state = m.state
		}
		if len(calls) == 0 {
			if state == stateBooked || state == stateBusy {
				t.Errorf("%s is %v without a call", u.username, state)
			}
			continue
		}
		c := calls[0]
		switch {
		case seen[c.UniqueID], c.User != u.username, c.Start.After(w.Now()), !c.Answer.IsZero() && c.Answer.Before(c.Start):
			t.Errorf("%s: impossible call %+v", u.username, c)
		case c.CallInfo["direction"] == "outbound":
			eq(t, u.username+" dials", state, stateDNOut)
		case c.Answer.IsZero():
			eq(t, u.username+" is rung", state, stateBooked)
		default:
			eq(t, u.username+" talks", state == stateBusy || state == stateNotReadyBusy, true)
			eq(t, u.username+" talks for", c.Service, m.service)
		}
		seen[c.UniqueID] = true
		answered, _ := w.Phones().Calls(u.username, true)
		eq(t, u.username+" answered", len(answered) == 1, !c.Answer.IsZero())
	}
}

// checkDialer checks what the records of a campaign do not show.
func checkDialer(t reporter, c *campaign) {
	t.Helper()
	key := c.settings.Name + " "
	atMost(t, key+"anonymous", c.anonymousToDo(), c.stat.ToDoContacts)
	atMost(t, key+"deleted", c.deletedCount, c.stat.ToDoContacts)
	trying := int64(0)
	for _, it := range c.items {
		if it.isTrying {
			trying++
			eq(t, key+"tried while trying", it.wasTried, true)
		}
	}
	atMost(t, key+"items under way", trying, c.stat.UsedChannels)
	if !c.isRunning {
		eq(t, key+"channels of a stopped campaign", c.stat.AllocatedChannels, c.stat.UsedChannels)
	}
}

func TestSameActionsSameWorld(t *testing.T) {
	t.Parallel()
	grown := func(salt uint64) uint64 {
		w := New(Options{Seed: 9, Drama: true, Agents: 20})
		for i := range uint64(200) {
			x := scramble(i + salt)
			act(t, w, int(x%997), int(x>>20%991), int(x>>40%983))
			w.Step(3 * time.Second)
		}
		return fingerprint(t, w)
	}
	first := grown(0)
	if grown(0) != first {
		t.Error("the same actions gave different states")
	}
	if grown(1000) == first {
		t.Error("different actions gave the same state")
	}
}
