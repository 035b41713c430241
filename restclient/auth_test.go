package restclient

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"wallboard/internal/lib/secret"
)

// TestWrongPasswordsOfHeadersAreSentOnce checks that a wrong password that is part of every request is
// sent only once, because repeated failures could lock the account.
func TestWrongPasswordsOfHeadersAreSentOnce(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Auth: AuthBasic, Username: "anna", Password: secret.New("wrong")},
		{Auth: AuthBearer, AccessToken: secret.New("wrong")},
	} {
		var sent atomic.Int32
		o.URL = serve(t, func(w http.ResponseWriter, _ *http.Request) {
			sent.Add(1)
			w.WriteHeader(http.StatusUnauthorized)
		})
		c := newClient(t, o)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := hangUp(t, c); !errors.Is(err, ErrUnauthorized) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if sent.Load() != 1 {
			t.Errorf("%s: sent %d times", o.Auth, sent.Load())
		}
		c.Session.AllowRefusedCredentials()
		if err := hangUp(t, c); errors.Is(err, ErrCredentialsRefused) || sent.Load() != 2 {
			t.Errorf("%s, after Retry: %v, sent %d times", o.Auth, err, sent.Load())
		}
	}
}

func TestValidSessionDoesNotEndWorkingHeaders(t *testing.T) {
	t.Parallel()
	c := newClient(t, Options{URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/rest/auth/isValidSession" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})})
	if err := hangUp(t, c); err != nil {
		t.Fatal(err)
	}
	if valid, err := c.Session.ValidSession(t.Context()); valid || err != nil {
		t.Errorf("%v, %v", valid, err)
	}
	if err := hangUp(t, c); err != nil {
		t.Error(err)
	}
}
