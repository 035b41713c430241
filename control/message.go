package control

import (
	"context"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// SendSMS sends a text message. It is never sent twice, and document 1 has no
// way to find out what became of one.
func (d *Desk) SendSMS(ctx context.Context, s resource.SMS) resource.Report {
	if s.Username == "" {
		s.Username = d.username()
	}
	say := phrase("the message to "+s.PhoneNumber, "was sent", "ask the recipient before sending it again", map[error]string{
		restclient.ErrNotFound:   "the platform does not know the sender or the account",
		restclient.ErrRequired:   "the platform wants the sender, the number or the text",
		restclient.ErrNotAllowed: "the profile of " + d.person(s.Username) + " does not allow sending messages",
	})
	return d.take(ctx, &action{
		forOther: s.Username != d.username(),
		verb:     resource.VerbSendSMS, kind: "message", target: "number " + s.PhoneNumber,
		params: given("username", s.Username, "accountId", number(s.AccountID), "message", s.Message), say: say,
		send: func(ctx context.Context) (resource.Report, error) {
			ok, err := d.o.Service.SendSMS(ctx, s)
			switch {
			case err != nil:
				return resource.Report{}, err //nolint:wrapcheck // judge looks at what the client said
			case !ok:
				return say.rejected("the platform did not take it"), nil
			}
			return confirmed("The message to %s was sent.", s.PhoneNumber), nil
		},
	})
}
