package timeunit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/feeds/timeunit"
)

// noon is a time on the platform's clock.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// tells passes full states to a learner, three seconds apart, beginning with the one with the number first.
// Each record has a value at noon and a growth per second.
func tells(l *timeunit.Learner, f timeunit.Field, first, states int, records map[string][2]float64) {
	for i := first; i < first+states; i++ {
		after := time.Duration(i) * 3 * time.Second
		for name, r := range records {
			l.AddSample("userStats", name, f, r[0]+r[1]*after.Seconds(), noon.Add(after), noon.Add(after))
		}
		l.EndFullState(noon.Add(after), noon.Add(after))
	}
}

func same(raw, grows float64) map[string][2]float64 {
	return map[string][2]float64{"a": {raw, grows}, "b": {raw + 5, grows}, "c": {raw + 9, grows}}
}

func TestUnitFromTheFirstFullState(t *testing.T) {
	t.Parallel()
	unix := float64(noon.Add(-time.Hour).Unix())
	for name, c := range map[string]struct {
		field   timeunit.Field
		records map[string][2]float64
		first   timeunit.Unit // unit after one full state
		want    timeunit.Unit // unit after two full states
		known   bool
	}{
		"instants, s":                     {timeunit.FieldState, same(unix, 0), timeunit.UnixSeconds, timeunit.UnixSeconds, true},
		"instants, ms":                    {timeunit.FieldState, same(unix*1e3, 0), timeunit.UnixMillis, timeunit.UnixMillis, true},
		"instants, us":                    {timeunit.FieldState, same(unix*1e6, 0), timeunit.UnixMicros, timeunit.UnixMicros, true},
		"a single instant":                {timeunit.FieldState, map[string][2]float64{"a": {unix * 1e3, 0}}, timeunit.UnixMillis, timeunit.UnixMillis, true},
		"lengths, s":                      {timeunit.FieldState, same(10, 1), timeunit.Seconds, timeunit.Seconds, true},
		"lengths, ms":                     {timeunit.FieldState, same(310119, 1e3), timeunit.Millis, timeunit.Millis, true},
		"lengths, us":                     {timeunit.FieldState, same(310119e3, 1e6), timeunit.Micros, timeunit.Micros, true},
		"short lengths, ms":               {timeunit.FieldState, same(4000, 1e3), timeunit.Seconds, timeunit.Millis, true},
		"a length as large as a date":     {timeunit.FieldState, same(unix, 1e6), timeunit.UnixSeconds, timeunit.Micros, true},
		"no time in any unit":             {timeunit.FieldState, same(1e18, 0), timeunit.UnitUnknown, timeunit.UnitUnknown, false},
		"lengths that stand still":        {timeunit.FieldHoldTotal, same(45, 0), timeunit.Seconds, timeunit.Seconds, false},
		"one that grows among many still": {timeunit.FieldHoldTotal, map[string][2]float64{"a": {45, 0}, "b": {7, 1}, "c": {9, 0}}, timeunit.Seconds, timeunit.Seconds, true},
		"nothing":                         {timeunit.FieldHoldTotal, map[string][2]float64{"a": {0, 0}, "c": {-1, 0}}, timeunit.Seconds, timeunit.Seconds, false},
		"the longest wait in s":           {timeunit.FieldQueueLongest, same(40, 1), timeunit.Seconds, timeunit.Seconds, true},
		"the longest wait of the day":     {timeunit.FieldQueueLongest, same(2910, 0), timeunit.Seconds, timeunit.Seconds, false},
		"the longest wait in ms":          {timeunit.FieldQueueLongest, same(40000, 1e3), timeunit.Millis, timeunit.Millis, true},
		"an average in s":                 {timeunit.FieldQueueAverage, same(31, 0), timeunit.Seconds, timeunit.Seconds, false},
		"an average in ms":                {timeunit.FieldQueueAverage, same(31000, 0), timeunit.Millis, timeunit.Millis, false},
		"totals of codes in ms":           {timeunit.FieldCodes, same(400000, 2e3), timeunit.Millis, timeunit.Millis, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := timeunit.New(nil, timeunit.Zone{})
			tells(l, c.field, 0, 1, c.records)
			if u := l.Unit(c.field); u != c.first || l.IsPresumed(c.field) != (l.WasReceived(c.field) && u != timeunit.UnitUnknown) {
				t.Errorf("unit %q after one full state, want %q; presumed %v", u, c.first, l.IsPresumed(c.field))
			}
			tells(l, c.field, 1, 1, c.records)
			if u := l.Unit(c.field); u != c.want {
				t.Errorf("unit %q after two, want %q", u, c.want)
			}
			tells(l, c.field, 2, 1, c.records)
			if _, known := l.KnownUnits()[c.field.String()]; known != c.known {
				t.Errorf("known %v after three, want %v", known, c.known)
			}
		})
	}
}

