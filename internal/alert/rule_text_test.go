package alert

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/words"
)

// TestTextsOfBuiltInRules writes alerts of built-in rules in another language, and as sentences. Names of
// records and the text of a custom rule stay as they are.
func TestTextsOfBuiltInRules(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: append(DefaultRules(), Rule{Name: "own", Scope: Service, When: "queuedCalls > 1", Severity: Warning, Message: "{title}: {queuedCalls} in der Schlange"})})
	f.staffed(2, 3, 0, 0)
	f.after(0)
	alerts := f.engine.AlertsOf(serviceS())
	if len(alerts) != 2 {
		t.Fatalf("%d alerts: %+v", len(alerts), alerts)
	}
	for _, a := range alerts {
		pseudo, sentence := a.TranslatableText().In(words.PseudoLanguage()), a.Sentence().In(nil)
		if own := a.Rule == "own"; own == strings.Contains(pseudo, "á") {
			t.Errorf("%s in the pseudo-language: %q", a.Rule, pseudo)
		}
		if a.TranslatableText().In(nil) != a.Text || a.Title() != "S" || !strings.HasPrefix(sentence, "2 ") || !strings.HasSuffix(sentence, ".") {
			t.Errorf("%s: %q about %q, as a sentence %q", a.Rule, a.Text, a.Title(), sentence)
		}
	}
	f.staffed(0, 0, 5, 5)
	f.day(100, 100, 77, 0)
	f.after(time.Second)
	for _, a := range f.engine.AlertsOf(serviceS()) {
		if got := a.Sentence().In(nil); got != "Service level 77.0 %, target 80.0 %." {
			t.Errorf("%s: %q", a.Rule, got)
		}
	}
}

// TestTargetStillMet checks that an alert knows whether the target is still met.
func TestTargetStillMet(t *testing.T) {
	t.Parallel()
	for inTime, want := range map[int64]bool{80: true, 78: false} {
		f := newFloor(t, Options{Rules: DefaultRules()})
		f.day(100, 100, inTime, 0)
		f.after(0)
		if list := f.engine.AlertsOf(serviceS()); len(list) != 1 || list[0].Rule != RuleBudgetSpent || list[0].IsTargetMet() != want {
			t.Errorf("%d of 100 in time: %+v", inTime, list)
		}
	}
}
