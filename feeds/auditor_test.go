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

// Looks of a large floor begin late and take long. What that cost the last time is
// left before the next one has to be verified.
func TestLateLooksBeginSooner(t *testing.T) {
	t.Parallel()
	const late, twoLooks = 7 * time.Second, 14 * time.Second // as seen with 20,000 agents on two cores
	b := newBench(t)
	a := &b.sub.audit
	a.chunks = []chunk{{names: []string{"1"}, passes: 2, due: b.now}, {names: []string{"2"}, passes: 2, due: b.now}}
	for range 3 {
		for i := range a.chunks {
			c := &a.chunks[i]
			verified := c.began
			begins := c.due.Add(late)
			c.began, c.late = begins, begins.Sub(c.due)
			b.sub.settleChunk(i, begins.Add(twoLooks))
			if age := begins.Add(twoLooks).Sub(verified); !verified.IsZero() && age > a.interval+auditSlack {
				t.Errorf("figures were verified %v ago, at most %v are allowed", age, a.interval+auditSlack)
			}
		}
	}
	a.chunks[0].took, a.chunks[1].took = 0, time.Hour
	if every := a.every(); every < a.interval/2 {
		t.Errorf("a look that took an hour makes one due every %v", every)
	}
}
