package actions

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// messageActions implements the actions on text messages.
type messageActions struct{ orders *orderSender }

var errPhoneNumber = errors.New("write a phone number, as in +39 02 1234")

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
		return fmt.Errorf("it takes %d SMS, at most %d are sent", parts, model.MaxSMSParts)
	}
	return nil
}

// openSMS opens the form for sending a text message.
func (a *messageActions) openSMS() tea.Cmd {
	d, cmd := a.orders.openForm("Send a text message", "Send"+a.orders.look().Glyphs.Ellipsis, []dialog.Field{
		{ID: "number", Label: "To number", Required: true, Check: checkPhone},
		{ID: "text", Label: "Message", Kind: dialog.BodyField, Required: true, MaxLength: maxSMSLength, Check: checkSMSLength},
		{ID: "account", Label: "Account id", Kind: dialog.NumberField, Hint: "only where the platform has several accounts"},
		{ID: "username", Label: "Sender", Hint: "a user name; empty: the user who is logged in"},
	})
	d.Remark = func() string { return smsSizeText(a.orders.look(), d.Fields.Value("text")) }
	d.OnSubmit = func() tea.Cmd {
		s := resource.SMS{
			Message: d.Fields.Value("text"), PhoneNumber: textnorm.PhoneNumber(d.Fields.Value("number")), Username: d.Fields.Value("username"),
		}
		if n, ok := d.Fields.Int("account"); ok {
			s.AccountID = &n
		}
		lines := []string{"To " + s.PhoneNumber}
		if s.AccountID != nil {
			lines = append(lines, "From account "+strconv.Itoa(*s.AccountID))
		}
		if s.Username != "" {
			lines = append(lines, "As "+s.Username)
		}
		return a.orders.confirmForm(d, order{
			operation: resource.OpSMSSend, target: "number " + s.PhoneNumber,
			execute: func(ctx context.Context, c *Controller) resource.Report { return c.Messages.SendSMS(ctx, s) },
		}, dialog.Question{
			Text: "Send this message?", Lines: append(append(lines, ""), s.Message), YesLabel: "Send",
		})
	}
	return cmd
}

func smsSizeText(lk *style.Look, s string) string {
	n := len([]rune(s))
	if n == 1 {
		return "1 character"
	}
	size := lk.Count(n) + " characters"
	if parts := model.SMSParts(s); parts > 1 {
		size += ", sent as " + lk.Count(parts) + " SMS"
	}
	return size
}

// commands returns the palette commands for text messages.
func (a *messageActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: "send a text message", Run: a.openSMS, Keywords: "sms"},
	}
}
