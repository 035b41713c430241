package feeds

import (
	"math"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
	"wallboard/feeds/records"
)

const (
	// queryAfter is how long a subscription may take to send its first frame
	// before the full state is queried: a subscribe is not acknowledged, and an
	// update between the two would be lost. If the last one took longer, the
	// next gets twice its time, up to queryLate: a large first frame is the
	// full state itself, and would have to be buffered after the query.
	queryAfter = 250 * time.Millisecond
	queryLate  = 3 * time.Second
	// maxBufferBytes limits the memory of updates that wait for the full state, in
	// bytes. With very many records the limit is bufferPerRecord per record.
	maxBufferBytes  = 16 << 20
	bufferPerRecord = 1 << 10
)

// phase is the progress of a handover.
type phase int

const (
	idle    phase = iota // no handover
	opening              // waiting for the first message of a new subscription
	asking               // the full state is being queried, with or without a new subscription
)

// handover replaces the current state: by a new subscription, a full state, and
// the updates received meanwhile.
type handover struct {
	requests *dialect.Requests
	data     interface {
		Records() int
		Whole(payload []byte, env *merge.Env) int
	}

	pending   string          // id of the subscription that will replace the active one
	request   queries.Request // filter of the pending subscription
	query     string          // id of the query for the full state
	since     time.Time       // when pending or query was sent
	sentAt    time.Time       // when pending was sent
	started   bool            // pending has delivered something
	lastStart time.Duration   // time to the first message of the last one
	lastTook  time.Duration   // time to the full state of the last one
	first     firstMessage
	buffered  records.UpdateBuffer // updates since pending began or query was sent
	queryMark int                  // number of the first kept update after the query was sent
}

// phase returns the progress.
func (h *handover) phase() phase {
	switch {
	case h.query != "":
		return asking
	case h.pending != "":
		return opening
	}
	return idle
}

// begin makes id the pending subscription.
func (h *handover) begin(id string, covers queries.Request, now time.Time) {
	h.reset()
	h.pending, h.request, h.since, h.sentAt = id, covers, now, now
}

// reset cancels the handover.
func (h *handover) reset() {
	h.pending, h.query, h.started = "", "", false
	h.first = firstMessage{platform: h.first.platform}
	h.dropBuffered()
}

// dropBuffered drops the buffered updates.
func (h *handover) dropBuffered() { h.buffered, h.queryMark = records.UpdateBuffer{}, 0 }

// markQuery records that the full state is being queried.
func (h *handover) markQuery(id string, now time.Time) {
	h.query, h.since = id, now
	h.releaseFirst(h.maxBuffered())
	h.queryMark = h.buffered.Len()
}

// releaseFirst treats buffered first messages like any update, because the full state
// is queried after all.
func (h *handover) releaseFirst(most int) {
	if len(h.first.messages) == 0 {
		return
	}
	h.started = true
	held, room := records.UpdateBuffer{}, true
	for _, p := range h.first.messages {
		room = room && held.Add(p, most)
	}
	for p := range h.buffered.From(0) {
		room = room && held.Add(p, most)
	}
	h.buffered, h.first = held, firstMessage{platform: h.first.platform, complete: h.first.complete}
}

// cancelQuery cancels the query for the full state.
func (h *handover) cancelQuery() {
	h.requests.Cancel(h.query)
	h.query = ""
}

// expected returns how many records the pending subscription is about, as far
// as known.
func (h *handover) expected() int { return max(h.request.Keys, h.data.Records()) }

// maxBuffered returns how many bytes of updates may be buffered.
func (h *handover) maxBuffered() int { return max(maxBufferBytes, bufferPerRecord*h.expected()) }

// isFirst reports whether a message is the first of the pending subscription or
// of one of its pieces.
func (h *handover) isFirst(ofPiece bool) bool {
	return !h.started && (ofPiece || !h.requests.InPieces(h.pending))
}

// handleFirst handles a first message of the pending subscription or of one of its
// pieces. It returns the full state if the first messages amount to one; the
// caller then treats it like an answer to a query. small is set for the
// subscription for newcomers, delivers if another subscription is active. held
// reports that the message waits for those of the other pieces and updates no
// existing records.
func (h *handover) handleFirst(payload []byte, small, delivers bool, env *merge.Env, now time.Time) (full records.FullState, held bool) {
	switch {
	case small:
		h.started = true
		return nil, false
	case !h.requests.InPieces(h.pending):
		h.markStarted(now)
		h.first.complete = h.data.Whole(payload, env)
		return h.fullStateFrom(records.FullState{payload}), false
	case h.query != "" || !h.first.add(payload, h.data.Whole(payload, env)):
		h.started = true
		return nil, false
	}
	h.since = now // still in progress
	if h.requests.Sending(h.pending) || h.first.pieces < len(h.requests.Pieces(h.pending)) {
		return nil, !delivers
	}
	h.markStarted(now)
	return h.fullStateFrom(h.first.messages), false
}

// fullStateFrom returns the first messages if they are a full state.
func (h *handover) fullStateFrom(full records.FullState) records.FullState {
	expected := h.expected()
	if full.Size() < openingLarge || expected == 0 || !isComplete(h.first.complete, expected) {
		return nil
	}
	if h.query != "" {
		h.requests.Cancel(h.query)
	}
	return full
}

// openingDone reports whether the pending subscription has sent its first message or
// has run out of time for it.
func (h *handover) openingDone(small bool, now time.Time) bool {
	switch {
	case h.started:
		return true
	case now.Sub(h.since) < h.firstTimeout(h.expected(), small):
		return false
	}
	if !small {
		h.markSilent(h.expected())
	}
	return true
}

// markStarted records that the first message arrived.
func (h *handover) markStarted(now time.Time) { h.started, h.lastStart = true, now.Sub(h.sentAt) }

// markSilent records that no first message arrived in time; the next subscription
// does not get extra time.
func (h *handover) markSilent(expected int) {
	h.lastStart = 0
	h.first.platform.full = h.first.platform.full && expected < openingMany
}

// firstTimeout returns how long to wait for the first message of the pending
// subscription. small is set for the subscription for newcomers.
func (h *handover) firstTimeout(expected int, small bool) time.Duration {
	if h.first.pieces > 0 || h.first.platform.full && !small && expected >= openingMany {
		return openingWithin
	}
	return max(queryAfter, min(2*h.lastStart, queryLate))
}

// learn compares the first message with the number of records in the full
// state.
func (h *handover) learn(records uint64) {
	if h.first.complete > 0 {
		h.first.platform.full = isComplete(h.first.complete, int(min(records, math.MaxInt32)))
	}
}

// buffer stores an update if necessary. It returns false if the buffer is full;
// the buffered updates are then lost.
func (h *handover) buffer(payload []byte, id string, first, delivers bool) bool {
	return !h.mustBuffer(id, first, delivers) || h.buffered.Add(payload, h.maxBuffered())
}

// mustBuffer reports whether to buffer an update until the full state arrives.
// Messages of two subscriptions have no common order, so only those of the new
// one go on top of the full state. Updates from before the query are in the
// full state; they are kept in case it never arrives, and to go on top of late
// messages of the old subscription. first is set for the first message,
// delivers if another subscription is active.
func (h *handover) mustBuffer(id string, first, delivers bool) bool {
	if h.pending == "" {
		return h.query != ""
	}
	return id == h.pending && (!delivers || h.query != "" || !first)
}
