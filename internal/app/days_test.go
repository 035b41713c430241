package app

import (
	"iter"
	"log/slog"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// onTape records snapshots in a folder.
func onTape(t *testing.T, dir string, about record.Metadata, pictures iter.Seq2[*model.Snapshot, error]) {
	t.Helper()
	tape, err := record.NewBatchWriter(dir, about)
	if err != nil {
		t.Fatal(err)
	}
	for s, err := range pictures {
		if err != nil {
			t.Fatal(err)
		}
		if err := tape.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
}

// usualOf returns the typical longest wait and service level around an instant, derived from the days of
// a source, and the number of snapshots that were read.
func usualOf(t *testing.T, c *config.Config, of DaySource, at time.Time) (bands [2]forecast.UsualBand, pictures int) {
	t.Helper()
	e, err := NewEngine(c, c.Names())
	if err != nil {
		t.Fatal(err)
	}
	l := forecast.NewBaselineCollector(e, at.Add(-time.Hour), at.Add(time.Hour), at.Location(), nil)
	for s := range of(t.Context(), l.Times()) {
		pictures++
		l.Add(s)
	}
	var b forecast.Baselines
	b.Merge(l)
	for i, name := range []string{"queuedCalls", "serviceLevel"} {
		over := alert.Trend{Samples: make([]float64, 120), Step: time.Minute, End: at.Add(time.Hour - time.Minute)}
		bands[i] = b.Band(name, alert.Key{Scope: alert.Floor, Channel: model.Call}, over)
	}
	return bands, pictures
}

// thursday returns the options of a floor that starts on a Thursday.
func thursday() world.Options {
	clock := time.Date(2026, 11, 26, 10, 40, 0, 0, time.UTC)
	return world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 12, Start: world.OpeningTime(clock), Clock: clock}
}

// TestDaysOfRecordingTellWhatIsUsual checks the typical day derived from recorded days. Fewer than two
// days give none.
func TestDaysOfRecordingTellWhatIsUsual(t *testing.T) {
	t.Parallel()
	o := thursday()
	c := config.Default()
	c.RTD.URL, c.Record.Enabled, c.Record.Dir = "http://platform.test", true, testkit.PrivateDir(t)
	read := (&Environment{}).earlierDays(&c, slog.New(slog.DiscardHandler))
	for _, ago := range []int{3, 2, 1} { // a Monday, a Tuesday, a Wednesday
		if got, _ := usualOf(t, &c, read, o.Clock); ago > 1 && !got[0].Days.IsZero() {
			t.Errorf("with %d days not yet recorded, the typical day is from %q", ago, got[0].Days.In(nil))
		}
		noon := o.Clock.AddDate(0, 0, -ago).Add(2 * time.Hour)
		onTape(t, c.Record.Folder(), aboutRecording(&c, ""), demo.EarlierDay(o, ago, noon).Snapshots(t.Context(), noon.Add(-4*time.Hour), demo.SnapshotInterval))
	}
	got, n := usualOf(t, &c, read, o.Clock)
	for _, b := range got {
		if b.Days.In(nil) != "last 3 working days" || len(b.Low) != 120 || b.Low[0] > b.High[0] {
			t.Errorf("usual is %v", b)
		}
	}
	if n != 3*27 { // one snapshot every five minutes, for two and a quarter hours of each day
		t.Errorf("%d pictures were read", n)
	}
	other := c
	other.RTD.URL = "http://elsewhere.test"
	if got, n := usualOf(t, &other, (&Environment{}).earlierDays(&other, slog.New(slog.DiscardHandler)), o.Clock); n > 0 || !got[0].Days.IsZero() {
		t.Errorf("%d pictures are of another platform", n)
	}
}

// TestDaysOfTheDemoDiffer checks that simulated earlier days differ and continue beyond the
// time of the start.
func TestDaysOfTheDemoDiffer(t *testing.T) {
	t.Parallel()
	o := thursday()
	c := config.Default()
	got, n := usualOf(t, &c, SimulatedDays(o), o.Clock)
	if n < 5*20 {
		t.Errorf("%d pictures of five days", n)
	}
	wide := 0
	for _, b := range got {
		if b.Days.In(nil) != "last 5 working days" || !b.Trimmed || len(b.Low) != 120 {
			t.Fatalf("usual is %v", b)
		}
		for i := range b.Low {
			if b.High[i] > b.Low[i] {
				wide++
			}
		}
	}
	if wide < 120 {
		t.Errorf("the days are the same in %d of 240 minutes", 240-wide)
	}
}

// TestDemoLearnsCourses checks that the simulated earlier days suffice for a forecast at closing
// time, on working days and at the weekend.
func TestDemoLearnsCourses(t *testing.T) {
	t.Parallel()
	for _, day := range []int{0, 5, 6} {
		for _, hour := range []int{5, 13, 21} {
			clock := time.Date(2026, 11, 23+day, hour, 40, 0, 0, time.UTC)
			o := world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 12, Start: world.OpeningTime(clock), Clock: clock}
			closing := demo.ClockAt(o, demo.ClosingTime)
			if closing.Day() != clock.Day() {
				closing = time.Date(2026, 11, 24+day, 0, 0, 0, 0, time.UTC)
			}
			var log forecast.IntradayLog
			log.Restart(time.UTC)
			formula := func(string) model.ServiceLevelFormula { return model.SLAllAbandons }
			for s := range SimulatedDays(o)(t.Context(), log.MissingTimes(clock)) {
				log.Update(s, s.At, formula)
			}
			if e := log.EarlierDays(clock, closing, model.Call, []string{"SRV01", "SRV02", "SRV03"}); e.Days() < forecast.MinCurveDays {
				t.Errorf("a start at %v: %d days are known until %v", clock.Format("Mon 15:04"), e.Days(), closing)
			}
		}
	}
}
