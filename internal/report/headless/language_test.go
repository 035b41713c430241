package headless

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/words"
	"wallboard/internal/words/catalogue"
)

// TestLanguage checks the lines in another language: durations are in its words, and commas precede channels.
func TestLanguage(t *testing.T) {
	t.Parallel()
	rules, _ := words.RulesOf("de")
	german, _ := words.Parse(rules, nil, catalogue.File{Name: "de.txt", Text: `
speak.seconds = {n|one: {n} Sekunde|other: {n} Sekunden}
speak.minutes = {n|one: {n} Minute|other: {n} Minuten}
speak.units = {first} {second}
speak.percent = {v} Prozent
count.callers = {n|one: {n} Anrufer|other: {n} Anrufer}
situation.waiting-longest = {contacts} in der Warteschlange, der längste seit {wait}.
notify.title-warning = Warnung
speak.problem = {level}: {text}
speak.problem-for = {level}, seit {d}: {text}
speak.resolved-after = Behoben nach {d}: {place}.
`})
	f := newFloor(t, func(o *SpeakerOptions) { o.Words = german })
	f.hear(time.Second)
	f.waits("S1", 3, 65)
	f.says(3*time.Second, "Critical: Sales IT: 3 Anrufer in der Warteschlange, der längste seit 1 Minute 5 Sekunden.")
	f.waits("S1", 3, 35)
	if said := strings.Join(f.hear(4*time.Second), "\n"); !strings.HasSuffix(said, "der längste seit 35 Sekunden.") {
		t.Errorf("it says %q", said)
	}
	f.answers("alerts", "1 warning.", "Warnung, seit 6 Sekunden: Sales IT: 3 Anrufer in der Warteschlange, der längste seit 35 Sekunden.")
	f.waits("S1", 0, 0)
	f.says(3*time.Second, "Behoben nach 7 Sekunden: Sales IT.")
}
