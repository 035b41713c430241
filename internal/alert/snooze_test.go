package alert

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// snoozing returns a floor with a warning that is snoozed for a quarter of an hour.
func snoozing(t *testing.T) *floor {
	t.Helper()
	f := newFloor(t, rules(waitRule()))
	f.queue(1, 40)
	f.want(f.after(0), "wait raised warning")
	f.engine.Silencer().Snooze(NewSnooze(f.engine.Active(), "Sales", "Anna", 15*time.Minute, f.now))
	return f
}

// TestSnooze checks that a warning is silenced until the end, and reported then.
func TestSnooze(t *testing.T) {
	t.Parallel()
	f := snoozing(t)
	until := f.now.Add(15 * time.Minute)
	if a := f.engine.Active()[0]; !a.SilentUntil.Equal(until) {
		t.Errorf("it is silent until %v, want %v", a.SilentUntil, until)
	}
	if q := f.engine.Silencer().ActiveSilences(); len(q) != 1 || q[0].Title != "Sales" || q[0].By != "Anna" || !q[0].Until.Equal(until) {
		t.Errorf("silences are %+v", q)
	}
	f.want(f.after(14*time.Minute), "")
	f.queue(1, 10)
	changes := f.after(time.Second)
	f.want(changes, "wait cleared warning")
	if changes[0].Alert.SilentUntil.IsZero() {
		t.Error("the end of a silenced alert needs attention")
	}
	f.queue(1, 41)
	changes = f.after(time.Second)
	f.want(changes, "wait raised warning")
	if changes[0].Alert.SilentUntil.IsZero() {
		t.Error("a warning of a snoozed record needs attention")
	}
	f.want(f.after(time.Minute), "wait resumed warning")
	if a, q := f.engine.Active()[0], f.engine.Silencer().ActiveSilences(); !a.SilentUntil.IsZero() || len(q) != 0 {
		t.Errorf("after the end it is silent until %v, with %+v", a.SilentUntil, q)
	}
	f.want(f.after(time.Minute), "")
}

// TestWorseThanSnoozed checks that a snooze of a warning does not silence a critical
// alert.
func TestWorseThanSnoozed(t *testing.T) {
	t.Parallel()
	f := snoozing(t)
	f.queue(1, 90)
	changes := f.after(time.Second)
	f.want(changes, "wait escalated critical")
	if !changes[0].Alert.SilentUntil.IsZero() {
		t.Error("an escalation during the snooze of a warning is silent")
	}
	f.queue(1, 55)
	if f.after(time.Second); !f.engine.Active()[0].SilentUntil.IsZero() {
		t.Error("it is critical still, and silent")
	}
}

// TestSnoozeOfEverything checks that a snooze of all alerts covers critical alerts and new records.
func TestSnoozeOfEverything(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(waitRule()))
	f.queue(1, 10)
	f.after(0)
	f.engine.Silencer().Snooze(NewSnooze(nil, "", "Anna", time.Hour, f.now))
	f.queue(1, 90)
	changes := f.after(time.Second)
	f.want(changes, "wait raised critical")
	if changes[0].Alert.SilentUntil.IsZero() {
		t.Error("it is not silent")
	}
	if n := f.engine.Silencer().EndSnoozes(nil, f.now); n != 1 {
		t.Errorf("%d snoozes ended, want 1", n)
	}
	f.want(f.after(time.Second), "wait resumed critical")
}

// TestSnoozeAndTheClock checks that clock changes cannot extend a silence beyond the
// tolerance.
func TestSnoozeAndTheClock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		span := time.Duration(rapid.IntRange(-10, 2000).Draw(t, "minutes")) * time.Minute
		z := NewSnooze(nil, "", "", span, noon())
		if !z.Valid() {
			t.Fatalf("%+v is not valid", z)
		}
		at := noon().Add(time.Duration(rapid.IntRange(-100_000, 100_000).Draw(t, "seconds")) * time.Second)
		if z.inForce(at) && z.Until.Sub(at) > min(max(span, ShortestSnooze), LongestSnooze)+clockTolerance {
			t.Fatalf("at %v it lasts until %v", at, z.Until)
		}
	})
	f := snoozing(t)
	f.now = f.now.Add(-24 * time.Hour) // the clock is set back by a day
	f.want(f.after(0), "wait resumed warning")
}

