package feeds

import (
	"errors"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
	"wallboard/model"
)

// handlePayload handles a message of the operation id: an update or a part of the full state. If
// the message rejects the credentials, handlePayload returns the errors in it, otherwise nil.
func (s *subscription) handlePayload(id string, payload []byte, now time.Time) []graphql.Error {
	s.status.Messages++
	s.status.Bytes += uint64(len(payload))
	s.env.CompleteLists = s.incompleteRecords.completeLists.isKnownTrue()
	received := s.requests.AssembleAnswer(id, payload, now)
	if received.IsPiece {
		s.handover.requestedAt = now // further pieces get more time
	}
	id, full := received.ID, received.FullState
	switch {
	case !received.IsComplete: // a piece of an answer: wait for the others
	case id == s.handover.queryID:
		return s.applyFullState(full, now)
	case s.audit.IsRunning(id):
		return s.handleCheck(full, now)
	case s.retired.contains(id):
		a, err := s.retired.merger.ApplyLate(full[0].Message(new([]byte)), s.retired.env)
		s.countErrors(a, err, now)
	default:
		return s.handleUpdate(id, full[0].Message(new([]byte)), &received, now)
	}
	return nil
}

// handleUpdate handles a message of the active, the small or the pending subscription. If the message rejects
// the credentials, handleUpdate returns the errors in it, otherwise nil.
func (s *subscription) handleUpdate(id string, payload []byte, received *dialect.ReceivedMessage, now time.Time) []graphql.Error {
	first := id == s.handover.pendingID && s.handover.isFirst(received.IsFirstForManyRecords)
	if first {
		full, held := s.handover.handleFirstMessage(payload, s.newcomers.pending.IsWanted, s.activeID != "", s.env, now)
		if full != nil {
			s.recordFullStateQuery(s.handover.pendingRequest, s.handover.pendingSentAt)
			return s.applyFullState(full, now)
		}
		if held {
			return nil
		}
	}
	if !s.handover.bufferUpdate(payload, id, first, s.activeID != "") {
		s.losses.recordLoss(now)
	}
	if s.activeID == "" {
		return nil // the old records stay until there is a full state
	}
	if s.isDelivering(id) {
		s.audit.BufferUpdate(payload, now)
		if !s.retired.bufferReplacementUpdate(payload, s.handover.maxBufferedBytes()) {
			s.losses.recordLoss(now)
		}
	}
	s.env.IgnoreRepeats = s.handover.pendingID != "" || s.dialect.IsKeyless(s.doc.Root)
	a, err := s.merger.ApplyUpdate(payload, first, s.env)
	s.countErrors(a, err, now)
	s.losses.listShorter = s.incompleteRecords.addDoubtfulRecords(s.merger.DoubtfulRecords(), first || received.IsFirstOfPiece, s.env.CompleteLists) || s.losses.listShorter
	if err == nil && a.Records > 0 {
		if a.Existing > 0 && !received.IsFirstOrKeyless && id != s.handover.pendingID && s.delivery.dialect.CountKeyedUpdate(s.delivery.op) {
			s.needsResubscribe = true
			s.updateRecordSubscriptions()
		}
		s.progress.delivered = true
		s.status.addUpdates(a.Records, now)
		if s.audit.PlatformRestarted(now) {
			s.callbacks.onPlatformRestart(countersFellReason)
		}
	}
	return unauthorizedErrors(a)
}

// countErrors counts and logs the errors of a message. If a part of the message could not be read,
// an update is lost. An update without the key of its record is passed to handleKeylessUpdate.
// Errors that the server reports in the message do not count as lost updates.
func (s *subscription) countErrors(a records.ApplyResult, err error, now time.Time) {
	if len(a.Errors) > 0 {
		s.status.Errors++
		s.callbacks.warn(s.doc.Root, "server reports errors with the data", errors.New(graphql.ErrorMessages(a.Errors)))
	}
	if err = errors.Join(err, a.SkippedError); err != nil {
		s.callbacks.warn(s.doc.Root, "cannot read message", err)
		if errors.Is(err, records.ErrKeyless) {
			s.handleKeylessUpdate(now)
			return
		}
		s.omitFields(s.dialect.CountMisreadField(&s.doc, err))
		s.status.BadMessages++
		s.losses.recordLoss(now)
	}
}

