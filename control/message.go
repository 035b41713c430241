package control

import (
	"context"
	"fmt"
	"unicode/utf8"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// SendSMS sends a text message. One that takes more than
// [model.MostSMSParts] is not sent. It is never sent twice, and document 1 has no
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
	parts := model.SMSParts(s.Message)
	if parts > model.MostSMSParts {
		return clean(say.notSent(fmt.Sprintf("its %d characters take %d SMS, of which at most %d are sent; nothing was sent",
			utf8.RuneCountInString(s.Message), parts, model.MostSMSParts)))
	}
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
			if parts > 1 {
				return confirmed("The message to %s was sent, as %d SMS.", s.PhoneNumber, parts), nil
			}
			return confirmed("The message to %s was sent.", s.PhoneNumber), nil
		},
	})
}
