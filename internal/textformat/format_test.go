package textformat

import (
	"math"
	"testing"
	"time"

	"wallboard/model"
)

var now = time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)

func n(v int64) model.Int { return model.IntOf(v) }

func ago(d time.Duration) model.Instant { return model.InstantOf(now.Add(-d)) }

func TestFormat(t *testing.T) {
	t.Parallel()
	f := Format{Location: time.UTC}
	na := (&model.ServiceCalls{AnsweredCalls: n(1), ReceivedCalls: n(0)}).AnswerRate()
	noon := time.Date(2026, 1, 2, 12, 3, 4, 0, time.UTC)
	for _, tt := range []struct {
		name string
		got  []byte
		want string
	}{
		{"int", f.Int(nil, n(0)), "0"},
		{"int unknown", f.Int(nil, model.Int{}), "–"},
		{"four digits", f.Count(nil, 9999), "9999"},
		{"five digits", f.Count(nil, 10_000), "10 000"},
		{"millions", f.Count(nil, 1_234_567), "1 234 567"},
		{"negative", f.Count(nil, -123_456), "-123 456"},
		{"smallest", f.Count(nil, math.MinInt64), "-9 223 372 036 854 775 808"},
		{"percent", f.Percent(nil, model.FigureOf(0.874)), "87.4 %"},
		{"percent whole", f.Percent(nil, model.FigureOf(1)), "100.0 %"},
		{"percent half", f.Percent(nil, model.FigureOf(0.7825)), "78.3 %"},
		{"percent known 0", f.Percent(nil, model.FigureOf(0)), "0.0 %"},
		{"percent unknown", f.Percent(nil, model.Figure{}), "–"},
		{"percent n/a", f.Percent(nil, na), "n/a"},
		{"figure", f.Figure(nil, model.FigureOf(6.25)), "6.3"},
		{"figure whole", f.Figure(nil, model.FigureOf(12_000)), "12 000"},
		{"figure NaN", f.Decimal(nil, math.NaN()), "–"},
		{"seconds", f.Seconds(nil, n(42)), "0:42"},
		{"minutes", f.Seconds(nil, n(727)), "12:07"},
		{"hours", f.Seconds(nil, n(3753)), "1:02:33"},
		{"99 hours", f.Seconds(nil, n(100*3600-1)), "99:59:59"},
		{"days", f.Seconds(nil, n(100*3600)), "4d 04:00"},
		{"seconds negative", f.Seconds(nil, n(-5)), "0:00"},
		{"seconds huge", f.Seconds(nil, n(math.MaxInt64)), "106751d 23:47"},
		{"seconds unknown", f.Seconds(nil, model.Int{}), "–"},
		{"figure seconds", f.FigureSeconds(nil, model.FigureOf(59.6)), "1:00"},
		{"figure seconds n/a", f.FigureSeconds(nil, na), "n/a"},
		{"since", f.Since(nil, ago(65*time.Second), now), "1:05"},
		{"since the future", f.Since(nil, ago(-time.Hour), now), "0:00"},
		{"since unknown", f.Since(nil, model.Instant{}, now), "–"},
		{"age", f.Age(nil, now.Add(-time.Minute), now), "1:00"},
		{"age of nothing", f.Age(nil, time.Time{}, now), "–"},
		{"clock", f.Clock(nil, noon), "12:03:04"},
		{"clock elsewhere", Format{Location: time.FixedZone("", 3600)}.Clock(nil, noon), "13:03:04"},
		{"clock of nothing", f.Clock(nil, time.Time{}), "–"},
		{"bytes", f.Size(nil, 999), "999 B"},
		{"kilobytes", f.Size(nil, 12_449), "12.4 kB"},
		{"rounds up to the next unit", f.Size(nil, 999_950), "1.0 MB"},
		{"exabytes", f.Size(nil, math.MaxUint64), "18.4 EB"},
		{"text", f.Text(nil, "x"), "x"},
		{"no text", f.Text(nil, ""), "–"},
		{"ascii", Format{ASCII: true}.Int(nil, model.Int{}), "-"},
	} {
		if string(tt.got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestFormatAllocatesNothing(t *testing.T) {
	f := Format{Location: time.UTC}
	dst := make([]byte, 0, 256)
	got := testing.AllocsPerRun(100, func() {
		b := f.Count(dst[:0], -1_234_567)
		b = f.Percent(b, model.FigureOf(0.5))
		b = f.Seconds(b, n(3753))
		b = f.Clock(b, now)
		f.Size(b, 123_456)
	})
	if got != 0 {
		t.Errorf("got %v allocations", got)
	}
}
