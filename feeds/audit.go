package feeds

import (
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/picture"
	"wallboard/feeds/verify"
	"wallboard/model"
)

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// looks reports whether a look of the audit can begin.
func (s *sub) looks() bool {
	return s.requests.Connected() && s.progress.verified && s.active != "" && s.hand.pending == "" && s.hand.query == "" && !s.losses.resync && !s.renew && s.poll == 0
}

// looking reports whether an operation is the audit's.
func (s *sub) looking(id string) bool { return id != "" && id == s.audit.Query() }

// startLook begins a look at a chunk. since is the store's version
// [picture.LagBound] ago.
func (s *sub) startLook(chunk int, since uint64, now time.Time) {
	covered := verify.Covered{Request: s.filter.have, Value: s.parsed.of(s.filter.have.Filter), Left: len(s.joined.left) > 0}
	if s.audit.Start(chunk, covered, since, now) {
		s.settleLook(chunk, now)
	}
}

// looked takes the answer to a look.
func (s *sub) looked(full picture.FullState, now time.Time) []graphqlws.GraphQLError {
	v := s.audit.Answer(full, func(name string) time.Time { return later(s.joined.who[name].since, s.gaps.since[name]) }, now)
	if v.Err != nil {
		if refused := refusal(v.Answer); refused != nil {
			return refused
		}
		s.audit.Fail(v.Err.Error(), now)
		return nil
	}
	if v.Anew {
		s.host.restarted(countersFell)
	}
	if len(v.Repaired) > 0 {
		s.respread()
		s.noteDrift(&v, now)
	}
	s.settleLook(v.Chunk, now)
	return nil
}

// noteDrift counts what was repaired.
func (s *sub) noteDrift(v *verify.Verdict, now time.Time) {
	for i := range v.Repaired {
		d := &v.Repaired[i]
		if !d.Diff.Unread && d.Diff.Element() && d.Ours == "null" && s.gaps.lists.is() {
			s.gaps.lists.sees(false) // it was dropped, perhaps for being left out
		}
	}
	for _, d := range v.Log {
		s.host.drifted(s.doc.Root, d, len(v.Repaired))
	}
	s.status.LastData = now
	s.status.Late += v.Late
	if v.Drift != (model.Drift{}) {
		s.status.Drift = s.status.Drift.Plus(v.Drift)
		s.status.DriftAt = now
	}
}

// settleLook plans what comes after a look.
func (s *sub) settleLook(chunk int, now time.Time) {
	if s.renew {
		return
	}
	since, intime := s.audit.Settle(chunk, s.status.VerifiedAt, now)
	if since.After(s.status.VerifiedAt) {
		s.status.VerifiedAt = since
		s.status.Audits++
	}
	if intime {
		s.setState(s.liveState(), s.liveReason(), now)
	}
}

// countersFell is why a platform seems to have started anew.
const countersFell = "the counters of many records have fallen"
