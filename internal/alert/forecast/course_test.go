package forecast_test

import (
	"reflect"
	"testing"
	"time"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

func localTime(day, hour, minute int) time.Time {
	return time.Date(2026, 3, day, hour, minute, 0, 0, time.Local)
}

// floorAt returns a snapshot of one service with received and missed calls.
func floorAt(now time.Time, received, missed int64, state model.SubState) *model.Snapshot {
	store := model.NewStore()
	store.Services.Put(&model.Service{
		Code: model.TextOf("S"), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			ReceivedCalls: model.IntOf(received), AnsweredCalls: model.IntOf(received), HangupCalls: model.IntOf(0),
			AnsweredCallsUnderSpeedLimit: model.IntOf(received - missed),
		},
	})
	return store.Publish(now, model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: model.OpServices, State: state}},
	})
}

// recordDays records days with 100 calls an hour from 8:00 to 18:00. One in ten is missed until
// 16:00, and every call after that.
func recordDays(l *forecast.IntradayLog, days ...int) {
	formula := func(string) model.ServiceLevelFormula { return model.SLAllAbandons }
	for _, day := range days {
		for now := localTime(day, 0, 1); now.Before(localTime(day, 23, 59)); now = now.Add(10 * time.Minute) {
			hours := min(max(now.Sub(localTime(day, 8, 1)).Truncate(30*time.Minute).Hours(), 0), 10)
			received, late := int64(100*hours), int64(100*max(hours-8, 0))
			l.Update(floorAt(now, received, (received-late)/10+late, model.SubLive), now, formula)
		}
	}
}

// TestEarlierDaysCorrectTheForecast checks that a forecast expects the bad evening that each of the
// earlier days had, within a narrow range, and that the days of a weekend tell nothing about it.
func TestEarlierDaysCorrectTheForecast(t *testing.T) {
	t.Parallel()
	var l forecast.IntradayLog
	now, closing := localTime(12, 13, 0), localTime(12, 18, 0) // a Thursday
	in := forecast.Input{
		Now: now, ClosingTime: closing, Contacts: known(500), Counted: known(500), InTime: known(450), Target: model.FloatOf(0.8),
		Recent: forecast.RecentCalls{Missed: 5, Counted: 50, Period: 30 * time.Minute},
	}
	recordDays(&l, 7, 8) // a Saturday and a Sunday
	in.Earlier = l.EarlierDays(now, closing, model.Call, []string{"S"})
	if n := in.Earlier.Days(); n != 0 {
		t.Fatalf("%d days of a weekend", n)
	}
	recordDays(&l, 9, 10, 11)
	in.Earlier = l.EarlierDays(now, closing, model.Call, []string{"S"})
	if n := in.Earlier.Days(); n != 3 {
		t.Fatalf("%d days", n)
	}
	f := forecast.Compute(in)
	// 80 of the first 800 calls are missed, and the last 200: 720 of 1000 are in time.
	if !f.LevelKnown || !near(f.Level.Likely, 0.72, 0.03) || !f.IsLevelRangeNarrow() || f.Level.High > 0.8 || f.Verdict != forecast.VerdictProbablyNot {
		t.Errorf("service level %+v, %v", f.Level, f.Verdict)
	}
	if !near(f.Contacts.Likely, 1000, 10) || f.Contacts.Low < 900 || f.Contacts.High > 1100 {
		t.Errorf("contacts %+v", f.Contacts)
	}
	if needed, ok := f.NeededShare.Get(); !ok || !near(needed, 0.7, 0.01) {
		t.Errorf("needs %v", f.NeededShare)
	}
	in.Earlier = forecast.EarlierDays{}
	if f := forecast.Compute(in); f.LevelKnown {
		t.Error("there is a forecast without days")
	}
}

// TestHolidaysTeachNothing checks that a holiday is not among the earlier days, and has none itself.
func TestHolidaysTeachNothing(t *testing.T) {
	t.Parallel()
	var l forecast.IntradayLog
	recordDays(&l, 9, 10, 11)
	days := func() int {
		earlier := l.EarlierDays(localTime(12, 13, 0), localTime(12, 18, 0), model.Call, []string{"S"})
		return earlier.Days()
	}
	for _, tt := range []struct {
		holiday int // day of the month; 0: none
		want    int
	}{{0, 3}, {10, 2}, {12, 0}, {0, 3}} {
		var holidays contact.Holidays
		if tt.holiday > 0 {
			holidays = contact.Holidays{{Month: localTime(tt.holiday, 0, 0).Month(), Day: tt.holiday}}
		}
		l.SetHolidays(holidays)
		if n := days(); n != tt.want {
			t.Errorf("holiday on the %dth: %d earlier days, want %d", tt.holiday, n, tt.want)
		}
		rest := l.RestOfDay(localTime(12, 13, 0), localTime(12, 18, 0), model.Call, []string{"S"}, model.FigureOf(1000))
		var tracker forecast.Tracker
		tracker.IntradayLog = &l
		f := tracker.Forecast(forecast.Input{Now: localTime(12, 13, 0), ClosingTime: localTime(12, 18, 0), Contacts: model.FigureOf(1000)}, model.ServiceKey{Channel: model.Call}, []string{"S"}, false)
		if isToday := tt.holiday == 12; rest.MissingReason.Equal(words.ForecastHoliday()) != isToday || f.MissingReason.Equal(words.ForecastHoliday()) != isToday {
			t.Errorf("holiday on the %dth: no forecast because %q and %q", tt.holiday, rest.MissingReason.In(nil), f.MissingReason.In(nil))
		}
	}
}

