package world

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wednesday is the opening of the worlds in these tests.
func wednesday() time.Time { return time.Date(2026, time.March, 18, 10, 30, 0, 0, time.UTC) }

func pastOf(seed int64) *Archive {
	return New(Options{Seed: seed, Start: wednesday()}).FinishedContacts().Archive()
}

// inDay returns the number of inbound calls on a day relative to the opening day.
func (a *Archive) inDay(n int) int {
	from := time.Date(2026, time.March, 18+n, 0, 0, 0, 0, time.UTC)
	return a.Count(KindInbound, from, from.AddDate(0, 0, 1))
}

func TestArchiveIsDeterministic(t *testing.T) {
	t.Parallel()
	a, b, other := pastOf(1), pastOf(1), pastOf(2)
	from := wednesday().AddDate(0, 0, -20)
	for kind := range ContactKind(numContactKinds) {
		_ = b.Contacts(kind, from.AddDate(0, 0, -1), from) // the order of requests must not matter
		calls := a.Contacts(kind, from, from.Add(3*time.Hour))
		if diff := cmp.Diff(calls, b.Contacts(kind, from, from.Add(3*time.Hour))); diff != "" {
			t.Errorf("kind %d (-one +again):\n%.500s", kind, diff)
		}
		if n := a.Count(kind, from, from.Add(3*time.Hour)); n != len(calls) {
			t.Errorf("kind %d: %d counted, %d there", kind, n, len(calls))
		}
	}
	if a.inDay(-7) == other.inDay(-7) && a.inDay(-6) == other.inDay(-6) {
		t.Error("another seed has the same past")
	}
}

// TestDemonstrationIsTheSame opens demonstrations at different minutes of a day. A seed must tell the
// same story, with a morning that agrees with the mornings of other weeks.
func TestDemonstrationIsTheSame(t *testing.T) {
	t.Parallel()
	stories := make(map[time.Duration][]int) // by the time that has passed since the day began
	for _, at := range []time.Duration{3 * time.Hour, 8*time.Hour + 31*time.Minute, 10*time.Hour + 59*time.Minute, 13*time.Hour + 54*time.Minute, 14*time.Hour + 21*time.Minute, 16 * time.Hour, 23 * time.Hour} {
		now := wednesday().Truncate(day).Add(at)
		w := New(Options{Seed: 1, Start: OpeningTime(now), Clock: now})
		begun := w.opening - historyBegin
		if begins := at - begun; at > 8*time.Hour && at <= 17*time.Hour && (begins < 5*time.Hour || begins > 9*time.Hour) {
			t.Errorf("at %v the day has begun at %v", at, begins)
		}
		today := 0
		for _, r := range w.State().Services {
			if r.Channel == Call {
				today += int(r.Calls.ReceivedCalls)
			}
		}
		story, usual := []int{today}, 0
		for _, ago := range []int{7, 21, 28, 35} {
			n := w.FinishedContacts().Archive().Count(KindInbound, now.Add(-begun).AddDate(0, 0, -ago), now.AddDate(0, 0, -ago))
			story, usual = append(story, n), usual+n/4
		}
		if busy := 100 * today / usual; busy < 90 || busy > 110 {
			t.Errorf("at %v: %d calls today, usually %d", at, today, usual)
		}
		if at < 8*time.Hour || at > 17*time.Hour { // at night, the midnights of the demonstration fall into the traffic of a day
			continue
		}
		if first := stories[begun]; first != nil && !cmp.Equal(first, story) {
			t.Errorf("at %v the story is %v, at another minute %v", at, story, first)
		}
		stories[begun] = story
	}
	if len(stories) != 2 {
		t.Errorf("%d stories, want one for mornings and one for afternoons", len(stories))
	}
}