// applyFullState replaces the records that full covers, applies the updates since the query on top, and makes
// the pending subscription, if any, the active or the small one. If full rejects the credentials,
// applyFullState returns the errors, otherwise nil.
func (s *subscription) applyFullState(full records.FullState, now time.Time) []graphql.Error {
	forNewcomers, forGaps := s.newcomers.pending.IsWanted, s.incompleteRecords.request.IsWanted
	s.env.BareTypes = nil
	if !forNewcomers && !forGaps {
		s.status.Unknown = ""
	}
	asked, named := s.pendingRequest()
	trusted := s.losses.completeAtQuery && !s.losses.needsResync
	if trusted {
		s.merger.TrustLocalRecords(s.callbacks.versionBeforeLag(), s.filter.cache.ContainsKey(asked.Filter), s.filter.cache.ContainsKey(s.filter.activeRequest.Filter))
	}
	size := full.Size()
	a, err := s.merger.Replace(full, s.handover.bufferedUpdates.UpdatesFrom(s.handover.queryIndex), named, s.env)
	if refused := unauthorizedErrors(a); refused != nil && err == nil {
		return refused
	}
	s.handover.queryID = "" // a message that ends the query is ignored from now on
	switch {
	case err != nil:
		s.omitFields(s.dialect.CountMisreadField(&s.doc, err))
		s.status.BadMessages++
		s.callbacks.warn(s.doc.Root, "cannot read full state", err)
		s.continueUnverified("the full state is not understood: "+err.Error(), now)
		return nil
	case !a.HasData:
		s.omitFields(s.dialect.CountFailedFields(&s.doc, graphql.ParseErrors(a.Errors)))
		s.status.Errors++
		s.continueUnverified("the full state is empty: "+graphql.ErrorMessages(a.Errors), now)
		return nil
	}
	s.countErrors(a, nil, now)
	s.incompleteRecords.learn(a.ResolvedDoubtCounts)
	if s.incompleteRecords.clearQuery(); !forNewcomers && !forGaps {
		s.incompleteRecords.pendingNames = nil // the full state contains all pending records
	}
	s.losses.listShorter = s.incompleteRecords.addDoubtfulRecords(s.merger.DoubtfulRecords(), false, s.env.CompleteLists) || s.losses.listShorter
	s.status.Updates, s.status.LastData, s.progress.delivered = s.status.Updates+a.Records, now, true
	replacing := s.handover.pendingID != ""
	if replacing && !forNewcomers {
		s.handover.learnFirstMessage(a.Records)
	}
	s.activatePending(trusted, now)
	if len(a.Errors) > 0 {
		// The errors may be the cause of missing records.
		s.omitFields(s.dialect.CountFailedFields(&s.doc, graphql.ParseErrors(a.Errors)))
		s.retryFullState("the full state came with errors: "+graphql.ErrorMessages(a.Errors), now)
		return nil
	}
	s.incompleteRecords.dropEarlyRecords(&s.filter, s.merger)
	if forNewcomers || forGaps { // the answer verifies only some records
		return nil
	}
	s.dialect.CountCompleteState(s.doc.Root)
	if !s.progress.verified {
		s.progress.firstVerifiedAt = now
	}
	s.status.VerifiedAt, s.progress.verified = s.losses.queriedAt, true
	s.needsResubscribe = s.needsResubscribe && !replacing || !s.requests.HasCurrentSelection(s.activeID) // a field may have been removed from the request because of errors in the answer
	s.audit.Restart(records.AppliedState{Names: graphql.RecordNames(s.filter.activeFilter()), AskedAt: s.losses.queriedAt, AnswerTime: s.handover.lastDuration, Size: size}, now)
	s.delivery.showState(&s.status, now)
	return nil
}

// activatePending makes the pending subscription, if any, the active one. trusted is true if no
// update was lost; the replaced subscription then stays open for a moment to deliver late updates.
func (s *subscription) activatePending(trusted bool, now time.Time) {
	if s.handover.pendingID != "" && s.activeID != "" && s.filter.wantedRequest != s.handover.pendingRequest { // the filter changed again meanwhile
		s.filter.differsSince = s.filter.changedAt
	}
	if s.handover.pendingID != "" { // the replaced subscription ends now, or a little later if it may still send updates
		old := []string{s.newcomers.id}
		if s.newcomers.id = ""; !s.newcomers.pending.IsWanted {
			old = append(old, s.activeID)
		}
		s.retired.end()
		s.retired.retire(old, s.handover.bufferedUpdates, now)
		if !trusted {
			s.retired.forget()
		}
	}
	switch {
	case s.handover.pendingID == "":
	case s.newcomers.pending.IsWanted:
		s.coverage.markActive()
		for _, name := range s.newcomers.activatePending(s.handover.pendingID) {
			s.audit.AddName(name)
		}
		s.filter.activeRequest = s.handover.pendingRequest
	default:
		s.newcomers.endSubscription(now)
		s.handover.lastDuration = now.Sub(s.handover.requestedAt)
		s.coverage.markActive()
		s.activeID, s.filter.activeRequest, s.delivery.startedAt = s.handover.pendingID, s.handover.pendingRequest, now
	}
	s.cancelHandover()
	s.updateRecordSubscriptions()
}

// continueUnverified makes the pending subscription the active one without a full state, because
// the query for the full state failed. It then schedules another query. reason is shown to the
// user.
func (s *subscription) continueUnverified(reason string, now time.Time) {
	var kept records.UpdateBuffer
	if s.activeID == "" { // otherwise the updates were merged on arrival
		kept = s.handover.bufferedUpdates
	}
	s.incompleteRecords.clearQuery()
	s.activatePending(false, now)
	for p := range kept.UpdatesFrom(0) {
		a, err := s.merger.ApplyUpdate(p, false, s.env)
		s.countErrors(a, err, now)
	}
	s.retryFullState(reason, now)
}

