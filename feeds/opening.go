package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

// Document 2 does not say what a subscription tells first. Where that is the full
// state itself, there is no need to ask for it: on a floor of thousands it takes a
// platform seconds, and everybody waits. A first message is taken for the full
// state when it has whole records for those who were asked for. The audit looks
// again in a moment, as it does after a query.

const (
	// openingLarge is from how many bytes on a first message takes the place of the
	// answer: a small full state is asked for in no time.
	openingLarge = 128 << 10
	// openingAll is the part of the records in question that there must be: some
	// may have gone meanwhile.
	openingAll = 0.9
	// openingWithin is how long the first message of a subscription to openingMany
	// records is waited for on a platform that has told full states in others.
	openingWithin = 10 * time.Second
	openingMany   = 250
	// openingMost bounds the memory of the first messages of pieces, in bytes.
	openingMost = 128 << 20
)

// openings are what is known of the first messages of a platform.
type openings struct {
	full bool // the last one had what the answer to a query had
}

// firstMessage is that of the pending subscription, or those of all its
// pieces.
type firstMessage struct {
	platform *openings
	whole    int               // records in it, 0 if they were not whole or if none has come
	told     int               // pieces that have sent whole records
	held     picture.FullState // they, as they came
	size     int               // of them, in bytes
}

// begins reports whether a message of the pending subscription is its first, or the
// first of a piece of it.
func (s *sub) begins(first bool) bool {
	return !s.hand.started && (first || !s.requests.Parted(s.hand.pending))
}

// opens takes the first message of the pending subscription, or of a piece of it.
// It returns the full state if it is there now; then it is as if it had been asked
// for. held tells that the message waits for those of the other pieces and is of no
// other use: there is no active subscription whose records it could bring up to date.
func (s *sub) opens(payload []byte, now time.Time) (full picture.FullState, held bool) {
	if !s.requests.Parted(s.hand.pending) || s.joined.next.Ready {
		if s.joined.next.Ready {
			s.hand.started = true
			return nil, false
		}
		s.hand.begins(now)
		s.hand.first.whole = s.data.Whole(payload, s.env)
		return s.opened(picture.FullState{payload}), false
	}
	if s.hand.query != "" || !s.hand.first.hold(payload, s.data.Whole(payload, s.env)) {
		s.hand.started = true
		return nil, false
	}
	s.hand.since = now // it goes on
	if s.requests.Sending(s.hand.pending) || s.hand.first.told < len(s.requests.Pieces(s.hand.pending)) {
		return nil, s.active == ""
	}
	s.hand.begins(now)
	return s.opened(s.hand.first.held), false
}

// opened returns what the pending subscription has told first if that is the full
// state.
func (s *sub) opened(full picture.FullState) picture.FullState {
	expected := s.expected()
	if full.Size() < openingLarge || expected == 0 || !isAll(s.hand.first.whole, expected) {
		return nil
	}
	if s.hand.query != "" {
		s.requests.Cancel(s.hand.query)
	}
	s.asking(s.hand.fresh, s.hand.sentAt)
	return full
}

// hold keeps the first message of a piece, of so many whole records. It returns
// false for one of others, and where there is no room.
func (o *firstMessage) hold(payload []byte, whole int) bool {
	if whole == 0 || o.size+len(payload) > openingMost {
		return false
	}
	o.held = append(o.held, slices.Clone(payload))
	o.size += len(payload)
	o.told++
	o.whole += whole
	return true
}

// maxKept is how many bytes of updates may wait for the full state.
func (s *sub) maxKept() int { return max(maxKept, keptEach*s.expected()) }

// expected is how many records the pending subscription is about, as far as that
// is known.
func (s *sub) expected() int { return max(s.hand.fresh.Keys, s.data.Records()) }

// isAll reports whether so many records are those that there must be.
func isAll(n, of int) bool { return float64(n) >= openingAll*float64(of) }

// asking notes that the full state was asked for.
func (s *sub) asking(r queries.Request, at time.Time) {
	s.losses.unbroken = s.active != "" && s.hand.pending != "" && !s.losses.resync && !s.renew && queries.Terms(s.parsed.of(s.filter.have.Filter)) == queries.Terms(s.parsed.of(r.Filter))
	s.losses.none()
	s.losses.askedAt = at
}
