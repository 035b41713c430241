package feeds

import (
	"math"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
)

const (
	// firstMessageWait is how long to wait for the first message of a subscription before the full
	// state is queried. The first message shows that the subscription is active. If the query came
	// earlier, updates between query and subscription would be lost. The next subscription gets
	// twice the time that the last one took, up to maxFirstMessageWait, because a large
	// first message may be the full state and takes long.
	firstMessageWait    = 250 * time.Millisecond
	maxFirstMessageWait = 3 * time.Second
	// maxBufferBytes limits the size in bytes of the updates that wait for the full state. If there
	// are very many records, the limit is bufferPerRecord bytes per record instead.
	maxBufferBytes  = 16 << 20
	bufferPerRecord = 1 << 10
)

// phase is the progress of a handover.
type phase int

const (
	phaseIdle     phase = iota // no handover
	phaseOpening               // waiting for the first message of the pending subscription
	phaseQuerying              // waiting for the full state, with or without a pending subscription
)

// handover replaces the records of an operation with a full state and applies the updates received
// meanwhile. Usually it also makes a new subscription, the pending one, the active one in the same
// step.
type handover struct {
	requests *dialect.Requests
	merger   interface {
		Records() int
		CompleteRecords(payload []byte, env *merge.Env) int
	}

	pendingID       string          // ID of the subscription that will replace the active one
	pendingRequest  graphql.Request // filter of the pending subscription
	queryID         string          // ID of the query for the full state
	requestedAt     time.Time       // when the pending subscription or the query was sent, or when a piece last arrived
	pendingSentAt   time.Time       // when the pending subscription was sent
	pendingStarted  bool            // the pending subscription has sent its first message
	lastStartDelay  time.Duration   // how long the last subscription took to send its first message
	lastDuration    time.Duration   // how long the last full state took to arrive
	firstMessage    firstMessage
	bufferedUpdates records.UpdateBuffer // updates since the pending subscription or the query was sent
	queryIndex      int                  // index of the first buffered update after the query was sent
}

// phase returns the current phase of the handover.
func (h *handover) phase() phase {
	switch {
	case h.queryID != "":
		return phaseQuerying
	case h.pendingID != "":
		return phaseOpening
	}
	return phaseIdle
}

// setPending starts a handover to the subscription id, whose filter is request.
func (h *handover) setPending(id string, request graphql.Request, now time.Time) {
	h.reset()
	h.pendingID, h.pendingRequest, h.requestedAt, h.pendingSentAt = id, request, now, now
}

// reset ends the handover without a result.
func (h *handover) reset() {
	h.pendingID, h.queryID, h.pendingStarted = "", "", false
	h.firstMessage = firstMessage{facts: h.firstMessage.facts}
	h.dropBuffered()
}

func (h *handover) dropBuffered() { h.bufferedUpdates, h.queryIndex = records.UpdateBuffer{}, 0 }

// recordQuery records that id is the running query for the full state.
func (h *handover) recordQuery(id string, now time.Time) {
	h.queryID, h.requestedAt = id, now
	h.bufferFirstMessages(h.maxBufferedBytes())
	h.queryIndex = h.bufferedUpdates.Len()
}

// bufferFirstMessages moves the stored first messages in front of the buffered updates, because the
// full state is queried after all. If the messages and updates together exceed limit bytes, all of
// them are dropped.
func (h *handover) bufferFirstMessages(limit int) {
	if len(h.firstMessage.messages) == 0 {
		return
	}
	h.pendingStarted = true
	held, room := records.UpdateBuffer{}, true
	var work []byte
	for _, p := range h.firstMessage.messages {
		room = room && held.Add(p.Message(&work), limit)
	}
	for p := range h.bufferedUpdates.UpdatesFrom(0) {
		room = room && held.Add(p, limit)
	}
	h.bufferedUpdates, h.firstMessage = held, firstMessage{facts: h.firstMessage.facts, completeRecords: h.firstMessage.completeRecords}
}

// cancelQuery cancels the running query for the full state.
func (h *handover) cancelQuery() {
	h.requests.Cancel(h.queryID)
	h.queryID = ""
}

// expectedRecords estimates how many records the pending subscription covers.
func (h *handover) expectedRecords() int { return max(h.pendingRequest.Keys, h.merger.Records()) }

// maxBufferedBytes returns the maximum size in bytes of the buffered updates.
func (h *handover) maxBufferedBytes() int {
	return max(maxBufferBytes, bufferPerRecord*h.expectedRecords())
}

// isFirst reports whether a message of the pending subscription is a first message. If the
// subscription is split into pieces, each piece has a first message. ofPiece is true for a first
// message of a piece.
func (h *handover) isFirst(ofPiece bool) bool {
	return !h.pendingStarted && (ofPiece || !h.requests.IsSplit(h.pendingID))
}

