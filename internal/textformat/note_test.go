package textformat

import (
	"testing"
	"time"

	"wallboard/model"
)

func TestNote(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 3, 2, 13, 40, 0, 0, time.UTC)
	n := model.Note{At: begin, Until: begin.Add(80 * time.Minute), Text: "IVR down", By: "Anna"}
	shifted := n.Shift(-20 * time.Millisecond) // to the clock of a server that is a little behind
	mark := model.Note{At: begin, Text: "newsletter"}
	for _, c := range []struct {
		note        *model.Note
		now         time.Time
		times, text string
	}{
		{&n, begin.Add(time.Minute), "13:40", "IVR down, until 15:00 (Anna)"},
		{&n, begin.Add(2 * time.Hour), "13:40–15:00", "IVR down (Anna)"},
		{&shifted, begin.Add(time.Minute), "13:39", "IVR down, until 15:00 (Anna)"},
		{&mark, begin, "13:40", "newsletter"},
	} {
		times, text := DescribeNote(c.note, c.now, nil, func(at time.Time) string { return Clock(at, nil) })
		if times != c.times || text != c.text {
			t.Errorf("%q, %q, want %q, %q", times, text, c.times, c.text)
		}
	}
}
