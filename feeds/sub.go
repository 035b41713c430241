package feeds

import (
	"cmp"
	"slices"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
	"wallboard/model"
)

// healthyAfter is how long a subscription must be current before its earlier failures no longer count.
const healthyAfter = time.Minute

// feedCallbacks holds the functions of the feed that a subscription calls.
type feedCallbacks struct {
	warn             func(op, msg string, err error) // logs a problem with a message
	clean            func(string) string             // makes external text safe to display
	versionBeforeLag func() uint64                   // version that the store had [records.MaxReplicaLag] ago
	// logRepairedDifference logs one of several differences that an audit repaired; of is their number.
	// onPlatformRestart makes the feed subscribe to all operations again after a restart of the
	// platform.
	logRepairedDifference func(op string, d *records.Difference, of int)
	onPlatformRestart     func(why string)
}

// syncProgress tracks what a subscription has received on the current connection.
type syncProgress struct {
	delivered       bool      // an update or a part of the full state arrived
	verified        bool      // a full state was applied
	firstVerifiedAt time.Time // when the newest connection that delivered a full state applied its first one
}

// subscription keeps the records of one operation in sync. After a change of the wanted filter, a new
// subscription on the server starts and is synchronized while the active one continues.
type subscription struct {
	doc       graphql.Document
	merger    recordMerger
	status    status
	callbacks feedCallbacks
	env       *merge.Env       // shared by the feed; its clock is set before every call
	dialect   *dialect.Dialect // shared by the feed

	requests          *dialect.Requests
	filter            filterProgress
	handover          handover
	retired           retiredSubscriptions
	newcomers         newcomerSubscription
	losses            resyncReasons
	incompleteRecords incompleteRecords
	delivery          deliveryMode
	retry             retrySchedule
	adaptation        adaptationState
	progress          syncProgress
	coverage          currentUserCoverage
	audit             *records.Verifier

	activeID         string // ID of the active subscription
	needsResubscribe bool   // replace the active subscription even if its filter has not changed
}

func newSubscription(doc graphql.Document, data recordMerger, env *merge.Env, d *dialect.Dialect, h feedCallbacks) *subscription {
	r := dialect.NewRequests(doc, data, d)
	s := &subscription{
		doc: doc, merger: data, env: env, dialect: d, callbacks: h, requests: r,
		status:    status{Subscription: model.Subscription{Name: model.Op(doc.Root), State: model.SubConnecting}, clean: h.clean},
		handover:  handover{requests: r, merger: data, firstMessage: firstMessage{facts: &firstMessageFacts{}}},
		retired:   retiredSubscriptions{requests: r, merger: data, env: env},
		newcomers: newcomerSubscription{requests: r, merger: data},
		delivery:  deliveryMode{op: doc.Root, merger: data, requests: r, dialect: d},
	}
	s.audit = records.NewVerifier(records.VerifierOptions{
		Op: model.Op(doc.Root), Interval: defaultAuditInterval, Ready: s.canCheck,
		SeeksUnits: func() bool { return env.Times.NeedsFullState(traitsByOperation[doc.Root].timeFields) },
	}, data, env, r)
	return s
}

// setWanted makes r the wanted request. known is false while the records that determine the filter
// have not arrived. An empty request is then not final.
func (s *subscription) setWanted(r graphql.Request, known bool, now time.Time) {
	switch {
	case r.IsWanted || !s.requests.Connected() || s.activeID != "" || s.handover.pendingID != "":
	case known:
		s.status.setState(model.SubWaiting, "", now)
	default:
		s.status.setState(model.SubConnecting, "the records to request are not known yet", now)
	}
	if s.filter.setWanted(r, now) {
		s.incompleteRecords.dropEarlyRecords(&s.filter, s.merger)
		if s.isSynced() && s.filter.wantedRequest.Keys < largeFilterKeys {
			s.incompleteRecords.addUncoveredNames(&s.filter)
		}
	}
}

// owns reports whether id is an operation of s, or a piece of one: a subscription or a query.
func (s *subscription) owns(id string) bool {
	id = s.requests.OperationID(id)
	return id != "" && (s.isDelivering(id) || id == s.handover.pendingID || id == s.handover.queryID || s.audit.IsRunning(id) || s.retired.contains(id))
}

// isDelivering reports whether id is a subscription whose updates change the records: the active
// one, or the small one for users who logged in later.
func (s *subscription) isDelivering(id string) bool {
	return id != "" && (id == s.activeID || id == s.newcomers.id)
}

// isSubscription reports whether id is the active subscription, its pending replacement, or a piece
// of one of them.
func (s *subscription) isSubscription(id string) bool {
	id = s.requests.OperationID(id)
	return id != "" && (id == s.activeID || id == s.handover.pendingID)
}

// isSynced reports whether a full state was applied on this connection and updates arrive by
// themselves.
func (s *subscription) isSynced() bool {
	return s.activeID != "" && s.progress.verified && s.delivery.pollInterval == 0
}

