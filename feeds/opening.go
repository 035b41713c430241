package feeds

import (
	"math"
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

// opening is the first message of the pending subscription, or those of all its
// pieces.
type opening struct {
	platform *openings
	whole    int               // records in it, 0 if they were not whole or if none has come
	told     int               // pieces that have sent whole records
	held     picture.FullState // they, as they came
	size     int               // of them, in bytes
}

// begins reports whether a message of the pending subscription is its first, or the
// first of a piece of it.
func (s *sub) begins(first bool) bool {
	return !s.started && (first || !s.requests.Parted(s.pending))
}

// opens takes the first message of the pending subscription, or of a piece of it.
// It returns the full state if it is there now; then it is as if it had been asked
// for. held tells that the message waits for those of the other pieces and is of no
// other use: there is no active subscription whose records it could bring up to date.
func (s *sub) opens(payload []byte, now time.Time) (full picture.FullState, held bool) {
	if !s.requests.Parted(s.pending) || s.joined.next.Ready {
		if s.started = true; s.joined.next.Ready {
			return nil, false
		}
		s.starts = now.Sub(s.sentAt)
		s.opening.whole = s.data.Whole(payload, s.env)
		return s.opened(picture.FullState{payload}), false
	}
	if s.query != "" || !s.opening.hold(payload, s.data.Whole(payload, s.env)) {
		s.started = true
		return nil, false
	}
	s.since = now // it goes on
	if s.requests.Sending(s.pending) || s.opening.told < len(s.requests.Pieces(s.pending)) {
		return nil, s.active == ""
	}
	s.started, s.starts = true, now.Sub(s.sentAt)
	return s.opened(s.opening.held), false
}

// opened returns what the pending subscription has told first if that is the full
// state.
func (s *sub) opened(full picture.FullState) picture.FullState {
	expected := s.expected()
	if full.Size() < openingLarge || expected == 0 || !isAll(s.opening.whole, expected) {
		return nil
	}
	if s.query != "" {
		s.requests.Cancel(s.query)
	}
	s.asking(s.fresh, s.sentAt)
	return full
}

// hold keeps the first message of a piece, of so many whole records. It returns
// false for one of others, and where there is no room.
func (o *opening) hold(payload []byte, whole int) bool {
	if whole == 0 || o.size+len(payload) > openingMost {
		return false
	}
	o.held = append(o.held, slices.Clone(payload))
	o.size += len(payload)
	o.told++
	o.whole += whole
	return true
}

// giveUpOpening keeps what was held like any update: the full state is asked for.
func (s *sub) giveUpOpening() {
	if len(s.opening.held) == 0 {
		return
	}
	s.started = true
	held, room := picture.Backlog{}, true
	for _, p := range slices.Concat(s.opening.held, s.kept.List) {
		room = room && held.Add(p, s.maxKept())
	}
	s.kept, s.opening = held, opening{platform: s.opening.platform, whole: s.opening.whole}
}

// maxKept is how many bytes of updates may wait for the full state.
func (s *sub) maxKept() int { return max(maxKept, keptEach*s.expected()) }

// expected is how many records the pending subscription is about, as far as that
// is known.
func (s *sub) expected() int { return max(s.fresh.Keys, s.data.Records()) }

// isAll reports whether so many records are those that there must be.
func isAll(n, of int) bool { return float64(n) >= openingAll*float64(of) }

// waits returns how long the first message of the pending subscription is waited
// for.
func (s *sub) waits() time.Duration {
	if s.opening.told > 0 {
		return openingWithin
	}
	if s.opening.platform.full && !s.joined.next.Ready && s.expected() >= openingMany {
		return openingWithin
	}
	return max(queryAfter, min(2*s.starts, queryLate))
}

// learnOpening holds the first message against the full state.
func (s *sub) learnOpening(records uint64) {
	if s.opening.whole > 0 {
		s.opening.platform.full = isAll(s.opening.whole, int(min(records, math.MaxInt32)))
	}
}

// asking notes that the full state was asked for.
func (s *sub) asking(r queries.Request, at time.Time) {
	s.unbroken = s.active != "" && s.pending != "" && !s.resync && !s.renew && queries.Terms(s.parsed.of(s.have.Filter)) == queries.Terms(s.parsed.of(r.Filter))
	s.resync, s.shorter, s.lostAt, s.resyncAt = false, false, time.Time{}, at
}
