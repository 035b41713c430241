package operations_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
)

// TestTheFieldThatIsWrongIsTold checks that the invalid field is named, whatever the format of the
// platform's error.
func TestTheFieldThatIsWrongIsTold(t *testing.T) {
	t.Parallel()
	for form, want := range map[rest.ErrorFormat]string{
		rest.ErrorsFields: "(it says: Validation failed; name: is required)",
		rest.ErrorsJSON:   "(it says: name is required)",
		rest.ErrorsText:   "(it says: name is required)",
		rest.ErrorsHTML:   "name is required",
	} {
		s := newScripts(t, func(o *simulator.Options) { o.REST.Errors = form })
		if doc := s.json(cmdutil.ExitFailed, "", "campaign", "create", "--service-code", "SRV01"); !strings.Contains(doc.Text, want) {
			t.Errorf("%s: %q", form, doc.Text)
		}
	}
}

// TestCampaignsAreLookedUp checks that if the answer to a start or stop is lost, the outcome is derived
// from the campaign's real-time figures. If these are missing, the report must say so.
func TestCampaignsAreLookedUp(t *testing.T) {
	t.Parallel()
	s := newScripts(t, func(o *simulator.Options) { o.Speed = 200 }) // so that the last calls end soon
	id := strconv.FormatInt(s.srv.CampaignIDs()[0], 10)
	lost := func(verb string) document {
		s.srv.Faults().REST.CutResponse(0)
		code, out, errs := s.run("", "campaign", verb, id, "--json", "--yes")
		var doc document
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatalf("%d: %v: %s%s", code, err, out, errs)
		}
		return doc
	}
	s.srv.Faults().REST.OnlyRequests("POST /rest/powerdialer")
	s.srv.Resume()
	s.running(id)
	for _, verb := range []string{"stop", "start"} {
		if doc := lost(verb); doc.Outcome != "confirmed" || !strings.Contains(doc.Text, "was ") {
			t.Errorf("%s: %+v", verb, doc)
		}
	}
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "[rest]")
	s.config = configFile(t, "[rest]"+rest)
	if doc := lost("stop"); doc.Outcome != "unknown" || !strings.Contains(doc.Text, "there is no [rtd] in the configuration") {
		t.Errorf("%+v", doc)
	}
	s.config = configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\nauth = \"token\"\naccess_token_env = \"HOME\"\n[rest]"+rest)
	if doc := lost("start"); doc.Outcome != "unknown" || !strings.Contains(doc.Text, "the real-time service is not connected") {
		t.Errorf("%+v", doc)
	}
}

// running starts a campaign and waits until it has channels.
func (s *scripts) running(id string) {
	s.t.Helper()
	s.json(cmdutil.ExitOK, "", "campaign", "start", id)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); <-time.After(50 * time.Millisecond) {
		var truth struct {
			Campaigns []struct{ AllocatedChannels int } `json:"pdCampaignStats"`
		}
		if err := json.Unmarshal(s.srv.CurrentState(), &truth); err != nil {
			s.t.Fatal(err)
		}
		if len(truth.Campaigns) > 0 && truth.Campaigns[0].AllocatedChannels > 0 {
			return
		}
	}
	s.t.Fatal("the campaign does not run")
}
