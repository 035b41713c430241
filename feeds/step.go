package feeds

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
	"wallboard/model"
)

// step does the due work of the subscription. It is called after every event and on every tick.
func (s *subscription) step(now time.Time) {
	if !s.requests.Connected() {
		return
	}
	s.requests.SendDue(now)
	s.env.CompleteLists = s.incompleteRecords.completeLists.isKnownTrue()
	if s.activeID != "" && s.delivery.pollDue(s.losses.queriedAt, s.handover.lastDuration, now) {
		s.losses.needsResync = true
	}
	s.updateState(now)
	s.audit.ExpireCheck(now)
	s.retired.endExpired(now)
	if s.filter.wantedRequest.IsWanted && s.handover.queryID != "" && s.incompleteRecords.request.IsWanted && s.filter.filterUpdateDue(s.handover.lastDuration, now) {
		s.handover.cancelQuery() // the query for the full state of the new filter includes the records queried here
		s.handover.dropBuffered()
		s.incompleteRecords.clearQuery()
	}
	s.startNextWork(now)
}

// startNextWork continues the running handover, or starts the most urgent work that is due.
func (s *subscription) startNextWork(now time.Time) {
	switch at := s.handover.phase(); {
	case !s.filter.wantedRequest.IsWanted:
		s.stopAll(now)
	case at == phaseQuerying:
		s.giveUpQuery(now)
	case at == phaseOpening:
		if s.requests.IsSending(s.handover.pendingID) {
			s.handover.requestedAt, s.handover.pendingSentAt = now, now
		} else if s.handover.firstWaitIsOver(s.newcomers.pending.IsWanted, now) {
			r, _ := s.pendingRequest()
			s.sendQuery(r, now)
		}
	case s.delivery.needsRecordSubscriptions && s.activeID != "" && !s.retry.mustWait(now):
		s.subscribe(now)
	case s.activeID != "" && s.losses.resyncDue(s.delivery.queryInterval(s.handover.lastDuration), now):
		s.status.Resyncs++
		s.sendQuery(s.filter.activeRequest, now)
	case s.incompleteRecords.queryDue(s.handover.lastDuration, now) && s.isSynced() && !s.filter.filterUpdateDue(s.handover.lastDuration, now):
		s.queryIncompleteRecords(now)
	case s.retry.mustWait(now):
	case s.activeID == "":
		s.subscribe(now)
	case s.filter.differs(), s.needsResubscribe:
		s.updateActiveFilter(now)
	}
}

// queryIncompleteRecords queries the records that updates left incomplete. If filters cannot name single
// records, it requests the full state.
func (s *subscription) queryIncompleteRecords(now time.Time) {
	switch hasWanted, named := s.incompleteRecords.buildQuery(s.filter.wantedFilter(), now); {
	case !named:
		s.losses.recordLoss(now)
	case hasWanted:
		s.sendQuery(s.incompleteRecords.request, now)
	}
}

// giveUpQuery cancels the query for the full state if the answer is overdue.
func (s *subscription) giveUpQuery(now time.Time) {
	patience := records.AnswerTimeout(s.retry.failures)
	if now.Sub(s.handover.requestedAt) <= patience {
		return
	}
	s.handover.cancelQuery()
	s.continueUnverified(fmt.Sprintf("no answer to the query for the full state within %v", patience), now)
}

// updateState updates the displayed state as time passes. A current state becomes unverified if an audit is
// overdue, a live one also if a lost update is not repaired in time. After a while in a current state,
// updateState forgets earlier failures. It requests the full state if a refusal no longer applies.
func (s *subscription) updateState(now time.Time) {
	if s.status.State.IsCurrent() {
		if why := s.audit.OverdueReason(s.status.VerifiedAt, now); why != "" {
			s.status.setState(model.SubUnverified, why, now)
		}
	}
	switch {
	case s.status.State == model.SubLive && s.losses.isVisible(now):
		s.status.setState(model.SubUnverified, "an update was lost; the full state is being requested", now)
	case s.status.State.IsCurrent() && now.Sub(s.status.Since) >= healthyAfter:
		s.retry.failures = 0
	case s.status.State == model.SubRefused && s.activeID != "" && !s.filter.differs():
		s.losses.needsResync = true // the refused filter is no longer wanted, so the refusal no longer applies
	}
}

func (s *subscription) stopAll(now time.Time) {
	if s.activeID == "" && s.handover.pendingID == "" && s.merger.Records() == 0 {
		return
	}
	for _, id := range []string{s.activeID, s.handover.pendingID, s.handover.queryID} {
		if id != "" {
			s.requests.Cancel(id)
		}
	}
	s.audit.Stop()
	s.activeID, s.filter.activeRequest = "", graphql.Request{}
	s.cancelHandover()
	s.retired.forget()
	s.newcomers.endSubscription(now)
	s.merger.Clear()
	s.status.setState(model.SubWaiting, "", now)
}

