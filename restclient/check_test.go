package restclient

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/model/resource"
)

// TestChecks checks that invalid requests are not sent, and that all problems are reported at once.
func TestChecks(t *testing.T) {
	t.Parallel()
	c := newClient(t, Options{
		URL: serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent", r.RequestURI) }),
	})
	large, below, zero := math.MaxInt32+1, -1, 0
	late, early := parsed(t, "2026-01-02"), parsed(t, "2026-01-01")
	var odd resource.Time
	if err := json.Unmarshal([]byte(`"next week"`), &odd); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		call func(ctx context.Context) error
		want string
	}{
		{func(ctx context.Context) error { _, err := c.Calls.Dial(ctx, resource.Dial{Number: " "}); return err }, "the number is missing"},
		{func(ctx context.Context) error {
			_, err := c.Calls.Dial(ctx, resource.Dial{Number: "1\r2"})
			return err
		}, "the number contains characters that cannot be dialed: 1␍2"},
		{func(ctx context.Context) error {
			_, err := c.Calls.Dial(ctx, resource.Dial{Number: strings.Repeat("1", 65)})
			return err
		}, "the number is longer than 64 characters"},
		{func(ctx context.Context) error {
			_, err := c.Calls.StopRecording(ctx, resource.Recording{})
			return err
		}, "the name of the user is missing; the id of the call is missing"},
		{func(ctx context.Context) error { _, err := c.Calls.ServiceCalls(ctx, "..", false); return err }, `the name of the user cannot be ".."`},
		{func(ctx context.Context) error { _, err := c.Campaigns.StartCampaign(ctx, 0, nil); return err }, "the id of the campaign is missing"},
		{func(ctx context.Context) error { _, err := c.Campaigns.StopCampaign(ctx, large, nil); return err }, "the id of the campaign is too large a number: 2147483648"},
		{func(ctx context.Context) error {
			_, err := c.Campaigns.CreateCampaign(ctx, resource.Campaign{
				Priority: &below, BusyChannels: &large, StartDate: late, EndDate: early,
				Lists: []resource.CampaignList{{}, {ListID: &large, Priority: &below}},
			})
			return err
		}, "the priority cannot be below 0: -1; the priority of list 2 cannot be below 0: -1; the busy channels is too large a number: 2147483648; " +
			"the list 2: list id is too large a number: 2147483648; the campaign ends (2026-01-01 00:00:00Z) before it starts (2026-01-02 00:00:00Z)"},
		{func(ctx context.Context) error {
			_, err := c.Campaigns.UpdateCampaign(ctx, resource.Campaign{Priority: &below}, nil)
			return err
		}, "the id of the campaign is missing"},
		{func(ctx context.Context) error {
			_, err := c.Campaigns.SearchCampaigns(ctx, CampaignTerm{Priority: &large}, Page{-1, -2})
			return err
		}, "the number of the page must be above 0, not -1; the size of the page must be above 0, not -2; the priority is too large a number: 2147483648"},
		{func(ctx context.Context) error {
			_, err := c.Lists.CreateList(ctx, resource.List{BusyAttempts: &below})
			return err
		}, "the number of attempts after busy cannot be below 0: -1"},
		{func(ctx context.Context) error { _, err := c.Lists.UpdateList(ctx, resource.List{}); return err }, "the id of the list is missing"},
		{func(ctx context.Context) error { _, err := c.Lists.AddItems(ctx, nil); return err }, "there are no items"},
		{func(ctx context.Context) error {
			_, err := c.Lists.DeleteItems(ctx, []resource.Item{{}, {ID: &large}}, nil)
			return err
		}, "item 2: the id is too large a number: 2147483648"},
		{func(ctx context.Context) error {
			_, err := c.Runs.EditRun(ctx, resource.Run{ScheduledStartDate: late, ScheduledEndDate: early})
			return err
		}, "the id of the run is missing; the run's schedule ends (2026-01-01 00:00:00Z) before it starts (2026-01-02 00:00:00Z)"},
		{func(ctx context.Context) error { _, err := c.Runs.Run(ctx, below, odd); return err }, "the id of the run must be above 0, not -1; the end of the messaging is not a date and time"},
		{func(ctx context.Context) error { _, err := c.Runs.RunNamed(ctx, 1, ""); return err }, "the name of the run is missing"},
		{func(ctx context.Context) error { _, err := c.Contacts.DeleteContact(ctx, ""); return err }, "the id of the contact is missing"},
		{func(ctx context.Context) error {
			_, err := c.Contacts.UpdateContact(ctx, resource.Contact{})
			return err
		}, "the id of the contact is missing"},
		{func(ctx context.Context) error { _, err := c.Messages.ChatHistory(ctx, "", Page{}); return err }, "the id of the chat session is missing"},
		{func(ctx context.Context) error {
			_, err := c.Messages.SendSMS(ctx, resource.SMS{AccountID: &large})
			return err
		}, "the number is missing; the text of the message is missing; the account id is too large a number: 2147483648"},
		{func(ctx context.Context) error {
			_, err := c.Messages.SendSMS(ctx, resource.SMS{PhoneNumber: "abc", Message: "x"})
			return err
		}, "this is not a telephone number: abc"},
		{func(ctx context.Context) error {
			_, err := c.Messages.Templates(ctx, resource.TemplateQuery{Limit: &large})
			return err
		}, "the limit is too large a number: 2147483648"},
		{func(ctx context.Context) error {
			_, err := c.Tickets.SearchTickets(ctx, resource.TicketQuery{PageSize: &zero})
			return err
		}, "the size of the page must be above 0, not 0"},
		{func(ctx context.Context) error {
			_, err := c.Tickets.TicketAgents(ctx, resource.PersonQuery{Index: &large})
			return err
		}, "the index is too large a number: 2147483648"},
		{func(ctx context.Context) error {
			_, err := c.Messages.MessageHistory(ctx, resource.MessageQuery{Search: &resource.MessageSearch{Month: is(13)}})
			return err
		}, "the month must be from 1 to 12, not 13"},
	} {
		err := tt.call(t.Context())
		var invalid *InvalidError
		if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalidRequest) || OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("%v, want %s", err, tt.want)
			continue
		}
		if d := cmp.Diff(tt.want, invalid.Error()); d != "" {
			t.Error(d)
		}
	}
}

func parsed(t *testing.T, text string) resource.Time {
	t.Helper()
	at, err := resource.ParseTime(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
