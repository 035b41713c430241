package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func change(kind alert.ChangeKind, id string, l alert.Level, notify ...string) alert.Change {
	return alert.Change{Kind: kind, Alert: alert.Alert{
		ID: id, Rule: "longest wait", Level: l, Text: id + "\x1b[2J waits", Notify: notify,
		Key: alert.Key{Scope: alert.Service, Code: "S", Channel: "CALL"},
	}}
}

// phone is a running notifier with one SMS target, and the messages that it has sent.
type phone struct {
	*Notifier
	stop func()

	mu   sync.Mutex
	fail error
	sent []string
}

func newPhone(t *testing.T, change func(*Target)) *phone {
	t.Helper()
	p := newSilentPhone(change)
	p.begin(t)
	return p
}

// newSilentPhone returns a phone that sends nothing until begin is called.
func newSilentPhone(change func(*Target)) *phone {
	p := &phone{}
	target := Target{
		Name: "floor", SMS: []string{"1"}, IsDefault: true, MinSeverity: alert.Critical,
		Events: []Event{EventBegin, EventEscalate}, MaxPerHour: 6, Timeout: time.Minute,
	}
	if change != nil {
		change(&target)
	}
	p.Notifier = New(Options{Targets: []Target{target}, SMS: func(_ context.Context, _, number, text string) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.sent = append(p.sent, number+" "+text)
		return p.fail
	}})
	return p
}

func (p *phone) begin(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx) }()
	p.stop = func() { cancel(); <-done }
}

// failing makes all further messages fail with err.
func (p *phone) failing(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = err
}

// after lets time pass and returns what was sent meanwhile.
func (p *phone) after(d time.Duration) string {
	<-time.After(d)
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	said := strings.Join(p.sent, "\n")
	p.sent = nil
	return said
}

func TestWhoIsTold(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		target  func(*Target)
		changes []alert.Change
		want    string
	}{
		"a rule that names nobody": {nil, []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)}, "1 critical: a␛[2J waits"},
		"a rule that names another": {
			nil, []alert.Change{change(alert.ChangeRaised, "a", alert.Critical, "boss")}, "",
		},
		"not the one for all": {
			func(t *Target) { t.IsDefault = false }, []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)}, "",
		},
		"by name": {
			func(t *Target) { t.IsDefault = false },
			[]alert.Change{change(alert.ChangeRaised, "a", alert.Critical, "boss", "floor")},
			"1 critical: a␛[2J waits",
		},
		"a warning": {nil, []alert.Change{change(alert.ChangeRaised, "a", alert.Warning)}, ""},
		"a warning that becomes critical": {
			nil,
			[]alert.Change{change(alert.ChangeRaised, "a", alert.Warning), change(alert.ChangeEscalated, "a", alert.Critical)},
			"1 now critical: a␛[2J waits",
		},
		"over before it was said": {
			func(t *Target) { t.Events = events() },
			[]alert.Change{change(alert.ChangeRaised, "a", alert.Critical), change(alert.ChangeCleared, "a", alert.Critical)},
			"",
		},
		"both numbers": {
			func(t *Target) { t.SMS = []string{"1", "2"} },
			[]alert.Change{change(alert.ChangeRaised, "a", alert.Critical)},
			"1 critical: a␛[2J waits\n2 critical: a␛[2J waits",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newSilentPhone(tt.target)
				w := p.workers[0]
				for _, c := range tt.changes { // all before the first delivery
					if w.accepts(&c.Alert) {
						w.queueChange("", c)
					}
				}
				p.begin(t)
				defer p.stop()
				if got := p.after(time.Second); got != tt.want {
					t.Errorf("sent %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestEnd checks that a target is told of the end of an alert only if it was told of the beginning.
func TestEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPhone(t, func(t *Target) { t.Events = events() })
		defer p.stop()
		p.Notify("", []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)})
		p.after(time.Second)
		p.Notify("", []alert.Change{change(alert.ChangeEased, "a", alert.Warning), change(alert.ChangeCleared, "a", alert.Warning), change(alert.ChangeCleared, "b", alert.Critical)})
		if got, want := p.after(time.Second), "1 resolved: a␛[2J waits"; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
	})
}

