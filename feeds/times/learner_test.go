package times_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/feeds/times"
)

// noon is a time on the platform's clock.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// looks tells a learner what records hold in full states three seconds apart:
// each by its first number and by what it grows in a second.
func looks(l *times.Learner, f times.Field, states int, records map[string][2]float64) {
	for i := range states {
		after := time.Duration(i) * 3 * time.Second
		for name, r := range records {
			l.Full("userStats", name, f, r[0]+r[1]*after.Seconds(), noon.Add(after), noon.Add(after))
		}
	}
}

func TestTwoFullStatesTellTheUnit(t *testing.T) {
	t.Parallel()
	unix := float64(noon.Add(-time.Hour).Unix())
	same := func(raw, grows float64) map[string][2]float64 {
		return map[string][2]float64{"a": {raw, grows}, "b": {raw + 5, grows}, "c": {raw + 9, grows}}
	}
	for name, c := range map[string]struct {
		field   times.Field
		records map[string][2]float64
		want    times.Unit
	}{
		"instants, s":                     {times.State, same(unix, 0), times.UnixSeconds},
		"instants, ms":                    {times.State, same(unix*1e3, 0), times.UnixMillis},
		"instants, us":                    {times.State, same(unix*1e6, 0), times.UnixMicros},
		"lengths, s":                      {times.State, same(10, 1), times.Seconds},
		"lengths, ms":                     {times.State, same(10119, 1e3), times.Millis},
		"lengths, us":                     {times.State, same(10119e3, 1e6), times.Micros},
		"a length as large as a date":     {times.State, same(unix, 1e6), times.Micros},
		"lengths that stand still":        {times.Hold, same(45, 0), times.Unknown},
		"one who holds among many still":  {times.Hold, map[string][2]float64{"a": {45, 0}, "b": {7, 1}, "c": {9, 1}, "d": {3, 1}}, times.Seconds},
		"nothing":                         {times.Hold, map[string][2]float64{"a": {0, 0}, "b": {0, 0}, "c": {-1, 0}}, times.Unknown},
		"half of them disagree":           {times.State, map[string][2]float64{"a": {5, 1}, "b": {6, 1}, "c": {unix, 0}, "d": {unix, 0}}, times.Unknown},
		"the longest wait in ms":          {times.QueueLongest, same(4000, 1e3), times.Millis},
		"an average":                      {times.QueueAverage, same(4000, 1e3), times.Unknown},
		"a counter that stands still":     {times.HoldTotal, same(unix, 0), times.Unknown},
		"totals of codes in ms":           {times.Codes, same(4000, 2e3), times.Millis},
		"instants that move on with time": {times.State, same(unix*1e3, 1e3), times.Unknown},
		"the same in seconds":             {times.State, same(unix, 1), times.Unknown},
		"the same in microseconds":        {times.State, same(unix*1e6, 1e6), times.Unknown},
		"neither":                         {times.State, same(10, 60), times.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := times.New(nil, times.Zone{})
			looks(l, c.field, 1, c.records)
			if u := l.Unit(c.field); u != times.Unknown {
				t.Fatalf("one full state told the unit %v", u)
			}
			looks(l, c.field, 4, c.records)
			if u := l.Unit(c.field); u != c.want {
				t.Errorf("unit %q, want %q", u, c.want)
			}
		})
	}
}

// A pin holds until what comes contradicts it, and that is said.
func TestWrongPinIsNoticed(t *testing.T) {
	t.Parallel()
	l := times.New(map[times.Field]times.Unit{times.State: times.Seconds}, times.Zone{})
	if l.Unit(times.State) != times.Seconds {
		t.Fatal("the pin does not hold")
	}
	looks(l, times.State, 4, map[string][2]float64{"a": {4000, 1e3}})
	if l.Unit(times.State) != times.Millis || !l.Changed() {
		t.Errorf("unit %q", l.Unit(times.State))
	}
	if said := l.Say(times.Fields()); !strings.Contains(said, `timeInState is pinned to "s"`) {
		t.Errorf("said: %q", said)
	}
}

