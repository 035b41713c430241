package feeds

import (
	"testing"
	"time"

	"wallboard/model"
)

// However large the full states of a floor are, its audits get through all of
// them within their interval.
func TestAuditsKeepUpWithTheFloor(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1 << 10, 20 << 20, 90 << 20, 400 << 20} { // 20,000 agents are about 90 MiB
		large, small := newBench(t).sub, newBench(t).sub
		large.audit.size, small.audit.size = size, size/10
		f := &Feed{subs: []*sub{large, small}}
		began := time.Unix(1_800_000_000, 0)
		const chunks = 40
		for range chunks {
			f.auditor.spend((large.audit.size+small.audit.size)/chunks, f.auditRate(), began)
		}
		if took := f.auditor.nextAt.Sub(began); took > large.audit.every() {
			t.Errorf("a pass over %d MiB takes %v of %v", size>>20, took, large.audit.interval)
		}
	}
}

// A pass takes so many queries at most, however many records there are.
func TestChunksGrowWithTheFloor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range int64(12_000) {
		b.st.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(i)})
	}
	if got, want := b.sub.chunkSize(), 12_000/mostChunks; got != want {
		t.Errorf("%d records a query, want %d", got, want)
	}
}
