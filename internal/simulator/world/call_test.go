package world

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// agentIn returns an agent whose call channel is in a state.
func agentIn(t *testing.T, w *World, s state) *user {
	t.Helper()
	for range 600 {
		for _, u := range w.agents {
			if m := u.channel(channelCall); m != nil && m.state == s {
				return u
			}
		}
		w.Step(time.Second)
	}
	t.Fatalf("no agent is in state %v", s)
	return nil
}

func TestHangUpConversation(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 3})
	u := agentIn(t, w, stateBusy)
	l := u.contact.serviceChannel
	c := callsOf(t, w, u, true)[0]
	if c.Service != l.service.code || !slices.Contains(u.skillsets, c.Skillset) || c.CLID == "" || c.DNIS == "" || c.Answer.Before(c.Start) {
		t.Errorf("call %+v", c)
	}
	talking := l.talking
	if err := w.Phones().HangUp(c.UniqueID); err != nil {
		t.Fatal(err)
	}
	m := u.channel(channelCall)
	eq(t, "state", m.state, stateWNR)
	eq(t, "talking", l.talking, talking-1)
	eq(t, "calls", len(callsOf(t, w, u, false)), 0)
	checkState(t, w)
	if err := w.Phones().HangUp(c.UniqueID); !errors.Is(err, ErrNoCall) {
		t.Errorf("again: %v", err)
	}
	since := m.stateSince
	w.Step(10 * time.Minute) // the scheduled end of the conversation must not have an effect
	checkState(t, w)
	eq(t, "state since then", m.stateSince > since, true)
}

func TestHangUpRinging(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 3, TrafficFactor: 0.5})
	u := agentIn(t, w, stateBooked)
	l, m := u.contact.serviceChannel, u.channel(channelCall)
	hangups, missed := l.calls.HangupCalls, m.figuresOfDay.notAnswered
	eq(t, "answered calls", len(callsOf(t, w, u, true)), 0)
	if err := w.Phones().HangUpExten(u.extension()); err != nil {
		t.Fatal(err)
	}
	eq(t, "hang-ups", l.calls.HangupCalls, hangups+1)
	eq(t, "not answered", m.figuresOfDay.notAnswered, missed+1)
	checkState(t, w)
}

func TestHangUpOwnCall(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 3})
	u := agentIn(t, w, stateDNIn)
	eq(t, "calls with an id", len(callsOf(t, w, u, false)), 0)
	if err := w.Phones().HangUpUser(u.username); err != nil {
		t.Fatal(err)
	}
	eq(t, "on the telephone", u.channel(channelCall).state == stateDNIn, false)
	checkState(t, w)
}

func TestHangUpAttendant(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 3})
	for range 600 {
		w.Step(time.Second)
		for _, u := range w.operators {
			calls := callsOf(t, w, u, true)
			if len(calls) == 0 {
				continue
			}
			if err := w.Phones().HangUp(calls[0].UniqueID); err != nil {
				t.Fatal(err)
			}
			for _, c := range callsOf(t, w, u, false) {
				eq(t, "same call", c.UniqueID == calls[0].UniqueID, false)
			}
			checkState(t, w)
			w.Step(5 * time.Minute)
			checkState(t, w)
			return
		}
	}
	t.Fatal("no operator is on a call")
}

func TestHangUpErrors(t *testing.T) {
	t.Parallel()
	w := quiet(t)
	u := readyAgent(t, w)
	for name, tt := range map[string]struct{ got, want error }{
		"call":         {w.Phones().HangUp("1.1"), ErrNoCall},
		"user":         {w.Phones().HangUpUser(u.username), ErrNoCall},
		"exten":        {w.Phones().HangUpExten(u.extension()), ErrNoCall},
		"no user":      {w.Phones().HangUpUser("nobody"), ErrNoUser},
		"no extension": {w.Phones().HangUpExten("1"), ErrNoUser},
	} {
		if !errors.Is(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
	if _, err := w.Phones().Calls("nobody", false); !errors.Is(err, ErrNoUser) {
		t.Errorf("calls of an unknown user: %v", err)
	}
}

func TestRecording(t *testing.T) {
	t.Parallel()
	w := quiet(t)
	u := readyAgent(t, w)
	id := dial(t, w, u, DialParams{Number: NumberTalks}).UniqueID
	told := func(what, file string, on bool) {
		t.Helper()
		c := callsOf(t, w, u, false)[0]
		eq(t, what+": file", c.RecFileName, file)
		eq(t, what+": on", c.Recording, on)
	}
	start := func(user, id, file string, onConnect bool) error {
		_, err := w.Phones().StartRecording(user, id, file, onConnect)
		return err
	}
	told("at first", "", false)
	eq(t, "start", start(u.username, id, "a.wav", true), nil)
	told("before the answer", "a.wav", false)
	w.Step(2 * time.Second)
	told("after the answer", "a.wav", true)
	for name, tt := range map[string]struct{ got, want error }{
		"twice":        {start(u.username, id, "b.wav", false), ErrRecording},
		"other call":   {start(u.username, "1.1", "", false), ErrRecording},
		"no user":      {start("nobody", id, "", false), ErrNoUser},
		"stop other":   {w.Phones().StopRecording(u.username, "1.1"), ErrRecording},
		"stop no user": {w.Phones().StopRecording("nobody", id), ErrNoUser},
	} {
		if !errors.Is(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
	told("after what was refused", "a.wav", true)
	eq(t, "stop", w.Phones().StopRecording(u.username, id), nil)
	told("after the stop", "", false)
	if err := w.Phones().StopRecording(u.username, id); !errors.Is(err, ErrRecording) {
		t.Errorf("stop twice: %v", err)
	}
	file, err := w.Phones().StartRecording(u.username, id, "", false)
	if err != nil || file == "" {
		t.Errorf("start again: %q, %v", file, err)
	}
	told("with a name of its own", file, true)
}

func TestDialAndRecord(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		o           DialParams
		file        string
		rings, runs bool // recorded while ringing, and after the answer
	}{
		"nothing":    {DialParams{RecFile: "x.wav"}, "", false, false},
		"at once":    {DialParams{RecFile: "x.wav", Record: true}, "x.wav", true, true},
		"on connect": {DialParams{RecFile: "x.wav", Record: true, RecordOnConnect: true}, "x.wav", false, true},
		"auto":       {DialParams{RecFile: "x.wav", RecordAuto: true}, "x.wav", false, true},
	} {
		w := quiet(t)
		u := readyAgent(t, w)
		tt.o.Number = NumberTalks
		r := dial(t, w, u, tt.o)
		eq(t, name+": file", r.RecFileName, tt.file)
		eq(t, name+": ringing", r.Recording, tt.rings)
		w.Step(2 * time.Second)
		eq(t, name+": talking", callsOf(t, w, u, true)[0].Recording, tt.runs)
	}
	w := quiet(t)
	u := readyAgent(t, w)
	r, err := w.Phones().Dial(u.username, DialParams{Number: NumberUnrecorded, Record: true})
	if !errors.Is(err, ErrRecording) {
		t.Errorf("error %v", err)
	}
	same(t, "the call is up", callsOf(t, w, u, false), []CallRecord{r})
	eq(t, "file", r.RecFileName, "")
}
