package restclient

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

func TestNewReportsEverythingAtOnce(t *testing.T) {
	t.Parallel()
	_, err := New(Options{
		URL: "https://anna:canary-password@host/x", Auth: AuthBasic, Edition: "1.5", Timeout: -1,
		Paths: map[resource.Operation]string{
			"no-such": "/rest/x", resource.OpDial: "/other", resource.OpVersion: "/rest/../x", resource.OpContact: "/rest/contact",
			resource.OpMessageHistory: "/rest/messages/{id}", resource.OpRunNamed: "/rest/run/{runName}/{campaignId}", resource.OpSMSSend: "/rest/a b",
		},
	})
	if err == nil {
		t.Fatal("the options were accepted")
	}
	for _, want := range []string{
		"user name or a password", "basic needs", `edition "1.5"`, "timeout", `"no-such": there is no such operation`,
		`"dial": it must begin with /rest/`, `"version": ".." cannot`, `"contact": it must have these placeholders: {id}`,
		`"message-history": it must have no placeholders`, `"sms-send": "a b" cannot`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	for _, no := range []string{"canary", string(resource.OpRunNamed) + `":`} {
		if strings.Contains(err.Error(), no) {
			t.Errorf("the error says %q:\n%v", no, err)
		}
	}
}

func TestRequestsAreMadeInOnePlace(t *testing.T) {
	t.Parallel()
	type sent struct{ Method, URI, Accept, ContentType, Agent, Auth, Encoding, Body string }
	var got sent
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		h := r.Header
		got = sent{
			r.Method, r.RequestURI, h.Get("Accept"), h.Get("Content-Type"), h.Get("User-Agent"),
			h.Get("Authorization"), h.Get("Accept-Encoding"), string(body),
		}
		if h.Get("Idempotency-Key")+h.Get("X-Idempotency-Key") != "" {
			t.Error("an idempotency key lets net/http repeat a POST")
		}
		respond(w, http.StatusOK, `{}`)
	})
	c := newClient(t, Options{URL: address + "/", Paths: map[resource.Operation]string{resource.OpRunNamed: "/rest/{runName}/of/{campaignId}"}})
	common := sent{Accept: "application/json", Agent: "wallboard", Auth: "Bearer token-1234"}
	for _, tt := range []struct {
		r    request
		want sent
	}{
		{
			request{op: resource.OpContact, path: []string{"a/b?c#d%;é"}, query: url.Values{"x": {"1 &2"}}},
			sent{Method: "GET", URI: "/platform/rest/addressbook-contact/external/a%2Fb%3Fc%23d%25%3B%C3%A9?x=1+%262"},
		},
		{
			request{op: resource.OpRunNamed, path: []string{"7", "spring"}},
			sent{Method: "GET", URI: "/platform/rest/spring/of/7"},
		},
		{
			request{op: resource.OpItemsDelete, body: []string{"<&>"}},
			sent{
				Method: "DELETE", URI: "/platform/rest/powerdialer/phone/list/items",
				ContentType: "application/json", Body: `["<&>"]`,
			},
		},
	} {
		tt.want.Accept, tt.want.Agent, tt.want.Auth = common.Accept, common.Agent, common.Auth
		if err := c.Session.send(t.Context(), tt.r); err != nil {
			t.Errorf("%s: %v", tt.r.op, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.r.op, diff)
		}
	}
}

