package control

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

func dialAnna(t *testing.T, d *ActionClient) words.ActionReport {
	t.Helper()
	return d.Calls.Dial(t.Context(), resource.Dial{Number: "06 12345", Username: "anna"})
}

func TestDialFindsItsCall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		setup func(p *platform, o *Options)
		later func(p *platform) // what happens 3 s after the action
		want  resource.Outcome
		id    string
	}{
		{
			"another call to the number was there before",
			func(p *platform, _ *Options) {
				p.calls["anna"] = []resource.Call{{UniqueID: "old", DNIS: "0612345"}}
				p.faults["dial"] = []fault{lost(false)}
			},
			nil, unknown, "",
		},
		{
			"a call to another number came",
			func(p *platform, _ *Options) { p.faults["dial"] = []fault{lost(false)} },
			func(p *platform) {
				p.calls["anna"] = append(p.calls["anna"], resource.Call{UniqueID: "x", DNIS: "0699999"})
			},
			unknown, "",
		},
		{
			"the call comes late",
			func(p *platform, _ *Options) { p.faults["dial"] = []fault{lost(false)} },
			func(p *platform) {
				p.calls["anna"] = append(p.calls["anna"], resource.Call{UniqueID: "x", DNIS: "+39 06-12345"})
			},
			sure, "x",
		},
		{
			"a mark tells two calls to the number apart",
			func(p *platform, o *Options) {
				o.Correlate = true
				p.faults["dial"] = []fault{lost(false)}
			},
			func(p *platform) {
				p.calls["anna"] = append(p.calls["anna"], resource.Call{UniqueID: "x", DNIS: "0612345"})
			},
			unknown, "",
		},
		{
			"the customer calls in meanwhile",
			func(p *platform, _ *Options) { p.faults["dial"] = []fault{lost(false)} },
			func(p *platform) {
				p.calls["anna"] = append(p.calls["anna"], resource.Call{UniqueID: "in", CLID: "0612345", DNIS: "0800"})
			},
			unknown, "",
		},
		{
			"an old picture of an outgoing call",
			func(p *platform, _ *Options) { p.faults["dial"] = []fault{lost(false)} },
			func(p *platform) {
				p.picture = talking(model.BusyDNCallOut, time.Now().Add(-3*time.Second))
				p.picture.Health.Link.State = model.LinkBackoff
			},
			unknown, "",
		},
		{
			"the mark is found",
			func(p *platform, o *Options) {
				o.Correlate = true
				p.faults["dial"] = []fault{lost(true)}
			},
			nil, sure, "d1",
		},
		{
			"the calls cannot be read at first",
			func(p *platform, _ *Options) {
				p.faults["dial"] = []fault{lost(true)}
				p.faults["service-calls"] = []fault{{}, away(), away()}
			},
			nil, sure, "d1",
		},
		{
			"the live picture shows it where calls are not told",
			func(p *platform, _ *Options) {
				p.faults["dial"] = []fault{lost(true)}
				p.faults["service-calls"] = []fault{rejects(412, restclient.ErrPreconditionFailed)}
			},
			func(p *platform) { p.picture = talking(model.BusyDNCallOut, time.Now().Add(-3*time.Second)) },
			sure, "",
		},
		{
			"an outgoing call of the live picture began before",
			func(p *platform, _ *Options) {
				p.faults["dial"] = []fault{lost(false)}
				p.picture = talking(model.BusyDNCallOut, time.Now().Add(-time.Minute))
			},
			nil, unknown, "",
		},
		{
			"an outgoing call of the live picture began much later",
			func(p *platform, _ *Options) { p.faults["dial"] = []fault{lost(false)} },
			func(p *platform) { p.picture = talking(model.BusyDNCallOut, time.Now()) },
			unknown, "",
		},
		{
			"an incoming call of the live picture",
			func(p *platform, _ *Options) { p.faults["dial"] = []fault{lost(false)} },
			func(p *platform) { p.picture = talking(model.BusyDNCallIn, time.Now().Add(-3*time.Second)) },
			unknown, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPlatform(t)
				d := p.desk(t, func(o *Options) { tt.setup(p, o) })
				if tt.later != nil {
					time.AfterFunc(3*time.Second, func() {
						p.mu.Lock()
						defer p.mu.Unlock()
						tt.later(p)
					})
				}
				r := dialAnna(t, d)
				if r.Outcome != tt.want || r.CallID != tt.id {
					t.Errorf("%v %q, call %q; want %v, call %q", r.Outcome, r.Text.In(nil), r.CallID, tt.want, tt.id)
				}
				if sent := len(p.intents); sent != 1 || p.dialled > 1 {
					t.Errorf("%d intents, %d calls", sent, p.dialled)
				}
			})
		})
	}
}

func TestDialIsNotSentToAPlatformThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fault{
		"away": away(), "lost": lost(false), "503": says(503, unknown, nil), "401": rejects(401, restclient.ErrUnauthorized),
	} {
		p := newPlatform(t)
		p.faults["service-calls"] = []fault{f}
		if r := dialAnna(t, p.desk(t, nil)); r.Outcome != notSent || slices.Contains(p.events, "dial") {
			t.Errorf("%s: %v %q %v", name, r.Outcome, r.Text.In(nil), p.events)
		}
	}
}

