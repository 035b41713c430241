package actions

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
)

// messageActions implements the actions on text messages.
type messageActions struct{ orders *orderSender }

var errPhoneNumber = words.NewError(words.ActFieldErrorPhone(), nil)

// checkPhone returns an error if s cannot be a phone number. It checks only the characters, so the
// platform may still be unable to reach the number.
func checkPhone(s string) error {
	digits := 0
	for _, r := range textnorm.PhoneNumber(s) {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune("+-()./ *#", r):
			return errPhoneNumber
		}
	}
	if digits == 0 {
		return errPhoneNumber
	}
	return nil
}

// maxSMSLength is the maximum length of a message, in characters of the GSM alphabet:
// [model.MaxSMSParts] parts of 153 characters.
const maxSMSLength = model.MaxSMSParts * 153

// checkSMSLength returns an error if a message needs too many SMS. With characters outside the GSM
// alphabet, a message may be too long even if it is shorter than maxSMSLength.
func checkSMSLength(s string) error {
	if parts := model.SMSParts(s); parts > model.MaxSMSParts {
		return words.NewError(words.ActContactSmsTooLong(parts, model.MaxSMSParts), nil)
	}
	return nil
}

// openSMS opens the form for sending a text message.
func (a *messageActions) openSMS() tea.Cmd {
	tell := a.orders.translate
	d, cmd := a.orders.openForm(words.ResourceSmsSendTitle(), a.orders.ellipsis(words.DialogSend()), []dialog.Field{
		{ID: "number", Label: tell(words.ActFieldToNumber()), Required: true, Check: checkPhone},
		{ID: "text", Label: tell(words.ActFieldMessage()), Kind: dialog.BodyField, Required: true, MaxLength: maxSMSLength, Check: checkSMSLength},
		{ID: "account", Label: tell(words.ActFieldAccountId()), Kind: dialog.NumberField, Hint: tell(words.ActFieldHintAccount())},
		{ID: "username", Label: tell(words.ActFieldSender()), Hint: tell(words.ActFieldHintSender())},
	})
	d.Remark = func() string { return tell(smsSizeText(d.Fields.Value("text"))) }
	d.OnSubmit = func() tea.Cmd {
		s := resource.SMS{
			Message: d.Fields.Value("text"), PhoneNumber: textnorm.PhoneNumber(d.Fields.Value("number")), Username: d.Fields.Value("username"),
		}
		if n, ok := d.Fields.Int("account"); ok {
			s.AccountID = &n
		}
		lines := []string{tell(words.ActContactSmsTo(s.PhoneNumber))}
		if s.AccountID != nil {
			lines = append(lines, tell(words.ActContactSmsAccount(strconv.Itoa(*s.AccountID))))
		}
		if s.Username != "" {
			lines = append(lines, tell(words.ActContactSmsAs(s.Username)))
		}
		return a.orders.confirmForm(d, actionOrder{
			operation: resource.OpSMSSend, target: words.ActContactSmsTarget(s.PhoneNumber), names: []string{s.PhoneNumber},
			execute: func(ctx context.Context, c *Controller) words.ActionReport { return c.Messages.SendSMS(ctx, s) },
		}, dialog.Question{
			Text: tell(words.ActContactSmsAsk()), Lines: append(append(lines, ""), s.Message), YesLabel: tell(words.DialogSend()),
		})
	}
	return cmd
}

func smsSizeText(s string) words.Text {
	size := words.ActContactSmsCharacters(len([]rune(s)))
	if parts := model.SMSParts(s); parts > 1 {
		return words.ActContactSmsParts(size, parts)
	}
	return size
}

// commands returns the palette commands for text messages.
func (a *messageActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: a.orders.translate(words.ResourceSmsSend()), Run: a.openSMS, Keywords: a.orders.translate(words.ActContactPaletteSmsKeywords())},
	}
}
