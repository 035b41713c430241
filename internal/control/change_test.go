package control

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

func TestCampaignIsComparedWithTheLivePicture(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		stop, reset bool
		before      [2]int64 // numbers of channels and of tried contacts
		after       [2]int64
		want        resource.Outcome
	}{
		{"started", false, false, [2]int64{0, 9}, [2]int64{4, 9}, sure},
		{"ran before", false, false, [2]int64{2, 9}, [2]int64{4, 9}, unknown},
		{"still stands", false, false, [2]int64{0, 9}, [2]int64{0, 9}, unknown},
		{"stopped", true, false, [2]int64{4, 9}, [2]int64{0, 9}, sure},
		{"stood before", true, false, [2]int64{0, 9}, [2]int64{0, 9}, unknown},
		{"reset and started", false, true, [2]int64{0, 9}, [2]int64{4, 1}, sure},
		{"reset, perhaps not started", false, true, [2]int64{0, 9}, [2]int64{0, 0}, unknown},
		{"stopped and reset", true, true, [2]int64{4, 9}, [2]int64{0, 0}, sure},
		{"started, perhaps not reset", false, true, [2]int64{0, 9}, [2]int64{4, 9}, unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPlatform(t)
				looks := 0
				d := p.desk(t, func(o *Options) {
					o.Feed = func() *model.Snapshot {
						if looks++; looks == 1 {
							return channels(tt.before[0], tt.before[1])
						}
						return channels(tt.after[0], tt.after[1])
					}
				})
				act := d.Campaigns.StartCampaign
				op := "campaign-start 12 reset="
				if tt.stop {
					act, op = d.Campaigns.StopCampaign, "campaign-stop 12 reset="
				}
				if op += "false"; tt.reset {
					op = strings.TrimSuffix(op, "false") + "true"
				}
				p.faults[op] = []fault{lost(tt.want == sure)}
				r := act(t.Context(), resource.CampaignSwitch{ID: 12, ResetStats: tt.reset})
				if r.Outcome != tt.want || !strings.Contains(r.Text.In(nil), "ampaign Spring (12)") {
					t.Errorf("%v %q, want %v", r.Outcome, r.Text.In(nil), tt.want)
				}
			})
		})
	}
}

func TestAnswersOfNo(t *testing.T) {
	t.Parallel()
	for _, a := range presses() {
		switch a.verb {
		case resource.OpItemsDelete, resource.OpHangUp, resource.OpRecordingStop, resource.OpCampaignStart, resource.OpCampaignStop,
			resource.OpItemsReset, resource.OpSMSSend, resource.OpContactDelete:
		default:
			continue
		}
		p := newPlatform(t)
		prepare(t, p, a.verb)
		p.no = true
		if r := a.do(t.Context(), t, p.desk(t, nil)); r.Outcome != rejected {
			t.Errorf("%s: %v %q", a.verb, r.Outcome, r.Text.In(nil))
		}
	}
}

// TestAnswersToAddedItems checks that only known forms of success count as success. The answer to adding
// items is not documented.
func TestAnswersToAddedItems(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]resource.Outcome{
		"": sure, "true": sure, "2": sure, `[{"id":1}]`: sure, "false": rejected, `{"error":"quota"}`: unknown, `"no"`: unknown,
	} {
		p := newPlatform(t)
		p.added = json.RawMessage(answer)
		if r := p.desk(t, nil).Lists.AddItems(t.Context(), []resource.Item{{PhoneNumber: "0612345"}}); r.Outcome != want {
			t.Errorf("%s: %v %q", answer, r.Outcome, r.Text.In(nil))
		}
	}
}

func TestWhatSomebodyElseChangedIsNotOverwritten(t *testing.T) {
	t.Parallel()
	before := parse[resource.Campaign](t, campaignJSON)
	after := before
	after.Name = "Autumn"
	for _, tt := range []struct {
		now  string // campaign on the platform
		want resource.Outcome
		says string
	}{
		{campaignJSON, sure, "Campaign Spring (12) was changed."},
		{`{"id":12,"name":"Spring","priority":3,"enabled":true,"unknown":[1]}`, rejected, "somebody else has changed it in the meantime: priority is 3, was 5"},
		{`{"id":12,"name":"Spring","priority":5,"enabled":true,"unknown":[2]}`, rejected, "unknown is [2], was [1]"},
		{`{"id":13,"name":"Other 12"}`, rejected, "the platform does not have it"},
	} {
		p := newPlatform(t)
		p.campaigns[1] = parse[resource.Campaign](t, tt.now)
		r := p.desk(t, nil).Campaigns.UpdateCampaign(t.Context(), before, after, false)
		if r.Outcome != tt.want || !strings.Contains(r.Text.In(nil), tt.says) {
			t.Errorf("%s: %v %q", tt.now, r.Outcome, r.Text.In(nil))
		}
		if sent := slices.Contains(p.events, "campaign-update"); sent != (tt.want == sure) {
			t.Errorf("%s: sent %v", tt.now, sent)
		}
	}
	p := newPlatform(t)
	if r := p.desk(t, nil).Campaigns.UpdateCampaign(t.Context(), before, before, false); r.Outcome != notSent || p.events != nil {
		t.Errorf("no change: %v %q", r.Outcome, r.Text.In(nil))
	}
}