func TestIDsNeverReachAnotherPath(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	c := newClient(t, Options{URL: serve(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })})
	for _, id := range []string{"", ".", "..", "../login", `a\..\b`, "a/./b", "/", "x;..", "a\x00", "a\r\nHost: b", "\xff"} {
		err := c.Session.send(t.Context(), request{op: resource.OpContactDelete, path: []string{id}})
		if !errors.Is(err, ErrInvalidRequest) || OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("%q: %v", id, err)
		}
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	type named struct{ Name string }
	tests := map[string]struct {
		status int
		body   string
		out    any
		want   error
	}{
		"as shown":      {http.StatusOK, `{"name":"x"}`, new(named), nil},
		"created":       {http.StatusCreated, `{"name":"x"}`, new(named), nil},
		"nothing asked": {http.StatusNoContent, "", nil, nil},
		"empty":         {http.StatusOK, "", new(named), ErrInvalidAnswer},
		"page of html":  {http.StatusOK, "\n<html>log in</html>", nil, errWebPage},
		"other type":    {http.StatusOK, `[1]`, new(named), ErrInvalidAnswer},
		"too large":     {http.StatusOK, strings.Repeat(" ", 20<<20), nil, ErrTooLarge},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, Options{URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { respond(w, tt.status, tt.body) })})
			err := c.Session.send(t.Context(), request{op: resource.OpHangUp, decodeInto: tt.out})
			if !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			want := resource.OutcomeUnknown
			if tt.want == nil {
				want = resource.OutcomeConfirmed
			}
			if got := OutcomeOf(err); got != want {
				t.Errorf("outcome %v, want %v", got, want)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("followed with %s, Authorization %q", r.Method, r.Header.Get("Authorization"))
	})
	for status, want := range map[int]resource.Outcome{
		http.StatusTemporaryRedirect: resource.OutcomeRejected, http.StatusPermanentRedirect: resource.OutcomeRejected,
		http.StatusFound: resource.OutcomeUnknown, http.StatusSeeOther: resource.OutcomeUnknown,
	} {
		c := newClient(t, Options{URL: serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere+"/rest/x")
			w.WriteHeader(status)
		})})
		err := c.Session.send(t.Context(), request{op: resource.OpDial})
		if !errors.Is(err, ErrRedirect) || OutcomeOf(err) != want {
			t.Errorf("%d: %v, want %v", status, err, want)
		}
	}
}

func TestOnlyReadingIsTriedAgain(t *testing.T) {
	t.Parallel()
	for op, want := range map[resource.Operation]int32{
		resource.OpContact: 3, resource.OpVersion: 3, resource.OpTicketSearch: 1, resource.OpContactDelete: 1, resource.OpDial: 1, resource.OpCampaignUpdate: 1,
	} {
		var n atomic.Int32
		c := newClient(t, Options{URL: serve(t, func(w http.ResponseWriter, _ *http.Request) {
			n.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
		})})
		var ids []string
		if op == resource.OpContact || op == resource.OpContactDelete {
			ids = []string{"1"}
		}
		if err := c.Session.send(t.Context(), request{op: op, path: ids}); err == nil || n.Load() != want {
			t.Errorf("%s: sent %d times, want %d (%v)", op, n.Load(), want, err)
		}
	}
}

func TestReadingSucceedsAtASecondTry(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	c := newClient(t, Options{URL: serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			w.Header().Set("Content-Length", "100")
			respond(w, http.StatusOK, `{"cut":`)
			return
		}
		respond(w, http.StatusOK, `{"webapiVersion":"1.4.0"}`)
	})})
	v, err := c.Session.Version(t.Context())
	if err != nil || v.WebAPI != "1.4.0" {
		t.Errorf("%q, %v", v.WebAPI, err)
	}
}

func TestNothingPrintsSecrets(t *testing.T) {
	t.Parallel()
	const canary = "canary-secret"
	o := Options{URL: "https://host", Auth: AuthBasic, Username: "anna", Password: secret.New(canary), AccessToken: secret.New(canary)}
	c := newClient(t, o)
	var out bytes.Buffer
	for _, v := range []any{o, &o, c, c.Session.auth, c.Session.auth.headerCredentials(), []any{o, c}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb, v)
		}
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "value", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "value", v)
	}
	for _, form := range []string{canary, fmt.Sprintf("%x", canary), "Basic "} {
		if strings.Contains(out.String(), form) {
			t.Errorf("%q was printed:\n%s", form, out.String())
		}
	}
}
