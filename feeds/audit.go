package feeds

import (
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/records"
)

// startCheck begins the check of a chunk. since is the store's version
// [records.MaxLag] ago.
func (s *sub) startCheck(chunk int, since uint64, now time.Time) {
	covered := records.CoveredRequest{Request: s.filter.activeRequest, Value: s.filter.covered(), CoversUnwanted: len(s.newcomers.leavers) > 0}
	if s.audit.StartCheck(chunk, covered, since, now) {
		s.settleCheck(chunk, now)
	}
}

// handleCheck handles the answer to a check.
func (s *sub) handleCheck(full records.FullState, now time.Time) []graphqlws.GraphQLError {
	v := s.audit.HandleAnswer(full, func(name string) time.Time {
		came, asked := s.newcomers.users[name].since, s.gaps.recent[name]
		if asked.After(came) {
			return asked
		}
		return came
	}, now)
	if v.Err != nil {
		if refused := refusal(v.Answer); refused != nil {
			return refused
		}
		s.audit.FailCheck(v.Err.Error(), now)
		return nil
	}
	if v.PlatformRestarted {
		s.host.platformRestarted(countersFell)
	}
	if len(v.Repaired) > 0 {
		s.updatePerRecord()
		s.gaps.learnRepaired(v.Repaired)
		for _, d := range v.Log {
			s.host.logDrift(s.doc.Root, d, len(v.Repaired))
		}
		s.status.addRepairs(&v, now)
	}
	s.settleCheck(v.Chunk, now)
	return nil
}

// settleCheck schedules what follows a check.
func (s *sub) settleCheck(chunk int, now time.Time) {
	if s.resubscribe {
		return
	}
	since, wasOverdue := s.audit.FinishCheck(chunk, s.status.VerifiedAt, now)
	if since.After(s.status.VerifiedAt) {
		s.status.VerifiedAt = since
		s.status.Audits++
	}
	if wasOverdue {
		s.delivery.showState(&s.status, now)
	}
}

// countersFell is the reason given when the platform seems to have restarted.
const countersFell = "the counters of many records have fallen"

// refusal returns the errors of a message that reports UNAUTHORIZED without
// data: an error "during execution" (document 2, section HTTP) sends data
// without results.
func refusal(a records.Applied) []graphqlws.GraphQLError {
	if a.HasData || len(a.Errors) == 0 {
		return nil
	}
	errs := graphqlws.ParseErrors(a.Errors)
	if graphqlws.Unauthorized(errs) != nil {
		return errs
	}
	return nil
}
