package records

import (
	"testing"
	"time"
)

// bare are empty records.
type bare struct{ unwatched }

func (bare) Records() int { return 0 }

// TestAuditsKeepUpWithTheFloor: however large the full states are, the audits
// check all of them within their interval.
func TestAuditsKeepUpWithTheFloor(t *testing.T) {
	t.Parallel()
	const every = time.Minute - lateRecheckDelay - auditTolerance        // time between two checks of a chunk
	for _, size := range []int{1 << 10, 20 << 20, 90 << 20, 400 << 20} { // 20,000 agents are about 90 MiB
		var p AuditScheduler
		began := time.Unix(1_800_000_000, 0)
		for _, full := range []int{size, size / 10} {
			v := newVerifier()
			v.data = bare{}
			p.Add(v)
			v.Restart(AppliedState{Size: full}, began)
		}
		const chunks = 40
		for range chunks {
			p.DelayNext((size+size/10)/chunks, began)
		}
		if took := p.nextAt.Sub(began); took > every {
			t.Errorf("a pass over %d MiB takes %v of %v", size>>20, took, every)
		}
	}
}
