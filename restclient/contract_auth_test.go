package restclient_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/secret"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/webservice"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// TestContractLogin checks that the first request reads the version, logs in with it and uses the session
// cookie, and that the next request uses the same session.
func TestContractLogin(t *testing.T) {
	t.Parallel()
	for _, edition := range []rest.Edition{rest.Edition102, rest.Edition140} {
		for _, tt := range []struct{ name, password, token, line, body string }{
			{"password", "wallboard", "", "POST /rest/auth/login", `{"version":"{edition}","username":"supervisor","password":"wallboard"}`},
			{"token", "", "demo-token", "POST /rest/auth/loginByAccessToken", `{"version":"{edition}","accessToken":"demo-token"}`},
		} {
			t.Run(string(edition)+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				p := newPlatform(t, simulator.Options{REST: rest.Options{Edition: edition}})
				c, w := p.client(t, restclient.AuthSession, "", func(o *restclient.Options) {
					o.Password, o.AccessToken, o.Version, o.Edition = secret.New(tt.password), secret.New(tt.token), "", restclient.EditionAuto
				})
				for range 2 {
					if _, err := c.Contacts.Contact(t.Context(), "10001"); err != nil {
						t.Fatal(err)
					}
				}
				answers := w.answers(t)
				read := sent{
					Line: "GET /rest/addressbook-contact/external/10001", Accept: "application/json",
					Cookie: "JSESSIONID=" + sessionIn(t, answers),
				}
				want := []sent{
					{Line: "GET /rest/auth/version", Accept: "application/json"},
					{Line: tt.line, Accept: "application/json", ContentType: "application/json", Body: p.fill(tt.body)},
					read, read,
				}
				if d := cmp.Diff(want, w.requests(t)); d != "" {
					t.Errorf("sent (-want +got):\n%s", d)
				}
				if set, err := http.ParseSetCookie(answers[1].cookie); err != nil || "JSESSIONID="+set.Value != read.Cookie || set.Path != "/platform" {
					t.Errorf("the login set the cookie %q, %v", answers[1].cookie, err)
				}
				if e, err := c.Session.Edition(t.Context()); err != nil || string(e) != string(edition) {
					t.Errorf("edition %s, %v", e, err)
				}
			})
		}
	}
}

// TestContractRefusedLogin checks that after a refused login no other request is sent.
func TestContractRefusedLogin(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, simulator.Options{})
	for as, condition := range map[string]error{"nobody": restclient.ErrUnauthorized, "expired": restclient.ErrPasswordExpired} {
		c, w := p.client(t, restclient.AuthSession, as, nil)
		for range 2 {
			_, err := c.Calls.Dial(t.Context(), resource.Dial{Number: "0612"})
			if !errors.Is(err, condition) || restclient.OutcomeOf(err) != resource.OutcomeNotSent {
				t.Errorf("%s: %v is %v", as, err, restclient.OutcomeOf(err))
			}
		}
		if all := w.requests(t); len(all) != 1 || all[0].Line != "POST /rest/auth/login" {
			t.Errorf("%s: sent %v", as, all)
		}
	}
}

// TestContractDenied checks that nothing is executed with wrong credentials, neither with a password nor
// with a token.
func TestContractDenied(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, simulator.Options{})
	for _, r := range deniedRows() {
		t.Run(string(r.op)+" "+r.name, func(t *testing.T) { r.run(t, p, restclient.AuthBasic) })
	}
}

// TestContractSessionExpires checks that every operation survives the end of its session: it is repeated
// after a new login, and executed once.
func TestContractSessionExpires(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, simulator.Options{})
	for _, r := range listAnswer() {
		e, _ := endpointIn(r.op, p.edition)
		if r.wantStatus() == http.StatusOK && e.access == "login" {
			t.Run(string(r.op)+" "+r.name, func(t *testing.T) { r.expire(t, p, e) })
		}
	}
}

// expire makes the call of a row after its session has ended.
func (r row) expire(t *testing.T, p *platform, e route) {
	t.Helper()
	var minutes atomic.Int64
	began := time.Now()
	c, w := p.client(t, restclient.AuthSession, "", func(o *restclient.Options) {
		// A login waits for a while after the previous one.
		o.Now = func() time.Time { return began.Add(time.Duration(minutes.Add(1)) * time.Minute) }
	})
	old := logIn(t, c, w)
	if r.arrange != nil {
		r.arrange(t, p)
	}
	p.server.Faults().ExpireSession()
	if !p.server.Faults().AllowToken(webservice.DefaultAccount().Token) {
		t.Fatal("the token of the operator is unknown")
	}
	before := len(p.server.REST().Executions())
	w.reset()
	got, err := r.call(t.Context(), caller{c, p})
	denied := p.expect(r, e)
	repeated := denied
	denied.Cookie, repeated.Cookie = "JSESSIONID="+old, "JSESSIONID="+sessionIn(t, w.answers(t))
	login := sent{
		Line: "POST /rest/auth/login", Accept: "application/json", ContentType: "application/json",
		Body: p.fill(`{"version":"{edition}","username":"supervisor","password":"wallboard"}`),
	}
	if d := cmp.Diff([]sent{denied, login, repeated}, w.requests(t)); d != "" || denied.Cookie == repeated.Cookie {
		t.Errorf("sent (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{http.StatusUnauthorized, http.StatusOK, http.StatusOK}, w.statuses(t)); d != "" {
		t.Errorf("statuses (-want +got):\n%s", d)
	}
	if n := len(p.server.REST().Executions()) - before; n != r.effects {
		t.Errorf("executed %d times, want %d", n, r.effects)
	}
	r.checkResult(t, p, got, err)
}

// TestContractProfileHasNoSecrets checks that a profile identifies the user and contains no credentials.
func TestContractProfileHasNoSecrets(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, simulator.Options{})
	c, w := p.client(t, restclient.AuthSession, "", nil)
	profile, err := c.Session.Login(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(profile)
	if err != nil {
		t.Fatal(err)
	}
	var told map[string]any
	if err := json.Unmarshal(w.answers(t)[0].body, &told); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sessionId", "accessToken", "chatAuthToken", "supportAuthToken"} {
		if value, ok := told[name].(string); !ok || value == "" || strings.Contains(string(text), value) {
			t.Errorf("%s was %q, the profile is %s", name, value, text)
		}
	}
}
