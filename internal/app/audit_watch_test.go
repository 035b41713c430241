package app

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/model/resource"
)

// TestDeedsOfOthers checks that actions of other processes are marked once, with no names except those of
// campaigns, and that own actions are not marked.
func TestDeedsOfOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		name := func(campaign string) string { return map[string]string{"302": "Win-back"}[campaign] }
		path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
		act := func(session string, op resource.Operation, target string, out resource.Outcome) {
			t.Helper()
			log, err := audit.Open(audit.Options{Path: path, Platform: "here", User: "anna", Session: session, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close() //nolint:errcheck // what is in it tells
			finish, err := log.Begin(audit.Intent{Action: string(op), Target: target})
			if err != nil {
				t.Fatal(err)
			}
			if err := finish(audit.Result{Outcome: out.String(), Sentence: "It is done."}); err != nil {
				t.Fatal(err)
			}
		}
		act("1-a", resource.OpCampaignStop, "campaign 302", resource.OutcomeConfirmed) // before the watcher starts
		time.Sleep(time.Second)                                                        //nolint:forbidigo // of a clock that is not real
		var told []string
		d := newAuditWatch(path, "here", time.Now(), name, func(e model.Event) {
			if e.Kind != model.MarkAction || e.Text != e.Nameless {
				t.Errorf("%+v", e)
			}
			told = append(told, e.Text)
		})
		for i := range 3 {
			d.check()
			session := fmt.Sprint("2-", i)
			act(session, resource.OpCampaignStop, "campaign 302", resource.OutcomeConfirmed)
			act(session+"h", resource.OpHangUp, "call of rossi, +39021", resource.OutcomeUnknown)
		}
		act(d.ownPrefix+"x", resource.OpCampaignStart, "campaign 302", resource.OutcomeConfirmed)
		d.check()
		d.check()
		one := []string{"Stop campaign: Win-back, confirmed", "Hang up, unknown whether it happened"}
		if want := slices.Concat(one, one, one); !slices.Equal(told, want) {
			t.Errorf("%q, want %q", told, want)
		}
	})
}
