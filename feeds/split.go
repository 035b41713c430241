package feeds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlws"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

// A subscription speaks of one operation; the server may bear it only in
// pieces: no more than so many keys in a filter, or one record each where its
// updates do not say which record they are for. A fan is an operation in
// pieces, under one id.
const (
	fanEvery   = 50 * time.Millisecond // between the pieces of a subscription: 20 a second
	fanQueries = 4                     // pieces of a query under way at a time
	// maxFan is the most subscriptions that are made of one. A filter that would
	// need more is not subscribed in pieces: its full state is asked for again
	// and again.
	maxFan = 200
	// pieceKeys is the most keys of an operation that the server bears whole: the
	// full state of more is a message of many MiB.
	pieceKeys = 4000
)

// piece is one part of an operation: a filter, and what its records are called
// where they do not say so themselves.
type piece struct {
	filter string
	key    []member // of its one record; nil when records say themselves which they are
}

// fan is an operation in pieces.
type fan struct {
	id      string
	kind    string
	waiting []piece
	over    map[recordKey]bool // the records that there were when it was made of one piece each; nil: it is not
	open    map[string]piece   // by the connection's id
	answers picture.FullState  // of a query
	nextAt  time.Time
}

// fans are the operations of one subscription that are under way.
type fans struct {
	issued int
	byID   map[string]*fan         // by its own id
	piece  map[string]*fan         // by the ids of the connection
	sent   map[string]dialect.Sent // by the ids of the connection

	heard   map[string]bool // pieces of a subscription that have sent something
	first   bool            // the last message was the first of its piece, which is of many records
	whole   bool            // the server bears one subscription to an operation only: it is not cut for its size
	opening bool            // the last message was the first of its piece, or did not say itself for which record it is
}

func newFans() fans {
	return fans{byID: make(map[string]*fan), piece: make(map[string]*fan), sent: make(map[string]dialect.Sent), heard: make(map[string]bool)}
}

// send starts an operation the way the server wants it. The id it returns is
// what next, fail and complete are called with.
func (s *sub) send(kind string, r queries.Request, now time.Time) (string, error) {
	pieces := s.pieces(kind, r)
	if len(pieces) == 1 && pieces[0].key == nil {
		return s.sendPiece(kind, pieces[0])
	}
	s.fans.issued++
	f := &fan{id: "fan" + strconv.Itoa(s.fans.issued), kind: kind, waiting: pieces, open: make(map[string]piece), nextAt: now}
	if kind == queries.KindSubscription && s.narrow() {
		f.over = make(map[recordKey]bool, len(pieces))
		for _, k := range keysOf(s.data.Keys()) {
			f.over[k] = true
		}
	}
	s.fans.byID[f.id] = f
	return f.id, s.pump(f, now)
}

// pieces cuts an operation for the server.
func (s *sub) pieces(kind string, r queries.Request) []piece {
	if kind == queries.KindSubscription && s.narrow() {
		return s.records(r)
	}
	most := s.speech.Most(s.doc.Root)
	if most == 0 && r.Keys > pieceKeys && (kind == queries.KindQuery || !s.fans.whole) {
		most = pieceKeys
	}
	if most == 0 || r.Keys == 0 {
		return []piece{{filter: r.Filter}}
	}
	filters := queries.Split(r.Filter, most)
	if len(filters) == 0 {
		return []piece{{filter: r.Filter}}
	}
	pieces := make([]piece, len(filters))
	for i, f := range filters {
		pieces[i].filter = f
	}
	return pieces
}

// sendPiece sends one operation.
func (s *sub) sendPiece(kind string, p piece) (string, error) {
	text, vars, how := s.speech.Request(&s.doc, kind, s.subRoot, p.filter)
	if kind == queries.KindSubscription && s.mute.on() {
		s.fans.issued++
		return "mute" + strconv.Itoa(s.fans.issued), nil
	}
	id, err := s.conn.Subscribe(text, vars)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.doc.Root, err)
	}
	how.Keys = queries.CountKeys(p.filter)
	s.fans.sent[id] = how
	return id, nil
}

