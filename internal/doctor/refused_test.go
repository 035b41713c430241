package doctor

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"wallboard/feeds"
	"wallboard/internal/lib/secret"
)

// TestRefusedLoginIsSentOnce examines a platform that refuses the login. More attempts could lock
// the account.
func TestRefusedLoginIsSentOnce(t *testing.T) {
	t.Parallel()
	var logins atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text, err := io.ReadAll(r.Body); err == nil && strings.Contains(string(text), "login(") {
			logins.Add(1)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"errors":[{"message":"bad login","extensions":{"code":"UNAUTHENTICATED"}}]}`)
	}))
	defer srv.Close()
	r, err := Examine(t.Context(), Options{Feed: feeds.Options{
		URL: srv.URL, WSURL: "ws" + strings.TrimPrefix(srv.URL, "http"), Auth: feeds.AuthLogin,
		Credentials: feeds.Credentials{Username: "anna", Password: secret.New("wrong password")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n := logins.Load(); n != 1 {
		t.Errorf("the login was sent %d times", n)
	}
	if text := strings.Join(said(r), "\n"); r.IsOK() || !strings.Contains(text, "Feed fail no connection: login refused: bad login") {
		t.Error(text)
	}
}

func TestIsWebPage(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]bool{"text/html; charset=utf-8": true, "application/json": false} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(http.StatusNotFound)
		}))
		if got := isWebPage(t.Context(), &Options{Feed: feeds.Options{URL: srv.URL}}); got != want {
			t.Errorf("%s: %v", contentType, got)
		}
		srv.Close()
	}
	if isWebPage(t.Context(), &Options{Feed: feeds.Options{URL: "http://127.0.0.1:1/"}}) {
		t.Error("nothing answers with a web page")
	}
}
