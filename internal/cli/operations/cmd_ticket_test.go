package operations_test

import (
	"encoding/json"
	"testing"

	"wallboard/internal/cli/cmdutil"
)

// TestAgentsOfSeveralServices checks that a repeated flag adds a value.
func TestAgentsOfSeveralServices(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	count := func(args ...string) int {
		var list []json.RawMessage
		doc := s.json(cmdutil.ExitOK, "", append([]string{"ticket", "agents"}, args...)...)
		if err := json.Unmarshal(doc.Result, &list); err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	one, other := count("--services", "SRV01"), count("--services", "SRV02")
	both := count("--services", "SRV01", "--services", "SRV02")
	if most := max(one, other); both <= most || both > one+other || both != count("--services", "SRV01,SRV02") {
		t.Errorf("%d and %d, both %d", one, other, both)
	}
}
