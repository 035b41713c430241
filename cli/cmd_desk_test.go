package cli

import (
	"strings"
	"testing"

	"wallboard/simulator"
)

// The ids of what was added are told.
func TestIDsOfAddedItems(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	doc := s.json(exitOK, "", "list", "add-items", "--list-id", "701", "--phone-number", "+390212345678")
	if len(doc.IDs) != 1 || doc.IDs[0] == "" {
		t.Errorf("%+v", doc)
	}
	if _, out, _ := s.run("", "list", "add-items", "--list-id", "701", "--phone-number", "+390212345679"); !strings.Contains(out, "\nids: ") {
		t.Errorf("%q", out)
	}
}

// An edition that does not have a field is told before anything is sent.
func TestFieldsThatTheEditionLacks(t *testing.T) {
	t.Parallel()
	s := newScripts(t, func(o *simulator.Options) { o.Edition = simulator.Edition102 })
	doc := s.json(exitNotSent, "", "campaign", "create", "--name", "June", "--service-code", "SRV01", "--type", "CALL", "--users-to-notify", "anna")
	if !strings.Contains(doc.Text, "does not have type, usersToNotify") || s.executed("campaign-create") != 0 {
		t.Errorf("%+v", doc)
	}
	s.json(exitOK, "", "campaign", "create", "--name", "June", "--service-code", "SRV01")
}

// Without a flag it is the call of who is logged in.
func TestHangUpOfOnesOwnCall(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	if code, _, errs := s.run("", "call", "hangup"); code != exitUsage || !strings.Contains(errs, "--yes") {
		t.Errorf("exit %d: %s", code, errs)
	}
	// The simulated supervisor is nobody on the floor: that is what is told.
	doc := s.json(exitNotSent, "", "call", "hangup", "--yes")
	if !strings.Contains(doc.Text, "The call of supervisor was not hung up") || s.executed("hangup") != 0 {
		t.Errorf("%+v", doc)
	}
}