// TestCaptures reads recorded full states. The unit is correct from the first
// and known from the second one. The unit of lengths may stay presumed.
func TestCaptures(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) != 7 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			c := readCapture(t, file)
			l := timeunit.New(nil, timeunit.Zone{})
			for i, s := range c.States {
				s.tell(l)
				for f, want := range map[timeunit.Field]string{
					timeunit.FieldState: c.Units["timeInState"], timeunit.FieldCodes: c.Units["timeInActivityCode.totalTime"],
					timeunit.FieldQueueLongest: c.Units["maxTimeCallOnQueue"], timeunit.FieldQueueAverage: c.Units["averageTimeOnQueue"],
				} {
					if got := l.Unit(f); l.WasReceived(f) && got != unitOf[want] {
						t.Errorf("state %d: %v is %q, want %s", i+1, f, got, want)
					}
				}
				if i > 0 && l.IsPresumed(timeunit.FieldState) {
					t.Errorf("state %d: timeInState is still presumed", i+1)
				}
			}
		})
	}
}

var unitOf = map[string]timeunit.Unit{
	"unix-ms": timeunit.UnixMillis, "milliseconds elapsed": timeunit.Millis, "seconds elapsed": timeunit.Seconds, "seconds": timeunit.Seconds,
	"seconds, the longest of the day": timeunit.Seconds, "seconds, of the day": timeunit.Seconds,
}

type capture struct {
	Units  map[string]string
	States []capturedState
}

type capturedState struct {
	At        int64
	UserStats []struct {
		Username, Channel  string
		TimeInState        float64
		TimeInActivityCode []struct{ TotalTime float64 }
	}
	ServiceStats []struct {
		Code, Channel string
		ChannelStats  struct{ MaxTimeCallOnQueue, AverageTimeOnQueue float64 }
	}
}

func readCapture(t *testing.T, file string) (c capture) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil || len(c.States) != 3 {
		t.Fatal(len(c.States), err)
	}
	return c
}

func (s *capturedState) tell(l *timeunit.Learner) {
	at := time.UnixMilli(s.At)
	for _, r := range s.ServiceStats {
		l.AddSample("serviceStats", r.Code+r.Channel, timeunit.FieldQueueLongest, r.ChannelStats.MaxTimeCallOnQueue, at, at)
		l.AddSample("serviceStats", r.Code+r.Channel, timeunit.FieldQueueAverage, r.ChannelStats.AverageTimeOnQueue, at, at)
	}
	l.EndFullState(at, at)
	for _, r := range s.UserStats {
		total := 0.0
		for _, c := range r.TimeInActivityCode {
			total += c.TotalTime
		}
		l.AddSample("userStats", r.Username+r.Channel, timeunit.FieldState, r.TimeInState, at, at)
		l.AddSample("userStats", r.Username+r.Channel, timeunit.FieldCodes, total, at, at)
	}
	l.EndFullState(at, at)
}

