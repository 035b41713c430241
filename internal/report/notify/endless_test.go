package notify

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
)

func TestEndlessAnswers(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	testkit.CheckEndlessAnswers(t, func() *http.Transport {
		return newWebClient(nil).Transport.(*http.Transport) //nolint:forcetypeassert // it is
	})
}

// TestHandshakeTimeoutSendsNothing checks that a message counts as unanswered only if it was written: not if the
// server does not answer the TLS handshake.
func TestHandshakeTimeoutSendsNothing(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // the test ends
	for scheme, want := range map[string]bool{"https": false, "http": true} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		target := Target{Webhook: secret.New(scheme + "://" + l.Addr().String())}
		if err := target.postBody(ctx, newWebClient(nil), []byte("{}")); err == nil || errors.Is(err, errUnanswered) != want {
			t.Errorf("%s: %v", scheme, err)
		}
		cancel()
	}
}
