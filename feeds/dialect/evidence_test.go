package dialect

import (
	"testing"

	"wallboard/model"

	"pgregory.net/rapid"
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	e, c := make(evidence), claim{claimKeyless, string(model.OpServices), ""}
	for i, want := range []bool{false, false, true, true} {
		if got := e.countSupport(c); got != want {
			t.Errorf("after %d: believed %v", i+1, got)
		}
	}
	for i, want := range []bool{false, false, false, true, false} {
		if got := e.countContradiction(c); got != want {
			t.Errorf("%d against: given up %v", i+1, got)
		}
	}
	if e.restore(c); !e.countSupport(c) {
		t.Error("a recalled claim needs more than one observation")
	}
	other := claim{claimKeyless, string(model.OpGroups), ""}
	if e.countSupport(other) {
		t.Error("evidence for one operation counts for another")
	}
}

// TestEvidenceIsUnlearnt checks that maxObservations contrary observations in a row end any belief, and that
// fewer than EnoughEvidence observations never create one.
func TestEvidenceIsUnlearnt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, c := make(evidence), claim{kind: claimFieldFails}
		for _, speaksFor := range rapid.SliceOf(rapid.Bool()).Draw(t, "history") {
			if before := e[c]; speaksFor {
				if e.countSupport(c) && before+1 < EnoughEvidence {
					t.Fatal("believed too soon")
				}
			} else {
				e.countContradiction(c)
			}
		}
		for range maxObservations {
			e.countContradiction(c)
		}
		if e[c] != 0 {
			t.Fatal("not given up")
		}
	})
}