// TestBusyFloorTellsTheUnit: most agents change their state between two full
// states. The change of an instant by half an hour in milliseconds is not a
// growth by two seconds in microseconds.
func TestBusyFloorTellsTheUnit(t *testing.T) {
	t.Parallel()
	l := timeunit.New(nil, timeunit.Zone{})
	for look := range 5 {
		at := noon.Add(time.Duration(look) * 2 * time.Second)
		for agent := range 40 {
			since := at.Add(-time.Duration(agent) * time.Millisecond)
			if (agent+look)%4 == 0 {
				since = at.Add(-time.Duration(10+agent) * time.Minute)
			}
			l.AddSample("userStats", agent, timeunit.FieldState, float64(since.UnixMilli()), at, at)
		}
		l.EndFullState(at, at)
		if u := l.Unit(timeunit.FieldState); u != timeunit.UnixMillis {
			t.Fatalf("unit %q after %d full states", u, look+1)
		}
	}
	if l.IsPresumed(timeunit.FieldState) {
		t.Error("still presumed")
	}
}

// A pinned unit holds until it is contradicted, which is then reported.
func TestWrongPinIsNoticed(t *testing.T) {
	t.Parallel()
	l := timeunit.New(map[timeunit.Field]timeunit.Unit{timeunit.FieldState: timeunit.Seconds}, timeunit.Zone{})
	if l.Unit(timeunit.FieldState) != timeunit.Seconds || l.IsPresumed(timeunit.FieldState) {
		t.Fatal("the pin does not hold")
	}
	l.MarkRead(timeunit.FieldState)
	tells(l, timeunit.FieldState, 0, 4, map[string][2]float64{"a": {4000, 1e3}})
	if l.Unit(timeunit.FieldState) != timeunit.Millis || !l.ConsumeChange() || !l.HasStaleValues([]timeunit.Field{timeunit.FieldState}) {
		t.Errorf("unit %q", l.Unit(timeunit.FieldState))
	}
	if said := l.Describe(timeunit.Fields()); !strings.Contains(said, `timeInState is pinned to "s"`) {
		t.Errorf("message: %q", said)
	}
}

// Found units are checked again on every connection.
func TestUnitIsFoundAnew(t *testing.T) {
	t.Parallel()
	l := timeunit.New(nil, timeunit.Zone{})
	tells(l, timeunit.FieldState, 0, 9, map[string][2]float64{"a": {40, 1}, "b": {50, 1}})
	l.ResetEvidence()
	if l.Unit(timeunit.FieldState) != timeunit.Seconds || l.IsPresumed(timeunit.FieldState) {
		t.Fatal("forgotten")
	}
	tells(l, timeunit.FieldState, 0, 2, map[string][2]float64{"a": {40, 1e3}, "b": {50, 1e3}})
	if u := l.Unit(timeunit.FieldState); u != timeunit.Millis {
		t.Errorf("unit %q, want ms", u)
	}
	recalled := timeunit.New(nil, timeunit.Zone{})
	recalled.LoadUnits(map[string]string{"timeInState": "unix-s"})
	if recalled.Unit(timeunit.FieldState) != timeunit.UnixSeconds {
		t.Error("not recalled")
	}
	tells(recalled, timeunit.FieldState, 0, 1, same(310119, 1e3))
	if u := recalled.Unit(timeunit.FieldState); u != timeunit.Millis {
		t.Errorf("unit %q in which no number is plausible", u)
	}
}

// TestSharedUnit: evidence about one length counts for the others, unless they
// have contrary evidence.
func TestSharedUnit(t *testing.T) {
	t.Parallel()
	l := timeunit.New(nil, timeunit.Zone{})
	is := func(f timeunit.Field, want timeunit.Unit, when string) {
		t.Helper()
		if u := l.Unit(f); u != want {
			t.Errorf("%v is %v %s, want %v", f, u.Description(), when, want.Description())
		}
	}
	is(timeunit.FieldQueueLongest, timeunit.Seconds, "at first")
	l.MarkRead(timeunit.FieldQueueLongest)
	tells(l, timeunit.FieldCodes, 0, 2, map[string][2]float64{"a": {400000, 1e3}})
	for _, f := range []timeunit.Field{timeunit.FieldQueueLongest, timeunit.FieldQueueAverage, timeunit.FieldHoldTotal} {
		is(f, timeunit.Millis, "where another one is in milliseconds")
	}
	if !l.ConsumeChange() || !l.HasStaleValues([]timeunit.Field{timeunit.FieldQueueLongest}) || l.HasStaleValues([]timeunit.Field{timeunit.FieldCodes}) {
		t.Error("values read in seconds are not stale, or unread ones are")
	}
	tells(l, timeunit.FieldQueueLongest, 0, 3, same(40, 1))
	is(timeunit.FieldQueueAverage, timeunit.Seconds, "as the longest wait is")
	is(timeunit.FieldCodes, timeunit.Millis, "as it was found")
}