// TestCoursesOfDays checks which counters are recorded: those of the first minutes of a half hour, of
// current services, and none from before a restart of the counters.
func TestCoursesOfDays(t *testing.T) {
	t.Parallel()
	formula := func(string) model.ServiceLevelFormula { return model.SLAllAbandons }
	var l forecast.IntradayLog
	look := func(hour, minute int, received int64, state model.SubState) {
		now := localTime(12, hour, minute)
		l.Update(floorAt(now, received, 1, state), now, formula)
	}
	look(3, 0, 900, model.SubLive) // the day of the platform ends at 4:00
	look(9, 6, 10, model.SubLive)
	look(9, 30, 20, model.SubStale)
	if l.ConsumeChange() != true || l.ConsumeChange() {
		t.Error("the change at 3:00 is not reported once")
	}
	look(10, 1, 30, model.SubLive)
	look(10, 2, 31, model.SubLive)
	c := l.Days()[0].Services[model.ServiceKey{Code: "S", Channel: model.Call}]
	var want forecast.IntradayCalls
	want.Calls[20], want.Known[20] = forecast.Calls{Received: 30, Counted: 30, Missed: 1}, true
	if c.Known != want.Known || c.Calls[20] != want.Calls[20] {
		t.Errorf("recorded %+v", c)
	}
}

// TestCourseFile checks that stored days are read as they were, and that broken ones are left out.
func TestCourseFile(t *testing.T) {
	t.Parallel()
	var l, read forecast.IntradayLog
	recordDays(&l, 9, 10)
	text, err := forecast.EncodeIntradayDays(l.Days())
	if err != nil {
		t.Fatal(err)
	}
	days, err := forecast.DecodeIntradayDays(text)
	if err != nil {
		t.Fatal(err)
	}
	if read.Merge(days); !reflect.DeepEqual(read.Days(), l.Days()) {
		t.Error("the days have changed")
	}
	if _, err := forecast.DecodeIntradayDays(text[:len(text)/2]); err == nil {
		t.Error("half a file is read")
	}
	days, err = forecast.DecodeIntradayDays([]byte(`{"days":[{"date":"x","services":[{"code":"S","channel":"CALL","calls":[[99,1,1,1],[3,1,1,2]]}]}]}`))
	var broken forecast.IntradayLog
	if broken.Merge(days); err != nil || len(broken.Days()) != 0 {
		t.Errorf("a broken day is kept: %v, %v", broken.Days(), err)
	}
}

// TestVerdictsStay checks that a verdict does not change to and fro, and that the time from which
// the target is missed does not move with the clock.
func TestVerdictsStay(t *testing.T) {
	t.Parallel()
	var last forecast.LastVerdict
	now := at(12, 0)
	settle := func(verdict forecast.Verdict, likely float64, missed time.Time) forecast.Forecast {
		f := forecast.Forecast{
			LevelKnown: true, Level: forecast.Band{Likely: likely, Low: likely - 0.02, High: likely + 0.02}, Target: model.FloatOf(0.8),
			NeededShare: model.FloatOf(0.8), MaxNeededShare: model.FloatOf(0.8), Verdict: verdict, MissedFrom: missed,
		}
		last.StabilizeVerdict(&f, now)
		return f
	}
	for _, tt := range []struct {
		after   time.Duration
		verdict forecast.Verdict
		likely  float64
		want    forecast.Verdict
	}{
		{0, forecast.VerdictProbable, 0.815, forecast.VerdictProbable},
		{30 * time.Second, forecast.VerdictProbablyNot, 0.78, forecast.VerdictProbable}, // the first verdict holds for at least a minute
		{time.Minute, forecast.VerdictTooClose, 0.802, forecast.VerdictProbable},        // the target is still more likely to be met than not
		{time.Minute, forecast.VerdictTooClose, 0.798, forecast.VerdictTooClose},
		{10 * time.Minute, forecast.VerdictProbable, 0.815, forecast.VerdictTooClose}, // VerdictTooClose lasts for an hour unless an outcome is nearly certain
		{10 * time.Minute, forecast.VerdictProbable, 0.84, forecast.VerdictProbable},
	} {
		now = now.Add(tt.after)
		if f := settle(tt.verdict, tt.likely, time.Time{}); f.Verdict != tt.want {
			t.Errorf("at %v: %v, want %v", now, f.Verdict, tt.want)
		}
	}
	now = at(13, 50)
	for range 8 {
		f := settle(forecast.VerdictProbablyNot, 0.77, now.Add(5*time.Minute))
		if passed := now.After(at(13, 55)); passed != f.MissedFrom.IsZero() || !passed && !f.MissedFrom.Equal(at(13, 55)) {
			t.Errorf("at %v: missed from %v", now, f.MissedFrom)
		}
		now = now.Add(2 * time.Minute)
	}
}