// TestUnknownReferenceIsNotTheResource answers a change of a campaign with "not found", although the
// campaign or its service exists.
func TestUnknownReferenceIsNotTheResource(t *testing.T) {
	t.Parallel()
	before := parse[resource.Campaign](t, campaignJSON)
	after := before
	after.ServiceCode = "SRV99"
	p := newPlatform(t)
	p.faults["campaign-update"] = []fault{missingThere()}
	r := p.desk(t, nil).Campaigns.UpdateCampaign(t.Context(), before, after, false)
	const want = "Campaign Spring (12) was not changed: it is there, but the platform does not know something that the change refers to: service code is SRV99, was empty."
	if r.Outcome != rejected || r.Text.In(nil) != want {
		t.Errorf("an unknown service: %v %q, want %q", r.Outcome, r.Text.In(nil), want)
	}
	p = newPlatform(t)
	p.faults["campaign-update"] = []fault{missingThere()}
	p.faults["campaign-search"] = []fault{{}, away()}
	r = p.desk(t, nil).Campaigns.UpdateCampaign(t.Context(), before, after, false)
	if r.Outcome != rejected || !strings.Contains(r.Text.In(nil), "the platform does not have it, or something that it refers to") {
		t.Errorf("a campaign that cannot be read again: %v %q", r.Outcome, r.Text.In(nil))
	}
}

func TestStatisticsAreNotSaidToBeResetUnseen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.faults["campaign-update"] = []fault{lost(true)}
		before := parse[resource.Campaign](t, campaignJSON)
		after := before
		after.Name = "Autumn"
		r := p.desk(t, nil).Campaigns.UpdateCampaign(t.Context(), before, after, true)
		const want = "Campaign Spring (12) was changed. It is unclear whether its statistics were reset."
		if text := words.JoinSentences(r.Text, r.Warning).In(nil); r.Outcome != sure || text != want {
			t.Errorf("%v %q", r.Outcome, text)
		}
	})
}

func TestContactThatChangedIsNotDeleted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		c    resource.Contact
		want resource.Outcome
		sent bool
	}{
		{"as shown", parse[resource.Contact](t, contactJSON), sure, true},
		{"only the id is known", resource.Contact{ID: "k1"}, sure, true},
		{"changed", resource.Contact{ID: "k1", Name: "Karla"}, rejected, false},
		{"gone", resource.Contact{ID: "k9", Name: "Karla"}, sure, false},
	} {
		p := newPlatform(t)
		r := p.desk(t, nil).Contacts.DeleteContact(t.Context(), tt.c)
		if r.Outcome != tt.want || slices.Contains(p.events, "contact-delete") != tt.sent {
			t.Errorf("%s: %v %q, %v", tt.name, r.Outcome, r.Text.In(nil), p.events)
		}
	}
}