func TestChangesTellTheZone(t *testing.T) {
	t.Parallel()
	l := timeunit.New(nil, timeunit.Zone{})
	for i := range 2 {
		if l.Zone().Known {
			t.Fatalf("known after %d changes", i)
		}
		now := noon.Add(time.Duration(i) * time.Minute)
		l.LearnZone(now.Add(5*time.Hour+30*time.Minute-2*time.Second).UnixMilli(), now)
		if z := l.Zone(); !z.Presumed || z.Minutes != 330 {
			t.Errorf("zone %+v after a change, want 330 minutes", z)
		}
	}
	if z := l.Zone(); !z.Known || z.Minutes != 330 {
		t.Errorf("zone %+v, want 330 minutes", z)
	}
}

// TestZoneFromTheFirstFullState uses texts without a zone, of agents who have
// been in their state for some minutes.
func TestZoneFromTheFirstFullState(t *testing.T) {
	t.Parallel()
	for _, minutes := range []int{0, 60, 120, 330, -300, 540, -180} {
		l := timeunit.New(nil, timeunit.Zone{})
		var z timeunit.Zone
		for _, ago := range []int{3, 70, 400, 900, 2000, 7200} {
			l.AddLocalSample(noon.Add(time.Duration(minutes)*time.Minute - time.Duration(ago)*time.Second).UnixMilli())
		}
		l.EndFullState(noon, noon)
		if z = l.Zone(); !z.Presumed || z.Known || z.Minutes != minutes {
			t.Errorf("zone %+v, want %d minutes", z, minutes)
		}
		if said := l.Describe([]timeunit.Field{timeunit.FieldState}); !strings.Contains(said, "its zone is presumed to be "+z.Offset()) {
			t.Errorf("message %q", said)
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		kind timeunit.TextKind
		ms   int64
	}{
		"": {timeunit.NoTime, 0}, "  ": {timeunit.NoTime, 0}, "yesterday": {timeunit.UnreadableText, 0},
		"2026-11-21T10:00:00+01:00": {timeunit.InstantText, 1795251600000}, "2026-11-21T09:00:00.5Z": {timeunit.InstantText, 1795251600500},
		"2026-11-21T10:00:00+0100": {timeunit.InstantText, 1795251600000}, "2026-11-21 09:00:00": {timeunit.LocalText, 1795251600000},
		"Sat, 21 Nov 2026 09:00:00 +0000": {timeunit.InstantText, 1795251600000}, "2026-11-21": {timeunit.UnreadableText, 0},
		"0:10:19": {timeunit.DurationText, 619000}, "100:00:00.5": {timeunit.DurationText, 360000500}, "10:19": {timeunit.UnreadableText, 0}, "0:61:00": {timeunit.UnreadableText, 0},
		"PT10S": {timeunit.DurationText, 10000}, "PT1H2M3.5S": {timeunit.DurationText, 3723500}, "P1DT1S": {timeunit.DurationText, 86401000},
		"P": {timeunit.UnreadableText, 0}, "PT": {timeunit.UnreadableText, 0}, "P1Y": {timeunit.UnreadableText, 0}, "PT5": {timeunit.UnreadableText, 0},
	} {
		if kind, ms := timeunit.ParseText([]byte(text)); kind != want.kind || ms != want.ms {
			t.Errorf("%q: kind %d, %d ms, want %d, %d", text, kind, ms, want.kind, want.ms)
		}
	}
}

// FuzzRead: reading arbitrary text ends quickly, whatever its length.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"PT1H", "0:10:19", "2026-11-21T09:00:00Z", strings.Repeat("1:", 1<<16), "P" + strings.Repeat("T1", 1<<16)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		began := time.Now()
		timeunit.ParseText(b)
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%d bytes took %v", len(b), took)
		}
	})
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, f := range timeunit.Fields() {
		if got, ok := timeunit.FieldNamed(f.String()); !ok || got != f {
			t.Errorf("%v cannot be found by its name", f)
		}
	}
	for _, name := range []string{"unix-s", "unix-ms", "unix-us", "s", "ms", "us"} {
		if u, ok := timeunit.UnitNamed(name); !ok || u.String() != name || u.Description() == "" {
			t.Errorf("no unit %q", name)
		}
	}
}

