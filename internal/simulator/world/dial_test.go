package world

import (
	"errors"
	"testing"
	"time"
)

// quiet returns a world without calls and campaigns.
func quiet(t *testing.T) *World {
	t.Helper()
	w := New(Options{Seed: 1, Agents: 24, TrafficFactor: 1e-9, Campaigns: -1})
	w.Step(10 * time.Minute)
	return w
}

// readyAgent returns an agent who can dial.
func readyAgent(t *testing.T, w *World) *user {
	t.Helper()
	for _, u := range w.agents {
		if m := u.channel(channelCall); m != nil && m.state == stateReady && !u.isBusy && !u.hasUncontrolledPhone() {
			return u
		}
	}
	t.Fatal("no agent is ready")
	return nil
}

func dial(t *testing.T, w *World, u *user, o DialParams) CallRecord {
	t.Helper()
	r, err := w.Phones().Dial(u.username, o)
	if err != nil {
		t.Fatalf("dial %s: %v", o.Number, err)
	}
	return r
}

// callsOf returns the calls of an existing user.
func callsOf(t *testing.T, w *World, u *user, onlyAnswered bool) []CallRecord {
	t.Helper()
	calls, err := w.Phones().Calls(u.username, onlyAnswered)
	if err != nil {
		t.Fatalf("calls of %s: %v", u.username, err)
	}
	return calls
}

func TestDial(t *testing.T) {
	t.Parallel()
	w := quiet(t)
	u := readyAgent(t, w)
	s := w.services[2]
	calls := func() ServiceCalls { return s.channels[channelCall].calls }
	before := calls()
	at := w.Now()
	r := dial(t, w, u, DialParams{Number: "+39 02 1234", Service: s.code, Data: "order 7", DialerNumber: "0800", RecData: "why"})
	same(t, "record", r, CallRecord{
		UniqueID: r.UniqueID, SIPCallID: r.SIPCallID, User: u.username, Service: s.code, CLID: "0800", DNIS: "+39 02 1234",
		CallData: "order 7", Start: at, CallInfo: map[string]string{"direction": "outbound", "recData": "why"},
	})
	eq(t, "received", calls().OutboundReceivedCalls, before.OutboundReceivedCalls+1)
	eq(t, "answered calls while it rings", len(callsOf(t, w, u, true)), 0)

	w.Step(8 * time.Second)
	answered := callsOf(t, w, u, true)
	if len(answered) != 1 || !answered[0].Answer.After(at) || answered[0].UniqueID != r.UniqueID {
		t.Fatalf("after eight seconds %+v", answered)
	}
	eq(t, "answered", calls().OutboundAnsweredCalls, before.OutboundAnsweredCalls+1)

	for m := u.channel(channelCall); m.state == stateDNOut; {
		if w.Step(time.Second); w.Now().Sub(at) > time.Hour {
			t.Fatal("the call does not end")
		}
	}
	eq(t, "calls afterwards", len(callsOf(t, w, u, false)), 0)
	eq(t, "free", u.isBusy, false)
	eq(t, "answered, ended", calls().OutboundAnsweredCalls, before.OutboundAnsweredCalls+1)
}

func TestDialReturnsToThePause(t *testing.T) {
	t.Parallel()
	for _, left := range []time.Duration{time.Hour, 10 * time.Second} {
		w := quiet(t)
		u := readyAgent(t, w)
		u.startPause(pause{activityBackOffice, left})
		was := u.channel(channelCall).figures()
		dial(t, w, u, DialParams{Number: NumberTalks})
		w.Step(30 * time.Second)
		if err := w.Phones().HangUpUser(u.username); err != nil {
			t.Fatal(err)
		}
		is := u.channel(channelCall).figures()
		if left < time.Minute {
			eq(t, "after a pause that is over", is.Status, Ready)
			continue
		}
		eq(t, "status", is.Status, NotReady)
		eq(t, "activity", is.ActivityCode+is.ActivityCode2, was.ActivityCode+was.ActivityCode2)
		w.Step(left)
		eq(t, "still paused when the pause is over", u.channel(channelCall).state == stateNotReady, false)
	}
}

func TestDialEndsAfterContactWork(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 2})
	for _, u := range w.agents {
		m := u.channel(channelCall)
		if m == nil || m.state != stateWNR || u.hasUncontrolledPhone() {
			continue
		}
		dial(t, w, u, DialParams{Number: NumberTalks})
		eq(t, "status", m.state, stateDNOut)
		eq(t, "service", m.service, EmptyMark)
		w.Step(time.Minute)
		eq(t, "status when the work would have been done", m.state, stateDNOut)
		checkState(t, w)
		return
	}
	t.Fatal("no agent does after-contact work")
}