// canCheck reports whether an audit check can begin.
func (s *subscription) canCheck() bool {
	return s.requests.Connected() && s.isSynced() && s.handover.phase() == phaseIdle && !s.losses.needsResync && !s.needsResubscribe
}

// handleLinkUp prepares the subscription for a new connection.
func (s *subscription) handleLinkUp(conn dialect.Connection, now time.Time) {
	s.handleLinkDown("", now)
	s.requests.Connect(conn)
	s.retry = retrySchedule{}
	s.adaptation = adaptationState{}
	s.handover.lastStartDelay, s.newcomers.refused = 0, false
	s.coverage = currentUserCoverage{}
}

// handleLinkDown forgets the state that belonged to the connection. The records stay and are marked
// as old. reason is shown to the user.
func (s *subscription) handleLinkDown(reason string, now time.Time) {
	s.requests.Disconnect()
	s.delivery.needsRecordSubscriptions = false
	s.activeID, s.filter.activeRequest = "", graphql.Request{}
	s.cancelHandover()
	s.retired.forget()
	s.newcomers.endSubscription(now)
	s.losses.clear()
	s.progress = syncProgress{firstVerifiedAt: s.progress.firstVerifiedAt}
	s.needsResubscribe = false
	s.audit.Stop()
	s.status.setState(model.SubConnecting, reason, now)
}

func (s *subscription) cancelHandover() {
	s.handover.reset()
	s.incompleteRecords.clearQuery()
	s.newcomers.pending = pendingNewcomers{}
}

// hasDueWork reports whether the subscription has work in progress or soon due.
func (s *subscription) hasDueWork() bool {
	return s.requests.Connected() && s.filter.wantedRequest.IsWanted &&
		(s.handover.pendingID != "" || s.handover.queryID != "" || s.losses.needsResync || s.delivery.needsRecordSubscriptions || len(s.incompleteRecords.pendingNames) > 0 || s.activeID == "" || s.filter.differs())
}

// setPending starts a handover to the subscription id, which has the wanted filter.
func (s *subscription) setPending(id string, now time.Time) {
	s.cancelHandover()
	s.handover.setPending(id, s.filter.wantedRequest, now)
	s.coverage.pendingIsCurrent = s.coverage.wantedIsCurrent
}

// pendingRequest returns the request whose answer is expected next. named reports whether the
// answer covers the record with a given name. If named is nil, the answer covers all records.
func (s *subscription) pendingRequest() (r graphql.Request, named func(name string) bool) {
	switch {
	case s.newcomers.pending.IsWanted:
		users := s.newcomers.pending.users
		return s.newcomers.pending.Request, func(name string) bool { _, ok := users[name]; return ok }
	case s.incompleteRecords.request.IsWanted:
		names := s.incompleteRecords.queriedNames
		return s.incompleteRecords.request, func(name string) bool { return names[name] }
	}
	return s.handover.pendingRequest, nil
}

// recordFullStateQuery records that the full state was queried with the request r at the time at.
func (s *subscription) recordFullStateQuery(r graphql.Request, at time.Time) {
	s.losses.completeAtQuery = s.activeID != "" && s.handover.pendingID != "" && !s.losses.needsResync && !s.needsResubscribe &&
		graphql.TermsExceptNames(s.filter.activeFilter()) == graphql.TermsExceptNames(s.filter.cache.Value(r.Filter))
	s.losses.clear()
	s.losses.queriedAt = at
}

// requeryReturned queries the records of the users in returned. They logged out and in again before
// the filter dropped them, so no update contains their records.
func (s *subscription) requeryReturned(returned []string, now time.Time) {
	if len(returned) == 0 || s.activeID == "" {
		return
	}
	covered := s.filter.activeContains()
	if s.handover.pendingID != "" {
		isActive, isPending := covered, s.filter.cache.ContainsName(s.handover.pendingRequest.Filter)
		covered = func(name string) bool { return isActive(name) || isPending(name) }
	}
	switch {
	case s.handover.pendingID == "":
		for _, name := range returned {
			s.incompleteRecords.addName(name)
		}
	case slices.ContainsFunc(returned, covered):
		s.losses.recordLoss(now)
	}
}

// markCurrentUsers records that the wanted filter was made from the current users.
func (s *subscription) markCurrentUsers() {
	f := &s.filter
	s.coverage.markWanted(s.handover.pendingID != "" && f.wantedRequest == s.handover.pendingRequest, !f.wantedRequest.IsWanted || s.activeID != "" && f.wantedRequest == f.activeRequest)
}

// updateRecordSubscriptions decides whether to replace the newest subscription with one subscription per
// record.
func (s *subscription) updateRecordSubscriptions() {
	s.delivery.updateRecordSubscriptions(cmp.Or(s.handover.pendingID, s.activeID))
}
