package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestServedLock lets two viewers act on the same campaign at once: one action is executed, and the other
// is refused with the name of the first viewer.
func TestServedLock(t *testing.T) {
	t.Parallel()
	anna, ben := sshKey(t), sshKey(t)
	s := newScripts(t, nil, quiet())
	x := serveTo(t, s, serveUser("Anna", anna, "page = \"Campaigns\"\nrole = \"act\""), serveUser("Ben", ben, "page = \"Campaigns\"\nrole = \"act\""))
	a, b := look(t, x.addr, anna, 120, 40), look(t, x.addr, ben, 120, 40)
	a.shows("LIVE", "Ben") // the header names the other viewer
	b.shows("LIVE", "Anna")
	for _, r := range []*remote{a, b} {
		r.shows("Win-back 1")
		r.press("x")
		r.shows("Stop Win-back 1?")
	}
	x.srv.Faults().REST.DelayAnswers(8 * time.Second)
	a.press("y")
	<-time.After(2 * time.Second)
	b.press("y")
	b.shows("started by Anna")
	x.srv.Faults().REST.DelayAnswers(0)
	a.shows("was stopped")
	path := filepath.Join(filepath.Dir(s.log), "audit.jsonl")
	for late := time.Now().Add(patienceOfTests); ; <-time.After(50 * time.Millisecond) {
		got := slices.DeleteFunc(done(t, path), func(line string) bool { return !strings.Contains(line, "campaign-stop") })
		if len(got) == 1 && got[0] == "Anna as supervisor: campaign-stop confirmed" {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("done: %q", got)
		}
	}
	x.end()
}

// TestServedEscalation checks that viewers are notified of an untaken critical situation
// until it is taken over.
func TestServedEscalation(t *testing.T) {
	t.Parallel()
	anna, ben := sshKey(t), sshKey(t)
	s := newScripts(t, nil, quiet(), alwaysAlert("trouble", "critical"))
	x := serveTo(t, s, "escalate_after = \"10s\"\n", serveUser("Anna", anna, "page = \"Situations\""), serveUser("Ben", ben, "page = \"Services\""))
	a, b := look(t, x.addr, anna, 120, 40), look(t, x.addr, ben, 120, 40)
	const said = "No one has taken this over for 0:10"
	for _, r := range []*remote{a, b} {
		r.shows(said)
	}
	a.press("m")
	a.shows("Take over")
	a.press("I call them\x13")
	begun := time.Now()
	for _, r := range []*remote{a, b} {
		for strings.Contains(r.text(), said) {
			if <-time.After(20 * time.Millisecond); time.Since(begun) > 20*time.Second && !testkit.Race { // without a take-over, the notice disappears after a minute
				t.Fatalf("the notice remains after a take-over:\n%s", r.text())
			}
		}
	}
	x.end()
}
