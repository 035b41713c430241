package config

import (
	"testing"
	"time"
)

func hoursCases() []problemCase {
	return []problemCase{
		{"tolerance", rtd + "[tolerance]\nservice_level = 30\nabandoned = -1\nasa = 3\n", `
DIR/config.toml:5: tolerance.service_level: 30 is out of range; allowed: 0, or 0.1 to 20 percentage points, 3 for 77 % instead of 80 %
DIR/config.toml:6: tolerance.abandoned: -1 is out of range; allowed: 0, or 0.1 to 20 percentage points, 3 for 77 % instead of 80 %
DIR/config.toml:7: tolerance.asa: unknown key; allowed in [tolerance]: service_level, abandoned`},
		{"playbooks", rtd + "[[playbook]]\nrule = \"nobody redy\"\nsteps = [\"a\", \"a\", \" \"]\n[[playbook]]\nover_wen = \"x\"\nsites = [\"Milano\"]\n", `
DIR/config.toml:5: playbook[0].rule: "nobody redy" is not allowed; did you mean "nobody ready"? allowed: RULES
DIR/config.toml:6: playbook[0].steps[1]: "a" is listed twice; keep one of them
DIR/config.toml:6: playbook[0].steps[2]: is empty; write what to do, or remove it
DIR/config.toml:7: playbook[1]: has no items; set checks, steps or inform
DIR/config.toml:7: playbook[1].rule: is missing; write the name of the rule whose alerts the playbook is for
DIR/config.toml:8: playbook[1].over_wen: unknown key; did you mean playbook[1].over_when?
DIR/config.toml:9: playbook[1].sites: needs [[platform]] blocks; remove it, or list the platforms`},
		{"holidays", rtd + "[[holiday]]\ndate = \"25.12.\"\n[[holiday]]\ndate = \"12-25\"\n[[holiday]]\ndate = \"12-25\"\n", `
DIR/config.toml:5: holiday[0].date: "25.12." is not a day; write it like "2026-12-25", or "12-25" for every year
DIR/config.toml:9: holiday[2].date: "12-25" is set twice; keep one of them`},
		{"hours", rtd + "[[hours]]\nclose = \"25:00\"\n[[hours]]\nservices = [\"\"]\nclose = \"18:00\"\ndays = [\"monday\"]\n", `
DIR/config.toml:5: hours[0].close: "25:00" is not a closing time; write it like "18:00"; at most "24:00"
DIR/config.toml:7: hours[1].services[0]: is empty; write a code, or remove the entry
DIR/config.toml:9: hours[1].days[0]: "monday" is not allowed; allowed: sun, mon, tue, wed, thu, fri, sat`},
	}
}

// TestHours checks closing times of all services and of single ones.
func TestHours(t *testing.T) {
	t.Parallel()
	c := Default()
	c.ServiceLevels = []ServiceLevel{{Services: []string{"A"}, Formula: "answered_only"}}
	c.Hours = []Closing{
		{Services: []string{"B"}, Close: "24:00", Days: []string{"sat"}},
		{Close: "18:00"},
		{Close: "13:30", Days: []string{"sat"}},
	}
	o := c.AlertOptions(nil)
	const saturday, monday = 7, 9 // of March 2026
	for _, tt := range []struct {
		service string
		day     int
		want    time.Duration
	}{
		{"", monday, 18 * time.Hour},
		{"", saturday, 13*time.Hour + 30*time.Minute},
		{"A", saturday, 13*time.Hour + 30*time.Minute},
		{"B", saturday, 24 * time.Hour},
		{"B", monday, 18 * time.Hour},
	} {
		goal, own := o.Goals[tt.service]
		if !own {
			goal = o.Goal
		}
		start := time.Date(2026, 3, tt.day, 0, 0, 0, 0, time.UTC)
		if got, said := goal.ClosingTime(start.Add(10 * time.Hour)); !said || got.Sub(start) != tt.want {
			t.Errorf("%q closes at %v, want %v", tt.service, got, tt.want)
		}
	}
	none := Default()
	goal := none.AlertOptions(nil).Goal
	if at, said := goal.ClosingTime(time.Date(2026, 3, 7, 10, 0, 0, 0, time.UTC)); said || at.Day() != 8 || at.Hour() != 0 {
		t.Errorf("without hours it closes at %v", at)
	}
}
