package history_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/history"
	"wallboard/internal/simulator"
	"wallboard/model/contact"
)

// TestClock runs a client across midnight, the end of a month and clock changes.
// Incomplete answers are requested again, and no answer from the future is used.
func TestClock(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *simulatorOptions) { o.World.Start = time.Date(2026, time.April, 3, 10, 0, 0, 0, time.UTC) })
	var now time.Time
	c := p.client(t, func(o *history.Options) { o.Now = func() time.Time { return now } })
	last := time.Date(2026, time.March, 31, 23, 0, 0, 0, time.UTC)
	const asked = `valueLeft: "2026-03-31T23:00:00.000Z"`
	for _, tt := range []struct {
		name         string
		now, of      time.Time
		known        int  // number of known hours
		partial      bool // the last known hour is not over yet
		again        int  // how often the last hour of March has been requested by then
		month, never string
	}{
		{"before midnight", last.Add(30 * time.Minute), last, 24, true, 1, "month: 3,", "month: 4,"},
		{"the same minute", last.Add(30*time.Minute + time.Second), last, 24, true, 1, "", "f0"},
		{"after midnight, the new day", last.Add(70 * time.Minute), last.Add(70 * time.Minute), 1, true, 1, "month: 4,", "2026-03-31"},
		{"after midnight, the day before", last.Add(70 * time.Minute), last, 24, false, 2, "month: 3,", "month: 4,"},
		{"set back half a day", last.Add(-10 * time.Hour), last, 14, true, 2, "month: 3,", "month: 4,"},
		{"set on by two days", last.Add(49 * time.Hour), last, 24, false, 3, "month: 3,", "month: 4,"},
	} {
		before := len(p.Statistics().Requests())
		now = tt.now
		d, err := c.CompareDay(t.Context(), tt.of, contact.Inbound)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		known, partial := 0, false
		for _, h := range d.Day.Hours {
			if h.Known {
				known, partial = known+1, h.Partial
			}
		}
		if known != tt.known || partial != tt.partial {
			t.Errorf("%s: %d hours are known, the last partly %v; want %d, %v", tt.name, known, partial, tt.known, tt.partial)
		}
		texts := queries(p.Statistics().Requests())
		if n := strings.Count(strings.Join(texts, ""), asked); n != tt.again {
			t.Errorf("%s: the last hour of March was asked for %d times, want %d", tt.name, n, tt.again)
		}
		fresh := strings.Join(texts[before:], "")
		if !strings.Contains(fresh, tt.month) || strings.Contains(fresh, tt.never) {
			t.Errorf("%s: want %q and not %q in\n%.600s", tt.name, tt.month, tt.never, fresh)
		}
	}
}

func queries(requests []simulator.StatisticsRequest) []string {
	texts := make([]string, len(requests))
	for i := range requests {
		texts[i] = requests[i].Query
	}
	return texts
}

// TestBudgetOfAClockSetBack checks that a clock set back does not block the budget.
func TestBudgetOfAClockSetBack(t *testing.T) {
	t.Parallel()
	p := open(t, nil)
	now := opening()
	c := p.client(t, func(o *history.Options) { o.Batch, o.Now = 1, func() time.Time { return now } })
	for i := range 60 {
		if _, err := c.Count(t.Context(), contact.Inbound, hourOf(2026, time.March, 1+i/24, i%24)); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(-time.Hour)
	if b := c.Budget(); b.Used != 0 {
		t.Errorf("%d requests are counted that the clock has before it", b.Used)
	}
}

// TestCalledOff checks that a cancelled caller returns at once, whether it waits for
// the answer or the budget, and that others with the same query continue.
func TestCalledOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, nil)
		p.Statistics().DelayAnswers(20 * time.Second)
		c := p.client(t, func(o *history.Options) { o.Now = time.Now })
		ctx, cancel := context.WithCancel(t.Context())
		asked := make(chan error, 1)
		other := make(chan error, 1)
		go func() {
			_, err := c.Count(ctx, contact.Inbound, hour())
			asked <- err
		}()
		synctest.Wait()
		go func() {
			_, err := c.Count(t.Context(), contact.Inbound, hour())
			other <- err
		}()
		synctest.Wait()
		began := time.Now()
		cancel()
		if err := <-asked; !errors.Is(err, context.Canceled) || time.Since(began) > 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if err := <-other; err != nil {
			t.Errorf("other caller: %v", err)
		}
	})
}

// TestClocksThatChangeAtMidnight checks that a day may begin at one o'clock, and that
// no hour counts on two days.
func TestClocksThatChangeAtMidnight(t *testing.T) {
	t.Parallel()
	santiago, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Skip(err)
	}
	c := open(t, nil).client(t, func(o *history.Options) { o.Location = santiago })
	end := time.Date(2025, time.September, 6, 0, 0, 0, 0, santiago)
	for d, hours := range []int{24, 23, 24} {
		day, err := c.CompareDay(t.Context(), time.Date(2025, time.September, 6+d, 12, 0, 0, 0, santiago), contact.Inbound)
		if err != nil {
			t.Fatal(err)
		}
		if got := day.Day; len(got.Hours) != hours || got.Date.Day() != 6+d || !got.Date.Equal(end) || !got.Hours[0].Start.Equal(end) {
			t.Errorf("%s begins at %s, with %d hours, want %d from %s on", got.Date.Format(time.DateOnly), got.Date, len(got.Hours), hours, end)
		}
		end = day.Day.Hours[hours-1].Start.Add(time.Hour)
	}
}
