package commands

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/record"
)

// TestSinceInWords checks all formats of the start of a backtest.
func TestSinceInWords(t *testing.T) {
	t.Parallel()
	day := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, time.Local) }
	in := record.Info{First: day(15, 12, 0), Last: day(17, 18, 30)}
	const before = "the recording begins at 2026-03-15 12:00:00"
	for _, c := range []struct {
		since, until string
		from, to     time.Time
		says         string // message beside the times, or error if these are zero
	}{
		{"", "", in.First, in.Last, ""},
		{"yesterday", "", day(16, 0, 0), in.Last, ""},
		{"Yesterday", "today", day(16, 0, 0), day(17, 0, 0), ""},
		{"today", "", day(17, 0, 0), in.Last, ""},
		{"monday", "", day(16, 0, 0), in.Last, ""},
		{"06:00", "14:00", day(17, 6, 0), day(17, 14, 0), ""},
		{"19:00", "", day(16, 19, 0), in.Last, ""}, // 19:00 of today is still to come
		{"8h", "30m", day(17, 10, 30), day(17, 18, 0), ""},
		{"2026-03-16T07:15", "", day(16, 7, 15), in.Last, ""},
		{"sunday", "", in.First, in.Last, before},
		{"200h", "", in.First, in.Last, before},
		{"2026-03-18", "", time.Time{}, time.Time{}, `--since "2026-03-18" is after the end of the recording`},
		{"noon", "", time.Time{}, time.Time{}, `--since "noon": want a time of the day (13:50), a day (yesterday)`},
		{"", "later", time.Time{}, time.Time{}, `--until "later": want`},
	} {
		var errs bytes.Buffer
		fl := backtestFlags{since: c.since, until: c.until}
		from, to, err := fl.selectedSpan(&cmdutil.Setup{Streams: cmdutil.Streams{Err: &errs}}, in)
		said := errs.String()
		if err != nil {
			said = err.Error()
		}
		if (err == nil) == c.from.IsZero() || err == nil && (!from.Equal(c.from) || !to.Equal(c.to)) || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("--since %q --until %q: from %v to %v, %q", c.since, c.until, from, to, said)
		}
	}
}
