package control_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// deed is an action on the simulated platform.
type deed struct {
	op, route string
	do        func(ctx context.Context, f *floor) words.ActionReport
	lost      resource.Outcome // expected outcome if the action is executed and the answer is lost
}

func deeds() []deed {
	id := func(n int) *int { return &n }
	return []deed{
		{"campaign-start", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Campaigns.StartCampaign(ctx, resource.CampaignSwitch{ID: *f.campaign(ctx).ID})
		}, resource.OutcomeUnknown}, // without a live snapshot the outcome cannot be looked up
		{"campaign-stop", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Campaigns.StopCampaign(ctx, resource.CampaignSwitch{ID: *f.campaign(ctx).ID, ResetStats: true})
		}, resource.OutcomeUnknown},
		{"campaign-create", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			c := f.campaign(ctx)
			return f.desk.Campaigns.CreateCampaign(ctx, resource.Campaign{Name: "Summer", ServiceCode: c.ServiceCode, Lists: c.Lists})
		}, resource.OutcomeConfirmed},
		{"campaign-update", "PUT /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			after := f.campaign(ctx)
			after.Priority = id(*after.Priority + 1)
			return f.desk.Campaigns.UpdateCampaign(ctx, f.campaign(ctx), after, false)
		}, resource.OutcomeConfirmed},
		{"list-create", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Lists.CreateList(ctx, resource.List{Name: "Summer"})
		}, resource.OutcomeConfirmed},
		{"list-update", "PUT /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			after := f.list(ctx)
			after.BusyAttempts = id(*after.BusyAttempts + 1)
			return f.desk.Lists.UpdateList(ctx, f.list(ctx), after)
		}, resource.OutcomeConfirmed},
		{"items-add", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Lists.AddItems(ctx, []resource.Item{{ListID: f.list(ctx).ID, PhoneNumber: "0612"}})
		}, resource.OutcomeUnknown},
		{"items-reset", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Lists.ResetItems(ctx)
		}, resource.OutcomeUnknown},
		{"run-add", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Runs.AddRun(ctx, resource.Run{CampaignID: f.campaign(ctx).ID, Name: "evening"})
		}, resource.OutcomeConfirmed},
		{"run-edit", "POST /rest/powerdialer", func(ctx context.Context, f *floor) words.ActionReport {
			before, err := f.desk.Runs.RunNamed(ctx, *f.campaign(ctx).ID, "morning")
			if err != nil {
				f.t.Fatal(err)
			}
			after := before
			after.Number = "0699"
			return f.desk.Runs.EditRun(ctx, before, after)
		}, resource.OutcomeConfirmed},
		{"sms-send", "POST /rest/sms", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Messages.SendSMS(ctx, resource.SMS{PhoneNumber: "0612", Message: "See you at nine."})
		}, resource.OutcomeUnknown},
		{"contact-create", "POST /rest/addressbook", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Contacts.CreateContact(ctx, resource.Contact{Name: "Eva"})
		}, resource.OutcomeUnknown}, // the ID that the platform assigned was in the lost answer
		{"contact-update", "PUT /rest/addressbook", func(ctx context.Context, f *floor) words.ActionReport {
			after := f.contact(ctx)
			after.Note = "Called back.\nAll is well."
			return f.desk.Contacts.UpdateContact(ctx, f.contact(ctx), after)
		}, resource.OutcomeConfirmed},
		{"contact-delete", "DELETE /rest/addressbook", func(ctx context.Context, f *floor) words.ActionReport {
			return f.desk.Contacts.DeleteContact(ctx, f.contact(ctx))
		}, resource.OutcomeConfirmed},
	}
}

func (f *floor) campaign(ctx context.Context) resource.Campaign {
	all, err := f.desk.Campaigns.FindCampaigns(ctx, "")
	if err != nil {
		f.t.Fatal(err)
	}
	return all.Items[0]
}

func (f *floor) list(ctx context.Context) resource.List {
	all, err := f.desk.Lists.FindLists(ctx, "")
	if err != nil {
		f.t.Fatal(err)
	}
	return all.Items[0]
}

func (f *floor) contact(ctx context.Context) resource.Contact {
	c, err := f.desk.Contacts.Contact(ctx, "10001")
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func TestOperationsOnThePlatform(t *testing.T) {
	t.Parallel()
	for _, a := range deeds() {
		for _, tt := range []struct {
			name    string
			trouble func(f *floor)
			want    resource.Outcome
			done    int
		}{
			{"done", func(*floor) {}, resource.OutcomeConfirmed, 1},
			{"answer lost", func(f *floor) { f.srv.Faults().REST.CutResponse(0) }, a.lost, 1},
			{"request lost", func(f *floor) { f.srv.Faults().REST.CutRequest(60) }, resource.OutcomeUnknown, 0},
			{"refused", func(f *floor) { f.srv.Faults().REST.AnswerWithStatus(412, "", 1) }, resource.OutcomeRejected, 0},
		} {
			t.Run(a.op+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					f, stop := newFloor(t, 1, restclient.AuthSession)
					defer stop()
					f.campaign(t.Context()) // logs in before the fault
					f.srv.Faults().REST.OnlyRequests(a.route)
					tt.trouble(f)
					r := a.do(t.Context(), f)
					done := 0
					for _, e := range f.srv.REST().Executions() {
						if e.Operation == a.op {
							done++
						}
					}
					if r.Outcome != tt.want || done != tt.done {
						t.Errorf("%v %q (warning %q), carried out %d times; want %v, %d", r.Outcome, r.Text.In(nil), r.Warning.In(nil), done, tt.want, tt.done)
					}
					if tt.want == resource.OutcomeConfirmed && r.Warning.In(nil) != "" {
						t.Errorf("warning %q", r.Warning.In(nil))
					}
				})
			})
		}
	}
}

// TestDialThatIsRecordedOnConnect checks that a call dialled with a recording on connect is reported as
// recorded when the platform says so. For a call that keeps ringing, the final report must say that this
// is unclear.
func TestDialThatIsRecordedOnConnect(t *testing.T) {
	t.Parallel()
	for number, told := range map[string]bool{"0612" + world.NumberTalks: true, "0612" + world.NumberNoAnswer: false} {
		synctest.Test(t, func(t *testing.T) {
			f, stop := newFloor(t, 1, restclient.AuthSession)
			defer stop()
			f.srv.Resume()
			on := true
			var r words.ActionReport
			for _, user := range f.users { // until an agent has a phone and no call
				if r = f.desk.Calls.Dial(t.Context(), resource.Dial{Username: user, Number: number, RecordOnConnect: &on}); r.Outcome == resource.OutcomeConfirmed {
					break
				}
			}
			if r.Outcome != resource.OutcomeConfirmed || strings.Contains(r.Text.In(nil), "is connected and is being recorded to") != told || (r.Warning.In(nil) == "") != told {
				t.Errorf("%s: %+v", number, r)
			}
		})
	}
}