// TestSilent checks that no message is sent about silenced alerts, neither at their beginning nor at their
// end, and that an alert that outlasts its silence is reported then.
func TestSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPhone(t, func(t *Target) { t.Events = events() })
		defer p.stop()
		silent := func(kind alert.ChangeKind, id string) alert.Change {
			c := change(kind, id, alert.Critical)
			c.Alert.SilentUntil = time.Now().Add(time.Hour)
			return c
		}
		p.Notify("", []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)})
		p.after(time.Second)
		p.Notify("", []alert.Change{silent(alert.ChangeCleared, "a"), silent(alert.ChangeRaised, "b"), silent(alert.ChangeEscalated, "c")})
		if got := p.after(time.Second); got != "" {
			t.Errorf("sent %q about silenced alerts", got)
		}
		p.Notify("", []alert.Change{silent(alert.ChangeCleared, "c"), change(alert.ChangeResumed, "b", alert.Critical)})
		if got, want := p.after(time.Second), "1 critical: b␛[2J waits"; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
		p.Notify("", []alert.Change{change(alert.ChangeCleared, "b", alert.Critical), change(alert.ChangeCleared, "c", alert.Critical)})
		if got, want := p.after(time.Second), "1 resolved: b␛[2J waits"; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
	})
}

// TestRate raises many alerts at once. The first ones are sent one by one, as far as the rate allows. The
// others are combined into one message at the end of the hour, without those that have ended meanwhile.
func TestRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPhone(t, func(t *Target) { t.MaxPerHour = 2 })
		defer p.stop()
		total := 0
		for i := range 20 {
			p.Notify("", []alert.Change{change(alert.ChangeRaised, fmt.Sprint("alert", i), alert.Critical)})
			if said := p.after(time.Second); said != "" {
				total++
			}
		}
		if total != 2 {
			t.Errorf("%d messages, want 2", total)
		}
		p.Notify("", []alert.Change{change(alert.ChangeCleared, "alert7", alert.Critical)})
		if said := p.after(50 * time.Minute); said != "" {
			t.Errorf("within the hour: %q", said)
		}
		if got, want := p.after(10*time.Minute), "1 critical: alert2␛[2J waits (and 16 more)"; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
	})
}

// TestRecoveryLeavesRoom checks that ended alerts are reported within the rate, and that a third of the rate
// remains for new alerts.
func TestRecoveryLeavesRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPhone(t, func(t *Target) { t.Events = events() })
		defer p.stop()
		var said []string
		for _, id := range []string{"a", "b", "c"} {
			p.Notify("", []alert.Change{change(alert.ChangeRaised, id, alert.Critical)})
			p.after(time.Second)
			over := change(alert.ChangeCleared, id, alert.Critical)
			over.Alert.Since = time.Now().Add(-70 * time.Second)
			over.Alert.Ended = time.Now()
			p.Notify("", []alert.Change{over})
			said = append(said, p.after(time.Second))
		}
		if want := []string{"1 resolved after 1:10: a␛[2J waits", "1 resolved after 1:10: b␛[2J waits", ""}; !slices.Equal(said, want) {
			t.Errorf("sent %q about the ends, want %q", said, want)
		}
		p.Notify("", []alert.Change{change(alert.ChangeRaised, "d", alert.Critical)})
		if got, want := p.after(time.Second), "1 critical: d␛[2J waits (and 1 more, 1 of them resolved)"; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
		if got := p.after(56 * time.Minute); got != "" {
			t.Errorf("more than the rate within the hour: %q", got)
		}
	})
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // the fake clock begins at midnight UTC
		p := newPhone(t, func(t *Target) { t.QuietHours = Hours{22 * time.Hour, 7 * time.Hour} })
		p.workers[0].now = func() time.Time { return time.Now().UTC() }
		defer p.stop()
		p.Notify("", []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)})
		if said := p.after(7*time.Hour - time.Second); said != "" {
			t.Errorf("at night: %q", said)
		}
		if said := p.after(time.Second); said == "" {
			t.Error("nothing sent in the morning")
		}
	})
}

