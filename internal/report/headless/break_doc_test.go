package headless

import (
	"testing"

	"wallboard/internal/words"
)

// TestUnobservedBreaks checks that the number of breaks that were not observed is unknown, and that an
// agent over the limit per day is announced with the total of the day.
func TestUnobservedBreaks(t *testing.T) {
	t.Parallel()
	r := breakDoc{AgentName: "Rossi Anna", TotalToday: new(2100.0), AllowedPerDay: new(1800.0)}
	doc := BreaksDoc{Breaks: []breakDoc{r}}
	if row := doc.Rows()[1]; row[3] != "-" || row[4] != "-" || row[6] != "-" {
		t.Errorf("%q", row)
	}
	if got, want := r.overrunText().In(words.English().Spoken()), "35 minutes in total, 30 minutes allowed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.BreakCount, r.Longest, r.Overruns = new(2), new(1200.0), new(1)
	if got, want := r.overrunText().In(words.English().Spoken()), "the longest 20 minutes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
