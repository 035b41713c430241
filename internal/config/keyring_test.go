package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

// TestKeyring stores, finds and removes a secret in a keyring that is replaced for the test. It runs
// before the parallel tests, which do not use the keyring of the system.
func TestKeyring(t *testing.T) { //nolint:paralleltest // the keyring is global
	keyring.MockInit()
	const place = "wallboard/anna@host.example"
	var k Keyring
	want := func(want string) {
		t.Helper()
		if got, err := k.Find(place); got != want || err != nil {
			t.Fatalf("found %q, %v, want %q", got, err, want)
		}
	}
	want("")
	if err := k.Store(place, canary); err != nil {
		t.Fatal(err)
	}
	want(canary)
	if got, err := keyring.Get("wallboard", "anna@host.example"); got != canary || err != nil {
		t.Errorf("stored is %q, %v", got, err)
	}
	if err := k.Remove(place); err != nil {
		t.Fatal(err)
	}
	want("")
	keyring.MockInitWithError(errors.New("locked"))
	_, err := k.Find(place)
	for _, err := range []error{err, k.Store(place, canary), k.Remove(place)} {
		if err == nil || !strings.Contains(err.Error(), "locked") {
			t.Errorf("%v", err)
		}
	}
	keyring.MockInit()
}
