package words

import (
	"testing"
	"time"

	"wallboard/internal/words/catalogue"
	"wallboard/model"
)

// TestSpoken writes texts in the form that is read aloud.
func TestSpoken(t *testing.T) {
	t.Parallel()
	spoken := English().Spoken()
	for want, text := range map[string]Text{
		"0 seconds": Duration(0), "1 second": Duration(600 * time.Millisecond), "1 minute 5 seconds": Duration(65 * time.Second), "2 minutes": Duration(2 * time.Minute),
		"1 hour 2 minutes": Duration(time.Hour + time.Minute + 40*time.Second), "2 hours": Duration(2 * time.Hour), "4 days 4 hours": Duration(100*time.Hour + 12*time.Minute),
		"12345 calls": CountCalls(12_345),
		"3 minutes":   ApproxDuration(3 * time.Minute), "2 hours 5 minutes": Minutes(125 * time.Minute), "about 58 seconds": TimeAbout(58 * time.Second),
		"1 minute 10 seconds (presumed)":         WaitText(model.FigureOf(70).WithPresumedUnit(true)),
		"3 callers waiting, longest 20 seconds.": SituationWaitingLongest(CountCallers(3), Duration(20*time.Second)),
	} {
		if got := text.In(spoken); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := string(spoken.AppendPercent(nil, 0.591)) + ", " + string(spoken.AppendPercent(nil, 0.8)); got != "59.1 percent, 80 percent" {
		t.Errorf("shares: %q", got)
	}
	var none *Language
	if none.Spoken() != spoken || spoken.Spoken() != spoken || Duration(65*time.Second).In(nil) != "1:05" {
		t.Error("the spoken form of English is another one, or changes English")
	}
	rules, _ := RulesOf("de")
	german, _ := Parse(rules, nil, catalogue.File{Name: "de.txt", Text: "speak.minutes = {n|one: {n} Minute|other: {n} Minuten}\nspeak.seconds = {n|one: {n} Sekunde|other: {n} Sekunden}\n"})
	if got := Duration(125 * time.Second).In(german.Spoken()); got != "2 Minuten 5 Sekunden" {
		t.Errorf("in German: %q", got)
	}
}
