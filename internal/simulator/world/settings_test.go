package world

import (
	"errors"
	"testing"
	"time"
)

func statOf(t *testing.T, w *World, id int64) CampaignStat {
	t.Helper()
	for _, r := range w.State().Campaigns {
		if r.CampaignID == id {
			return *r
		}
	}
	t.Fatalf("no record of campaign %d", id)
	return CampaignStat{}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestStopAndStartCampaign(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1, Drama: true})
	const id = firstCampaignID
	w.Step(time.Minute)
	before := statOf(t, w, id)
	if before.UsedChannels == 0 || before.UsedChannels == before.AllocatedChannels {
		t.Fatalf("the test needs some channels in use: %+v", before)
	}
	noError(t, w.Dialer().StopCampaign(id, false))
	stopped := statOf(t, w, id)
	eq(t, "channels", stopped.AllocatedChannels, before.UsedChannels)
	w.Step(2 * time.Hour)
	end := statOf(t, w, id)
	eq(t, "attempts", end.StartedCalls, before.StartedCalls)
	eq(t, "contacts", end.TotalContacts, before.TotalContacts)
	eq(t, "channels in the end", end.AllocatedChannels+end.UsedChannels, 0)

	noError(t, w.Dialer().StartCampaign(id, false))
	eq(t, "channels after the start", statOf(t, w, id).AllocatedChannels, before.AllocatedChannels)
	w.Step(time.Minute)
	if again := statOf(t, w, id); again.StartedCalls <= end.StartedCalls {
		t.Errorf("no attempt after the start: %+v", again)
	}
}

func TestStoppedCampaignGetsNoContacts(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1, Campaigns: 1})
	c := w.dialer.campaigns[0]
	c.limitToDo(0)
	for !c.isExhausted {
		w.Step(time.Second)
	}
	before := statOf(t, w, firstCampaignID)
	noError(t, w.Dialer().StopCampaign(firstCampaignID, false))
	w.Step(time.Hour)
	eq(t, "contacts", statOf(t, w, firstCampaignID).TotalContacts, before.TotalContacts)
	noError(t, w.Dialer().StartCampaign(firstCampaignID, false))
	w.Step(time.Hour)
	if now := statOf(t, w, firstCampaignID); now.TotalContacts == before.TotalContacts {
		t.Errorf("no contacts an hour after the start: %+v", now)
	}
}

func TestResetStats(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1})
	const id = firstCampaignID
	before := statOf(t, w, id)
	noError(t, w.Dialer().StartCampaign(id, true))
	want := before
	want.StartedCalls, want.TriedContacts, want.OkContacts = before.UsedChannels, before.UsedChannels, 0
	want.TotalContacts = before.ToDoContacts + before.UsedChannels
	same(t, "after the reset", statOf(t, w, id), want)
	w.Step(time.Hour)
	checkState(t, w)
	noError(t, w.Dialer().StopCampaign(id, true))
	eq(t, "ok contacts", statOf(t, w, id).OkContacts, 0)
}

func TestCampaignSettings(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1})
	c := w.Dialer().Campaigns()[0]
	before := statOf(t, w, c.ID)
	set := func(change func(*Campaign)) int64 {
		t.Helper()
		s := c.clone()
		change(&s)
		_, err := w.Dialer().SetCampaign(s, false)
		noError(t, err)
		return statOf(t, w, c.ID).AllocatedChannels
	}
	eq(t, "unchanged", set(func(*Campaign) {}), before.AllocatedChannels)
	eq(t, "more channels", set(func(s *Campaign) { s.ReservedChannels, s.BusyChannels = 30, 20 }), 40)
	eq(t, "priority", set(func(s *Campaign) { s.ReservedChannels, s.BusyChannels, s.Priority = 30, 20, 10 }), 50)
	eq(t, "disabled", set(func(s *Campaign) { s.Enabled = false }), before.UsedChannels)
	if err := w.Dialer().StartCampaign(c.ID, true); !errors.Is(err, ErrDisabled) {
		t.Errorf("start disabled: %v", err)
	}
	eq(t, "reset by a refused start", statOf(t, w, c.ID).StartedCalls, before.StartedCalls)
	eq(t, "in the past", set(func(s *Campaign) { s.EndDate = w.Now() }), before.UsedChannels)
	eq(t, "in the future", set(func(s *Campaign) { s.StartDate = w.Now().Add(time.Minute) }), before.UsedChannels)
	w.Step(2 * time.Minute)
	eq(t, "when its time has come", statOf(t, w, c.ID).AllocatedChannels, before.AllocatedChannels)

	to := w.services[3]
	set(func(s *Campaign) { s.ServiceCode, s.Name = to.code, "Moved" })
	received := to.channels[channelCall].calls.OutboundReceivedCalls
	w.Step(5 * time.Minute)
	if now := to.channels[channelCall].calls.OutboundReceivedCalls; now <= received {
		t.Errorf("the campaign does not call for its new service")
	}
	eq(t, "name", w.Dialer().CampaignName(c.ID), "Moved")
	checkState(t, w)
}

