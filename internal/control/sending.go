package control

import (
	"context"
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// SendSMS sends a text message. It refuses a message of more than [model.MaxSMSParts] parts. It
// sends the request only once. If the outcome is unknown and the path of the messaging history is
// configured, it looks for the message in the history.
func (d *Messages) SendSMS(ctx context.Context, s resource.SMS) words.ActionReport {
	if s.Username == "" {
		s.Username = d.executor.status.username()
	}
	m := &smsSending{messages: d, sms: s, partCount: model.SMSParts(s.Message), history: messageHistory{messages: d, number: s.PhoneNumber}}
	m.phrases = phrases{
		failed: words.ControlSmsFailed(s.PhoneNumber), unknownOutcome: words.ControlSmsUnclear(s.PhoneNumber), advice: words.ControlSmsAdvice(),
		reasons: map[error]words.Text{
			restclient.ErrNotFound:           words.ControlSmsUnknownSender(),
			restclient.ErrPreconditionFailed: words.ControlSmsIncomplete(),
			restclient.ErrNotAllowed:         words.ControlSmsNotAllowed(d.feed.personName(s.Username)),
		},
	}
	if m.partCount > model.MaxSMSParts {
		return cleanReport(m.phrases.notSentReport(words.ControlSmsTooLong(utf8.RuneCountInString(s.Message), m.partCount, model.MaxSMSParts)))
	}
	return d.executor.run(ctx, &action{
		needsOtherProfile: s.Username != d.executor.status.username(),
		operation:         resource.OpSMSSend, targetKind: "message", target: "number " + s.PhoneNumber,
		params: nonEmptyParams("username", s.Username, "accountId", resource.IntText(s.AccountID), "message", s.Message), phrases: m.phrases,
		read: m.read, send: m.send, resolve: m.resolve,
	})
}

type smsSending struct {
	messages  *Messages
	sms       resource.SMS
	partCount int // number of SMS that the message needs
	phrases   phrases
	history   messageHistory
}

// read stores the IDs of the messages to the number that are already in the history.
func (m *smsSending) read(ctx context.Context) *words.ActionReport {
	m.history.storeExisting(ctx)
	return nil
}

func (m *smsSending) send(ctx context.Context) (words.ActionReport, error) {
	ok, err := m.messages.service.SendSMS(ctx, m.sms)
	switch {
	case err != nil:
		return words.ActionReport{}, err
	case !ok:
		return m.phrases.rejectedReport(words.ControlNotAccepted()), nil
	case m.partCount > 1:
		return confirmedReport(words.ControlSmsSentParts(m.sms.PhoneNumber, m.partCount)), nil
	}
	return confirmedReport(words.ControlSmsSent(m.sms.PhoneNumber)), nil
}

func (m *smsSending) resolve(ctx context.Context, err error) *words.ActionReport {
	why := reasonText(err, nil)
	if !m.history.unreadableReason.IsZero() {
		r := m.phrases.unknownReport(why, words.ControlNotFoundOut(m.history.unreadableReason))
		return &r
	}
	var found *resource.MessageRecord
	if !m.messages.executor.poll(ctx, func() bool {
		found = m.history.newMessage(ctx)
		return found != nil
	}) {
		r := m.phrases.unknownReport(why, words.ControlSmsNotInHistory())
		return &r
	}
	r := confirmedReport(words.ControlSmsInHistory(m.sms.PhoneNumber))
	if found.MessageResult != nil {
		r.Warning = words.ControlSmsResult(*found.MessageResult)
	}
	return &r
}

// messageHistory searches the messaging history for messages to one number (document 1, section
// Power Dialer, edition 1.4.0). Document 1 does not say whether the history contains text messages,
// so a missing message proves nothing.
type messageHistory struct {
	messages         *Messages
	number           string
	requestedAt      time.Time // time just before the request
	existing         map[string]bool
	unreadableReason words.Text // reason why the history cannot be read, as the end of a sentence
}

// maxHistoryWait is how long to wait for the messaging history before a message is sent.
const maxHistoryWait = 5 * time.Second

// storeExisting stores the IDs of the messages in the history, or the reason why the history cannot
// be read.
func (h *messageHistory) storeExisting(ctx context.Context) {
	if !h.messages.session.HasPath(resource.OpMessageHistory) {
		h.unreadableReason = words.ControlNoHistoryPath()
		return
	}
	ctx, cancel := context.WithTimeout(ctx, maxHistoryWait)
	defer cancel()
	h.requestedAt, h.existing = h.messages.executor.now(), make(map[string]bool)
	if err := h.visitMessages(ctx, func(m resource.MessageRecord) { h.existing[m.MessageID] = true }); err != nil {
		h.unreadableReason = words.ControlHistoryUnreadable(reasonText(err, nil))
	}
}

// newMessage returns a message that was not in the history before the request. It returns nil if
// there is none or the history cannot be read.
func (h *messageHistory) newMessage(ctx context.Context) (found *resource.MessageRecord) {
	if h.visitMessages(ctx, func(m resource.MessageRecord) {
		if !h.existing[m.MessageID] {
			found = &m
		}
	}) != nil {
		return nil
	}
	return found
}

// errNoID means that the messages in the history have no IDs.
var errNoID = &restclient.Error{Operation: resource.OpMessageHistory, Err: errors.New("the messages have no id")}

// visitMessages calls visit for the messages to the number in the month of the request, except
// messages of campaigns. An error means that the history cannot be read or contains a message
// without ID.
func (h *messageHistory) visitMessages(ctx context.Context, visit func(resource.MessageRecord)) error {
	for _, month := range possibleMonths(h.requestedAt) {
		for m, err := range h.messages.service.AllMessages(ctx, h.query(month)) {
			switch {
			case err != nil:
				return err
			case !sameNumber(m.MessageTo, h.number), m.Campaign != nil, m.ListID != nil, m.ExecutionID != nil:
			case m.MessageID == "":
				return errNoID
			default:
				visit(m)
			}
		}
	}
	return nil
}

func (h *messageHistory) query(month time.Time) resource.MessageQuery {
	year, number := month.Year(), int(month.Month())
	value, _ := json.Marshal([]string{h.number}) // strings can always be encoded
	return resource.MessageQuery{Search: &resource.MessageSearch{
		Year: &year, Month: &number, MessageTo: &resource.Filter{Value: value},
	}}
}

// possibleMonths returns the months to which the time at may belong, depending on the time zone: one month,
// or two near the turn of a month.
func possibleMonths(at time.Time) []time.Time {
	const maxUTCOffset = 14 * time.Hour // zones are from UTC-12 to UTC+14
	first, last := at.UTC().Add(-maxUTCOffset), at.UTC().Add(maxUTCOffset)
	if first.Month() == last.Month() {
		return []time.Time{last}
	}
	return []time.Time{first, last}
}