// pump sends the pieces of a fan that are due.
func (s *sub) pump(f *fan, now time.Time) error {
	for len(f.waiting) > 0 {
		if f.kind == queries.KindSubscription && now.Before(f.nextAt) || f.kind == queries.KindQuery && len(f.open) >= fanQueries {
			return nil
		}
		id, err := s.sendPiece(f.kind, f.waiting[0])
		if err != nil {
			return err
		}
		f.open[id], s.fans.piece[id] = f.waiting[0], f
		f.waiting = f.waiting[1:]
		f.nextAt = later(f.nextAt, now.Add(-fanEvery)).Add(fanEvery)
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// pumpAll sends what is due of every fan. An error is the end of the session,
// which is an event of its own.
func (s *sub) pumpAll(now time.Time) {
	for _, f := range s.fans.byID {
		if s.pump(f, now) != nil {
			return
		}
	}
}

// sending reports whether pieces of an operation are still to be sent.
func (s *sub) sending(id string) bool {
	f := s.fans.byID[id]
	return f != nil && len(f.waiting) > 0
}

// cancel ends an operation.
func (s *sub) cancel(id string) {
	f := s.fans.byID[id]
	if f == nil {
		delete(s.fans.sent, id)
		s.conn.Unsubscribe(id)
		return
	}
	delete(s.fans.byID, id)
	for part := range f.open {
		delete(s.fans.piece, part)
		delete(s.fans.sent, part)
		delete(s.fans.heard, part)
		s.conn.Unsubscribe(part)
	}
}

// whole returns the id that the subscription knows an operation by.
func (s *sub) whole(id string) string {
	if f := s.fans.piece[id]; f != nil {
		return f.id
	}
	return id
}

// gather turns what came for a piece into what came for the whole. ok is false
// when that is still incomplete.
func (s *sub) gather(id string, payload []byte, now time.Time) (string, picture.FullState, bool) {
	f := s.fans.piece[id]
	s.fans.opening, s.fans.first = false, false
	if f == nil {
		if s.fans.sent[id].Root == "" { // a query has one answer
			delete(s.fans.sent, id)
		}
		return id, picture.FullState{payload}, true
	}
	if f.kind == queries.KindSubscription {
		key := f.open[id].key
		s.fans.opening = key != nil && (!s.fans.heard[id] || !hasKey(payload, s.doc.Root, key))
		s.fans.first = key == nil && !s.fans.heard[id]
		s.fans.heard[id] = true
		return f.id, picture.FullState{withKey(payload, s.doc.Root, f.open[id].key)}, true
	}
	if refuses(payload, s.doc.Root) { // as it is: who asked for it says what is wrong
		return f.id, picture.FullState{payload}, true
	}
	f.answers = append(f.answers, slices.Clone(payload))
	delete(f.open, id)
	delete(s.fans.piece, id)
	delete(s.fans.sent, id)
	s.since = now // it goes on
	if len(f.waiting) > 0 || len(f.open) > 0 {
		_ = s.pump(f, now) // see pumpAll
		return "", nil, false
	}
	delete(s.fans.byID, f.id)
	return f.id, f.answers, true
}

// refuses reports whether a piece of an answer has errors in the place of data.
func refuses(payload []byte, root string) bool {
	if !bytes.Contains(payload, []byte(`"errors"`)) {
		return false
	}
	_, _, ok := openPayload(payload, root)
	return !ok
}

// bearsOne reports whether a server that bears the other pieces of a subscription
// refuses one that was cut for its size only. It is not cut again then.
func (s *sub) bearsOne(id string) bool {
	f := s.fans.piece[id]
	if f == nil || f.kind != queries.KindSubscription || f.id != s.pending || f.over != nil || len(f.open) < 2 ||
		s.fans.heard[id] || s.speech.Most(s.doc.Root) > 0 {
		return false
	}
	s.fans.whole = true
	return true
}

// openPayload takes the records and the errors out of a message.
func openPayload(payload []byte, root string) (records, errs []json.RawMessage, ok bool) {
	var m struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors []json.RawMessage          `json:"errors"`
	}
	if json.Unmarshal(payload, &m) != nil || json.Unmarshal(m.Data[root], &records) != nil {
		return nil, nil, false
	}
	return records, m.Errors, true
}

// closePayload is the opposite.
func closePayload(root string, records, errs []json.RawMessage) []byte {
	b := append([]byte(`{"data":{`), queries.Literal(root)...)
	b = append(b, ":["...)
	b = append(append(b, join(records)...), "]}"...)
	if len(errs) > 0 {
		b = append(append(append(b, `,"errors":[`...), join(errs)...), ']')
	}
	return append(b, '}')
}

func join(list []json.RawMessage) []byte {
	var b []byte
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, e...)
	}
	return b
}

// covered reports whether a fan is of one piece for each of some records.
func (f *fan) covered(keys []recordKey) bool {
	return f != nil && len(f.over) == len(keys) && !slices.ContainsFunc(keys, func(k recordKey) bool { return !f.over[k] })
}

// narrow reports whether the subscription is to be made of one per record.
func (s *sub) narrow() bool {
	n := s.data.Records()
	return s.speech.Keyless(s.doc.Root) && s.doc.Root != opUsers && n > 0 && n <= maxFan
}

// records cuts a request into one per record that is known. Which records a
// filter stands for only the answers tell.
func (s *sub) records(r queries.Request) []piece {
	root, err := queries.Parse(r.Filter)
	if err != nil {
		return []piece{{filter: r.Filter}}
	}
	var pieces []piece
	for _, k := range keysOf(s.data.Keys()) {
		if f, ok := root.Only(k.name, k.channel, k.component); ok {
			pieces = append(pieces, piece{filter: f, key: k.members()})
		}
	}
	return pieces
}

// largest returns the longest operation that is under way.
func (s *sub) largest() (of dialect.Sent) {
	for h := range maps.Values(s.fans.sent) {
		if h.Size > of.Size {
			of = h
		}
	}
	return of
}

var _ session = (*graphqlws.Conn)(nil)