func TestNewCampaign(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1})
	w.TakeChanges()
	list, err := w.Dialer().AddList(List{Name: "Fresh"})
	noError(t, err)
	c, err := w.Dialer().AddCampaign(Campaign{Name: "Fresh", ServiceCode: "SRV02", Enabled: true, Lists: []CampaignList{{ListID: list.ID, Enabled: true}}})
	noError(t, err)
	changes := w.TakeChanges().Campaigns
	if len(changes) != 1 || changes[0].Old != nil || changes[0].New.CampaignID != c.ID {
		t.Errorf("changes %+v", changes)
	}
	items, err := w.Dialer().AddItems([]Item{{ListID: list.ID, PhoneNumber: "0212"}, {CampaignID: c.ID, PhoneNumber: "0213", Data: []string{"a"}}})
	noError(t, err)
	same(t, "items", items, []Item{
		{ID: 1, ItemNumber: 1, CampaignID: c.ID, ListID: list.ID, PhoneNumber: "0212"},
		{ID: 2, ItemNumber: 2, CampaignID: c.ID, ListID: list.ID, PhoneNumber: "0213", Data: []string{"a"}},
	})
	w.Step(10 * time.Minute)
	eq(t, "attempts before the start", statOf(t, w, c.ID).StartedCalls, 0)
	eq(t, "channels before the start", statOf(t, w, c.ID).AllocatedChannels, 0)
	noError(t, w.Dialer().StartCampaign(c.ID, false))
	w.Step(10 * time.Minute)
	s := statOf(t, w, c.ID)
	eq(t, "tried", s.TriedContacts, 2)
	eq(t, "contacts", s.TotalContacts, 2)

	w.Dialer().ResetItems()
	eq(t, "to do after the reset", statOf(t, w, c.ID).ToDoContacts, 2)
	w.Step(10 * time.Minute)
	eq(t, "tried again", statOf(t, w, c.ID).TriedContacts, 2)

	noError(t, w.Dialer().StartCampaign(c.ID, true))
	w.Dialer().ResetItems()
	eq(t, "contacts when what was tried is forgotten", statOf(t, w, c.ID).TotalContacts, 0)
	checkState(t, w)
}

func TestDeleteItems(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1})
	c := w.Dialer().Campaigns()[0]
	noError(t, w.Dialer().StopCampaign(c.ID, false))
	before := statOf(t, w, c.ID)
	items, err := w.Dialer().AddItems([]Item{{CampaignID: c.ID, PhoneNumber: "1"}, {CampaignID: c.ID, PhoneNumber: "2"}, {CampaignID: c.ID, PhoneNumber: "3"}})
	noError(t, err)
	if _, err := w.Dialer().DeleteItems([]Item{items[0], {ID: 99}}, false); !errors.Is(err, ErrNoItem) {
		t.Errorf("unknown item: %v", err)
	}
	deleted, err := w.Dialer().DeleteItems([]Item{{CampaignID: c.ID, ItemNumber: items[1].ItemNumber}, items[0]}, false)
	noError(t, err)
	same(t, "deleted", deleted, []Item{items[1], items[0]})
	eq(t, "to do until the reset", statOf(t, w, c.ID).ToDoContacts, before.ToDoContacts+3)
	deleted, err = w.Dialer().DeleteItems(items[2:], true)
	noError(t, err)
	same(t, "deleted", deleted, items[2:])
	eq(t, "to do after the reset", statOf(t, w, c.ID).ToDoContacts, before.ToDoContacts)
	checkState(t, w)

	w.dialer.byID[c.ID].limitToDo(0)
	items, err = w.Dialer().AddItems([]Item{{CampaignID: c.ID, PhoneNumber: "1"}})
	noError(t, err)
	_, err = w.Dialer().DeleteItems(items, false)
	noError(t, err)
	noError(t, w.Dialer().StartCampaign(c.ID, false))
	tried := statOf(t, w, c.ID).TriedContacts
	w.Step(time.Minute)
	eq(t, "tried when all are deleted", statOf(t, w, c.ID).TriedContacts, tried)
}