// TestPresumedIsSaid: a presumed unit is reported, a known one is not.
func TestPresumedIsSaid(t *testing.T) {
	t.Parallel()
	l := timeunit.New(nil, timeunit.Zone{})
	fields := []timeunit.Field{timeunit.FieldQueueLongest}
	if said := l.Describe(fields); said != "" {
		t.Fatalf("message before any value: %s", said)
	}
	tells(l, timeunit.FieldQueueLongest, 0, 1, same(40000, 1e3))
	if said := l.Describe(fields); said != "maxTimeCallOnQueue: presumed to be a length in milliseconds" {
		t.Errorf("message %q", said)
	}
	tells(l, timeunit.FieldQueueLongest, 1, 1, same(40000, 1e3))
	if said := l.Describe(fields); said != "" {
		t.Errorf("message although the unit is known: %s", said)
	}
}

// TestJumpTellsNoUnit: agents return from a lunch of an hour, which the platform adds to their totals only at
// the end of the lunch. The growth by 3600 must not count as 3.6 seconds in milliseconds.
func TestJumpTellsNoUnit(t *testing.T) {
	t.Parallel()
	l := timeunit.New(nil, timeunit.Zone{})
	for look := range 12 {
		at := noon.Add(time.Duration(look) * 4 * time.Second)
		for agent := range 6 {
			total := 600.0
			if look > agent+2 {
				total += 3600
			}
			l.AddSample("userStats", agent, timeunit.FieldCodes, total, at, at)
		}
		l.EndFullState(at, at)
		if u := l.Unit(timeunit.FieldCodes); u != timeunit.Seconds {
			t.Fatalf("jumps led to the unit %v", u)
		}
	}
}

// TestWaitAfterAnEmptyQueue checks the unit of a longest wait that begins from 0: one
// sample per second.
func TestWaitAfterAnEmptyQueue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		waits []float64 // one for each sample, from the first sample on
		want  timeunit.Unit
	}{
		"in s":                           {[]float64{0, 0, 1, 2, 3, 1, 2}, timeunit.Seconds},
		"whole seconds in ms":            {[]float64{0, 0, 1000, 2000, 1000, 2000, 3000}, timeunit.Millis},
		"ms":                             {[]float64{0, 0, 640, 1655, 2640, 3651, 120, 1131}, timeunit.Millis},
		"the longest of the day, in s":   {[]float64{0, 0, 45, 45, 45, 310, 310, 310}, timeunit.Seconds},
		"the first caller of the day, s": {[]float64{0, 0, 300, 300, 300}, timeunit.Seconds},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := timeunit.New(nil, timeunit.Zone{})
			other := timeunit.Seconds + timeunit.Millis - c.want
			for i, raw := range c.waits {
				at := noon.Add(time.Duration(i) * time.Second)
				l.MarkRead(timeunit.FieldQueueLongest)
				l.AddSample("serviceStats", "S", timeunit.FieldQueueLongest, raw, at, at)
				l.EndFullState(at, at)
				if l.Unit(timeunit.FieldQueueLongest) == other && !l.IsPresumed(timeunit.FieldQueueLongest) {
					t.Errorf("%v after %v is known to be in %v", raw, c.waits[:i], other)
				}
			}
			if got := l.Unit(timeunit.FieldQueueLongest); got != c.want {
				t.Errorf("%v: %v, want %v", c.waits, got, c.want)
			}
		})
	}
}