func TestDialWithoutARecording(t *testing.T) {
	t.Parallel()
	for _, up := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p := newPlatform(t)
			p.faults["dial"] = []fault{{says(580, unknown, restclient.ErrRecordingFailed).err, up}}
			r := dialAnna(t, p.desk(t, nil))
			want := "The call to 06 12345 for anna is being made, but it cannot be recorded. The call is up, but it is NOT being recorded."
			outcome, id := sure, "d1"
			if !up {
				want = "The platform reports a problem with recording the call to 06 12345 for anna. It is unclear whether the call is up: check the phone before dialing again. If the call is up, it is NOT being recorded."
				outcome, id = unknown, ""
			}
			if text := words.JoinSentences(r.Text, r.Warning).In(nil); r.Outcome != outcome || r.CallID != id || text != want {
				t.Errorf("%v, call %q:\n%s\nwant\n%s", r.Outcome, r.CallID, text, want)
			}
		})
	}
}

func TestDialLooksForAnIDThatItWasNotTold(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	p.silent = true
	if r := dialAnna(t, p.desk(t, nil)); r.Outcome != sure || r.CallID != "d1" {
		t.Errorf("%v %q, call %q", r.Outcome, r.Text.In(nil), r.CallID)
	}
}

// TestSettlingHasAnEnd checks that lookups that time out do not block the user for minutes.
func TestSettlingHasAnEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.faults["dial"] = []fault{lost(false)}
		d := p.desk(t, func(o *Options) { o.Service.Calls = slow{p} })
		start := time.Now()
		r := dialAnna(t, d)
		if took := time.Since(start); r.Outcome != unknown || took > time.Minute {
			t.Errorf("%v after %v", r.Outcome, took)
		}
	})
}

// slow answers questions after 20 s.
type slow struct{ *platform }

func (s slow) ServiceCalls(ctx context.Context, user string, answered bool) ([]resource.Call, error) {
	select {
	case <-ctx.Done():
		return nil, &restclient.Error{Err: context.DeadlineExceeded}
	case <-time.After(20 * time.Second):
		return s.platform.ServiceCalls(ctx, user, answered)
	}
}

// TestDialWhoseRecordingIsNotSeen checks that a call that was found without its recording is not reported
// as recorded.
func TestDialWhoseRecordingIsNotSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.faults["dial"] = []fault{lost(true)}
		yes := true
		r := p.desk(t, nil).Calls.Dial(t.Context(), resource.Dial{Number: "0612345", Username: "anna", RecordOnConnect: &yes})
		if r.Outcome != sure || !r.Warning.Equal(words.ControlNotYetRecorded()) {
			t.Errorf("%+v", r)
		}
	})
}

func TestHangUpTakesTheCallThatWasMeant(t *testing.T) {
	t.Parallel()
	one, two := resource.Call{UniqueID: "c1", CLID: "0711"}, resource.Call{UniqueID: "c2", CLID: "0722", DNIS: "0800"}
	over := resource.Call{UniqueID: "c3", End: resource.TimeOf(time.Now())}
	for _, tt := range []struct {
		name  string
		calls []resource.Call
		order resource.HangUp
		fault fault
		want  resource.Outcome
		sent  string // expected request; "": none
		says  string
	}{
		{"by id", []resource.Call{one}, resource.HangUp{CallID: "c1", Username: "anna"}, fault{took: true}, sure, "hangup c1", "was hung up"},
		{"another call now", []resource.Call{two}, resource.HangUp{CallID: "c1", Username: "anna"}, fault{}, rejected, "", "now there is a call from 0722 to 0800"},
		{"not in the list", nil, resource.HangUp{CallID: "c1", Username: "anna"}, fault{took: true}, sure, "hangup c1", "was hung up"},
		{"already over", nil, resource.HangUp{CallID: "c1", Username: "anna"}, missingThere(), rejected, "hangup c1", "the platform does not know call c1"},
		{"an id nobody has seen", nil, resource.HangUp{CallID: "c1"}, missingThere(), rejected, "hangup c1", "the platform does not know call c1"},
		{"a 404 of something on the way", []resource.Call{one}, resource.HangUp{CallID: "c1", Username: "anna"}, rejects(404, restclient.ErrNotFound), rejected, "hangup c1", "on the way"},
		{"an ended call beside it", []resource.Call{one, over}, resource.HangUp{Username: "anna"}, fault{took: true}, sure, "hangup c1", "was hung up"},
		{"only an ended call", []resource.Call{over}, resource.HangUp{Username: "anna"}, fault{took: true}, sure, "hangup anna", "was hung up"},
		{"a plain call beside an ended one", []resource.Call{over}, resource.HangUp{CallID: "c1", Username: "anna"}, fault{took: true}, sure, "hangup c1", "was hung up"},
		{"the only call", []resource.Call{one}, resource.HangUp{Username: "anna"}, fault{took: true}, sure, "hangup c1", "was hung up"},
		{"one of two", []resource.Call{one, two}, resource.HangUp{Username: "anna"}, fault{}, rejected, "", "choose one"},
		{"by name", nil, resource.HangUp{Username: "anna"}, fault{took: true}, sure, "hangup anna", "was hung up"},
		{"by name, no call", nil, resource.HangUp{Username: "anna"}, missingThere(), rejected, "hangup anna", "there is no call"},
		{"by name, lost", nil, resource.HangUp{Username: "anna"}, lost(false), unknown, "hangup anna", "unclear"},
		{"by extension", nil, resource.HangUp{Exten: "17"}, fault{took: true}, sure, "hangup 17", "was hung up"},
		{"by extension, lost", nil, resource.HangUp{Exten: "17"}, lost(true), unknown, "hangup 17", "call on extension 17"},
		{"oneself", nil, resource.HangUp{}, fault{took: true}, sure, "hangup boss", "was hung up"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPlatform(t)
				p.calls["anna"] = tt.calls
				p.faults[tt.sent] = []fault{tt.fault}
				r := p.desk(t, nil).Calls.HangUp(t.Context(), tt.order)
				if r.Outcome != tt.want || !strings.Contains(r.Text.In(nil), tt.says) {
					t.Errorf("%v %q, want %v and %q", r.Outcome, r.Text.In(nil), tt.want, tt.says)
				}
				var sent []string
				for _, e := range p.events {
					if strings.HasPrefix(e, "hangup") {
						sent = append(sent, e)
					}
				}
				if tt.sent == "" && sent != nil || tt.sent != "" && !slices.Equal(sent, []string{tt.sent}) {
					t.Errorf("sent %q, want %q", sent, tt.sent)
				}
			})
		})
	}
}