// TestNamesakesAreNotTakenForTheNewOne checks that resources with the same name that existed before are
// not mistaken for the created one.
func TestNamesakesAreNotTakenForTheNewOne(t *testing.T) {
	t.Parallel()
	id := 12
	for name, do := range map[string]func(ctx context.Context, d *ActionClient) words.ActionReport{
		"campaign": func(ctx context.Context, d *ActionClient) words.ActionReport {
			return d.Campaigns.CreateCampaign(ctx, resource.Campaign{Name: "Spring"})
		},
		"list": func(ctx context.Context, d *ActionClient) words.ActionReport {
			return d.Lists.CreateList(ctx, resource.List{Name: "Old customers"})
		},
		"run": func(ctx context.Context, d *ActionClient) words.ActionReport {
			return d.Runs.AddRun(ctx, resource.Run{CampaignID: &id, Name: "June"})
		},
		"contact": func(ctx context.Context, d *ActionClient) words.ActionReport {
			return d.Contacts.CreateContact(ctx, resource.Contact{ID: "k1"})
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newPlatform(t)
			for _, op := range []string{"campaign-create", "list-create", "run-add", "contact-create"} {
				p.faults[op] = []fault{lost(false)}
			}
			if r := do(t.Context(), p.desk(t, nil)); r.Outcome != unknown || r.ID != "" {
				t.Errorf("%s: %v %q", name, r.Outcome, r.Text.In(nil))
			}
		})
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		verb  resource.Operation
		fault fault
		want  string
	}{
		{resource.OpDial, rejects(406, restclient.ErrInvalidArgument), "The call to 06 12345 for anna was not made: the platform does not accept the number or one of the other details."},
		{resource.OpDial, rejects(412, restclient.ErrPreconditionFailed), "The call to 06 12345 for anna was not made: anna has no phone in use or is not logged in."},
		{resource.OpDial, rejects(502, restclient.ErrDialFailed), "The call to 06 12345 for anna was not made: the platform could not make the call; the line may be busy with another one."},
		{resource.OpDial, rejects(401, restclient.ErrUnauthorized), "The call to 06 12345 for anna was not made: the platform does not accept this board's login: the name, the password or token, or the version; ask your administrator to check it."},
		{resource.OpDial, away(), "The call to 06 12345 for anna was not made: the platform's address refused the connection; nothing was sent."},
		{resource.OpSMSSend, rejects(570, restclient.ErrNotAllowed), "The message to 0612 was not sent: boss's profile does not allow sending messages."},
		{resource.OpSMSSend, says(500, unknown, nil), "It is unclear whether the message to 0612 was sent: the platform answered with an error (status 500). It is not in the messaging history. Ask the recipient before sending it again."},
		{resource.OpCampaignCreate, rejects(409, restclient.ErrExists), "Campaign Summer was not created: one with this name already exists."},
		{resource.OpContactUpdate, rejects(412, restclient.ErrPreconditionFailed), "Contact Karl Maier (k1) was not changed: something that the platform needs is missing, empty, too long or out of range."},
		{resource.OpRecordingStart, rejects(404, restclient.ErrNotFound), "The recording of anna's call was not started: the platform does not know anna or the call."},
		{resource.OpRecordingStop, rejects(580, restclient.ErrRecordingFailed), "The recording of anna's call was not stopped: the platform could not stop it; the call may not be recorded at all."},
		{resource.OpCampaignStart, rejects(404, restclient.ErrNotFound), "Campaign Spring (12) was not started: the platform has no such campaign."},
		{resource.OpItemsDelete, rejects(404, restclient.ErrNotFound), "2 items were not deleted: the platform does not know one of the items, lists or campaigns."},
		{resource.OpItemsDelete, fault{}, "1 item was deleted from list 3."},
		{resource.OpItemsAdd, fault{}, "2 items were added to list 3."},
		{resource.OpItemsReset, rejects(403, nil), "The items of all lists were not reset: the platform refused it (status 403)."},
		{resource.OpListCreate, fault{}, "List New customers (78) was created."},
		{resource.OpCampaignStop, fault{}, "Campaign Spring (12) was stopped and its statistics were reset."},
	} {
		p := newPlatform(t)
		i := slices.IndexFunc(presses(), func(a press) bool { return a.verb == tt.verb })
		a := presses()[i]
		prepare(t, p, a.verb)
		p.faults[a.op] = []fault{tt.fault}
		if r := a.do(t.Context(), t, p.desk(t, nil)); r.Text.In(nil) != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.verb, r.Text.In(nil), tt.want)
		}
	}
}

func TestStartOfWhatRunsIsSaid(t *testing.T) {
	t.Parallel()
	for allocated, want := range map[int64]string{0: "Campaign Spring (12) was started.", 9: "Campaign Spring (12) was already running."} {
		p := newPlatform(t)
		p.picture = channels(allocated, 5)
		if r := p.desk(t, nil).Campaigns.StartCampaign(t.Context(), resource.CampaignSwitch{ID: 12}); r.Outcome != sure || r.Text.In(nil) != want {
			t.Errorf("%d channels: %v %q", allocated, r.Outcome, r.Text.In(nil))
		}
	}
}

func TestNoServiceAtTheAddress(t *testing.T) {
	t.Parallel()
	cause := &restclient.Error{Operation: resource.OpLogin, Status: 404, Outcome: resource.OutcomeNotSent, Err: restclient.ErrNotFound}
	err := &restclient.Error{Operation: resource.OpDial, Outcome: resource.OutcomeNotSent, Err: cause}
	if got := Explain("The calls cannot be read", err).Error(); !strings.Contains(got, "no configuration service at this address") {
		t.Error(got)
	}
}

func TestHostileTextIsCleanInReports(t *testing.T) {
	t.Parallel()
	evil := "x\x1b[2J\u202e\n"
	p := newPlatform(t)
	p.faults["sms-send"] = []fault{away()}
	r := p.desk(t, nil).Messages.SendSMS(t.Context(), resource.SMS{PhoneNumber: evil, Message: "x"})
	if strings.ContainsAny(r.Text.In(nil), "\x1b\u202e\n") {
		t.Errorf("%q", r.Text.In(nil))
	}
	if _, err := p.desk(t, nil).Contacts.Contact(t.Context(), evil); err == nil || strings.ContainsAny(err.Error(), "\x1b\u202e\n") {
		t.Errorf("%q", err)
	}
}