// retryFullState schedules another query for the full state. reason says why the last query failed,
// and is shown to the user. Records from an earlier connection are shown as stale, others as
// unverified.
func (s *subscription) retryFullState(reason string, now time.Time) {
	state := model.SubUnverified
	if !s.progress.verified && !s.status.VerifiedAt.IsZero() {
		state = model.SubStale
	}
	s.status.setState(state, reason, now)
	s.losses.needsResync = true
	s.losses.queriedAt = now.Add(s.retry.countFailure())
}

// handleFailure handles the operation id, which the server ended with the errors errs.
func (s *subscription) handleFailure(id string, errs []graphql.Error, now time.Time) {
	id = s.requests.OperationID(id)
	if s.retired.contains(id) {
		return // the subscription was replaced and ends anyway
	}
	reason := "refused"
	if len(errs) > 0 {
		reason = errs[0].Message
	}
	s.status.Errors++
	s.callbacks.warn(s.doc.Root, "operation refused", errors.New(reason))
	if s.audit.IsRunning(id) {
		s.audit.FailCheck("the query for the full state is refused: "+reason, now)
		return
	}
	if id == s.handover.queryID {
		s.handover.queryID = ""
		s.continueUnverified("the query for the full state is refused: "+reason, now)
		return
	}
	if s.newcomers.owns(id, s.handover.pendingID) {
		s.dropNewcomers(id, now)
		return
	}
	s.dropSubscription(id, now)
	s.retry.notBefore = now.Add(s.retry.countFailure())
	s.status.setState(model.SubRefused, reason, now)
}

// handleComplete handles the operation id, which the server ended without an error. A subscription
// is started again: at once if it was active for at least normalLifetime, otherwise after a delay.
func (s *subscription) handleComplete(id string, now time.Time) {
	id = s.requests.OperationID(id)
	if s.retired.contains(id) {
		return
	}
	if s.audit.IsRunning(id) {
		s.audit.FailCheck("the server ended the query for the full state without an answer", now)
		return
	}
	if id == s.handover.queryID {
		s.handover.queryID = ""
		s.continueUnverified("the server ended the query for the full state without an answer", now)
		return
	}
	if s.newcomers.owns(id, s.handover.pendingID) {
		s.dropNewcomers(id, now)
		return
	}
	lasted := id == s.activeID && s.delivery.endIsNormal(now)
	if s.dropSubscription(id, now); lasted {
		s.step(now)
		return
	}
	s.retry.notBefore = now.Add(s.retry.countFailure())
	if s.activeID == "" {
		s.status.setState(model.SubBackoff, "the server ended the subscription", now)
	}
}

// dropSubscription cancels the subscription id, the running query for the full state and, if id is
// the active subscription, the pending and the small one.
func (s *subscription) dropSubscription(id string, now time.Time) {
	others := []string{id, s.handover.queryID} // end id as well: on some servers an error does not end a subscription
	if id == s.activeID {
		others = append(others, s.handover.pendingID)
		s.activeID, s.filter.activeRequest = "", graphql.Request{}
		s.retired.forget()
		s.newcomers.endSubscription(now)
	}
	if id == s.handover.pendingID {
		s.newcomers.ignoreLeaversAgain(now)
	}
	for _, o := range others {
		if o != "" {
			s.requests.Cancel(o)
		}
	}
	s.cancelHandover()
}

// dropNewcomers ends the small subscription or its pending replacement, id, which the server refused or ended.
// A new large subscription will include the users.
func (s *subscription) dropNewcomers(id string, now time.Time) {
	s.newcomers.refused, s.needsResubscribe = true, true
	if id == s.handover.pendingID {
		s.dropSubscription(id, now)
		return
	}
	s.requests.Cancel(id) // on some servers an error does not end a subscription
	if s.newcomers.id = ""; !s.newcomers.pending.IsWanted {
		s.losses.firstLossAt = now
	}
}

// handleKeylessUpdate handles an update that does not say which record it is for. The feed requests
// the full state or replaces the subscription with one per record.
func (s *subscription) handleKeylessUpdate(now time.Time) {
	believed, isNew := s.dialect.CountKeylessUpdate(s.doc.Root)
	if !believed {
		s.status.BadMessages++
		s.losses.recordLoss(now)
		return
	}
	if isNew {
		s.status.BadMessages++
	}
	s.updateRecordSubscriptions()
	s.losses.needsResync = true // the update cannot be applied
	if s.status.State == model.SubLive {
		s.delivery.showState(&s.status, now)
	}
}

// omitFields renews the subscription and the records without the fields that were found to be
// missing. If changed is false, no field was found and omitFields does nothing.
func (s *subscription) omitFields(changed bool) {
	if !changed {
		return
	}
	s.status.showMissingFields(s.dialect)
	s.needsResubscribe, s.losses.needsResync, s.losses.queriedAt = true, true, time.Time{}
}
