package records

import (
	"time"
)

const (
	// recheckDelay is the delay before suspects are checked again. If an update has recently
	// changed the record of a suspect, lateRecheckDelay applies instead, because a replica may
	// still lack the update.
	recheckDelay     = 2 * time.Second
	lateRecheckDelay = 12 * time.Second
	// earlyRecheckDelay is the delay before suspects of the early check are checked again. It is at
	// least as long as most platforms gather updates.
	earlyRecheckDelay = time.Second
)

// runningCheck is a check whose query was sent, with the updates received since then.
type runningCheck struct {
	id           string
	chunk        int
	askedAt      time.Time    // when the query was sent
	isFirst      bool         // the check compares all values of the chunk, not only the suspects
	updates      UpdateBuffer // updates since the query was sent
	sinceVersion uint64       // version that the store had MaxReplicaLag before the query
}

// RunningQuery returns the ID of the running check's query, or "" if no check is running.
func (v *Verifier) RunningQuery() string {
	if v.running == nil {
		return ""
	}
	return v.running.id
}

// IsRunning reports whether id is the ID of the running check's query.
func (v *Verifier) IsRunning(id string) bool { return id != "" && id == v.RunningQuery() }

// MostUrgentChunk returns the due chunk that was verified longest ago, and the time of that
// verification. ok is false if no chunk is due or a check is running. If there is too little time
// to check all chunks, this order keeps the delays small.
func (v *Verifier) MostUrgentChunk(now time.Time) (chunk int, verified time.Time, ok bool) {
	if v.running != nil {
		return 0, time.Time{}, false
	}
	for n := range v.Chunks {
		c := &v.Chunks[n]
		if !c.NextCheckAt().After(now) && (!ok || c.verifiedAt.Before(verified)) {
			chunk, verified, ok = n, c.verifiedAt, true
		}
	}
	return chunk, verified, ok
}

// StartCheck sends the query for a check of chunk i. If the chunk has suspects, it queries only
// them if filters can name them. covered is the request of the subscription. since is the store's
// version of [MaxReplicaLag] ago. done is true if no query is necessary. The check is then complete, and
// the caller must call [Verifier.FinishCheck].
func (v *Verifier) StartCheck(i int, covered CoveredRequest, since uint64, now time.Time) (done bool) {
	c := &v.Chunks[i]
	if c.dropExplainedSuspects() {
		return true
	}
	names := c.Names
	if len(c.Suspects) > 0 && names != nil {
		names = c.suspectNames()
	} else if len(v.Chunks) == 1 {
		names = nil
	}
	r := covered.requestFor(names)
	if r.Keys == 0 && len(c.Suspects) == 0 && covered.CoversUnwanted { // all users of the chunk have logged out
		c.checkedAt = now
		return true
	}
	if r.Keys == 0 && covered.Request.Keys > 0 { // filters cannot name the records: query everything
		r = covered.Request
	}
	id, err := v.querier.SendQuery(r, now)
	if err != nil {
		return false // the session has ended
	}
	if len(c.Suspects) == 0 {
		c.checkedAt, c.checkDelay = now, max(0, now.Sub(c.dueAt))
	}
	v.running = &runningCheck{id: id, chunk: i, askedAt: now, sinceVersion: since, isFirst: len(c.Suspects) == 0}
	return false
}

// CancelCheck cancels the running check.
func (v *Verifier) CancelCheck() {
	if v.running != nil {
		v.querier.Cancel(v.running.id)
	}
	v.running = nil
}

// BufferUpdate stores an update that arrived during a check. If the updates exceed maxBuffered
// bytes, BufferUpdate ends the check.
func (v *Verifier) BufferUpdate(payload []byte, now time.Time) {
	if v.running != nil && !v.running.updates.Add(payload, maxBuffered) {
		v.abortCheck("too much changed while the full state was asked for", now)
	}
}

// ExpireCheck ends a check whose query was not answered in time.
func (v *Verifier) ExpireCheck(now time.Time) {
	if v.running != nil && now.Sub(v.running.askedAt) > AnswerTimeout(v.failures) {
		v.abortCheck("the server does not answer the query for the full state", now)
	}
}

func (v *Verifier) abortCheck(reason string, now time.Time) {
	v.querier.Cancel(v.running.id)
	v.FailCheck(reason, now)
}

// FailCheck ends a check that failed for the given reason and schedules another one. Until
// [Verifier.OverdueReason] reports them, the figures still count as verified.
func (v *Verifier) FailCheck(reason string, now time.Time) {
	c := &v.Chunks[v.running.chunk]
	v.running = nil
	v.failures++
	v.lastFailure = reason
	retry := now.Add(min(maxRetryDelay, recheckDelay<<min(v.failures-1, 8)))
	if c.awaitsEarlyCheck() {
		c.earlyCheckAt, c.Suspects = time.Time{}, nil
	}
	c.dueAt, c.recheckAt = retry, retry
}

// EvaluateAnswer evaluates full, the answer to the query of the running check. synced returns when
// a record, given by name, was last queried separately. If the answer cannot be compared, Err is set in
// the result, and the caller must call [Verifier.FailCheck] unless the session ends. Otherwise the
// caller must call [Verifier.FinishCheck].
func (v *Verifier) EvaluateAnswer(full FullState, synced func(name string) time.Time, now time.Time) CheckResult {
	l := v.running
	c := &v.Chunks[l.chunk]
	scope := CompareScope{
		Covers:         func(name string) bool { return v.chunkCovers(l.chunk, name) },
		SinceFullState: l.isFirst && c.awaitsEarlyCheck(),
		SinceVersion:   l.sinceVersion,
		AnswerTime:     now.Sub(l.askedAt),
	}
	if !l.isFirst {
		scope.Suspects = c.Suspects // empty if the users of the suspects have logged out
	}
	found, err := v.data.Compare(full, l.updates.UpdatesFrom(0), v.env, scope)
	if err != nil {
		v.data.Repair(nil)
		return CheckResult{ChunkIndex: l.chunk, Err: err, Answer: found.ApplyResult}
	}
	v.running, v.failures, v.lastFailure = nil, 0, ""
	if scope.SinceFullState {
		v.data.Repair(nil)
		c.setEarlySuspects(found.Diffs, now)
		return CheckResult{ChunkIndex: l.chunk}
	}
	if scope.Suspects == nil {
		v.data.Repair(nil)
		c.setSuspects(found.Diffs, now)
		return CheckResult{ChunkIndex: l.chunk}
	}
	return v.judgeSuspects(l.chunk, found, synced, now)
}
