package control

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	goleak.VerifyTestMain(m)
}

// press is one action with its expected result.
type press struct {
	verb resource.Operation
	op   string // request that the platform records
	do   func(ctx context.Context, t *testing.T, d *ActionClient) words.ActionReport
	took resource.Outcome // outcome if the request arrived, but the answer is lost
	not  resource.Outcome // outcome if neither arrived
}

const (
	unknown  = resource.OutcomeUnknown
	sure     = resource.OutcomeConfirmed
	rejected = resource.OutcomeRejected
	notSent  = resource.OutcomeNotSent
)

func presses() []press {
	id := func(n int) *int { return &n }
	items := []resource.Item{{ID: id(1), ListID: id(3)}, {ID: id(2), ListID: id(3)}}
	call := resource.Recording{Username: "anna", CallID: "c1"}
	return []press{
		{resource.OpDial, "dial", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Calls.Dial(ctx, resource.Dial{Number: "06 12345", Username: "anna"})
		}, sure, unknown},
		{resource.OpHangUp, "hangup c1", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Calls.HangUp(ctx, resource.HangUp{CallID: "c1", Username: "anna"})
		}, sure, sure}, // the request is repeated
		{resource.OpRecordingStart, "recording-start", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Calls.StartRecording(ctx, call)
		}, sure, unknown},
		{resource.OpRecordingStop, "recording-stop", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Calls.StopRecording(ctx, call)
		}, sure, sure}, // the request is repeated
		{resource.OpCampaignStart, "campaign-start 12 reset=false", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Campaigns.StartCampaign(ctx, resource.CampaignSwitch{ID: 12})
		}, sure, unknown},
		{resource.OpCampaignStop, "campaign-stop 12 reset=true", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Campaigns.StopCampaign(ctx, resource.CampaignSwitch{ID: 12, ResetStats: true})
		}, unknown, unknown}, // a stopped campaign does not show whether its statistics were reset
		{resource.OpCampaignCreate, "campaign-create", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Campaigns.CreateCampaign(ctx, resource.Campaign{Name: "Summer"})
		}, sure, unknown},
		{resource.OpCampaignUpdate, "campaign-update", func(ctx context.Context, t *testing.T, d *ActionClient) words.ActionReport {
			after := parse[resource.Campaign](t, campaignJSON)
			after.Priority = id(6)
			return d.Campaigns.UpdateCampaign(ctx, parse[resource.Campaign](t, campaignJSON), after, false)
		}, sure, unknown},
		{resource.OpListCreate, "list-create", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Lists.CreateList(ctx, resource.List{Name: "New customers"})
		}, sure, unknown},
		{resource.OpListUpdate, "list-update", func(ctx context.Context, t *testing.T, d *ActionClient) words.ActionReport {
			before, err := d.Lists.FindLists(ctx, "3")
			if err != nil {
				t.Fatal(err)
			}
			after := before.Items[0]
			after.BusyAttempts = id(4)
			return d.Lists.UpdateList(ctx, before.Items[0], after)
		}, sure, unknown},
		{resource.OpItemsAdd, "items-add", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Lists.AddItems(ctx, items)
		}, unknown, unknown},
		{resource.OpItemsDelete, "items-delete", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Lists.DeleteItems(ctx, items, false)
		}, unknown, unknown},
		{resource.OpItemsReset, "items-reset", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Lists.ResetItems(ctx)
		}, unknown, unknown},
		{resource.OpRunAdd, "run-add", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Runs.AddRun(ctx, resource.Run{CampaignID: id(12), Name: "July"})
		}, sure, unknown},
		{resource.OpRunEdit, "run-edit", func(ctx context.Context, t *testing.T, d *ActionClient) words.ActionReport {
			before, err := d.Runs.Run(ctx, 5)
			if err != nil {
				t.Fatal(err)
			}
			after := before
			after.Number = "2"
			return d.Runs.EditRun(ctx, before, after)
		}, sure, unknown},
		{resource.OpSMSSend, "sms-send", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Messages.SendSMS(ctx, resource.SMS{PhoneNumber: "0612", Message: "Hi"})
		}, unknown, unknown},
		{resource.OpContactCreate, "contact-create", func(ctx context.Context, _ *testing.T, d *ActionClient) words.ActionReport {
			return d.Contacts.CreateContact(ctx, resource.Contact{ID: "k2", Name: "Eva"})
		}, sure, unknown},
		{resource.OpContactUpdate, "contact-update", func(ctx context.Context, t *testing.T, d *ActionClient) words.ActionReport {
			after := parse[resource.Contact](t, contactJSON)
			after.Note = ""
			return d.Contacts.UpdateContact(ctx, parse[resource.Contact](t, contactJSON), after)
		}, sure, unknown},
		{resource.OpContactDelete, "contact-delete", func(ctx context.Context, t *testing.T, d *ActionClient) words.ActionReport {
			return d.Contacts.DeleteContact(ctx, parse[resource.Contact](t, contactJSON))
		}, sure, unknown},
	}
}

