package feeds

import (
	"testing"
	"time"

	"wallboard/feeds/verify"
)

// However large the full states of a floor are, its audits get through all of
// them within their interval.
func TestAuditsKeepUpWithTheFloor(t *testing.T) {
	t.Parallel()
	const every = time.Minute - lookLate - auditSlack                    // between two looks at a chunk
	for _, size := range []int{1 << 10, 20 << 20, 90 << 20, 400 << 20} { // 20,000 agents are about 90 MiB
		large, small := newBench(t).sub, newBench(t).sub
		began := time.Unix(1_800_000_000, 0)
		large.audit.Plan(verify.FullState{Size: size}, began)
		small.audit.Plan(verify.FullState{Size: size / 10}, began)
		f := &Feed{subs: []*sub{large, small}}
		const chunks = 40
		for range chunks {
			f.auditor.spend((size+size/10)/chunks, f.auditRate(), began)
		}
		if took := f.auditor.nextAt.Sub(began); took > every {
			t.Errorf("a pass over %d MiB takes %v of %v", size>>20, took, every)
		}
	}
}