// TestRestartOfCounters checks that merged days bring back nothing from before a restart of the
// counters, and that a day with a restart between two times tells nothing.
func TestRestartOfCounters(t *testing.T) {
	t.Parallel()
	k := model.ServiceKey{Code: "S", Channel: model.Call}
	day := func(calls map[int]uint32) []forecast.IntradayDay {
		c := new(forecast.IntradayCalls)
		for slot, n := range calls {
			c.Calls[slot], c.Known[slot] = forecast.Calls{Received: n, Counted: n}, true
		}
		return []forecast.IntradayDay{{Date: "2026-03-12", Services: map[model.ServiceKey]*forecast.IntradayCalls{k: c}}}
	}
	var l forecast.IntradayLog
	l.Merge(day(map[int]uint32{20: 5, 22: 30}))
	l.Merge(day(map[int]uint32{2: 900, 18: 3, 21: 20, 23: 10, 24: 40}))
	c := l.Days()[0].Services[k]
	for slot, want := range map[int]bool{2: false, 18: true, 20: true, 21: true, 22: true, 24: true} {
		if c.Known[slot] != want {
			t.Errorf("half hour %d is known: %v", slot, c.Known[slot])
		}
	}
	l.Restart(time.UTC)
	if len(l.Days()) != 0 || l.Platform() != 1 {
		t.Errorf("after a restart: %v", l.Days())
	}
}

// TestLastHalfHour checks that a forecast until midnight expects calls after 23:30, although the
// last counters of earlier days are those of 23:30.
func TestLastHalfHour(t *testing.T) {
	t.Parallel()
	var l forecast.IntradayLog
	formula := func(string) model.ServiceLevelFormula { return model.SLAllAbandons }
	for _, day := range []int{9, 10, 11} {
		for now := localTime(day, 0, 1); now.Before(localTime(day, 23, 59)); now = now.Add(10 * time.Minute) {
			n := int64(now.Hour()*60 + now.Minute()) // a call a minute
			l.Update(floorAt(now, n, n/10, model.SubLive), now, formula)
		}
	}
	now := localTime(12, 23, 40)
	in := forecast.Input{
		Now: now, ClosingTime: localTime(13, 0, 0), Contacts: known(1420), Counted: known(1420), InTime: known(1278), Target: model.FloatOf(0.8),
	}
	in.Earlier = l.EarlierDays(in.Now, in.ClosingTime, model.Call, []string{"S"})
	if f := forecast.Compute(in); !near(f.Contacts.Likely, 1440, 3) || f.Contacts.High-f.Contacts.Low < 1 || f.Verdict != forecast.VerdictCertain {
		t.Errorf("at 23:40: %+v", f)
	}
}

// TestNeeds checks that a forecast never needs 0 %: if the target is met without the expected calls, the sentence is
// about the most calls that may come.
func TestNeeds(t *testing.T) {
	t.Parallel()
	for atMost, want := range map[float64]string{0.07: "Needs 7 % from now on.", -0.2: "Met even if no call from now on is answered in time."} {
		f := forecast.Forecast{
			ContactsKnown: true, LevelKnown: true, Level: forecast.Band{Likely: 0.82, Low: 0.81, High: 0.83}, Target: model.FloatOf(0.8),
			NeededShare: model.FloatOf(-0.1), MaxNeededShare: model.FloatOf(atMost), Verdict: forecast.VerdictProbable, ClosingTime: at(18, 0),
		}
		if got := f.Lines()[1].In(nil); got != want {
			t.Errorf("at most %v: %q, want %q", atMost, got, want)
		}
	}
}

// TestFinalVerdicts checks that a final verdict is shown as soon as it is a fact, and that no time of
// a miss is shown once the target is missed.
func TestFinalVerdicts(t *testing.T) {
	t.Parallel()
	var last forecast.LastVerdict
	in := noon()
	for i, inTime := range []float64{290, 190, 290} {
		in.InTime = known(inTime)
		in.Counted, in.Contacts, in.Recent = known(300), known(330), forecast.RecentCalls{}
		in.ClosingTime = at(13, 30)
		f := forecast.Compute(in)
		last.StabilizeVerdict(&f, at(13, 0).Add(time.Duration(i)*time.Second))
		if want := []forecast.Verdict{forecast.VerdictCertain, forecast.VerdictUnreachable, forecast.VerdictCertain}[i]; f.Verdict != want {
			t.Errorf("needs %v, at most %v: %v, want %v", f.NeededShare, f.MaxNeededShare, f.Verdict, want)
		}
		if inTime < 240 && !f.MissedFrom.IsZero() {
			t.Errorf("missed already, and missed from %v", f.MissedFrom)
		}
	}
}
