package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/lib/testkit"
)

// TestServedRewind replays on a recording server as a full viewer, one without names, and
// one of a part of the floor: none sees more than on the live board.
func TestServedRewind(t *testing.T) {
	t.Parallel()
	anna, hall, ben := sshKey(t), sshKey(t), sshKey(t)
	s := newScripts(t, nil, quiet(), fmt.Sprintf("[record]\nenabled = true\ndir = %q\nnames = \"full\"\n", testkit.PrivateDir(t)))
	x := serveTo(t, s, serveUser("Anna", anna, "page = \"Agents\""), serveUser("Hall", hall, "page = \"Agents\"\nnames = \"hidden\""),
		serveUser("Ben", ben, "page = \"Services\"\nservices = [\"SRV01\"]"))
	a, h, b := look(t, x.addr, anna, 120, 40), look(t, x.addr, hall, 120, 40), look(t, x.addr, ben, 120, 40)
	for _, r := range []*remote{a, h, b} {
		r.shows("LIVE")
	}
	agent := agents(t, x.srv)[0]
	somebody := nameless.FindString(h.text()) // an agent who is logged in
	if somebody == "" {
		t.Fatalf("a viewer without names sees no agent\n%s", h.text())
	}
	for late := time.Now().Add(patienceOfTests); ; <-time.After(200 * time.Millisecond) { // until something is recorded
		a.press("Z")
		if <-time.After(time.Second); strings.Contains(a.text(), "back to now") {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("nothing is recorded\n%s", a.text())
		}
	}
	h.press("Z")
	b.press("Z")
	for _, r := range []*remote{h, b} {
		r.shows("back to now")
	}
	for _, r := range []*remote{h, b} { // a later snapshot, because the first one may be empty
		r.press(".")
	}
	h.shows(somebody, "REWOUND")
	mine, others := servicesOf(x)
	b.shows("REWOUND", mine)
	if text := h.text(); strings.Contains(text, agent) || strings.Contains(text, "5001") {
		t.Errorf("on a replay, a viewer without names sees\n%s", text)
	}
	for text, i := b.text(), 0; i < len(others); i++ {
		if strings.Contains(text, others[i]) {
			t.Errorf("on a replay, a viewer of one service sees %s\n%s", others[i], text)
		}
	}
	late := look(t, x.addr, anna, 100, 30) // messages to the live boards appear on replays
	late.shows("LIVE")
	late.press(":tell lunch at one\r") // also seen by viewers who return from the replay
	for _, r := range []*remote{h, b} {
		r.shows("Anna: lunch at one", "REWOUND")
	}
	b.press("8")
	b.shows("Intervals")
	late.press(":follow ben\r") // answered on the live board
	b.shows("Anna asks to share your screen", "REWOUND")
	b.press("Z")
	b.shows("LIVE", "Allow")
	for _, r := range []*remote{a, h, b, late} {
		if err := r.session.Close(); err != nil && !strings.Contains(err.Error(), "EOF") {
			t.Error(err)
		}
	}
	x.end()
	if log := x.errs.String(); strings.Contains(log, "panic") {
		t.Error(log)
	}
}

// servicesOf returns the names of the service SRV01 and of the others.
func servicesOf(x *running) (mine string, others []string) {
	for _, n := range x.srv.DisplayNames() {
		switch {
		case n.Kind != "service":
		case n.Code == "SRV01":
			mine = n.Name
		default:
			others = append(others, n.Name)
		}
	}
	return mine, others
}

// TestServedRewindHasAnEnd opens more replays than allowed: further viewers get a message, and places
// become free however a replay ends.
func TestServedRewindHasAnEnd(t *testing.T) {
	t.Parallel()
	anna := sshKey(t)
	s := newScripts(t, nil, quiet(), fmt.Sprintf("[record]\nenabled = true\ndir = %q\n", testkit.PrivateDir(t)))
	x := serveTo(t, s, serveUser("Anna", anna, "page = \"Agents\"\nsessions = 20"))
	a := look(t, x.addr, anna, 120, 40)
	a.shows("LIVE")
	a.rewind()
	all := []*remote{a}
	for range app.MaxReplays - 1 {
		r := look(t, x.addr, anna, 80, 24)
		r.shows("LIVE")
		r.rewind()
		all = append(all, r)
	}
	more := look(t, x.addr, anna, 120, 40)
	more.shows("LIVE")
	more.press("Z")
	more.shows("too many replays are open")
	all[0].press("Z") // ends the replay
	all[0].shows("LIVE")
	if err := all[1].session.Close(); err != nil && !strings.Contains(err.Error(), "EOF") {
		t.Error(err)
	}
	for range 2 {
		r := look(t, x.addr, anna, 80, 24)
		r.shows("LIVE")
		r.rewind()
	}
	x.end()
}

// rewind opens a replay, and tries again if it is refused. It waits long enough after each key,
// because a second key would leave a replay that has just opened.
func (r *remote) rewind() {
	r.t.Helper()
	for end := time.Now().Add(2 * patienceOfTests); time.Now().Before(end); {
		r.press("Z")
		for range 50 {
			if <-time.After(100 * time.Millisecond); strings.Contains(r.text(), "back to now") {
				return
			}
		}
	}
	r.t.Fatal(r.text())
}

// TestServedHistoryIsForWhoSeesEverything checks the notice on the page History of
// restricted viewers.
func TestServedHistoryIsForWhoSeesEverything(t *testing.T) {
	t.Parallel()
	anna, ben := sshKey(t), sshKey(t)
	x := serveTo(t, newScripts(t, nil, quiet()), serveUser("Anna", anna, "page = \"History\""), serveUser("Ben", ben, "page = \"History\"\nnames = \"initials\""))
	a, b := look(t, x.addr, anna, 120, 40), look(t, x.addr, ben, 120, 40)
	a.shows("Inbound calls")
	b.shows("The history of earlier days")
	x.end()
}

// nameless matches an agent on a board without names.
var nameless = regexp.MustCompile(`Agent [1-9]`)
