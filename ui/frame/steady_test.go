package frame_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/frame"
)

// TestHeaderStandsStill checks that the first line does not move when the mark of
// another channel appears or an age gets a second digit.
func TestHeaderStandsStill(t *testing.T) {
	t.Parallel()
	line := func(ago time.Duration, live ...situation.Situation) string {
		h := healthy()
		h.Subscriptions[0].VerifiedAt = now().Add(-ago)
		m := moment(t, 120, h)
		m.OpenSituations = frame.SituationCounts{Warning: 2}
		m.Situations = &situation.View{Live: live}
		var l frame.Lines
		return ansi.Strip(l.Status(m))
	}
	chat := situation.Situation{Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "A", Channel: model.Chat}}, Level: alert.Critical}
	calm, alarmed, older := line(4*time.Second), line(4*time.Second, chat), line(14*time.Second)
	if chat.Ack.By = "Zoe"; line(4*time.Second, chat) != calm {
		t.Error("the mark counts a situation that is taken over")
	}
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