func TestListPriority(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1, Campaigns: -1})
	var lists []CampaignList
	for i, name := range []string{"low", "off", "high"} {
		l, err := w.Dialer().AddList(List{Name: name})
		noError(t, err)
		lists = append(lists, CampaignList{ListID: l.ID, Priority: int64(i), Enabled: name != "off"})
	}
	s, err := w.Dialer().AddCampaign(Campaign{Name: "Lists", ServiceCode: "SRV01", Enabled: true, Lists: lists})
	noError(t, err)
	for _, l := range lists {
		_, err := w.Dialer().AddItems([]Item{{CampaignID: s.ID, ListID: l.ListID, PhoneNumber: "1"}})
		noError(t, err)
	}
	c := w.dialer.byID[s.ID]
	eq(t, "first", c.nextItem().ListID, lists[2].ListID)
	noError(t, w.Dialer().StartCampaign(s.ID, false))
	w.Step(10 * time.Minute)
	eq(t, "to do", statOf(t, w, s.ID).ToDoContacts, 1)
	lists[1].Enabled = true
	_, err = w.Dialer().SetCampaign(s, false) // must keep its own copy of the lists
	noError(t, err)
	w.Step(time.Minute)
	eq(t, "to do with the old lists", statOf(t, w, s.ID).ToDoContacts, 1)
	s.Lists = lists
	_, err = w.Dialer().SetCampaign(s, false)
	noError(t, err)
	w.Step(time.Minute)
	eq(t, "to do in the end", statOf(t, w, s.ID).ToDoContacts, 0)
}

func TestSettingsRefused(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1})
	c, l := w.Dialer().Campaigns()[0], w.Dialer().Lists()[0]
	with := func(change func(*Campaign)) Campaign {
		s := c.clone()
		change(&s)
		return s
	}
	add := func(s Campaign) error { _, err := w.Dialer().AddCampaign(s); return err }
	set := func(s Campaign) error { _, err := w.Dialer().SetCampaign(s, true); return err }
	addList := func(l List) error { _, err := w.Dialer().AddList(l); return err }
	setList := func(l List) error { _, err := w.Dialer().SetList(l); return err }
	items := func(it ...Item) error { _, err := w.Dialer().AddItems(it); return err }
	before := fingerprint(t, w)
	for name, tt := range map[string]struct{ got, want error }{
		"id taken":         {add(with(func(s *Campaign) { s.Name = "Other" })), ErrExists},
		"name taken":       {add(with(func(s *Campaign) { s.ID = 0 })), ErrExists},
		"no service":       {add(Campaign{Name: "New", ServiceCode: "x"}), ErrNoService},
		"no list":          {add(Campaign{Name: "New", ServiceCode: "SRV01", Lists: []CampaignList{{ListID: 1}}}), ErrNoList},
		"no campaign":      {set(with(func(s *Campaign) { s.ID = 1 })), ErrNoCampaign},
		"other's name":     {set(with(func(s *Campaign) { s.Name = w.Dialer().Campaigns()[1].Name })), ErrInvalid},
		"priority":         {set(with(func(s *Campaign) { s.Priority = 11 })), ErrInvalid},
		"channels":         {set(with(func(s *Campaign) { s.BusyChannels = -1 })), ErrInvalid},
		"dates":            {set(with(func(s *Campaign) { s.EndDate = s.StartDate.Add(-1) })), ErrInvalid},
		"start":            {w.Dialer().StartCampaign(1, true), ErrNoCampaign},
		"stop":             {w.Dialer().StopCampaign(1, true), ErrNoCampaign},
		"list taken":       {addList(List{Name: l.Name}), ErrExists},
		"list without":     {addList(List{}), ErrInvalid},
		"list unknown":     {setList(List{ID: 1, Name: "x"}), ErrNoList},
		"list's name":      {setList(List{ID: l.ID, Name: w.Dialer().Lists()[1].Name}), ErrInvalid},
		"list's attempts":  {setList(List{ID: l.ID, Name: l.Name, Busy: Attempts{-1, 0}}), ErrInvalid},
		"item's number":    {items(Item{CampaignID: c.ID, PhoneNumber: "1"}, Item{CampaignID: c.ID}), ErrInvalid},
		"item's campaign":  {items(Item{CampaignID: 1, PhoneNumber: "1"}), ErrNoCampaign},
		"item's list":      {items(Item{CampaignID: c.ID, ListID: w.Dialer().Lists()[1].ID, PhoneNumber: "1"}), ErrNoList},
		"list of nobody's": {items(Item{ListID: 1, PhoneNumber: "1"}), ErrNoCampaign},
	} {
		if !errors.Is(tt.got, tt.want) {
			t.Errorf("%s: error %v, want %v", name, tt.got, tt.want)
		}
	}
	eq(t, "the world after all that", fingerprint(t, w), before)
	same(t, "settings after all that", w.Dialer().Campaigns()[0], c)
}
