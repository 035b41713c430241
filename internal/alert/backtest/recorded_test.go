package backtest

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
)

// TestFlappingAlertIsMatchedWithItself backtests a sweep on a recording with a known
// result: three waits of 40 s at intervals of 80 s. The sweep delays one rule by 10 s
// and does not affect the other.
func TestFlappingAlertIsMatchedWithItself(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	tape, err := record.NewBatchWriter(dir, record.Metadata{})
	if err != nil {
		t.Fatal(err)
	}
	for s, err := range floor(600, waits([2]int{100, 140}, [2]int{180, 220}, [2]int{260, 300})) {
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
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from

	today := rules(20, 600, 0)
	other := today.Rules[0]
	other.Name = "untouched"
	today.Rules = append(today.Rules, other)
	sweep, err := Sweep(today, "wait.for=10s")
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(t.Context(), r.Snapshots(morning, r.Info().Last), morning, append([]RuleSet{{Name: "today", Options: today}}, sweep...), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range Compare(&res.Outcomes[0], &res.Outcomes[1]) {
		want := map[string]time.Duration{"wait": -10 * time.Second, "untouched": 0}[l.Rule]
		if l.MedianLead != want || l.CommonAlerts != 3 || len(l.LostEpisodes)+len(l.NewEpisodes) > 0 {
			t.Errorf("%s: earlier by %v, want %v; both %d, unseen %d, new %d", l.Rule, l.MedianLead, want, l.CommonAlerts, len(l.LostEpisodes), len(l.NewEpisodes))
		}
	}
}

// TestPair pairs partly corresponding alerts of two sets.
func TestPair(t *testing.T) {
	t.Parallel()
	episode := func(service string, from, to int) Episode {
		return Episode{
			Key:    alert.Key{Scope: alert.Service, Code: service},
			Raised: morning.Add(time.Duration(from) * time.Second), Ended: morning.Add(time.Duration(to) * time.Second),
		}
	}
	for name, tt := range map[string]struct {
		was, is     []Episode
		want        []int
		unseen, new int
	}{
		"the next one is nearer":     {[]Episode{episode("a", 100, 200), episode("a", 210, 300)}, []Episode{episode("a", 180, 200), episode("a", 290, 300)}, []int{0, 1}, 0, 0},
		"one is not raised":          {[]Episode{episode("a", 100, 150), episode("a", 160, 300)}, []Episode{episode("a", 160, 300)}, []int{-1, 0}, 1, 0},
		"one goes on over the pause": {[]Episode{episode("a", 100, 150), episode("a", 160, 300)}, []Episode{episode("a", 100, 300)}, []int{0, -1}, 0, 0},
		"one falls apart":            {[]Episode{episode("a", 100, 300)}, []Episode{episode("a", 100, 150), episode("a", 160, 300)}, []int{0}, 0, 0},
		"another record":             {[]Episode{episode("a", 100, 200)}, []Episode{episode("b", 100, 200)}, []int{-1}, 1, 1},
		"a moment later":             {[]Episode{episode("a", 100, 110)}, []Episode{episode("a", 130, 200)}, []int{0}, 0, 0},
		"much later":                 {[]Episode{episode("a", 100, 110)}, []Episode{episode("a", 300, 400)}, []int{-1}, 1, 1},
	} {
		got := matchPairs(tt.was, tt.is)
		l := RuleComparison{}
		l.matchAlerts(tt.was, tt.is)
		if len(got) != len(tt.want) || got[0] != tt.want[0] || got[len(got)-1] != tt.want[len(got)-1] || len(l.LostEpisodes) != tt.unseen || len(l.NewEpisodes) != tt.new {
			t.Errorf("%s: partners %v, want %v; unseen %d, new %d, want %d, %d", name, got, tt.want, len(l.LostEpisodes), len(l.NewEpisodes), tt.unseen, tt.new)
		}
	}
}
