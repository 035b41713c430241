package operations_test

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
)

// TestIDsOfAddedItems checks that the IDs of added items are reported.
func TestIDsOfAddedItems(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	doc := s.json(cmdutil.ExitOK, "", "list", "add-items", "--list-id", "701", "--phone-number", "+390212345678")
	if len(doc.IDs) != 1 || doc.IDs[0] == "" {
		t.Errorf("%+v", doc)
	}
	if _, out, _ := s.run("", "list", "add-items", "--list-id", "701", "--phone-number", "+390212345679"); !strings.Contains(out, "\nids: ") {
		t.Errorf("%q", out)
	}
}

// TestFieldsThatTheEditionLacks checks that fields that the edition lacks are reported before anything is
// sent.
func TestFieldsThatTheEditionLacks(t *testing.T) {
	t.Parallel()
	s := newScripts(t, func(o *simulator.Options) { o.REST.Edition = rest.Edition102 })
	doc := s.json(cmdutil.ExitNotSent, "", "campaign", "create", "--name", "June", "--service-code", "SRV01", "--type", "CALL", "--users-to-notify", "anna")
	if !strings.Contains(doc.Text, "does not have type, usersToNotify") || s.executed("campaign-create") != 0 {
		t.Errorf("%+v", doc)
	}
	s.json(cmdutil.ExitOK, "", "campaign", "create", "--name", "June", "--service-code", "SRV01")
}

// TestLengthOfTextMessages checks that the number of SMS of a text is shown, and that a text that needs
// too many is rejected.
func TestLengthOfTextMessages(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	send := func(code int, text string) document {
		return s.json(code, "", "sms", "send", "--phone-number", "+393331234567", "--message", text, "--yes")
	}
	if doc := send(cmdutil.ExitOK, strings.Repeat("a", 161)); !strings.Contains(doc.Text, "as 2 SMS") {
		t.Errorf("%+v", doc)
	}
	send(cmdutil.ExitOK, strings.Repeat("ж", 670))
	for _, text := range []string{strings.Repeat("a", 1531), strings.Repeat("ж", 671)} {
		if doc := send(cmdutil.ExitNotSent, text); !strings.Contains(doc.Text, fmt.Sprintf("its %d characters need 11 SMS", len([]rune(text)))) {
			t.Errorf("%+v", doc)
		}
	}
	if n := s.executed("sms-send"); n != 2 {
		t.Errorf("%d messages were sent", n)
	}
}

// TestItemsOfUnknownEnd checks that the contact counts of the campaigns before and after are reported if
// the outcome of an addition is unknown, because items of a list cannot be read.
func TestItemsOfUnknownEnd(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	s.srv.Faults().REST.OnlyRequests("POST /rest/powerdialer/phone/list/items")
	s.srv.Faults().REST.CutResponse(0)
	doc := s.json(cmdutil.ExitUnknown, "", "list", "add-items", "--list-id", "701", "--phone-number", "+390212345678")
	var id, before, now int
	_, told, _ := strings.Cut(doc.Text, "In the real-time figures, ")
	if _, err := fmt.Sscanf(told, "campaign %d had %d contacts and has %d now", &id, &before, &now); err != nil || now != before+1 {
		t.Errorf("%v: %+v", err, doc)
	}
	s.without("campaigns")
	s.srv.Faults().REST.CutResponse(0)
	doc = s.json(cmdutil.ExitUnknown, "", "list", "add-items", "--list-id", "701", "--phone-number", "+390212345679")
	if !strings.Contains(doc.Text, "It could not be looked up: no campaign is named") {
		t.Errorf("%+v", doc)
	}
}
