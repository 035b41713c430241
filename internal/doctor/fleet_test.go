package doctor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fleetReport returns an examination that answers at once with facts about the real-time display.
func fleetReport(f ServiceFacts, findings ...Finding) func(context.Context) (*Report, error) {
	return func(context.Context) (*Report, error) {
		f.Service = realTimeService
		return &Report{Services: []ServiceFacts{f}, Findings: findings}, nil
	}
}

// TestFleet checks that sites are compared, that a slow one delays no other, and that only findings for an
// administrator of many sites are problems.
func TestFleet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		day := 24 * time.Hour
		late := 90.0
		recorded := func(ago time.Duration, err error) func() (time.Time, error) {
			return func() (time.Time, error) { return now.Add(-ago), err }
		}
		members := []FleetMember{
			{Name: "well", Examine: fleetReport(ServiceFacts{Version: "2.0.1", CertificateEnd: now.Add(80*day + time.Hour)}, Finding{realTimeService, "Schema", VerdictNote, "not shown", ""}), LastRecorded: recorded(time.Minute, nil)},
			{Name: "stopped", Examine: fleetReport(ServiceFacts{Version: "2.0.1"}), LastRecorded: recorded(time.Hour, nil)},
			{Name: "never", Examine: fleetReport(ServiceFacts{Version: "2.0.1"}), LastRecorded: func() (time.Time, error) { return time.Time{}, nil }},
			{Name: "unreadable", Examine: fleetReport(ServiceFacts{Version: "2.0.1"}), LastRecorded: recorded(0, errors.New("disk"))},
			{Name: "old", Examine: fleetReport(ServiceFacts{Version: "1.9"})},
			{Name: "differs", Examine: fleetReport(ServiceFacts{Version: "2.0.1"}), DifferingKeys: []string{"a", "b", "c", "d", "e", "f", "g"}},
			{Name: "clock", Examine: fleetReport(ServiceFacts{ClockSkew: &late}, Finding{realTimeService, clockFinding, VerdictNote, "the server's clock differs by 1m30s", ""})},
			{Name: "ends soon", Examine: fleetReport(ServiceFacts{CertificateEnd: now.Add(20 * day)}, Finding{realTimeService, certificateFinding, VerdictNote, "the certificate ends on x", ""})},
			{Name: "ends now", Examine: fleetReport(ServiceFacts{CertificateEnd: now.Add(2 * day)}, Finding{realTimeService, certificateFinding, VerdictNote, "the certificate ends on y", ""})},
			{Name: "no clock", Examine: fleetReport(ServiceFacts{}, Finding{realTimeService, clockFinding, VerdictNote, "the server does not tell its time", ""})},
			{Name: "slow", Examine: func(ctx context.Context) (*Report, error) { <-ctx.Done(); return nil, ctx.Err() }},
			{Name: "failing", Examine: fleetReport(ServiceFacts{}, Finding{realTimeService, "HTTP", VerdictFail, "refused", ""}, Finding{realTimeService, "Feed", VerdictFail, "no connection", ""}, Finding{statisticsService, "Access", VerdictFail, "no key", ""})},
		}
		sites := CheckFleet(t.Context(), members, FleetOptions{Timeout: 10 * time.Second, AtOnce: 2, Now: time.Now})
		if took := time.Since(now); took != 10*time.Second {
			t.Errorf("it took %v", took)
		}
		for i, want := range []struct {
			verdict Verdict
			summary string
		}{
			{VerdictOK, ""},
			{VerdictFail, "the recording has stopped at " + now.Add(-time.Hour).Local().Format(time.DateTime)},
			{VerdictFail, "nothing is recorded"},
			{VerdictFail, "the recording cannot be read: disk"},
			{VerdictNote, "Real-time display: version 1.9, but 2.0.1 on 5 of 6 sites whose version is known"},
			{VerdictNote, "differs from most sites in a, b, c, d, e and 2 more"},
			{VerdictNote, "Real-time display: the server's clock differs by 1m30s"},
			{VerdictNote, "Real-time display: the certificate ends on x"},
			{VerdictFail, "Real-time display: the certificate ends on y"},
			{VerdictOK, ""},
			{VerdictFail, "Real-time display: not all answers came within 10s"},
			{VerdictFail, "Real-time display: refused; Statistical data: no key; 1 more"},
		} {
			if s := &sites[i]; s.Name != members[i].Name || s.Verdict != want.verdict || s.Summary() != want.summary {
				t.Errorf("%s is %s: %q, want %s: %q", s.Name, s.Verdict, s.Summary(), want.verdict, want.summary)
			}
		}
		if days, ok := sites[0].Certificate(now); !ok || days != 80 {
			t.Errorf("%d days, %t", days, ok)
		}
		if skew, ok := sites[6].Clock(); !ok || skew != late {
			t.Errorf("the clock differs by %v, %t", skew, ok)
		}
		if _, ok := sites[10].Clock(); ok || sites[10].Versions() != "" || strings.Contains(sites[0].Mark(true), "x") {
			t.Error("a site that does not answer has figures, or a good one a bad mark")
		}
	})
}

// TestCompareVersions checks that "most sites" is only said of more than half of them, and that an
// expired certificate has a negative number of days.
func TestCompareVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ versions, want []string }{
		{[]string{"1.9", "1.9"}, []string{"", ""}},
		{[]string{"1.9", "2.0.1", ""}, []string{"version 1.9, other sites have 2.0.1", "version 2.0.1, other sites have 1.9", ""}},
		{[]string{"1", "1", "2", "3"}, []string{"version 1, other sites have 2, 3", "version 1, other sites have 2, 3", "version 2, other sites have 1, 3", "version 3, other sites have 1, 2"}},
		{[]string{"1", "2", "2"}, []string{"version 1, but 2 on 2 of 3 sites whose version is known", "", ""}},
	} {
		sites := make([]Site, len(tt.versions))
		for i, version := range tt.versions {
			sites[i].ServiceFacts = []ServiceFacts{{Service: realTimeService, Version: version}}
		}
		compareVersions(sites)
		for i, want := range tt.want {
			if got := strings.TrimPrefix(sites[i].Summary(), realTimeService+": "); got != want {
				t.Errorf("%q, site %d: %q, want %q", tt.versions, i, got, want)
			}
		}
	}
	now := time.Now()
	for left, want := range map[time.Duration]int{time.Hour: 0, -time.Hour: -1, -25 * time.Hour: -2, 24 * time.Hour: 1} {
		s := Site{ServiceFacts: []ServiceFacts{{CertificateEnd: now.Add(left)}}}
		if days, ok := s.Certificate(now); !ok || days != want {
			t.Errorf("%v left: %d days, want %d", left, days, want)
		}
	}
}

// TestFleetEnds checks that a cancelled check ends at once.
func TestFleetEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wait := func(ctx context.Context) (*Report, error) { <-ctx.Done(); return nil, ctx.Err() }
	sites := CheckFleet(ctx, []FleetMember{{Name: "a", Examine: wait}, {Name: "b", Examine: wait}}, FleetOptions{Timeout: time.Hour, AtOnce: 1, Now: time.Now})
	for i := range sites {
		if sites[i].Verdict != VerdictFail {
			t.Errorf("%s is %s", sites[i].Name, sites[i].Verdict)
		}
	}
}
