package config

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
)

func silenceCases() []problemCase {
	return []problemCase{
		{"no end", rtd + "[[silence]]\nname = \"lunch\"\n", `
DIR/config.toml:4: silence[0].hours: is missing; write the hours like "12:00-13:30"`},
		{"values", rtd + "[[silence]]\nhours = \"12:00-12:00\"\ndays = [\"monday\"]\ntimezone = \"Rome\"\nservices = [\"\"]\nrules = [\"long wait\"]\n", `
DIR/config.toml:5: silence[0].hours: "12:00-12:00" begins and ends at the same time; write it like "12:00-13:30"
DIR/config.toml:6: silence[0].days[0]: "monday" is not allowed; allowed: sun, mon, tue, wed, thu, fri, sat
DIR/config.toml:7: silence[0].timezone: "Rome" is not a time zone of this machine; write it like "Europe/Rome", or leave it empty
DIR/config.toml:8: silence[0].services[0]: is empty; write a code, or remove the entry
DIR/config.toml:9: silence[0].rules[0]: "long wait" is not allowed; did you mean "longest wait"? allowed: RULES`},
	}
}

// TestSilences checks the silences of the engine, in the time zone of the block, or else of
// the kiosk.
func TestSilences(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip("no time zones here")
	}
	c := Default()
	c.Kiosk.Timezone = "Europe/Rome"
	c.Silences = []Silence{
		{Hours: "12:00-13:30", Days: []string{"mon", "sun"}, Services: []string{"S"}, Campaigns: []int{7}, Rules: []string{"dry"}},
		{Name: "closed", Hours: "22:00-06:00", Timezone: "UTC"},
	}
	want := []alert.Silence{
		{
			Title: "S, 7", Days: []time.Weekday{time.Monday, time.Sunday}, From: 12 * time.Hour, To: 13*time.Hour + 30*time.Minute,
			Zone: rome, Rules: []string{"dry"}, Codes: map[alert.Scope][]string{alert.Service: {"S"}, alert.Campaign: {"7"}},
		},
		{Title: "closed", From: 22 * time.Hour, To: 6 * time.Hour, Zone: time.UTC},
	}
	zone := cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() })
	if diff := cmp.Diff(want, c.AlertOptions(nil).Silences, zone); diff != "" {
		t.Errorf("the engine gets others:\n%s", diff)
	}
	other := c
	other.Silences = c.Silences[:1]
	if got := ChangedKeys(&c, &other); !cmp.Equal(got, []string{"silence"}) {
		t.Errorf("what changed is %v", got)
	}
}
