package feeds

import (
	"slices"
	"testing"
	"time"

	"wallboard/model"
)

// TestRenames changes the codes of users in several ways.
func TestRenames(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_800_000_000, 0)
	for name, c := range map[string]struct {
		before, after [][]string // by user
		busy          bool       // the old code still has figures
		want          []string
	}{
		"all change":                {[][]string{{"A", "C"}, {"A"}}, [][]string{{"B", "C"}, {"B"}}, false, []string{"A"}},
		"one has not changed yet":   {[][]string{{"A"}, {"A"}}, [][]string{{"B"}, {"A"}}, false, nil},
		"another that was there":    {[][]string{{"A"}, {"C"}}, [][]string{{"C"}, {"C"}}, false, nil},
		"they disagree":             {[][]string{{"A"}, {"A"}}, [][]string{{"B"}, {"D"}}, false, nil},
		"one lost it, one changed":  {[][]string{{"A"}, {"A", "C"}}, [][]string{{"B"}, {"C"}}, false, nil},
		"the old one is still busy": {[][]string{{"A"}}, [][]string{{"B"}}, true, nil},
		"the last went home":        {[][]string{{"A"}, {"C"}}, [][]string{nil, {"C"}}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			users := func(lists [][]string) (all []*model.User) {
				for i, l := range lists {
					if l != nil {
						all = append(all, &model.User{Username: model.TextOf(string(rune('a' + i))), Services: l})
					}
				}
				return all
			}
			var r codeRenames
			set := make(map[string]bool)
			look := func(lists [][]string, now time.Time) {
				r.compareUsers(users(lists), func(u *model.User) []string { return u.Services }, func(code string) bool { return set[code] }, now)
				for _, l := range lists {
					for _, code := range l {
						set[code] = true
					}
				}
			}
			look(c.before, at)
			look(c.after, at.Add(time.Second))
			empty := func(string) bool { return !c.busy }
			if got := r.confirmedOldCodes(at, empty); got != nil {
				t.Errorf("before a full state: %v", got)
			}
			if got := r.confirmedOldCodes(at.Add(2*time.Second), empty); !slices.Equal(got, c.want) {
				t.Errorf("renamed: %v, want %v", got, c.want)
			}
		})
	}
}