// TestHangUpOfWhatIsOver checks that hanging up a displayed call that has ended meanwhile reports that
// the call is over.
func TestHangUpOfWhatIsOver(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	d := p.desk(t, nil)
	if _, err := d.Calls.CallsOf(t.Context(), "anna"); err != nil {
		t.Fatal(err)
	}
	p.calls["anna"] = nil
	p.faults["hangup c1"] = []fault{missingThere()}
	r := d.Calls.HangUp(t.Context(), resource.HangUp{CallID: "c1", Username: "anna"})
	if r.Outcome != sure || !strings.Contains(r.Text.In(nil), "already over") {
		t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
	}
}

// TestHangUpThatDoesNothing checks that a call that still exists after two requests to hang up is not
// reported as hung up.
func TestHangUpThatDoesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.faults["hangup c1"] = []fault{lost(false), lost(false), lost(false)}
		r := p.desk(t, nil).Calls.HangUp(t.Context(), resource.HangUp{CallID: "c1", Username: "anna"})
		if r.Outcome != unknown || len(p.faults["hangup c1"]) != 1 {
			t.Errorf("%v %q, %v", r.Outcome, r.Text.In(nil), p.events)
		}
	})
}

func TestRecordingThatIsNotConfirmed(t *testing.T) {
	t.Parallel()
	const notConfirmed = "The recording is NOT confirmed."
	order := resource.Recording{Username: "anna", CallID: "c1"}
	for _, tt := range []struct {
		name    string
		calls   []resource.Call
		fault   fault
		want    resource.Outcome
		warning string
	}{
		{"refused", []resource.Call{call(t, "c1", "")}, rejects(580, restclient.ErrRecordingFailed), rejected, notConfirmed},
		{"lost", []resource.Call{call(t, "c1", "")}, lost(false), unknown, notConfirmed},
		{"was recorded before", []resource.Call{call(t, "c1", "rec.wav")}, lost(true), unknown, notConfirmed},
		{"call not in the list", nil, lost(true), unknown, notConfirmed},
		{"call is over", []resource.Call{call(t, "c2", "")}, fault{}, rejected, ""},
		{"away", []resource.Call{call(t, "c1", "")}, away(), notSent, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPlatform(t)
				p.calls["anna"] = tt.calls
				p.faults["recording-start"] = []fault{tt.fault}
				if r := p.desk(t, nil).Calls.StartRecording(t.Context(), order); r.Outcome != tt.want || r.Warning.In(nil) != tt.warning {
					t.Errorf("%v %q, warning %q; want %v, %q", r.Outcome, r.Text.In(nil), r.Warning.In(nil), tt.want, tt.warning)
				}
			})
		})
	}
}

func TestRecordingEndsWithItsCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.calls["anna"] = []resource.Call{call(t, "c1", "rec.wav")}
		p.faults["recording-stop"] = []fault{lost(false)}
		time.AfterFunc(500*time.Millisecond, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.calls["anna"] = nil
		})
		r := p.desk(t, nil).Calls.StopRecording(t.Context(), resource.Recording{Username: "anna", CallID: "c1"})
		if r.Outcome != sure || r.Text.In(nil) != "anna's call is over, and so is its recording." {
			t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
		}
	})
}