// What was found is found again on every connection.
func TestUnitIsFoundAnew(t *testing.T) {
	t.Parallel()
	l := times.New(nil, times.Zone{})
	looks(l, times.State, 9, map[string][2]float64{"a": {40, 1}, "b": {50, 1}})
	l.Anew()
	if l.Unit(times.State) != times.Seconds {
		t.Fatal("forgotten")
	}
	looks(l, times.State, 3, map[string][2]float64{"a": {40, 1e3}, "b": {50, 1e3}})
	if u := l.Unit(times.State); u != times.Millis {
		t.Errorf("unit %q, want ms", u)
	}
}

// A length of which nothing is known by itself is in the unit of the others.
func TestSharedUnit(t *testing.T) {
	t.Parallel()
	l := times.New(nil, times.Zone{})
	is := func(f times.Field, want times.Unit, when string) {
		t.Helper()
		if u := l.Unit(f); u != want {
			t.Errorf("%v is %v %s, want %v", f, u.Words(), when, want.Words())
		}
	}
	is(times.QueueLongest, times.Unknown, "at first")
	looks(l, times.Codes, 5, map[string][2]float64{"a": {40, 1}})
	for _, f := range []times.Field{times.QueueLongest, times.QueueAverage, times.HoldTotal} {
		is(f, times.Seconds, "where another one is in seconds")
	}
	is(times.State, times.Unknown, "where a length is in seconds")
	l.Undecided()
	is(times.QueueLongest, times.Unknown, "while the unit of the dates is not known")
	looks(l, times.State, 4, map[string][2]float64{"a": {40, 1e3}})
	is(times.QueueLongest, times.Unknown, "where one is in seconds and one in milliseconds")
	looks(l, times.QueueLongest, 5, map[string][2]float64{"s": {40, 1e3}}) // three times in a row, after the first
	is(times.QueueAverage, times.Millis, "as the longest wait is")
	is(times.HoldTotal, times.Unknown, "where one is in seconds and two in milliseconds")
	is(times.Codes, times.Seconds, "as it was found")
}

func TestChangesTellTheZone(t *testing.T) {
	t.Parallel()
	l := times.New(nil, times.Zone{})
	for i := range 3 {
		if l.Zone().Known {
			t.Fatalf("known after %d changes", i)
		}
		now := noon.Add(time.Duration(i) * time.Minute)
		l.Change(now.Add(5*time.Hour+30*time.Minute-2*time.Second).UnixMilli(), now)
	}
	if z := l.Zone(); !z.Known || z.Minutes != 330 {
		t.Errorf("zone %+v, want 330 minutes", z)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		kind times.Text
		ms   int64
	}{
		"": {times.Nothing, 0}, "  ": {times.Nothing, 0}, "yesterday": {times.Strange, 0},
		"2026-11-21T10:00:00+01:00": {times.Instant, 1795251600000}, "2026-11-21T09:00:00.5Z": {times.Instant, 1795251600500},
		"2026-11-21T10:00:00+0100": {times.Instant, 1795251600000}, "2026-11-21 09:00:00": {times.Local, 1795251600000},
		"Sat, 21 Nov 2026 09:00:00 +0000": {times.Instant, 1795251600000}, "2026-11-21": {times.Strange, 0},
		"0:10:19": {times.Length, 619000}, "100:00:00.5": {times.Length, 360000500}, "10:19": {times.Strange, 0}, "0:61:00": {times.Strange, 0},
		"PT10S": {times.Length, 10000}, "PT1H2M3.5S": {times.Length, 3723500}, "P1DT1S": {times.Length, 86401000},
		"P": {times.Strange, 0}, "PT": {times.Strange, 0}, "P1Y": {times.Strange, 0}, "PT5": {times.Strange, 0},
	} {
		if kind, ms := times.Read([]byte(text)); kind != want.kind || ms != want.ms {
			t.Errorf("%q: kind %d, %d ms, want %d, %d", text, kind, ms, want.kind, want.ms)
		}
	}
}