// TestFailures checks that a failed message is reported on the board and repeated with growing pauses, but
// not forever, and that a message that may have arrived is not repeated.
func TestFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPhone(t, nil)
		defer p.stop()
		p.failing(errors.New("no signal"))
		p.Notify("", []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)})
		if said := p.after(9 * time.Second); strings.Count(said, "waits") != 1 {
			t.Errorf("at once: %q", said)
		}
		if got, want := p.Trouble().In(nil), "No notifications via floor: no signal"; got != want {
			t.Errorf("the trouble is %q, want %q", got, want)
		}
		if said := p.after(time.Hour); strings.Count(said, "waits") != maxTries-1 {
			t.Errorf("later: %q", said)
		}
		p.failing(fmt.Errorf("%w: the line was cut", ErrDeliveryUnknown))
		p.Notify("", []alert.Change{change(alert.ChangeRaised, "b", alert.Critical)})
		if said := p.after(time.Hour); strings.Count(said, "waits") != 1 {
			t.Errorf("sent %q, want one attempt for a message that may have arrived", said)
		}
		p.failing(nil)
		p.Notify("", []alert.Change{change(alert.ChangeRaised, "c", alert.Critical)})
		p.after(time.Minute)
		if got := p.Trouble().In(nil); got != "" {
			t.Errorf("the trouble is %q", got)
		}
	})
}

// TestTellNeverWaits checks that a target that does not respond blocks nothing and takes limited memory.
func TestTellNeverWaits(t *testing.T) {
	t.Parallel()
	n := New(Options{Targets: []Target{{Name: "floor", IsDefault: true, MinSeverity: alert.Warning, Events: events()}}})
	for i := range 10 * queueLength { // Run was not called, so no message is sent
		n.Notify("", []alert.Change{change(alert.ChangeRaised, fmt.Sprint(i), alert.Critical)})
	}
	if got := n.workers[0].lostCount.Load(); got != 9*queueLength {
		t.Errorf("%d are counted as lost, want %d", got, 9*queueLength)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	out := filepath.Join(t.TempDir(), "out")
	target := Target{Name: "floor", Command: []string{"/bin/sh", "-c", `cat >"$1"; echo "$WALLBOARD_TEXT|$WALLBOARD_EVENT" >>"$1"`, "sh", out}}
	m := newMessage("floor", pendingMessage{event: EventBegin, alert: change(alert.ChangeRaised, "$(id)", alert.Critical).Alert}, 7, 0, nil)
	if err := target.runCommand(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	body, rest, _ := strings.Cut(string(text), "}")
	var got message
	if err := json.Unmarshal([]byte(body+"}"), &got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if diff := cmp.Diff(*m, got, cmpopts.IgnoreUnexported(message{})); diff != "" {
		t.Error(diff)
	}
	if want := "critical: $(id)␛[2J waits (and 7 more)|begin\n"; rest != want {
		t.Errorf("the environment has %q, want %q", rest, want)
	}
	for _, tt := range []struct {
		command string
		within  time.Duration
		want    string
	}{
		{"echo no printer >&2; exit 3", time.Minute, "the command ended with 3: no printer"},
		{"sleep 100", 200 * time.Millisecond, "the command took too long"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), tt.within)
		err := (&Target{Command: []string{"/bin/sh", "-c", tt.command}}).runCommand(ctx, m)
		cancel()
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: error is %v, want %s", tt.command, err, tt.want)
		}
	}
	if err := (&Target{Command: []string{"/not/there"}}).runCommand(t.Context(), m); err == nil {
		t.Error("a command that is not there is no error")
	}
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	status := http.StatusNoContent
	var got message
	var header string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			t.Error("it followed a redirect")
		}
		header = r.Method + " " + r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer srv.Close()
	target := Target{Name: "chat", Webhook: secret.New(srv.URL + "/secret-path"), WebhookHeader: secret.New("Authorization: Bearer s3cret")}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := newWebClient(transport)
	m := newMessage("chat", pendingMessage{event: EventEscalate, alert: change(alert.ChangeEscalated, "a", alert.Critical).Alert}, 0, 0, nil)
	if err := target.postWebhook(t.Context(), client, m); err != nil || header != "POST Bearer s3cret" {
		t.Errorf("error is %v, the request %q", err, header)
	}
	if diff := cmp.Diff(*m, got, cmpopts.IgnoreUnexported(message{})); diff != "" {
		t.Error(diff)
	}
	for code, final := range map[int]bool{302: true, 404: true, 429: false, 503: false} {
		status = code
		err := target.postWebhook(t.Context(), client, m)
		if err == nil || errors.Is(err, ErrRefused) != final || strings.Contains(err.Error(), "secret") {
			t.Errorf("%d: error is %v", code, err)
		}
	}
	srv.Close()
	if err := target.postWebhook(t.Context(), client, m); err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("error is %v", err)
	}
}

func events() []Event { return []Event{EventBegin, EventEscalate, EventEnd} }
