package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert/situation"
)

// TestPlaybooks checks that playbooks apply to the platform that they name.
func TestPlaybooks(t *testing.T) {
	t.Parallel()
	c := Default()
	c.Platform = "Milano"
	c.PlaybookList = []Playbook{
		{Rule: "nobody ready", Sites: []string{"Roma"}, Steps: []string{"a"}},
		{Rule: "nobody ready", Sites: []string{"Milano"}, Groups: []string{"G"}, Checks: []string{"b"}, OverWhen: "c"},
		{Rule: "unstaffed", Inform: []string{"d"}},
	}
	want := []situation.Playbook{{Rule: "nobody ready", Groups: []string{"G"}, Checks: []string{"b"}, EndCondition: "c"}, {Rule: "unstaffed", PeopleToInform: []string{"d"}}}
	if diff := cmp.Diff(want, c.Playbooks()); diff != "" {
		t.Error(diff)
	}
}
