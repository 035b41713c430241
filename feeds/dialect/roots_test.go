package dialect

import "testing"

func TestCounterpart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query      string
		candidates []string
		sole       bool
		want       string
	}{
		{"users", []string{"people"}, true, "people"},
		{"users", nil, true, ""},
		{"userStats", []string{"other", "userStats"}, true, "userStats"},
		{"userStats", []string{"other", "onUserStats"}, true, "onUserStats"},
		{"userStats", []string{"aUserStats", "bUserStats"}, true, ""},
		// Two queries have the same type, and there is one subscription: only its name shows to which query
		// it belongs.
		{"operatorProfileStats", []string{"userProfileStatsChanged"}, false, ""},
		{"userProfileStats", []string{"userProfileStatsChanged"}, false, "userProfileStatsChanged"},
	} {
		if got := subscriptionFor(c.query, c.candidates, c.sole); got != c.want {
			t.Errorf("%s of %v: %q, want %q", c.query, c.candidates, got, c.want)
		}
	}
}