// prepare brings the platform into a state in which the action has an effect.
func prepare(t *testing.T, p *platform, v resource.Operation) {
	t.Helper()
	switch v {
	case resource.OpRecordingStop:
		p.calls["anna"] = []resource.Call{call(t, "c1", "rec.wav")}
	case resource.OpCampaignStart:
		p.picture = channels(0, 9)
	case resource.OpCampaignStop:
		p.picture = channels(4, 9)
	default:
	}
}

// outsideCatalogue returns the parts of a text that are neither names nor from the catalogue of messages;
// "": there are none.
func outsideCatalogue(text words.Text) string {
	told := text.MapNames(func(string) string { return "" }).In(words.PseudoLanguage())
	if !strings.ContainsAny(told, "aeiouAEIOU") { // the pseudo language has accents on all vowels
		return ""
	}
	return told
}

func TestEveryActionEndsAsWhatIsKnown(t *testing.T) {
	t.Parallel()
	ok := fault{took: true}
	for _, a := range presses() {
		for _, tt := range []struct {
			name  string
			fault fault
			want  resource.Outcome
			sent  int // number of requests, including the second one that is allowed for some actions
		}{
			{"done", ok, sure, 1},
			{"refused", rejects(400, nil), rejected, 1},
			{"no login", rejects(401, restclient.ErrUnauthorized), rejected, 1},
			{"not sent", away(), notSent, 1},
			{"done, answer lost", lost(true), a.took, 1},
			{"not done, answer lost", lost(false), a.not, map[bool]int{true: 2, false: 1}[a.not == sure]},
			{"server error", says(500, unknown, nil), a.not, map[bool]int{true: 2, false: 1}[a.not == sure]},
		} {
			t.Run(string(a.verb)+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					p := newPlatform(t)
					prepare(t, p, a.verb)
					d := p.desk(t, nil)
					p.faults[a.op] = []fault{tt.fault}
					r := a.do(t.Context(), t, d)
					if r.Outcome != tt.want || r.Text.In(nil) == "" {
						t.Errorf("%v %q, want %v", r.Outcome, r.Text.In(nil), tt.want)
					}
					if rest := outsideCatalogue(r.Text) + outsideCatalogue(r.Warning); rest != "" {
						t.Errorf("not in the catalogue: %s", rest)
					}
					want := slices.Concat([]string{"intent " + string(a.verb)}, slices.Repeat([]string{a.op}, tt.sent),
						[]string{"outcome " + tt.want.String()})
					if diff := cmp.Diff(want, p.events); diff != "" {
						t.Error(diff)
					}
				})
			})
		}
	}
}

func TestNothingIsSentWithoutAnIntent(t *testing.T) {
	t.Parallel()
	for _, a := range presses() {
		p := newPlatform(t)
		prepare(t, p, a.verb)
		p.mute = errors.New("disk full")
		if r := a.do(t.Context(), t, p.desk(t, nil)); r.Outcome != notSent || !strings.Contains(r.Text.In(nil), "audit file") {
			t.Errorf("%s: %v %q", a.verb, r.Outcome, r.Text.In(nil))
		}
		if p.events != nil {
			t.Errorf("%s: %v", a.verb, p.events)
		}
	}
}

// outcomeless is an audit log that can write intents, but no outcomes.
type outcomeless struct{ *platform }

func (o outcomeless) Begin(in audit.Intent) (func(audit.Result) error, error) {
	_, err := o.platform.Begin(in)
	return func(audit.Result) error { return errors.New("disk full") }, err
}

func TestOutcomeThatCanNotBeWritten(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	d := p.desk(t, func(o *Options) { o.Audit = outcomeless{p} })
	r := d.Messages.SendSMS(t.Context(), resource.SMS{PhoneNumber: "1", Message: "x"})
	if r.Outcome != sure || r.Warning.In(nil) != "The outcome could not be written to the audit file." {
		t.Errorf("%+v", r)
	}
}

func TestSecondPressIsRefused(t *testing.T) {
	t.Parallel()
	for _, a := range presses() {
		t.Run(string(a.verb), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPlatform(t)
				prepare(t, p, a.verb)
				d := p.desk(t, nil)
				p.hold = make(chan struct{})
				first := make(chan words.ActionReport)
				go func() { first <- a.do(t.Context(), t, d) }()
				synctest.Wait()
				r := a.do(t.Context(), t, d)
				if r.Outcome != rejected || !strings.Contains(r.Text.In(nil), "already under way") {
					t.Errorf("second: %v %q", r.Outcome, r.Text.In(nil))
				}
				close(p.hold)
				if r := <-first; r.Outcome != sure {
					t.Errorf("first: %v %q", r.Outcome, r.Text.In(nil))
				}
				if n := len(slices.DeleteFunc(slices.Clone(p.events), func(e string) bool { return e != a.op })); n != 1 {
					t.Errorf("sent %d times: %v", n, p.events)
				}
			})
		})
	}
}

