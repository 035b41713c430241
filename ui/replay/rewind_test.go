package replay

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

func TestInstant(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 14, 42, 17, 0, time.UTC)
	for line, want := range map[string]string{
		"14:05":                      "2026-03-02 14:05:00",
		" 15:00 ":                    "2026-03-01 15:00:00",
		"yesterday 14:05":            "2026-03-01 14:05:00",
		"14:0":                       "",
		"25:99":                      "",
		"3:05pm":                     "",
		"at 14:05":                   "2026-03-02 14:05:00",
		"AT 14:05:20":                "2026-03-02 14:05:20",
		"at 14.05":                   "2026-03-02 14:05:00",
		"at 15:00":                   "2026-03-01 15:00:00",
		"at yesterday 14:05":         "2026-03-01 14:05:00",
		"back 40m":                   "2026-03-02 14:02:17",
		"back 40":                    "2026-03-02 14:02:17",
		"back 1h 30m":                "2026-03-02 13:12:17",
		"back 90s":                   "2026-03-02 14:40:47",
		"at":                         "",
		"back":                       "",
		"back -5m":                   "",
		"back 9999999h":              "",
		"back 0":                     "",
		"at 25:00":                   "",
		"at noon":                    "",
		"attendants":                 "",
		"at 14:05 sharp":             "",
		"back 99999999999999999999m": "",
	} {
		at, ok := ParseInstant(line, now, time.UTC)
		got := ""
		if ok {
			got = at.Format(time.DateTime)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestMeansTimeOfDay(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"14:0": "14:0", "at 25:99": "25:99", "3:05PM": "3:05pm", "at yesterday 14:0": "yesterday 14:0",
		"14": "", "14:": "", "at noon": "", "try longest wait": "", "service a:b": "", "": "",
	} {
		if typed, ok := IsTimeOfDay(line); ok != (want != "") || ok && typed != want {
			t.Errorf("%q: %q, %v", line, typed, ok)
		}
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	marks := []model.Mark{{At: at.Add(-time.Hour)}, {At: at}, {At: at.Add(time.Hour)}}
	for _, tt := range []struct {
		from   time.Duration
		before bool
		want   time.Duration
		some   bool
	}{
		{0, true, -time.Hour, true},
		{0, false, time.Hour, true},
		{time.Minute, true, 0, true},
		{-time.Hour, true, 0, false},
		{time.Hour, false, 0, false},
		{-2 * time.Hour, false, -time.Hour, true},
	} {
		to, some := NextMark(marks, at.Add(tt.from), tt.before)
		if some != tt.some || some && !to.At.Equal(at.Add(tt.want)) {
			t.Errorf("from %v, before %v: %v, %v", tt.from, tt.before, to, some)
		}
	}
}

// TestBar checks the width of the time line, the position and the marks.
func TestBar(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	for _, ascii := range []bool{false, true} {
		lk := style.New(style.Options{ASCII: ascii, Location: time.UTC}, render.Options{})
		b := TimeLine{
			Look: lk, From: from, To: from.Add(8 * time.Hour), At: from.Add(4 * time.Hour),
			IsEmptyAt: func(at time.Time) bool { return at.Before(from.Add(time.Hour)) },
			Marks:     []model.Mark{{At: from.Add(-time.Hour), Kind: model.MarkCritical}, {At: from.Add(6 * time.Hour), Kind: model.MarkCritical}}, State: "playing",
			Hints: []style.KeyHint{{Key: "Z", Description: "back to now"}, {Key: ", .", Description: "10 s"}},
		}
		for _, width := range []int{1, 5, 20, 40, 80, 120, 300} {
			text := ansi.Strip(b.Text(width))
			if got := style.Width(text); got != width {
				t.Errorf("%d cells, want %d: %q", got, width, text)
			}
		}
		b.Marks = append(b.Marks,
			model.Mark{At: from.Add(6 * time.Hour), Kind: model.MarkAction}, // in the same cell as a critical mark
			model.Mark{At: from.Add(2 * time.Hour), Kind: model.MarkNote},
			model.Mark{At: from.Add(3 * time.Hour), Kind: model.MarkRecovered})
		text := ansi.Strip(b.Text(120))
		if strings.Count(text, lk.Glyphs.Action) != 2 || !strings.Contains(text, lk.Glyphs.Failed+lk.Glyphs.Action) {
			t.Errorf("the action must be marked beside the critical situation, and the note at its time: %q", text)
		}
		line := strings.TrimPrefix(text[:strings.Index(text, " 14:00")], " 06:00 ")
		runes := []rune(line)
		here, mark := strings.Index(string(line), lk.Glyphs.Live), strings.Count(line, lk.Glyphs.Failed)
		if len(runes) != 60 || mark != 1 || len([]rune(line[:here])) != 30 {
			t.Errorf("%d cells, %d marks, at %d: %q", len(runes), mark, here, line)
		}
		if !strings.HasPrefix(line, "      ") || !strings.Contains(text, "Z back to now") {
			t.Errorf("no gap, or no key: %q", text)
		}
		b.To = from // a recording with a single snapshot
		if got := style.Width(ansi.Strip(b.Text(80))); got != 80 {
			t.Errorf("%d cells", got)
		}
	}
}

// TestStops checks that the viewer cannot jump to minor and duplicate marks.
func TestStops(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	marks := []model.Mark{
		{At: at.Add(time.Minute), Kind: model.MarkAction, Text: "Stop campaign: Win-back, confirmed"},
		{At: at, Kind: model.MarkCritical, Text: "Sales: 3 wait"},
		{At: at.Add(time.Second / 2), Kind: model.MarkCritical, Text: "Sales: 3 wait"},
		{At: at.Add(time.Second), Kind: model.MarkWarning, Text: "Billing: 1 waits"},
		{At: at.Add(2 * time.Second), Kind: model.MarkRecovered, Text: "Sales: resolved"},
		{At: at.Add(3 * time.Second), Kind: model.MarkCut, Text: "end of file"},
		{At: at.Add(4 * time.Second), Kind: model.MarkNote},
		{At: at.Add(5 * time.Second), Kind: "later"}, // a kind of a later program version
	}
	lk := style.New(style.Options{Location: time.UTC}, render.Options{})
	var got []string
	for _, m := range JumpMarks(marks) {
		got = append(got, MarkText(lk, m))
	}
	want := []string{
		"▲ 14:00:00  Sales: 3 wait", "▲ 14:00:03  Connection lost: end of file",
		"◆ 14:00:04  Take-over", "◆ 14:01:00  Stop campaign: Win-back, confirmed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
