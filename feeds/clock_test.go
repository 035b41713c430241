package feeds

import (
	"net/http"
	"testing"
	"time"
)

func TestClockIsTheMedianOfItsReadings(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, c := range map[string]struct {
		readings []time.Duration
		want     time.Duration
	}{
		"no reading":             {nil, 0},
		"within the tolerance":   {[]time.Duration{s, -s, 2 * s}, 0},
		"skewed":                 {[]time.Duration{-90 * s}, -90 * s},
		"one that is off":        {[]time.Duration{60 * s, 60 * s, 5000 * s, 61 * s}, 60 * s},
		"off at first":           {[]time.Duration{5000 * s, 60 * s, 60 * s}, 60 * s},
		"small changes are none": {[]time.Duration{60 * s, 61 * s, 59 * s, 62 * s}, 60 * s},
		"set":                    {[]time.Duration{60 * s, 60 * s, 60 * s, 60 * s, 60 * s, 0, 0}, 0},
		"drifting":               {[]time.Duration{0, s, 2 * s, 3 * s, 4 * s, 5 * s, 6 * s}, 3 * s},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var k clockOffset
			changes := 0
			for _, r := range c.readings {
				if k.addReading(r) {
					changes++
				}
			}
			if k.offset != c.want {
				t.Errorf("offset %v after %v, want %v", k.offset, c.readings, c.want)
			}
			if c.want == 0 && name != "set" && changes > 0 {
				t.Errorf("%d changes", changes)
			}
		})
	}
}

func TestReadingOfTheClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 10, 30, 0, 0, time.UTC)
	date := now.Add(time.Hour).Format(http.TimeFormat)
	for name, c := range map[string]struct {
		header map[string]string
		took   time.Duration
		want   time.Duration
		ok     bool
	}{
		"in the middle of the way": {map[string]string{"Date": date}, time.Second, time.Hour, true},
		"no date":                  {nil, 0, 0, false},
		"not a date":               {map[string]string{"Date": "soon"}, 0, 0, false},
		"long under way":           {map[string]string{"Date": date}, 3 * time.Second, 0, false},
		"of a cache":               {map[string]string{"Date": date, "Age": "40"}, 0, 0, false},
		"fresh from a cache":       {map[string]string{"Date": date, "Age": "0"}, time.Second, time.Hour, true},
	} {
		h := http.Header{}
		for k, v := range c.header {
			h.Set(k, v)
		}
		if got, ok := clockReading(h, now, now.Add(c.took)); got != c.want || ok != c.ok {
			t.Errorf("%s: %v, %v, want %v, %v", name, got, ok, c.want, c.ok)
		}
	}
}
