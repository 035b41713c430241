package admin

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/record"
)

// TestInfoSaysWhatIsLeftOut checks that unknown fields of a recording are counted and listed.
func TestInfoSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	for want, unknown := range map[string][]string{
		"": nil,
		"a field that this version does not know: s.A":                                 {"s.A"},
		"2 fields that this version does not know: s.A, s.B":                           {"s.A", "s.B"},
		"7 fields that this version does not know: s.A, s.B, s.C, s.D, s.E and 2 more": {"s.A", "s.B", "s.C", "s.D", "s.E", "s.F", "s.G"},
	} {
		text := terminal.AlignColumns(InfoRows("a.wbr", record.Info{Unknown: unknown}, nil), 0)
		if want == "" && strings.Contains(text, "left out") || !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestInfoSaysWhoIsNamedWhen checks the visibility of names in the parts of a recording.
func TestInfoSaysWhoIsNamedWhen(t *testing.T) {
	t.Parallel()
	at := func(hour int) time.Time { return time.Date(2026, 3, 2, hour, 0, 0, 0, time.Local) }
	about := record.Metadata{Platform: "here/rtd", Names: "full", Board: "2"}
	for want, parts := range map[string][]record.SettingsPeriod{
		"of         here/rtd, names full\n":       {{First: at(8), Last: at(9), Names: "full", Board: "1"}, {First: at(9), Last: at(10), Names: "full", Board: "2"}},
		"wallboard 2; parts were recorded by 1\n": {{First: at(8), Last: at(9), Names: "full", Board: "1"}, {First: at(9), Last: at(10), Names: "full", Board: "2"}},
		"names full from 2026-03-02 08:00:00 to 2026-03-02 10:00:00, hidden from 2026-03-02 10:00:00 to 2026-03-02 11:00:00\n": {
			{First: at(8), Last: at(9), Names: "full", Board: "1"},
			{First: at(9), Last: at(10), Names: "full", Board: "2"},
			{First: at(10), Last: at(11), Names: "hidden", Board: "2"},
		},
	} {
		text := terminal.AlignColumns(InfoRows("a.wbr", record.Info{About: about, Parts: parts}, nil), 0)
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
