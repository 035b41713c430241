package doctor

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/secret"
	"wallboard/restclient"
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

// TestUnsupportedLogin examines a platform behind a proxy that asks for a login method that
// wallboard does not have.
func TestUnsupportedLogin(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Www-Authenticate"] = []string{"Negotiate", "NTLM"}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer srv.Close()
	const asked = "the server asks for the login Negotiate (Kerberos) or NTLM (Windows), which wallboard does not support"
	for _, mode := range []feeds.AuthMode{feeds.AuthLogin, feeds.AuthToken} {
		r, err := Examine(t.Context(), Options{
			Settle: time.Millisecond,
			Feed: feeds.Options{
				URL: srv.URL, WSURL: "ws" + strings.TrimPrefix(srv.URL, "http"), Auth: mode,
				Credentials: feeds.Credentials{Username: "anna", Password: secret.New("password"), AccessToken: secret.New("token")},
			},
			Configuration: func(ctx context.Context) (string, string, error) {
				c, err := restclient.New(restclient.Options{URL: srv.URL, Auth: restclient.AuthBearer, AccessToken: secret.New("token")})
				if err != nil {
					return "", "", err
				}
				return "", "", c.CheckCredentials(ctx)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, about := range []string{"HTTP", "Access"} {
			i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.About == about && f.Verdict == VerdictFail })
			if i < 0 || !strings.Contains(r.Findings[i].Text, asked) || !strings.Contains(r.Findings[i].Remedy, "without this method") {
				t.Errorf("%v, %s: %q", mode, about, said(r))
			}
		}
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