// TestSilenceTimes checks when a planned silence is in force.
func TestSilenceTimes(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip("no time zones here")
	}
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, rome) }
	noonBreak := Silence{Days: []time.Weekday{time.Monday}, From: 12 * time.Hour, To: 13*time.Hour + 30*time.Minute, Zone: rome}
	night := Silence{Days: []time.Weekday{time.Sunday}, From: 22 * time.Hour, To: 6 * time.Hour, Zone: rome}
	spring := Silence{From: time.Hour, To: 4 * time.Hour, Zone: rome} // 29 March has no hour from 2 to 3
	for name, c := range map[string]struct {
		of        Silence
		at, until time.Time
	}{
		"before":               {noonBreak, at(2, 11, 59), time.Time{}},
		"from its first":       {noonBreak, at(2, 12, 0), at(2, 13, 30)},
		"in":                   {noonBreak, at(2, 13, 29), at(2, 13, 30)},
		"after":                {noonBreak, at(2, 13, 30), time.Time{}},
		"another day":          {noonBreak, at(3, 12, 30), time.Time{}},
		"the evening":          {night, at(8, 23, 0), at(9, 6, 0)},
		"the morning after":    {night, at(9, 5, 59), at(9, 6, 0)},
		"the morning before":   {night, at(8, 5, 59), time.Time{}},
		"the evening after":    {night, at(9, 23, 0), time.Time{}},
		"as seen elsewhere":    {noonBreak, at(2, 12, 30).UTC(), at(2, 13, 30)},
		"the day of 23 hours":  {spring, at(29, 1, 30), at(29, 4, 0)},
		"after the lost hour":  {spring, at(29, 3, 59), at(29, 4, 0)},
		"the end of that hour": {spring, at(29, 4, 0), time.Time{}},
	} {
		if got := c.of.EndAt(c.at); !got.Equal(c.until) {
			t.Errorf("%s: at %v it is silent until %v, want %v", name, c.at, got, c.until)
		}
	}
}

// TestPlannedSilence checks that a planned silence covers only the records and rules that it lists.
func TestPlannedSilence(t *testing.T) {
	t.Parallel()
	of := func(s Silence) bool {
		s.From, s.To, s.Zone = 11*time.Hour, 13*time.Hour, time.UTC
		o := rules(waitRule())
		o.Silences = []Silence{s}
		f := newFloor(t, o)
		f.queue(1, 90)
		f.after(0)
		return !f.engine.Active()[0].SilentUntil.IsZero()
	}
	for name, c := range map[string]struct {
		of   Silence
		want bool
	}{
		"everything":        {Silence{}, true},
		"the service":       {Silence{Codes: map[Scope][]string{Service: {"S"}}}, true},
		"another":           {Silence{Codes: map[Scope][]string{Service: {"T"}}}, false},
		"a group":           {Silence{Codes: map[Scope][]string{Group: {"S"}}}, false},
		"the rule":          {Silence{Rules: []string{"wait"}}, true},
		"another rule":      {Silence{Rules: []string{"busy"}}, false},
		"the rule of other": {Silence{Rules: []string{"wait"}, Codes: map[Scope][]string{Service: {"T"}}}, false},
	} {
		if got := of(c.of); got != c.want {
			t.Errorf("%s: silent is %v, want %v", name, got, c.want)
		}
	}
}

// TestSnoozeOutlivesTheEngine checks that a snooze continues after the configuration has changed.
func TestSnoozeOutlivesTheEngine(t *testing.T) {
	t.Parallel()
	f := snoozing(t)
	f.want(f.reconfigure(rules(waitRule())), "")
	if f.want(f.after(time.Second), ""); f.engine.Active()[0].SilentUntil.IsZero() {
		t.Error("the snooze is over")
	}
}

// TestSharedSnoozes checks snoozes of several engines; the earlier end applies.
func TestSharedSnoozes(t *testing.T) {
	t.Parallel()
	var shared, other Snoozes
	var kept []Snooze
	other.OnAdd(func(z Snooze) { kept = append(kept, z) })
	z := NewSnooze(nil, "", "Anna", time.Hour, noon())
	other.Add(z)
	shared.Merge(kept)
	if got := shared.List(); len(got) != 1 || got[0].ID != z.ID {
		t.Fatalf("other engine: %+v", got)
	}
	if n := (&Silencer{snoozes: &other}).EndSnoozes(nil, noon().Add(time.Minute)); n != 1 || len(kept) != 2 {
		t.Fatalf("%d are over, %d kept", n, len(kept))
	}
	shared.Merge(kept[1:])
	shared.Merge(kept[:1]) // an older state arrives later
	if q := shared.List(); len(q) != 1 || q[0].inForce(noon().Add(2*time.Minute)) {
		t.Errorf("snooze still in force: %+v", q)
	}
	shared.Add(Snooze{ID: "endless", From: noon(), Until: noon().Add(LongestSnooze + time.Second), Level: Critical})
	shared.Merge([]Snooze{{ID: "endless"}})
	if q := shared.List(); len(q) != 1 {
		t.Errorf("one without an end is among %+v", q)
	}
}
