package restclient

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"wallboard/model/resource"
)

func TestEditionOfVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]Edition{
		"1.4.0": Edition140, "v1.4": Edition140, "1.4.0.17": Edition140, " V1.4.0-rc1 ": Edition140,
		"1.0.2": Edition102, "1.0.2-b3": Edition102, "1.0.9": Edition102, "1.3.9": Edition102, "1": Edition102, "0.9": Edition102,
		"1.4.1": Edition140, "1.10": Edition140, "2.0": Edition140, "": Edition140, "banana": Edition140, "99999999999999999999": Edition140,
	} {
		if got := editionOf(version); got != want {
			t.Errorf("%q: %s, want %s", version, got, want)
		}
	}
}

func TestEditionChoosesThePath(t *testing.T) {
	t.Parallel()
	const (
		phone = "/rest/powerdialer/phone/campaign"
		newer = "/rest/powerdialer/campaign"
	)
	for version, want := range map[string]string{"1.0.2": phone, "1.4.0": newer, "?": newer} {
		var path atomic.Value
		var asked atomic.Int32
		c := newClient(t, Options{Edition: EditionAuto, URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/rest/auth/version" {
				asked.Add(1)
				respond(w, http.StatusOK, `{"webapiVersion":"`+version+`"}`)
				return
			}
			path.Store(r.URL.Path)
		})})
		for range 2 {
			if err := c.Session.send(t.Context(), request{op: resource.OpCampaignCreate, body: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if got := path.Load(); got != want || asked.Load() != 1 {
			t.Errorf("%s: %v, want %s; the version was asked %d times", version, got, want, asked.Load())
		}
		if err := c.Session.send(t.Context(), request{op: resource.OpCampaignSearch}); err != nil || path.Load() != phone+"/search" {
			t.Errorf("%s: a path that 1.4.0 does not show: %v, %v", version, path.Load(), err)
		}
	}
}

func TestOperationsThatCanNotBeSent(t *testing.T) {
	t.Parallel()
	var sent atomic.Int32
	address := serve(t, func(http.ResponseWriter, *http.Request) { sent.Add(1) })
	old := newClient(t, Options{URL: address, Edition: Edition102})
	for op, want := range map[resource.Operation]error{resource.OpSMSSend: ErrUnsupportedEdition, resource.OpMessageHistory: ErrNoPath} {
		if err := old.Session.send(t.Context(), request{op: op}); !errors.Is(err, want) || OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("%s: %v, want %v", op, err, want)
		}
	}
	if old.Session.HasPath(resource.OpMessageHistory) || !old.Session.HasPath(resource.OpDial) {
		t.Error("HasPath is wrong")
	}
	if n := sent.Load(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	told := newClient(t, Options{URL: address, Edition: Edition102, Paths: map[resource.Operation]string{
		resource.OpMessageHistory: "/rest/messages", resource.OpSMSSend: "/rest/sms/send",
	}})
	for _, op := range []resource.Operation{resource.OpSMSSend, resource.OpMessageHistory} {
		if err := told.Session.send(t.Context(), request{op: op}); err != nil || !told.Session.HasPath(op) {
			t.Errorf("%s with a configured path: %v", op, err)
		}
	}
}

func TestUnknownEditionStopsWhatDependsOnIt(t *testing.T) {
	t.Parallel()
	c := newClient(t, Options{Edition: EditionAuto, URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s was sent", r.Method, r.URL.Path)
		}
		w.WriteHeader(http.StatusInternalServerError)
	})})
	err := c.Session.send(t.Context(), request{op: resource.OpCampaignCreate, body: 1})
	if OutcomeOf(err) != resource.OutcomeNotSent {
		t.Errorf("%v is %v", err, OutcomeOf(err))
	}
}
