package forecast_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

func at(hour, minute int) time.Time { return time.Date(2026, 3, 2, hour, minute, 0, 0, time.UTC) }

// flat returns days of 60 contacts per hour from 8 to 18 that differ by a tenth.
func flat() contact.Baseline {
	u := contact.Baseline{Weekday: time.Monday}
	for hour := range u.Hours {
		u.Hours[hour].Days = 4
		if hour >= 8 && hour < 18 {
			u.Hours[hour] = contact.TypicalRange{Median: 60, Low: 57, High: 63, Days: 4}
		}
	}
	return u
}

func known(x float64) model.Figure { return model.FigureOf(x) }

// noon returns the input at half of a day, with 90 % of 300 calls answered in time.
func noon() forecast.Input {
	return forecast.Input{
		Now: at(13, 0), ClosingTime: at(18, 0), Curve: forecast.CurveOf(flat(), time.UTC), Contacts: known(330),
		InTime: known(270), Counted: known(300), Target: model.FloatOf(0.8),
		Recent: forecast.RecentCalls{Missed: 3, Counted: 30, Period: 30 * time.Minute},
	}
}

func near(a, b, by float64) bool { return math.Abs(a-b) <= by }

func TestContactsByClosingTime(t *testing.T) {
	t.Parallel()
	f := forecast.Compute(noon())
	if !f.ContactsKnown || !near(f.Contacts.Likely, 660, 0.5) || f.Contacts.Low < 500 || f.Contacts.Low > 640 || f.Contacts.High < 680 || f.Contacts.High > 820 {
		t.Errorf("contacts by closing time are %+v", f.Contacts)
	}
	if !f.LevelKnown || !near(f.Level.Likely, 0.9, 0.001) || f.Level.Low >= f.Level.Likely || f.Level.High <= f.Level.Likely {
		t.Errorf("the level is %+v", f.Level)
	}
	if !f.MissedFrom.IsZero() || !f.ReachedFrom.IsZero() || !f.MissingReason.IsZero() {
		t.Errorf("it is missed at %v, met at %v; %q", f.MissedFrom, f.ReachedFrom, f.MissingReason.In(nil))
	}
	if want := "330 so far, 50 % of the day according to the typical curve of Mondays (4 days)"; f.Basis.In(nil) != want {
		t.Errorf("the basis is %q, want %q", f.Basis.In(nil), want)
	}
}

// TestLastHoursDiffer checks that the service level of the last tenth of a day may
// deviate more than that of half a day.
func TestLastHoursDiffer(t *testing.T) {
	t.Parallel()
	apart := func(now time.Time, contacts float64) float64 { // deviation of the rate of the remaining contacts
		in := noon()
		in.Now, in.Contacts, in.Counted, in.InTime = now, known(contacts), known(contacts), known(0.9*contacts)
		in.Recent = forecast.RecentCalls{Missed: 20, Counted: 200, Period: 30 * time.Minute}
		f := forecast.Compute(in)
		return (f.Level.Likely - f.Level.Low) * f.Contacts.Likely / (f.Contacts.Likely - contacts)
	}
	half, tenth := apart(at(13, 0), 3300), apart(at(17, 0), 5940)
	if half < 0.10 || half > 0.25 || tenth < 1.5*half {
		t.Errorf("the rate of half of a day differs by %.2f, of the last tenth by %.2f", half, tenth)
	}
}

// TestClosingTimes checks time zones of closing times, and midnight.
func TestClosingTimes(t *testing.T) {
	t.Parallel()
	in := noon()
	for _, c := range []struct {
		close time.Time
		want  float64
	}{{at(18, 0), 660}, {at(17, 30), 627}, {at(24, 0), 660}, {at(14, 0), 396}} {
		in.ClosingTime = c.close
		if f := forecast.Compute(in); !near(f.Contacts.Likely, c.want, 0.5) {
			t.Errorf("by %v there are %+v, want %v", c.close, f.Contacts, c.want)
		}
	}
}

// TestMissedFrom checks when the target is missed and met again.
func TestMissedFrom(t *testing.T) {
	t.Parallel()
	in := noon()
	in.InTime, in.Recent = known(246), forecast.RecentCalls{Missed: 40, Counted: 60, Period: 30 * time.Minute}
	f := forecast.Compute(in)
	if f.MissedFrom.Before(at(13, 5)) || f.MissedFrom.After(at(14, 0)) || f.Level.Likely >= 0.8 || !f.ReachedFrom.IsZero() {
		t.Errorf("82 %% with two misses of three: missed from %v, level %+v", f.MissedFrom, f.Level)
	}
	in.InTime, in.Recent = known(237), forecast.RecentCalls{Missed: 0, Counted: 60, Period: 30 * time.Minute}
	if f = forecast.Compute(in); f.ReachedFrom.Before(at(13, 5)) || f.ReachedFrom.After(at(15, 0)) || !f.MissedFrom.IsZero() {
		t.Errorf("79 %% without a miss: met from %v, level %+v", f.ReachedFrom, f.Level)
	}
	in.Target = model.Float{}
	if f = forecast.Compute(in); !f.ReachedFrom.IsZero() || !f.LevelKnown {
		t.Errorf("without a target: %+v", f)
	}
}

