package forecast_test

import (
	"math"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/model/contact"
)

// service returns the tested service.
func service() alert.Key { return alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call} }

// waited returns a snapshot with n waiting contacts.
func waited(at time.Time, n int64) *model.Snapshot {
	s := model.Service{Code: model.TextOf("S"), Channel: model.Call}
	s.ChannelStats.QueuedCalls = model.IntOf(n)
	st := model.NewStore()
	st.Services.Put(&s)
	health := model.Health{Link: model.Link{State: model.LinkUp, Since: at.Add(-time.Hour)}}
	for _, name := range []model.Op{model.OpServices, model.OpUserStats} {
		health.Subscriptions = append(health.Subscriptions, model.Subscription{
			Name: name, State: model.SubLive, Since: at.Add(-time.Hour), VerifiedAt: at, LastData: at, Records: 1,
		})
	}
	return st.Publish(at, health)
}

// bandOf returns the usual range in the hour from at, given the waiting contacts of
// earlier days, plus one more in the last minutes of each quarter of an hour.
func bandOf(t *testing.T, at time.Time, days map[int]int64) forecast.UsualBand {
	t.Helper()
	e, err := alert.New(alert.Options{Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	l := forecast.NewBaselineCollector(e, at, at.Add(time.Hour), at.Location(), nil)
	l.AddAll(func(yield func(*model.Snapshot) bool) {
		for _, then := range l.Times() {
			ago := int(at.Sub(then).Round(24*time.Hour) / (24 * time.Hour))
			n, recorded := days[ago]
			if then.Minute()%15 == 10 {
				n++
			}
			if recorded && !yield(waited(then, n)) {
				return
			}
		}
	})
	var b forecast.Baselines
	b.Merge(l)
	return b.Band("queuedCalls", service(), alert.Trend{Samples: make([]float64, 180), Step: time.Minute, End: at.Add(time.Hour - time.Minute)})
}

// TestBand checks which days are compared.
func TestBand(t *testing.T) {
	t.Parallel()
	thursday, saturday := time.Date(2026, 11, 26, 14, 0, 0, 0, time.UTC), time.Date(2026, 11, 28, 14, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		at        time.Time
		days      map[int]int64
		low, high float64
		words     string
		mostly    bool
	}{
		"nothing":              {thursday, nil, 0, 0, "", false},
		"one day is not usual": {thursday, map[int]int64{1: 4}, 0, 0, "", false},
		"two days":             {thursday, map[int]int64{1: 4, 2: 7}, 4, 8, "last 2 working days", false},
		"no weekend":           {thursday, map[int]int64{1: 4, 2: 7, 4: 90, 5: 90}, 4, 8, "last 2 working days", false},
		"many":                 {thursday, map[int]int64{1: 4, 2: 7, 3: 90, 6: 0, 7: 5}, 4, 8, "last 5 working days", true},
		"Thursdays":            {thursday, map[int]int64{1: 90, 2: 90, 7: 3, 14: 5, 21: 4}, 3, 6, "3 Thursdays", false},
		"few Thursdays":        {thursday, map[int]int64{1: 2, 7: 3, 14: 90}, 2, 4, "last 2 working days", false},
		"a Saturday":           {saturday, map[int]int64{1: 90, 2: 90, 3: 90, 7: 1}, 0, 0, "", false},
		"Saturdays":            {saturday, map[int]int64{1: 90, 2: 90, 7: 1, 14: 2}, 1, 3, "2 Saturdays", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bandOf(t, tt.at, tt.days)
			if b.Days.In(nil) != tt.words || b.Trimmed != tt.mostly {
				t.Errorf("from %q, mostly %v, want %q, %v", b.Days.In(nil), b.Trimmed, tt.words, tt.mostly)
			}
			if tt.words == "" {
				if b.Low != nil || b.High != nil {
					t.Errorf("range %v to %v, want unknown", b.Low, b.High)
				}
				return
			}
			if len(b.Low) != 180 || len(b.High) != 180 || !math.IsNaN(b.Low[119]) {
				t.Fatalf("%d and %d samples, %v before the known range", len(b.Low), len(b.High), b.Low[119])
			}
			for i := 120; i < 180; i++ {
				if b.Low[i] != tt.low || b.High[i] != tt.high {
					t.Fatalf("%v to %v at %d, want %v to %v", b.Low[i], b.High[i], i, tt.low, tt.high)
				}
			}
		})
	}
}

// TestHolidaysAreNotUsual checks that a chart is not compared with holidays, and that the chart of a holiday
// is not compared with any day.
func TestHolidaysAreNotUsual(t *testing.T) {
	t.Parallel()
	e, err := alert.New(alert.Options{Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 26, 14, 0, 0, 0, time.UTC)
	yesterday := contact.Holidays{{Month: time.November, Day: 25}}
	for _, then := range forecast.NewBaselineCollector(e, at, at.Add(15*time.Minute), time.UTC, yesterday).Times() {
		if then.Day() == 25 {
			t.Errorf("it asks for %v", then)
		}
	}
	if all := forecast.NewBaselineCollector(e, at, at.Add(15*time.Minute), time.UTC, contact.Holidays{{Year: 2026, Month: time.November, Day: 26}}).Times(); len(all) > 0 {
		t.Errorf("a holiday is compared with %v", all)
	}
}

// TestBandKeepsTheTimeOfTheDay compares the same hour of day across a clock change.
func TestBandKeepsTheTimeOfTheDay(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	e, err := alert.New(alert.Options{Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 10, 26, 9, 0, 0, 0, rome) // the Monday after
	for _, then := range forecast.NewBaselineCollector(e, at, at.Add(15*time.Minute), rome, nil).Times() {
		if h := then.In(rome).Hour(); h != 9 || then.After(at) {
			t.Errorf("9:00 is held against %v", then.In(rome))
		}
	}
}
