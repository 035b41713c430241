package pages

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// siteRows returns rows of platforms that are live and have no situations. Their clocks differ.
func siteRows(n int) []PlatformRow {
	now := time.Date(2026, 3, 2, 10, 5, 0, 0, time.UTC)
	rows := make([]PlatformRow, n)
	for i := range rows {
		rows[i] = PlatformRow{Name: "Site " + strconv.Itoa(i+1), StateToken: themes.OK, HasData: true, IsLive: true, Now: now.Add(time.Duration(i) * time.Hour)}
	}
	return rows
}

// begin adds a situation that began some time ago.
func begin(row *PlatformRow, rule string, ago time.Duration, change func(*situation.Situation)) {
	s := situation.Situation{Level: alert.Warning, Since: row.Now.Add(-ago), Alerts: []alert.Alert{{Rule: rule}}}
	if change != nil {
		change(&s)
	}
	row.Situations = append(row.Situations, s)
}

// TestSharedEvents checks what counts as one event on several platforms.
func TestSharedEvents(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme}, render.Options{})
	lose := func(rows []PlatformRow, n int, gap time.Duration) {
		for i := range n {
			rows[i].IsLive, rows[i].DataAge = false, 20*time.Second+time.Duration(i)*gap
		}
	}
	for name, c := range map[string]struct {
		platforms int
		change    func([]PlatformRow)
		want      []string
	}{
		"nothing":                 {40, func([]PlatformRow) {}, nil},
		"lost in the same minute": {40, func(r []PlatformRow) { lose(r, 9, 5*time.Second) }, []string{"9 of 40 lost their data within the same minute, at 10:04:00: Site 1, Site 2, Site 3, and 6 more. Check what they share: network, proxy, this machine"}},
		"lost one by one":         {40, func(r []PlatformRow) { lose(r, 9, 2*time.Minute) }, nil},
		"too few":                 {40, func(r []PlatformRow) { lose(r, 7, time.Second) }, nil},
		"all of three":            {3, func(r []PlatformRow) { lose(r, 3, time.Second) }, []string{"All 3 platforms lost their data within the same minute, at 10:04:38: Site 1, Site 2, Site 3. Check what they share: network, proxy, this machine"}},
		"two of two":              {2, func(r []PlatformRow) { lose(r, 2, time.Second) }, nil},
		"never had data": {5, func(r []PlatformRow) {
			lose(r, 5, time.Second)
			for i := range r {
				r[i].HasData = false
			}
		}, nil},
		"the same rule": {5, func(r []PlatformRow) {
			for i := range 4 {
				begin(&r[i], "nobody ready", time.Duration(60+i*15)*time.Second, nil)
			}
			begin(&r[0], "nobody ready", 61*time.Second, nil) // the same platform counts once
		}, []string{`4 of 5: "none available" began within the same minute, at 10:03:15: Site 1, Site 2, Site 3, and 1 more`}},
		"other rules": {5, func(r []PlatformRow) {
			for i := range 4 {
				begin(&r[i], "rule "+strconv.Itoa(i), time.Minute, nil)
			}
		}, nil},
		"taken over, there at the start, or of the day": {5, func(r []PlatformRow) {
			begin(&r[0], "nobody ready", time.Minute, func(s *situation.Situation) { s.Ack.By = "anna" })
			begin(&r[1], "nobody ready", time.Minute, func(s *situation.Situation) { s.FromStart = true })
			begin(&r[2], "nobody ready", time.Minute, func(s *situation.Situation) { s.AtRisk = true })
			begin(&r[3], "nobody ready", time.Minute, nil)
		}, nil},
		"without live data": {5, func(r []PlatformRow) {
			for i := range 4 {
				begin(&r[i], "nobody ready", time.Minute, nil)
				r[i].IsLive, r[i].DataAge = false, time.Duration(i)*time.Hour
			}
		}, nil},
		"polled": {5, func(r []PlatformRow) {
			for i := range r {
				r[i].StateToken, r[i].DataAge = themes.Warn, time.Second
				begin(&r[i], "nobody ready", time.Minute, nil)
			}
		}, []string{`All 5 platforms: "none available" began within the same minute, at 10:04:00: Site 1, Site 2, Site 3, and 2 more`}},
		"unverified since different times": {5, func(r []PlatformRow) {
			for i := range r {
				begin(&r[i], "nobody ready", time.Duration(5+i*10)*time.Minute, func(s *situation.Situation) { s.StaleSince = s.Since.Add(time.Minute) })
			}
		}, nil},
		"most first": {10, func(r []PlatformRow) {
			lose(r, 3, time.Second)
			for i := range 4 {
				begin(&r[i+4], "longest wait", time.Minute, nil)
			}
		}, []string{
			`4 of 10: "long wait" began within the same minute, at 14:04:00: Site 5, Site 6, Site 7, and 1 more`,
			"3 of 10 lost their data within the same minute, at 10:04:38: Site 1, Site 2, Site 3. Check what they share: network, proxy, this machine",
		}},
	} {
		rows := siteRows(c.platforms)
		c.change(rows)
		var got []string
		for _, e := range sharedEvents(rows) {
			got = append(got, e.text(lk, rows))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
