package feeds

import (
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
)

// startCheck begins the audit check of one chunk of the records. since is the store's version of
// [records.MaxReplicaLag] ago. Records that changed after it are too new to be compared.
func (s *subscription) startCheck(chunk int, since uint64, now time.Time) {
	covered := records.CoveredRequest{Request: s.filter.activeRequest, Value: s.filter.activeFilter(), CoversUnwanted: len(s.newcomers.leavers) > 0}
	if s.audit.StartCheck(chunk, covered, since, now) {
		s.finishCheck(chunk, now)
	}
}

// handleCheck handles the answer to an audit check: it repairs the differences found. If the answer
// rejects the credentials, handleCheck returns its errors, otherwise nil.
func (s *subscription) handleCheck(full records.FullState, now time.Time) []graphql.Error {
	v := s.audit.EvaluateAnswer(full, func(name string) time.Time {
		came, asked := s.newcomers.users[name].since, s.incompleteRecords.queriedRecently[name]
		if asked.After(came) {
			return asked
		}
		return came
	}, now)
	if v.Err != nil {
		if refused := unauthorizedErrors(v.Answer); refused != nil {
			return refused
		}
		s.audit.FailCheck(v.Err.Error(), now)
		return nil
	}
	if v.PlatformRestarted {
		s.callbacks.onPlatformRestart(countersFellReason)
	}
	if len(v.Repaired) > 0 {
		s.updateRecordSubscriptions()
		s.incompleteRecords.learnRepaired(v.Repaired)
		for _, d := range v.LoggedDifferences {
			s.callbacks.logRepairedDifference(s.doc.Root, d, len(v.Repaired))
		}
		s.status.addRepairs(&v, now)
	}
	s.finishCheck(v.ChunkIndex, now)
	return nil
}

// finishCheck ends the check of a chunk and updates the time at which all records were last
// verified. It does nothing if the active subscription must be replaced.
func (s *subscription) finishCheck(chunk int, now time.Time) {
	if s.needsResubscribe {
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

// countersFellReason is the logged reason for subscribing again after counters have fallen. Falling
// counters mean that the platform has restarted.
const countersFellReason = "the counters of many records have fallen"

// unauthorizedErrors returns the errors of a message if it has no data and one of them is
// UNAUTHORIZED, otherwise nil. Errors in a message with data concern only the execution of the
// operation (document 2, section HTTP).
func unauthorizedErrors(a records.ApplyResult) []graphql.Error {
	if a.HasData || len(a.Errors) == 0 {
		return nil
	}
	errs := graphql.ParseErrors(a.Errors)
	if graphql.FindUnauthorized(errs) != nil {
		return errs
	}
	return nil
}