// TestTooLittle checks the reasons for no forecast.
func TestTooLittle(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*forecast.Input){
		"contacts so far is unknown": func(in *forecast.Input) { in.Contacts = model.Figure{} },
		"no earlier days":            func(in *forecast.Input) { in.Curve = nil },
		"no earlier days to":         func(in *forecast.Input) { in.Curve = forecast.CurveOf(contact.Baseline{}, time.UTC) },
		"Too few contacts":           func(in *forecast.Input) { in.Contacts = known(19) },
		"Too early":                  func(in *forecast.Input) { in.Now = at(8, 30) },
		"The day is over":            func(in *forecast.Input) { in.Now = at(18, 0) },
		"current service level":      func(in *forecast.Input) { in.Counted = model.Figure{} },
		"Too few calls for":          func(in *forecast.Input) { in.Counted, in.InTime = known(5), known(5) },
	} {
		in := noon()
		change(&in)
		f := forecast.Compute(in)
		if !strings.Contains(f.MissingReason.In(nil), want) || f.LevelKnown || f.Level != (forecast.Band{}) || !f.ContactsKnown && f.Contacts != (forecast.Band{}) {
			t.Errorf("%s: %+v", want, f)
		}
	}
	one := flat()
	for hour := range one.Hours {
		one.Hours[hour].Days = 1
	}
	in := noon()
	if in.Curve = forecast.CurveOf(one, time.UTC); forecast.Compute(in).ContactsKnown {
		t.Error("one day is no history")
	}
}

// TestForecastsAreInOrder checks the order of ranges for random inputs.
func TestForecastsAreInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var u contact.Baseline
		for hour := range u.Hours {
			low := rapid.Float64Range(0, 1000).Draw(t, "low")
			u.Hours[hour] = contact.TypicalRange{Low: low, Median: low + rapid.Float64Range(0, 100).Draw(t, "m"), High: low + 100, Days: rapid.IntRange(0, 5).Draw(t, "days")}
		}
		counted := rapid.Float64Range(0, 5000).Draw(t, "counted")
		in := forecast.Input{
			Now:         at(rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute")),
			ClosingTime: at(rapid.IntRange(0, 24).Draw(t, "close"), 0), Curve: forecast.CurveOf(u, time.UTC),
			Contacts: known(rapid.Float64Range(0, 10000).Draw(t, "contacts")), Counted: known(counted),
			InTime: known(counted * rapid.Float64Range(0, 1).Draw(t, "share")), Target: model.FloatOf(rapid.Float64Range(0, 1).Draw(t, "target")),
			Recent: forecast.RecentCalls{Missed: rapid.Float64Range(0, 50).Draw(t, "missed"), Counted: 50, Period: time.Minute},
		}
		f := forecast.Compute(in)
		n, _ := in.Contacts.Get()
		switch {
		case f.ContactsKnown && !(n <= f.Contacts.Low && f.Contacts.Low <= f.Contacts.Likely && f.Contacts.Likely <= f.Contacts.High):
			t.Fatalf("contacts %+v with %v so far", f.Contacts, n)
		case f.LevelKnown && !(0 <= f.Level.Low && f.Level.Low <= f.Level.Likely+1e-9 && f.Level.Likely <= f.Level.High+1e-9 && f.Level.High <= 1):
			t.Fatalf("level %+v", f.Level)
		case !f.LevelKnown && f.MissingReason.IsZero(), !f.MissedFrom.IsZero() && !f.ReachedFrom.IsZero():
			t.Fatalf("%+v", f)
		case !f.MissedFrom.IsZero() && (f.MissedFrom.Before(in.Now.Add(-5*time.Minute)) || f.MissedFrom.After(in.ClosingTime)):
			t.Fatalf("missed from %v", f.MissedFrom)
		}
	})
}

