package feeds

import (
	"math"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
	"wallboard/feeds/requests"
)

const (
	// queryAfter is how long a subscription gets to send its first frame before
	// the full state is asked for: there is no answer to a subscribe, and an
	// update between the two would be lost. One that took longer the last time
	// gets twice that, up to queryLate: the first frame of thousands is a full
	// state itself, and after the query it would have to be kept.
	queryAfter = 250 * time.Millisecond
	queryLate  = 3 * time.Second
	// maxKept bounds the memory of updates that wait for the full state, in bytes.
	// Where that is of very many records, each has keptEach.
	maxKept  = 16 << 20
	keptEach = 1 << 10
)

// phase is how far the next synchronisation is.
type phase int

const (
	idle    phase = iota // nothing is under way
	opening              // a new subscription is to tell something first
	asking               // the full state is asked for, with a new subscription or without
)

// handover is what takes the place of what is there: a new subscription, the full
// state, and the updates meanwhile.
type handover struct {
	requests *requests.Requests
	data     interface {
		Records() int
		Whole(payload []byte, env *merge.Env) int
	}

	pending string          // id of the subscription that is to take the place of the one that delivers
	fresh   queries.Request // what it covers
	query   string          // id of the query for the full state
	since   time.Time       // when pending was sent, or query
	sentAt  time.Time       // when pending was sent
	started bool            // it has delivered something
	starts  time.Duration   // what it took the last one until it did
	took    time.Duration   // what it took the last one until the full state was there
	first   firstMessage
	kept    picture.Backlog // updates since pending began, or the query was sent
	mark    int             // number of the first of them that came after the query was sent
}

// phase is where it stands.
func (h *handover) phase() phase {
	switch {
	case h.query != "":
		return asking
	case h.pending != "":
		return opening
	}
	return idle
}

// begin makes an operation the pending subscription.
func (h *handover) begin(id string, covers queries.Request, now time.Time) {
	h.reset()
	h.pending, h.fresh, h.since, h.sentAt = id, covers, now, now
}

// reset forgets what is under way.
func (h *handover) reset() {
	h.pending, h.query, h.started = "", "", false
	h.first = firstMessage{platform: h.first.platform}
	h.forget()
}

// forget drops the updates that were kept.
func (h *handover) forget() { h.kept, h.mark = picture.Backlog{}, 0 }

// asks notes that the full state is asked for.
func (h *handover) asks(id string, now time.Time) {
	h.query, h.since = id, now
	h.letGo(h.maxKept())
	h.mark = h.kept.Len()
}

// letGo keeps what was held of the first messages like any update: the full state
// is asked for.
func (h *handover) letGo(most int) {
	if len(h.first.held) == 0 {
		return
	}
	h.started = true
	held, room := picture.Backlog{}, true
	for _, p := range h.first.held {
		room = room && held.Add(p, most)
	}
	for p := range h.kept.From(0) {
		room = room && held.Add(p, most)
	}
	h.kept, h.first = held, firstMessage{platform: h.first.platform, whole: h.first.whole}
}

// cancelQuery takes the query for the full state back.
func (h *handover) cancelQuery() {
	h.requests.Cancel(h.query)
	h.query = ""
}

// expected is how many records the pending subscription is about, as far as that
// is known.
func (h *handover) expected() int { return max(h.fresh.Keys, h.data.Records()) }

// maxKept is how many bytes of updates may wait for the full state.
func (h *handover) maxKept() int { return max(maxKept, keptEach*h.expected()) }

// isFirst reports whether a message of the pending subscription is its first, or the
// first of a piece of it.
func (h *handover) isFirst(ofPiece bool) bool {
	return !h.started && (ofPiece || !h.requests.Parted(h.pending))
}

// opens takes the first message of the pending subscription, or of a piece of it.
// It returns the full state if it is there now; then it is as if it had been asked
// for. small is whether it is beside the large one, delivers whether another delivers.
// held tells that the message waits for those of the other pieces, and there are no
// records that it could bring up to date.
func (h *handover) opens(payload []byte, small, delivers bool, env *merge.Env, now time.Time) (full picture.FullState, held bool) {
	switch {
	case small:
		h.started = true
		return nil, false
	case !h.requests.Parted(h.pending):
		h.begins(now)
		h.first.whole = h.data.Whole(payload, env)
		return h.opened(picture.FullState{payload}), false
	case h.query != "" || !h.first.hold(payload, h.data.Whole(payload, env)):
		h.started = true
		return nil, false
	}
	h.since = now // it goes on
	if h.requests.Sending(h.pending) || h.first.told < len(h.requests.Pieces(h.pending)) {
		return nil, !delivers
	}
	h.begins(now)
	return h.opened(h.first.held), false
}

// opened returns what the pending subscription has told first if that is the full
// state.
func (h *handover) opened(full picture.FullState) picture.FullState {
	expected := h.expected()
	if full.Size() < openingLarge || expected == 0 || !isAll(h.first.whole, expected) {
		return nil
	}
	if h.query != "" {
		h.requests.Cancel(h.query)
	}
	return full
}

// begun reports whether the pending subscription has sent its first frame, or has had
// the time to.
func (h *handover) begun(small bool, now time.Time) bool {
	switch {
	case h.started:
		return true
	case now.Sub(h.since) < h.waits(h.expected(), small):
		return false
	}
	if !small {
		h.silent(h.expected())
	}
	return true
}

// begins notes that the pending subscription has told its first message.
func (h *handover) begins(now time.Time) { h.started, h.starts = true, now.Sub(h.sentAt) }

// silent notes that none came in time from one to so many records: the next has no
// more time than the first had.
func (h *handover) silent(expected int) {
	h.starts = 0
	h.first.platform.full = h.first.platform.full && expected < openingMany
}

// waits returns how long the first message of the pending subscription, to so many
// records, is waited for. small is whether it is beside the large one.
func (h *handover) waits(expected int, small bool) time.Duration {
	if h.first.told > 0 || h.first.platform.full && !small && expected >= openingMany {
		return openingWithin
	}
	return max(queryAfter, min(2*h.starts, queryLate))
}

// learn holds the first message against a full state of so many records.
func (h *handover) learn(records uint64) {
	if h.first.whole > 0 {
		h.first.platform.full = isAll(h.first.whole, int(min(records, math.MaxInt32)))
	}
}

// keep keeps an update if it is to be kept. It returns false where there is no room:
// then what was kept is lost.
func (h *handover) keep(payload []byte, id string, first, delivers bool) bool {
	return !h.keeps(id, first, delivers) || h.kept.Add(payload, h.maxKept())
}

// keeps reports whether an update is kept until the full state is there. Two
// subscriptions have no common order: while a new one synchronises, its updates
// alone go on top of the full state. What came before that was asked for is in it;
// it is kept in case there will be none, and to go on top of what the old one
// tells late. first is whether it is the first message, delivers whether there is a
// subscription that delivers meanwhile.
func (h *handover) keeps(id string, first, delivers bool) bool {
	if h.pending == "" {
		return h.query != ""
	}
	return id == h.pending && (!delivers || h.query != "" || !first)
}
