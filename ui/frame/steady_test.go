package frame_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/frame"
	"wallboard/ui/render"
)

// TestHeaderStandsStill checks that the first line does not move when the mark of
// another channel appears or an age gets a second digit.
func TestHeaderStandsStill(t *testing.T) {
	t.Parallel()
	line := func(ago time.Duration, alerts []alert.Alert) string {
		h := healthy()
		h.Subscriptions[0].VerifiedAt = now().Add(-ago)
		m := moment(t, 120, h)
		m.Needs = frame.Needs{Warning: 2}
		m.Alerts = render.NewAlerts(alerts, nil, nil)
		var l frame.Lines
		return ansi.Strip(l.Status(m))
	}
	chat := alert.Alert{ID: "1", Key: alert.Key{Scope: alert.Service, Code: "A", Channel: model.Chat}, Level: alert.Critical}
	calm, alarmed, older := line(4*time.Second, nil), line(4*time.Second, []alert.Alert{chat}), line(14*time.Second, nil)
	if !strings.Contains(alarmed, "Chat") || strings.Contains(calm, "Chat") {
		t.Fatalf("the mark is missing: %q and %q", calm, alarmed)
	}
	for _, what := range []string{"△ 2", "LIVE", "verified"} {
		at := strings.Index(calm, what)
		if at < 0 {
			t.Fatalf("%q is not in %q", what, calm)
		}
		cells := ansi.StringWidth(calm[:at])
		for _, other := range []string{alarmed, older} {
			if at := strings.Index(other, what); at < 0 || ansi.StringWidth(other[:at]) != cells {
				t.Errorf("%q moves from %q to %q", what, calm, other)
			}
		}
	}
}
