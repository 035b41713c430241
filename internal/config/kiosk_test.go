package config

import (
	"testing"
	"time"
)

func kioskCases() []problemCase {
	return []problemCase{
		{"kiosk", rtd + "[kiosk]\npages = [\"Agents\", \"overview\"]\nactive = \"22:00-06:00\"\ndays = [\"mon\"]\nquit = \"ctrl+alt+q\"\n[kiosk.dwells]\nagents = \"40s\"\n", ``},
		{"kiosk with pages of its own", rtd + "[kiosk]\npages = [\"front desk\", \"Overview\", \"alerts\", \"agents\"]\n[kiosk.dwells]\n\"Front Desk\" = \"40s\"\n[[page]]\nname = \"Front desk\"\nbuiltin = \"agents\"\n[[page]]\nbuiltin = \"Overview\"\n", `
DIR/config.toml:5: kiosk.pages[3]: "agents" is not allowed; allowed: Front desk, Overview, Situations, Feed`},
		{"kiosk with a page in another encoding", rtd + "[kiosk]\npages = [\"cafe\u0301\"]\n[kiosk.dwells]\n\"CAFÉ\" = \"40s\"\n[[page]]\nname = \"Café\"\nbuiltin = \"agents\"\n", ``},
		{"a page twice in two encodings", rtd + "[[page]]\nname = \"Café\"\nbuiltin = \"agents\"\n[[page]]\nname = \"Cafe\u0301\"\nbuiltin = \"agents\"\n", `
DIR/config.toml:8: page[1].name: "Café" is the name of another page, that at line 4; choose another name`},
		{"kiosk with a page that cannot be shown", rtd + "[kiosk]\npages = [\"front desk\"]\n[[page]]\nname = \"Fro\\t desk\"\nbuiltin = \"agents\"\n", `
DIR/config.toml:5: kiosk.pages[0]: "front desk" is not allowed; did you mean "Fro\t desk"? allowed: Fro� desk, Situations, Feed
DIR/config.toml:7: page[0].name: contains characters that cannot be printed; remove control characters, tabs and newlines`},
		{"kiosk pages", rtd + "[kiosk]\npages = [\"agents\", \"wal\", \"AGENTS\"]\n", `
DIR/config.toml:5: kiosk.pages[1]: "wal" is not allowed; allowed: overview, agents
DIR/config.toml:5: kiosk.pages[2]: "AGENTS" is listed twice; keep one of them`},
		{"kiosk dwell", rtd + "[kiosk]\ndwell = \"1s\"\n[kiosk.dwells]\nagent = \"1m\"\noverview = \"2h\"\nagents = 3\n", `
DIR/config.toml:5: kiosk.dwell: 1s is out of range; allowed: 3s to 1h0m0s
DIR/config.toml:7: kiosk.dwells.agent: "agent" is not allowed; did you mean "agents"? allowed: overview, agents
DIR/config.toml:8: kiosk.dwells.overview: 2h0m0s is out of range; allowed: 3s to 1h0m0s
DIR/config.toml:9: kiosk.dwells.agents: must be a duration, but is a whole number; write it in quotes with its unit, for example "100ms" or "2s"`},
		{"kiosk words", rtd + "[kiosk]\nfront = \"high\"\nnames = \"hiden\"\ndays = [\"monday\"]\ntimezone = \"Europe/Mialn\"\n", `
DIR/config.toml:5: kiosk.front: "high" is not allowed; allowed: critical, warning, off
DIR/config.toml:6: kiosk.names: "hiden" is not allowed; did you mean "hidden"? allowed: full, initials, hidden
DIR/config.toml:7: kiosk.days[0]: "monday" is not allowed; allowed: sun, mon, tue, wed, thu, fri, sat
DIR/config.toml:8: kiosk.timezone: "Europe/Mialn" is not a time zone of this machine; write it like "Europe/Rome", or leave it empty for the machine's own`},
		{"kiosk hours", rtd + "[kiosk]\nactive = \"7-25:00\"\n", `
DIR/config.toml:5: kiosk.active: "7-25:00" contains "7", which is not a time of day; write it like "07:00-19:00"`},
		{"kiosk empty hours", rtd + "[kiosk]\nactive = \"07:00-07:00\"\n", `
DIR/config.toml:5: kiosk.active: "07:00-07:00" begins and ends at the same time; write it like "07:00-19:00"`},
		{"kiosk chord", rtd + "[kiosk]\nquit = \"q\"\n", `
DIR/config.toml:5: kiosk.quit: "q" is not a key combination; write ctrl, alt and shift in this order and then the key, for example "ctrl+alt+q"`},
		{"kiosk chord in another order", rtd + "[kiosk]\nquit = \"alt+ctrl+q\"\n", `
DIR/config.toml:5: kiosk.quit: "alt+ctrl+q" is not a key combination; write ctrl, alt and shift in this order and then the key, for example "ctrl+alt+q"`},
		{"kiosk interrupt", rtd + "[kiosk]\nquit = \"ctrl+c\"\n", `
DIR/config.toml:5: kiosk.quit: "ctrl+c" is too easy to guess; name another one, for example "ctrl+alt+q"`},
	}
}

func TestHoursContain(t *testing.T) {
	t.Parallel()
	at := func(day, hour, minute int) time.Time { // 2026-11-16 is a Monday
		return time.Date(2026, 11, 15+day, hour, minute, 0, 0, time.UTC)
	}
	for _, tt := range []struct {
		name string
		k    Kiosk
		t    time.Time
		want bool
	}{
		{"always", Kiosk{}, at(0, 3, 0), true},
		{"begins", Kiosk{Active: "07:00-19:00"}, at(1, 7, 0), true},
		{"before", Kiosk{Active: "07:00-19:00"}, at(1, 6, 59), false},
		{"ends", Kiosk{Active: "07:00-19:00"}, at(1, 19, 0), false},
		{"on another day", Kiosk{Active: "07:00-19:00", Days: []string{"mon"}}, at(2, 12, 0), false},
		{"a day without hours", Kiosk{Days: []string{"sun"}}, at(0, 23, 59), true},
		{"to midnight", Kiosk{Active: "07:00-24:00"}, at(1, 23, 59), true},
		{"past midnight", Kiosk{Active: "22:00-06:00", Days: []string{"mon"}}, at(2, 5, 59), true},
		{"of the night before", Kiosk{Active: "22:00-06:00", Days: []string{"mon"}}, at(1, 5, 59), false},
		{"between two nights", Kiosk{Active: "22:00-06:00"}, at(1, 12, 0), false},
	} {
		if got := tt.k.Hours().Contains(tt.t); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
