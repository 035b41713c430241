package control

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model/resource"
)

// TestTextMessageIsLookedUp checks that the outcome of a text message is looked up in the messaging
// history, where only a new message to the number and without a campaign counts.
func TestTextMessageIsLookedUp(t *testing.T) {
	t.Parallel()
	const ours = `{"messageId":"m2","messageToNumber":"+39 0612345","messageResult":3}`
	for _, tt := range []struct {
		name        string
		there, come string // the history before the message, and what is added with it
		trouble     func(p *platform)
		want        resource.Outcome
		says        string
	}{
		{"in the history", `{"messageId":"m1","messageToNumber":"0612345"}`, ours, nil, sure, "is in the platform's messaging history"},
		{"not there", "", "", nil, unknown, "It is not in the messaging history. Ask the recipient"},
		{"an earlier one", ours, "", nil, unknown, "not in the messaging history"},
		{"to somebody else", "", `{"messageId":"m2","messageToNumber":"0699999"}`, nil, unknown, "not in the messaging history"},
		{"of a campaign", "", `{"messageId":"m2","messageToNumber":"0612345","campaign":{"id":1}}`, nil, unknown, "not in the messaging history"},
		{"of a run", "", `{"messageId":"m2","messageToNumber":"0612345","executionId":1}`, nil, unknown, "not in the messaging history"},
		{"without ids", `{"messageToNumber":"0612345"}`, ours, nil, unknown, "cannot be read: the messages have no id"},
		{"no path", "", ours, func(p *platform) { p.pathless = "message-history" }, unknown, "message-history under [rest.paths]"},
		{"not readable", "", ours, func(p *platform) { p.faults["message-history"] = []fault{away()} }, unknown, "cannot be read: the platform's address refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPlatform(t)
				if tt.there != "" {
					p.messages = append(p.messages, parse[resource.MessageRecord](t, tt.there))
				}
				if tt.come != "" {
					p.sms = append(p.sms, parse[resource.MessageRecord](t, tt.come))
				}
				p.faults["sms-send"] = []fault{lost(true)}
				if tt.trouble != nil {
					tt.trouble(p)
				}
				r := p.desk(t, nil).Messages.SendSMS(t.Context(), resource.SMS{PhoneNumber: "0612345", Message: "hello"})
				if r.Outcome != tt.want || !strings.Contains(r.Text.In(nil), tt.says) || (r.Warning.In(nil) != "") != (tt.want == sure) {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}

func TestMonths(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]int{"2026-11-15T12:00:00Z": 1, "2026-11-30T23:59:59Z": 2, "2027-01-01T00:00:00Z": 2} {
		instant, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := possibleMonths(instant); len(got) != want {
			t.Errorf("%s may be in %v", at, got)
		}
	}
}