// TestFrequentCallers checks that about half of today's calls come from the 48 customers of the
// address book, so that a day by organization says something.
func TestFrequentCallers(t *testing.T) {
	t.Parallel()
	known := 0
	w := New(Options{Seed: 1, Start: wednesday()})
	calls := w.FinishedContacts().Ended(KindInbound, wednesday().Add(-day), wednesday())
	for _, c := range calls {
		if c.Customer < 48 {
			known++
		}
	}
	if share := 100 * known / len(calls); share < 40 || share > 60 {
		t.Errorf("%d %% of %d calls come from the address book", share, len(calls))
	}
}

func TestArchiveDaysAndWeeks(t *testing.T) {
	t.Parallel()
	for seed := range int64(4) {
		a := pastOf(seed)
		mean := func(weekday time.Weekday) float64 {
			sum, days := 0, 0
			for n := -70; n < 0; n++ {
				if wednesday().AddDate(0, 0, n).Weekday() == weekday && n != busyDayOffset && !isHoliday(n) {
					sum, days = sum+a.inDay(n), days+1
				}
			}
			return float64(sum) / float64(days)
		}
		monday, wed, saturday, sunday := mean(time.Monday), mean(time.Wednesday), mean(time.Saturday), mean(time.Sunday)
		if monday <= wed || saturday > 0.7*wed || sunday > 0.8*saturday || sunday == 0 {
			t.Errorf("seed %d: Monday %.0f, Wednesday %.0f, Saturday %.0f, Sunday %.0f", seed, monday, wed, saturday, sunday)
		}
		from := wednesday().AddDate(0, 0, -7).Truncate(24 * time.Hour)
		night := a.Count(KindInbound, from.Add(2*time.Hour), from.Add(4*time.Hour))
		day := a.Count(KindInbound, from.Add(10*time.Hour), from.Add(12*time.Hour))
		if day < 20*night || day == 0 {
			t.Errorf("seed %d: %d calls at night, %d by day", seed, night, day)
		}
		if bad := float64(a.inDay(busyDayOffset)); bad < 1.5*wed {
			t.Errorf("seed %d: %.0f calls on the bad day, %.0f on others", seed, bad, wed)
		}
		for n := -70; n < 0; n++ {
			if weekday := wednesday().AddDate(0, 0, n).Weekday(); isHoliday(n) && float64(a.inDay(n)) > 0.2*mean(weekday) {
				t.Errorf("seed %d: %d calls on a holiday", seed, a.inDay(n))
			}
		}
		if n := a.inDay(-archiveDays-2) + a.Count(KindInbound, wednesday(), wednesday().AddDate(0, 0, 1)); n != 0 {
			t.Errorf("seed %d: %d calls before the past and after it", seed, n)
		}
	}
}

// TestArchiveWeekdays opens worlds on an evening of each day of the week,
// as demonstrations do. The busy and quiet days must match the viewer's calendar.
func TestArchiveWeekdays(t *testing.T) {
	t.Parallel()
	for n := range 7 {
		now := time.Date(2026, time.March, 15+n, 22, 47, 0, 0, time.UTC)
		a := New(Options{Start: OpeningTime(now), Clock: now}).finished.archive
		var of [7]int
		for back := 1; back <= 28; back++ {
			if back == -busyDayOffset {
				continue
			}
			from := time.Date(2026, time.March, 15+n-back, 0, 0, 0, 0, time.UTC)
			of[from.Weekday()] += a.Count(KindInbound, from, from.AddDate(0, 0, 1))
		}
		of[now.AddDate(0, 0, busyDayOffset).Weekday()] = of[now.AddDate(0, 0, busyDayOffset).Weekday()] * 4 / 3
		for d, contacts := range of {
			if d != int(time.Monday) && contacts >= of[time.Monday] || d != int(time.Sunday) && contacts <= of[time.Sunday] {
				t.Errorf("opened on a %v: Monday %d, %v %d, Sunday %d", now.Weekday(), of[time.Monday], time.Weekday(d), contacts, of[time.Sunday])
			}
		}
	}
}

// BenchmarkArchive measures the cost of the archive at the start of a world.
func BenchmarkArchive(b *testing.B) {
	w := New(Options{Start: wednesday()})
	for b.Loop() {
		w.finished.newArchive()
	}
}
