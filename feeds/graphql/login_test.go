package graphql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"wallboard/internal/lib/secret"
)

const canary = "s3cret-canary"

func loginTo(t *testing.T, mode LoginMode, h http.HandlerFunc) *Login {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	o := LoginOptions{URL: srv.URL + "/rtd?key=" + canary, Mode: mode, Credentials: Credentials{
		Username: `a"b`, Password: secret.New(canary), AccessToken: secret.New(canary),
	}}
	l, err := NewLogin(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestCredentialsInTheHandshake(t *testing.T) {
	t.Parallel()
	never := func(http.ResponseWriter, *http.Request) { t.Error("a request was made") }
	var o Options
	if err := loginTo(t, ModeToken, never).ApplyCredentials(t.Context(), &o); err != nil || fmt.Sprint(o.InitPayload) != "map[accessToken:"+canary+"]" {
		t.Errorf("token: %v, %v", o.InitPayload, err)
	}
	o = Options{}
	if err := loginTo(t, ModeCookie, never).ApplyCredentials(t.Context(), &o); err != nil || o.Header.Get("Cookie") != "vendorRtdAccessToken="+canary {
		t.Errorf("cookie: %v, %v", o.Header, err)
	}
}

func TestLoginIsAPostWithTheMutation(t *testing.T) {
	t.Parallel()
	var logins atomic.Int64
	l := loginTo(t, ModeLogin, func(w http.ResponseWriter, r *http.Request) {
		logins.Add(1)
		var body struct{ Query string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Method != http.MethodPost {
			t.Errorf("%s %v", r.Method, err)
		}
		if want := `login(username: "a\"b", password: "` + canary + `")`; !strings.Contains(body.Query, want) {
			t.Errorf("query %q", body.Query)
		}
		http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: "abc"})
		_, _ = w.Write([]byte(`{"data":{"login":{"username":"x","session":{"id":"abc"}}}}`))
	})
	for range 3 {
		var o Options
		if err := l.ApplyCredentials(t.Context(), &o); err != nil || o.Header.Get("Cookie") != "vendorRtdSessionID=abc" {
			t.Fatalf("%v, %v", o.Header, err)
		}
	}
	if n := logins.Load(); n != 1 {
		t.Errorf("%d logins for one session", n)
	}
	l.ForgetLogin()
	if err := l.ApplyCredentials(t.Context(), &Options{}); err != nil || logins.Load() != 2 {
		t.Errorf("%v, %d logins: the session was forgotten", err, logins.Load())
	}
}

func TestFailedLogins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		refused bool
		want    string
	}{
		"wrong password": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"data":null,"errors":[{"message":"UNAUTHORIZED: bad credentials"}]}`))
		}, true, "bad credentials"},
		"errors as a string": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"errors":"go away"}`))
		}, true, "go away"},
		"401": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, true, "401"},
		"a gateway in trouble": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"errors":[{"message":"no backend"}]}`))
		}, false, "503"},
		"a web page": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>"))
		}, false, "(200 OK) is a web page, not a GraphQL answer"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://login.example/elsewhere?token="+canary, http.StatusTemporaryRedirect)
		}, false, `(307 Temporary Redirect) leads to the server "login.example"`},
		"no session": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"data":{"login":{"session":{"id":""}}}}`))
		}, false, "nothing for the session cookie"},
		"cut": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			l := loginTo(t, ModeLogin, func(w http.ResponseWriter, r *http.Request) { requests.Add(1); c.answer(w, r) })
			err := l.ApplyCredentials(t.Context(), &Options{})
			var refused *RefusedError
			if err == nil || errors.As(err, &refused) != c.refused || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, refused %v", err, c.refused)
			}
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("a secret in the error: %v", err)
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("%d requests: a password must be sent only once", n)
			}
		})
	}
}

func TestUnsupportedLogin(t *testing.T) {
	t.Parallel()
	l := loginTo(t, ModeLogin, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Negotiate")
		w.WriteHeader(http.StatusUnauthorized)
	})
	err := l.ApplyCredentials(t.Context(), &Options{})
	const want = "Wallboard cannot log in: 401 Unauthorized; the server asks for the login Negotiate (Kerberos), which wallboard does not support"
	if got := l.RefusalText(err); !IsRefusal(err) || got != want {
		t.Errorf("%q", got)
	}
}

func TestLoginEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	l := loginTo(t, ModeLogin, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client left
		cancel()
		<-r.Context().Done()
	})
	if err := l.ApplyCredentials(ctx, &Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestCredentialsDoNotPrint(t *testing.T) {
	t.Parallel()
	c := Credentials{Username: "u", Password: secret.New(canary), AccessToken: secret.New(canary)}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%v %+v %#v %s", c, c, c, c), string(b), fmt.Sprintf("%+v", LoginOptions{Credentials: c})} {
		if strings.Contains(s, canary) {
			t.Errorf("printed: %s", s)
		}
	}
}

func TestMessagesCarryNoCredentials(t *testing.T) {
	t.Parallel()
	c := Credentials{Username: "anna", Password: secret.New(`pass "word"&more`), AccessToken: secret.New("tok/en+canary")}
	l, err := NewLogin(LoginOptions{URL: "http://host/rtd", Mode: ModeLogin, Credentials: c})
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{c.Password.Reveal(), c.AccessToken.Reveal()} {
		for _, form := range []string{hidden, strings.Trim(StringLiteral(hidden), `"`), url.QueryEscape(hidden)} {
			if got := l.Redact("refused: " + form + "!"); got != "refused: [redacted]!" {
				t.Errorf("%q becomes %q", form, got)
			}
		}
	}
}