func (s *subscription) subscribe(now time.Time) {
	id, err := s.requests.Send(graphql.KindSubscription, s.filter.wantedRequest, now)
	if err != nil {
		return // the session has ended and is cleaned up elsewhere
	}
	s.setPending(id, now)
	s.newcomers.acceptReturned(&s.filter, now)
	s.delivery.needsRecordSubscriptions = false
	s.status.Keys = s.filter.wantedRequest.Keys
	if s.activeID == "" {
		s.status.setState(model.SubSyncing, "", now)
	}
}

// canAddNewcomers reports whether users who logged in can get a small subscription next to the
// large one, so that the large one need not be renewed.
func (s *subscription) canAddNewcomers() bool {
	return s.isSynced() && s.filter.activeRequest.Keys >= largeFilterKeys && !s.newcomers.refused && !s.newcomers.needsRenewal && !s.needsResubscribe &&
		!s.dialect.IsKeyless(s.doc.Root) && len(s.audit.Chunks) > 0
}

// updateActiveFilter makes the active filter follow the wanted filter once the wanted filter has settled. It
// replaces the subscription, or adds a small one for users who logged in.
func (s *subscription) updateActiveFilter(now time.Time) {
	switch {
	case s.canAddNewcomers():
		if now.Sub(s.filter.changedAt) >= filterDelay || now.Sub(s.filter.differsSince) >= maxNewcomerDelay {
			s.newcomers.needsRenewal = !s.subscribeNewcomers(now)
		}
	case s.needsResubscribe || s.filter.hasSettled(s.handover.lastDuration, now):
		s.subscribe(now)
	}
}

// subscribeNewcomers makes the active filter follow the wanted one without renewing the large
// subscription: it ignores users who logged out and subscribes to users who logged in. It returns
// false if the large subscription has to be renewed.
func (s *subscription) subscribeNewcomers(now time.Time) bool {
	wanted, active := s.filter.wantedFilter(), s.filter.activeFilter()
	if graphql.TermsExceptNames(wanted) != graphql.TermsExceptNames(active) {
		return false
	}
	c, ok := s.newcomers.compareFilters(s.filter.wantedChannels(), s.filter.activeChannels(), now)
	if !ok {
		return false
	}
	s.newcomers.ignoreLeavers(c.leavers, now)
	s.audit.DropSuspects(c.leavers)
	if s.status.Keys = s.filter.wantedRequest.Keys; !c.hasNewcomers {
		s.newcomers.users, s.filter.activeRequest = c.newcomers, s.filter.wantedRequest
		s.markCurrentUsers() // the active subscriptions cover all current users
		return true
	}
	if c.hasLeavers {
		slices.Sort(c.staying)
		s.filter.activeRequest = active.RequestFor(c.staying)
	}
	r := wanted.RequestFor(slices.Sorted(maps.Keys(c.newcomers)))
	if id, err := s.requests.Send(graphql.KindSubscription, r, now); err == nil { // an error means that the session has ended
		s.setPending(id, now)
		s.newcomers.pending = pendingNewcomers{r, c.newcomers}
	}
	return true
}

func (s *subscription) sendQuery(r graphql.Request, now time.Time) {
	id, err := s.requests.Send(graphql.KindQuery, r, now)
	if err != nil {
		return
	}
	s.handover.recordQuery(id, now)
	if s.handover.pendingID == "" {
		s.retired.end() // the answer will be newer than late updates of the replaced subscriptions
	}
	if s.newcomers.pending.IsWanted || s.incompleteRecords.request.IsWanted { // the answer to a query for some records says nothing about the others
		s.losses.completeAtQuery = !s.losses.needsResync && !s.needsResubscribe
		return
	}
	s.recordFullStateQuery(r, now)
}

// restartOperation repeats the operation id, which the server refused, after wait. It returns false
// if id is neither the query for the full state nor the active or the pending subscription.
func (s *subscription) restartOperation(id string, wait time.Duration, now time.Time) bool {
	id = s.requests.OperationID(id)
	switch id {
	case s.handover.queryID:
		s.handover.cancelQuery()
		if s.handover.pendingID == "" {
			s.losses.needsResync, s.losses.queriedAt = true, now.Add(wait-minResyncInterval)
		} else {
			s.handover.requestedAt = now.Add(wait - firstMessageWait)
		}
	case s.activeID, s.handover.pendingID:
		s.dropSubscription(id, now)
		s.retry.notBefore = now.Add(wait)
		if s.activeID == "" {
			s.status.setState(model.SubConnecting, "finding out what the server understands", now)
		}
	default:
		return false
	}
	s.step(now)
	return true
}