// FuzzRead reads anything: it ends, and soon, whatever the length.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"PT1H", "0:10:19", "2026-11-21T09:00:00Z", strings.Repeat("1:", 1<<16), "P" + strings.Repeat("T1", 1<<16)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		began := time.Now()
		times.Read(b)
		if took := time.Since(began); took > time.Second {
			t.Errorf("%d bytes took %v", len(b), took)
		}
	})
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, f := range times.Fields() {
		if got, ok := times.Named(f.String()); !ok || got != f {
			t.Errorf("%v is not found by its name", f)
		}
	}
	for _, name := range []string{"unix-s", "unix-ms", "unix-us", "s", "ms", "us"} {
		if u, ok := times.Parse(name); !ok || u.String() != name || u.Words() == "" {
			t.Errorf("no unit %q", name)
		}
	}
}

// TestUnreadValueIsTold has a value come in an update, after every full state had
// none: nothing else would say why its figure is unknown.
func TestUnreadValueIsTold(t *testing.T) {
	t.Parallel()
	l := times.New(nil, times.Zone{})
	l.Undecided()
	fields := []times.Field{times.QueueLongest}
	if said := l.Say(fields); said != "" {
		t.Fatalf("said before anything came: %s", said)
	}
	l.Unread(times.QueueLongest)
	if said := l.Say(fields); !strings.Contains(said, "maxTimeCallOnQueue") {
		t.Errorf("said of a value that could not be read: %q", said)
	}
	looks(l, times.QueueLongest, 4, map[string][2]float64{"a": {4000, 1e3}, "b": {5000, 1e3}, "c": {9000, 1e3}})
	if said := l.Say(fields); said != "" {
		t.Errorf("said although the unit is known: %s", said)
	}
}

// TestJumpTellsNoUnit has agents come back from an hour's lunch, which a platform
// adds to their totals at its end: it is not 3.6 seconds.
func TestJumpTellsNoUnit(t *testing.T) {
	t.Parallel()
	l := times.New(nil, times.Zone{})
	for look := range 12 {
		at := noon.Add(time.Duration(look) * 4 * time.Second)
		for agent := range 6 {
			total := 600.0
			if look > agent+2 {
				total += 3600
			}
			l.Full("userStats", agent, times.Codes, total, at, at)
		}
	}
	if u := l.Unit(times.Codes); u != times.Unknown {
		t.Errorf("jumps told the unit %v", u)
	}
}

// TestUnitThatReadsNothingIsForgotten has a unit of a connection before, in which
// no number is a time any more: it is not known now, and that is said. One number
// of nonsense, or one among others, changes nothing.
func TestUnitThatReadsNothingIsForgotten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fits []bool
		want times.Unit
	}{
		"one":           {[]bool{false}, times.Seconds},
		"one of them":   {[]bool{true, false, false, false, false}, times.Seconds},
		"all of them":   {[]bool{false, false, false}, times.Unknown},
		"only at first": {[]bool{false, false, true, false, false}, times.Seconds},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := times.New(nil, times.Zone{})
			l.Recall(map[string]string{"timeInState": "s"})
			for _, fits := range c.fits {
				l.Fits(times.State, fits)
			}
			if u := l.Unit(times.State); u != c.want || l.Changed() != (c.want == times.Unknown) {
				t.Errorf("unit %q, want %q", u, c.want)
			}
		})
	}
	l := times.New(map[times.Field]times.Unit{times.State: times.Seconds}, times.Zone{})
	for range 3 {
		l.Fits(times.State, false)
	}
	if said := l.Say(times.Fields()); said != "timeInState: no number of it is a time as a length in seconds" {
		t.Errorf("said of a pin in which nothing can be read: %q", said)
	}
}
