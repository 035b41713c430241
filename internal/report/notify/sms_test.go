package notify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"wallboard/model"
)

// TestSMSFits checks that an SMS has a limited number of parts, whatever the text.
func TestSMSFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.IntRange(0, 2000), func(n int) string { return strings.Repeat("ab €Ж🙂", n) })).Draw(t, "text")
		got := fitSMS(text, maxSMSParts, nil)
		if n := model.SMSParts(got); n > maxSMSParts {
			t.Fatalf("%d segments", n)
		}
		if model.SMSParts(text) <= maxSMSParts && got != text {
			t.Fatalf("%q became %q", text, got)
		}
		if got != text && !strings.HasSuffix(got, " (cut)") {
			t.Fatalf("%q does not say that it was cut", got)
		}
	})
	began := time.Now()
	fitSMS(strings.Repeat("🙂", 1<<20), maxSMSParts, nil)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("a megabyte took %v", took)
	}
}

// TestWhatACommandGets runs a command that writes its environment to a file.
func TestWhatACommandGets(t *testing.T) { //nolint:paralleltest // it changes the environment
	t.Setenv("WALLBOARD_PASSWORD", "hunter2")
	out := filepath.Join(t.TempDir(), "env")
	target := &Target{Name: "x", Command: []string{"sh", "-c", "env > " + out}}
	if err := target.runCommand(t.Context(), &message{Text: "red"}); err != nil {
		t.Skip(err) // there is no shell on this system
	}
	env, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(env), "hunter2") || !strings.Contains(string(env), "WALLBOARD_TEXT=red") {
		t.Errorf("the command got %s", env)
	}
}

// kept is a ledger in memory.
type kept struct {
	sent map[string][]time.Time
	days map[string]map[string]string
}

func (k kept) LoadDeliveries(target string) []time.Time { return k.sent[target] }
func (k kept) SaveDeliveries(target string, sent []time.Time) error {
	k.sent[target] = sent
	return nil
}
func (k kept) LoadDeliveryDays(target string) map[string]string { return k.days[target] }
func (k kept) SaveDeliveryDays(target string, days map[string]string) error {
	k.days[target] = days
	return nil
}

// TestRateOutlivesTheStart checks that the deliveries of the last hour still count after a restart, and that
// later times, stored while the clock was ahead, do not.
func TestRateOutlivesTheStart(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	l := kept{sent: map[string][]time.Time{"chat": {now.Add(-2 * hour), now.Add(-time.Minute), now.Add(-time.Second), now.Add(hour)}}}
	n := New(Options{Targets: []Target{{Name: "chat", MaxPerHour: 2}}, DeliveryStore: l, Now: func() time.Time { return now }})
	w := n.workers[0]
	if wait := w.nextDelay(); wait != hour-time.Minute {
		t.Errorf("after a restart, the next message may be sent in %v", wait)
	}
	w.recordDelivery(now)
	if got := l.sent["chat"]; len(got) != 3 || !got[2].Equal(now) {
		t.Errorf("kept: %v", got)
	}
}
