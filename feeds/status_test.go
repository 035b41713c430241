package feeds

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// TestMissingFieldsAreListed checks that the list of missing fields is complete and that
// each name is cleaned: a server may return a secret in it.
func TestMissingFieldsAreListed(t *testing.T) {
	t.Parallel()
	p := dialect.Profile{MissingFields: map[string][]string{"userStats": {"secret"}}}
	for i := range 40 {
		p.MissingFields["userStats"] = append(p.MissingFields["userStats"], fmt.Sprintf("userStats.aFieldThatTheServerLacks%d", i))
	}
	d := dialect.New(dialect.PinnedValues{})
	d.LoadProfile(p)
	s := status{
		Subscription: model.Subscription{Name: model.OpUserStats},
		clean: func(text string) string {
			return model.CleanText(strings.ReplaceAll(text, "secret", "***"), model.MaxName)
		},
	}
	s.showMissingFields(d)
	if n := strings.Count(s.Lacks, "aFieldThatTheServerLacks"); n != 40 || strings.Contains(s.Lacks, "secret") || !strings.Contains(s.Lacks, "***") {
		t.Errorf("%d of 40 fields are listed: %s", n, s.Lacks)
	}
}