// TestItemsAreChangedOneActionAtATime checks that two actions on items are not executed at the same time,
// because items of one list may also belong to another list or to all lists.
func TestItemsAreChangedOneActionAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.hold = make(chan struct{})
		d := p.desk(t, nil)
		first := make(chan words.ActionReport)
		go func() { first <- d.Lists.ResetItems(t.Context()) }()
		synctest.Wait()
		list := 3
		if r := d.Lists.AddItems(t.Context(), []resource.Item{{ListID: &list}}); r.Outcome != rejected {
			t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
		}
		close(p.hold)
		<-first
	})
}

func TestOtherTargetsAreNotHeldUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.hold = make(chan struct{})
		d := p.desk(t, nil)
		done := make(chan words.ActionReport)
		for _, user := range []string{"anna", "bert"} {
			go func() { done <- d.Calls.Dial(t.Context(), resource.Dial{Number: "0612", Username: user}) }()
		}
		go func() { done <- d.Calls.HangUp(t.Context(), resource.HangUp{CallID: "c1", Username: "anna"}) }()
		synctest.Wait()
		close(p.hold)
		for range 3 {
			if r := <-done; r.Outcome != sure {
				t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
			}
		}
	})
}

// TestSameCallByUserAndByID checks that a call selected by its user is locked under its ID as soon as the
// ID is known.
func TestSameCallByUserAndByID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.hold = make(chan struct{})
		d := p.desk(t, nil)
		first := make(chan words.ActionReport)
		go func() { first <- d.Calls.HangUp(t.Context(), resource.HangUp{CallID: "c1", Username: "anna"}) }()
		synctest.Wait()
		if r := d.Calls.HangUp(t.Context(), resource.HangUp{Username: "anna"}); r.Outcome != rejected {
			t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
		}
		close(p.hold)
		<-first
	})
}

func TestCancelledWhileSettling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.faults["dial"] = []fault{lost(true)}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if r := p.desk(t, nil).Calls.Dial(ctx, resource.Dial{Number: "0612", Username: "anna"}); r.Outcome != unknown {
			t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
		}
		if diff := cmp.Diff([]string{"intent dial", "dial", "outcome unknown"}, p.events); diff != "" {
			t.Error(diff)
		}
	})
}

// TestWait checks that all running actions are in the audit file when Wait returns.
func TestWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.hold = make(chan struct{})
		d := p.desk(t, nil)
		go d.Calls.HangUp(t.Context(), resource.HangUp{CallID: "c1", Username: "anna"})
		synctest.Wait()
		waited := make(chan struct{})
		go func() { d.Wait(); close(waited) }()
		synctest.Wait()
		select {
		case <-waited:
			t.Error("Wait did not wait")
		default:
		}
		close(p.hold)
		<-waited
		if diff := cmp.Diff([]string{"intent hangup", "hangup c1", "outcome confirmed"}, p.events); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAuditFileSaysWhatWasDone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
		log, err := audit.Open(audit.Options{Path: path, OSUser: "sofia", Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		p := newPlatform(t)
		p.faults["dial"] = []fault{rejects(412, restclient.ErrPreconditionFailed)}
		d := p.desk(t, func(o *Options) { o.Audit = log })
		secret := "1234"
		d.Calls.Dial(t.Context(), resource.Dial{Number: "0612", Username: "anna", ServiceCode: "SALES", AccessCode: secret})
		d.Calls.HangUp(t.Context(), resource.HangUp{CallID: "gone", Username: "anna"})
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), secret) {
			t.Error("the access code is in the file")
		}
		want := []map[string]any{
			{
				"phase": "intent", "action": "dial", "target": "agent anna", "user": "boss",
				"parameters": map[string]any{"number": "0612", "service": "SALES"},
			},
			{
				"phase": "outcome", "action": "dial", "target": "agent anna", "user": "boss", "outcome": "rejected", "status": 412.0,
				"sentence": "The call to 0612 for anna was not made: anna has no phone in use or is not logged in.",
			},
			{
				"phase": "intent", "action": "hangup", "target": "call gone", "user": "boss",
				"parameters": map[string]any{"callId": "gone", "username": "anna"},
			},
			{
				"phase": "outcome", "action": "hangup", "target": "call gone", "user": "boss", "outcome": "rejected",
				"sentence": "anna's call was not hung up: it is no longer one of anna's calls; now there is a call for service SALES with 0711.",
			},
		}
		var got []map[string]any
		for text := range strings.Lines(string(b)) {
			var line map[string]any
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatal(err)
			}
			for _, k := range []string{"time", "session", "seq", "id", "osUser", "previous"} {
				delete(line, k)
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
