package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/model"
)

// TestFoundCampaignsHaveNames runs commands on a platform whose campaigns the configuration does not
// list: they are found, and appear with the names that the platform has for them.
func TestFoundCampaignsHaveNames(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet(), "[[alert]]\nname = \"todo\"\nscope = \"campaign\"\nwhen = \"totalContacts >= 0\"\nseverity = \"warning\"\nmessage = \"contacts of {title}\"\n")
	var name string
	for _, n := range s.srv.DisplayNames() {
		if n.Kind == string(model.NameCampaign) {
			name = n.Name
		}
	}
	id := fmt.Sprint(s.srv.CampaignIDs()[0])
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	configured := regexp.MustCompile(`(?m)^campaigns = .*\n|\[\[rtd\.names\]\]\nkind = "campaign"\n.*\n.*\n`)
	if n := len(configured.FindAll(text, -1)); n != 2 || name == "" {
		t.Fatalf("%d entries about campaign %q in\n%s", n, name, text)
	}
	if err := os.WriteFile(s.config, configured.ReplaceAll(text, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	// A status that is printed before the campaigns are found does not have them.
	var code int
	var out, errs string
	for deadline := time.Now().Add(patienceOfTests); code != exitWarning && time.Now().Before(deadline); {
		code, out, errs = s.run("", "status")
	}
	if code != exitWarning || !strings.Contains(out, name) || strings.Contains(out, id) {
		t.Errorf("status: exit %d, no %q, or %s: %s%s", code, name, id, out, errs)
	}
	code, out, errs = s.run("", "handover", "--since", "2h", "--for", "30s")
	if _, table, found := strings.Cut(out, "| campaign | tried |"); code != 0 || !found || !strings.Contains(table, "| "+name+" |") {
		t.Errorf("handover: exit %d, no %q: %s%s", code, name, out, errs)
	}
}

// TestLookAtCampaignsAsksForNothingElse checks that a feed of some campaigns subscribes to nothing else.
func TestLookAtCampaignsAsksForNothingElse(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		asked := make(map[string]bool)
		var mu sync.Mutex
		r := newRig(t, small(), func(o *feeds.Options) {
			o.Operations = []model.Op{model.OpCampaigns}
			o.OnPayload = func(op string, _ bool, _ []byte) {
				mu.Lock()
				defer mu.Unlock()
				asked[op] = true
			}
		})
		defer r.stop()
		pass(time.Minute)
		if s := r.feed.Latest(); s == nil || s.Campaigns.Len() == 0 {
			t.Error("the campaigns are not seen")
		}
		mu.Lock()
		defer mu.Unlock()
		if len(asked) != 1 || !asked[string(model.OpCampaigns)] {
			t.Errorf("what was asked for: %v", asked)
		}
	})
}
