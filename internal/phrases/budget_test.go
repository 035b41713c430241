package phrases_test

import (
	"testing"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// TestTargetContacts names the contacts by channel and goal.
func TestTargetContacts(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 late call":                          phrases.MissedContacts("1", model.Call, false),
		"0 late chats":                         phrases.MissedContacts("0", model.Chat, false),
		"3 abandoned mails":                    phrases.MissedContacts("3", model.MailACD, true),
		"1 call on time":                       phrases.GoodContacts("1", model.Call, false),
		"12 calls in a row on time":            phrases.GoodContacts("12", model.Call, false),
		"7 chats in a row without abandonment": phrases.GoodContacts("7", model.Chat, true),
	} {
		if got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