// TestFourOfFiveDays checks that 80 % of randomly drawn days end within the range.
func TestFourOfFiveDays(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	poisson := func(mean float64) float64 {
		n, limit, p := 0.0, math.Exp(-mean), chance.Float64()
		for ; p > limit; n++ {
			p *= chance.Float64()
		}
		return n
	}
	in, days, off := 0, 400, 0.0
	for range days {
		busy := 1 + 0.1*chance.NormFloat64()
		sofar, rest := 0.0, 0.0
		for hour := 8; hour < 18; hour++ {
			if n := poisson(60 * busy); hour < 13 {
				sofar += n
			} else {
				rest += n
			}
		}
		input := noon()
		input.Contacts = known(sofar)
		f := forecast.Compute(input)
		if total := sofar + rest; f.Contacts.Low <= total && total <= f.Contacts.High {
			in++
		}
		off += math.Abs(f.Contacts.Likely-sofar-rest) / (sofar + rest)
	}
	if share := float64(in) / float64(days); share < 0.75 || share > 0.99 {
		t.Errorf("%.0f %% of the days are within the band", 100*share)
	}
	if off /= float64(days); off > 0.05 {
		t.Errorf("the likely number is %.1f %% off on average", 100*off)
	}
}

// TestLines checks the sentences of forecasts.
func TestLines(t *testing.T) {
	t.Parallel()
	in := noon()
	in.Contacts, in.InTime, in.Counted = known(3300), known(2460), known(3000)
	in.Recent = forecast.RecentCalls{Missed: 100, Counted: 150, Period: 30 * time.Minute}
	f := forecast.Compute(in)
	got := strings.Join(words.AllIn(f.Lines(), nil), "\n")
	for _, want := range []string{"Contacts by 18:00: about 6600 (", "Service level by 18:00: too early to say, because the range", "Based on 3300 so far, 50 % of the day according to the typical curve of Mondays (4 days). "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	in.Curve = nil
	f = forecast.Compute(in)
	if got := strings.Join(words.AllIn(f.Lines(), nil), "\n"); got != "No forecast. There are no earlier days to compare with yet." {
		t.Errorf("without history: %s", got)
	}
}

// TestVerdictLines checks the sentences about the target.
func TestVerdictLines(t *testing.T) {
	t.Parallel()
	level := func(likely float64) forecast.Band {
		return forecast.Band{Likely: likely, Low: likely - 0.02, High: likely + 0.02}
	}
	for _, tt := range []struct {
		verdict forecast.Verdict
		level   float64
		needed  float64
		want    string
	}{
		{forecast.VerdictProbable, 0.81, 0.787, "Target 80 %: probably yes, 81 % by 18:00 (79 to 83).\nNeeds 79 % from now on; the last half hour had 91 %."},
		{forecast.VerdictTooClose, 0.803, 0.8, "Target 80 %: too close to call, 80.3 % by 18:00 (78.3 to 82.3).\nNeeds 80 % from now on; the last half hour had 91 %."},
		{forecast.VerdictUnreachable, 0.7, 1.02, "Target 80 %: no, 70 % by 18:00 (68 to 72).\nOut of reach, even if every call from now on is answered in time."},
		{forecast.VerdictCertain, 0.95, -0.1, "Target 80 %: yes, 95 % by 18:00 (93 to 97).\nMet even if no call from now on is answered in time."},
	} {
		f := forecast.Forecast{
			ClosingTime: at(18, 0), ContactsKnown: true, LevelKnown: true, Level: level(tt.level), Target: model.FloatOf(0.8),
			NeededShare: model.FloatOf(tt.needed), Verdict: tt.verdict, RecentLevel: model.FloatOf(0.91),
		}
		if got := strings.Join(words.AllIn(f.Lines()[:2], nil), "\n"); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestNoLevelWithoutAgents checks that the service level of a service without agents is not forecast, but its
// contacts are, and that the last verdict holds when an agent comes back.
func TestNoLevelWithoutAgents(t *testing.T) {
	t.Parallel()
	in := noon()
	var tr forecast.Tracker
	k := model.ServiceKey{Code: "A", Channel: model.Call}
	before := tr.Forecast(in, k, []string{"A"}, true)
	in.Unstaffed = true
	without := tr.Forecast(in, k, []string{"A"}, true)
	if without.LevelKnown || without.Verdict != forecast.VerdictNone || without.IsMissed() || !without.ContactsKnown {
		t.Errorf("without agents: %+v", without)
	}
	if text := strings.Join(words.AllIn(without.Lines(), nil), " "); !strings.Contains(text, "no agent for this service is logged in") || strings.Contains(text, "probably") {
		t.Error(text)
	}
	in.Unstaffed = false
	if after := tr.Forecast(in, k, []string{"A"}, true); after.Verdict != before.Verdict || before.Verdict == forecast.VerdictNone {
		t.Errorf("%v after an interruption, %v before", after.Verdict, before.Verdict)
	}
}