// handleFirstMessage handles a first message of the pending subscription or of one of its pieces.
// If the first messages amount to a full state, it returns that state, and the caller treats it
// like the answer to a query. forNewcomers is true if the pending subscription covers only users who logged in
// recently. hasActive is true if another subscription is active. held is true if the caller must not apply the
// message, because no subscription is active and the other pieces have not sent their first messages yet.
func (h *handover) handleFirstMessage(payload []byte, forNewcomers, hasActive bool, env *merge.Env, now time.Time) (full records.FullState, held bool) {
	switch {
	case forNewcomers:
		h.pendingStarted = true
		return nil, false
	case !h.requests.IsSplit(h.pendingID):
		h.markStarted(now)
		h.firstMessage.completeRecords = h.merger.CompleteRecords(payload, env)
		return h.fullStateFrom(records.FullState{records.NewPiece(payload)}), false
	case h.queryID != "" || !h.firstMessage.add(payload, h.merger.CompleteRecords(payload, env)):
		h.pendingStarted = true
		return nil, false
	}
	h.requestedAt = now // give the other pieces more time
	if h.requests.IsSending(h.pendingID) || h.firstMessage.pieces < len(h.requests.OpenPieces(h.pendingID)) {
		return nil, !hasActive
	}
	h.markStarted(now)
	return h.fullStateFrom(h.firstMessage.messages), false
}

func (h *handover) fullStateFrom(full records.FullState) records.FullState {
	expected := h.expectedRecords()
	if full.Size() < minFirstMessageBytes || expected == 0 || !isNearlyComplete(h.firstMessage.completeRecords, expected) {
		return nil
	}
	if h.queryID != "" {
		h.requests.Cancel(h.queryID)
	}
	return full
}

// firstWaitIsOver reports whether the wait for the first message of the pending subscription is over: the
// message has arrived or the time is up. forNewcomers is true if the subscription covers only users
// who logged in recently.
func (h *handover) firstWaitIsOver(forNewcomers bool, now time.Time) bool {
	switch {
	case h.pendingStarted:
		return true
	case now.Sub(h.requestedAt) < h.firstTimeout(h.expectedRecords(), forNewcomers):
		return false
	}
	if !forNewcomers {
		h.markSilent(h.expectedRecords())
	}
	return true
}

// markStarted records that the pending subscription has sent its first message.
func (h *handover) markStarted(now time.Time) {
	h.pendingStarted, h.lastStartDelay = true, now.Sub(h.pendingSentAt)
}

// markSilent records that the first message did not arrive in time, and the next subscription gets
// no extra time. expected is the number of records that the subscription covers.
func (h *handover) markSilent(expected int) {
	h.lastStartDelay = 0
	h.firstMessage.facts.lastWasFullState = h.firstMessage.facts.lastWasFullState && expected < minFirstMessageRecords
}

// firstTimeout returns how long to wait for the first message of the pending subscription. expected
// is the number of records that it covers. forNewcomers is true if it covers only users who logged
// in recently.
func (h *handover) firstTimeout(expected int, forNewcomers bool) time.Duration {
	if h.firstMessage.pieces > 0 || h.firstMessage.facts.lastWasFullState && !forNewcomers && expected >= minFirstMessageRecords {
		return firstMessageTimeout
	}
	return max(firstMessageWait, min(2*h.lastStartDelay, maxFirstMessageWait))
}

// learnFirstMessage records whether the first message of a subscription was nearly a full state.
// records is the number of records in the full state queried afterwards. If the first message
// contained no complete record, learnFirstMessage does nothing.
func (h *handover) learnFirstMessage(records uint64) {
	if h.firstMessage.completeRecords > 0 {
		h.firstMessage.facts.lastWasFullState = isNearlyComplete(h.firstMessage.completeRecords, int(min(records, math.MaxInt32)))
	}
}

// bufferUpdate buffers an update if it is needed when the full state arrives. It returns false if
// the buffer is full, and all buffered updates are then lost. For id, first and hasActive see
// [handover.needsBuffering].
func (h *handover) bufferUpdate(payload []byte, id string, first, hasActive bool) bool {
	return !h.needsBuffering(id, first, hasActive) || h.bufferedUpdates.Add(payload, h.maxBufferedBytes())
}

// needsBuffering reports whether to buffer an update of the subscription id until the full state
// arrives. first is true for the first message of a subscription. hasActive is true if another
// subscription is active.
//
// Updates of two subscriptions have no common order, so only updates of the pending one are applied
// on top of the full state. The full state contains the updates that arrived before the query.
// These updates are buffered nevertheless: the full state may never arrive, and late messages of
// the old subscription may have to be applied before these updates.
func (h *handover) needsBuffering(id string, first, hasActive bool) bool {
	if h.pendingID == "" {
		return h.queryID != ""
	}
	return id == h.pendingID && (!hasActive || h.queryID != "" || !first)
}