func TestDialRefused(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1})
	free := readyAgent(t, w).username
	find := func(ok func(*user, *userChannel) bool) string {
		for _, u := range w.agents {
			if ok(u, u.channel(channelCall)) {
				return u.username
			}
		}
		t.Fatal("no such agent")
		return ""
	}
	for name, tt := range map[string]struct {
		user string
		o    DialParams
		want error
	}{
		"no user":        {"nobody", DialParams{Number: "1"}, ErrNoUser},
		"no number":      {free, DialParams{}, ErrInvalid},
		"letters":        {free, DialParams{Number: "home"}, ErrInvalid},
		"bad number":     {free, DialParams{Number: NumberInvalid}, ErrInvalid},
		"bad service":    {free, DialParams{Number: "1", Service: "SRV"}, ErrInvalid},
		"bad type":       {free, DialParams{Number: "1", ExtenType: "sip"}, ErrInvalid},
		"other's exten":  {free, DialParams{Number: "1", Exten: "1"}, ErrNoClient},
		"not logged in":  {find(func(u *user, _ *userChannel) bool { return !u.isLoggedIn }), DialParams{Number: "1"}, ErrNoClient},
		"no telephone":   {find(func(u *user, m *userChannel) bool { return u.isLoggedIn && m == nil }), DialParams{Number: "1"}, ErrNoClient},
		"no client":      {find(func(u *user, m *userChannel) bool { return u.isLoggedIn && m != nil && u.profileID%12 == 0 }), DialParams{Number: "1"}, ErrNoClient},
		"talks":          {find(func(u *user, m *userChannel) bool { return m != nil && m.state == stateBusy && u.profileID%12 > 0 }), DialParams{Number: "1"}, ErrBusy},
		"telephones":     {find(func(u *user, m *userChannel) bool { return m != nil && m.state == stateDNIn && u.profileID%12 > 0 }), DialParams{Number: "1"}, ErrBusy},
		"generic":        {free, DialParams{Number: "+39 02 " + NumberFails}, ErrDialFailed},
		"busy is failed": {find(func(u *user, m *userChannel) bool { return m != nil && m.state == stateBusy && u.profileID%12 > 0 }), DialParams{Number: "1"}, ErrDialFailed},
	} {
		before := fingerprint(t, w)
		if _, err := w.Phones().Dial(tt.user, tt.o); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", name, err, tt.want)
		}
		eq(t, name+" leaves the world", fingerprint(t, w), before)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		number string
		after  time.Duration
		want   ServiceCalls // increase of the outbound counters after that time
		status string
	}{
		{NumberBusy, 4 * time.Second, ServiceCalls{OutboundReceivedCalls: 1, OutboundHangupCalls: 1}, Ready},
		{NumberUnassigned, 4 * time.Second, ServiceCalls{OutboundReceivedCalls: 1, OutboundClosedCallsGenericCause: 1}, Ready},
		{NumberNoAnswer, 29 * time.Second, ServiceCalls{OutboundReceivedCalls: 1}, BusyDNCallOut},
		{NumberNoAnswer, 31 * time.Second, ServiceCalls{OutboundReceivedCalls: 1, OutboundHangupCalls: 1}, Ready},
		{NumberTalks, 2 * time.Second, ServiceCalls{OutboundReceivedCalls: 1, OutboundAnsweredCalls: 1}, BusyDNCallOut},
		{NumberTalks, 20 * time.Minute, ServiceCalls{OutboundReceivedCalls: 1, OutboundAnsweredCalls: 1}, BusyDNCallOut},
	} {
		w := New(Options{Seed: 1, Agents: 24, TrafficFactor: 1e-9, Campaigns: -1})
		u := readyAgent(t, w)
		l := w.services[0].channels[channelCall]
		before := l.calls
		dial(t, w, u, DialParams{Number: "0039" + tt.number, Service: l.service.code})
		w.Step(tt.after)
		got := ServiceCalls{
			OutboundReceivedCalls:           l.calls.OutboundReceivedCalls - before.OutboundReceivedCalls,
			OutboundAnsweredCalls:           l.calls.OutboundAnsweredCalls - before.OutboundAnsweredCalls,
			OutboundHangupCalls:             l.calls.OutboundHangupCalls - before.OutboundHangupCalls,
			OutboundClosedCallsGenericCause: l.calls.OutboundClosedCallsGenericCause - before.OutboundClosedCallsGenericCause,
		}
		same(t, tt.number, got, tt.want)
		eq(t, tt.number, u.channel(channelCall).state.String(), tt.status)
	}
}
