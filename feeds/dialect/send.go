package dialect

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// Send starts an operation in the form that the server accepts, if necessary in several pieces. It
// returns the ID of the operation.
func (r *Requests) Send(kind string, of graphql.Request, now time.Time) (string, error) {
	pieces := r.splitRequest(kind, of)
	if len(pieces) == 1 && pieces[0].key == nil {
		return r.sendPiece(kind, pieces[0])
	}
	r.issuedIDs++
	f := &splitOperation{id: "fan" + strconv.Itoa(r.issuedIDs), kind: kind, waitingPieces: pieces, openPieces: make(map[string]piece), nextAt: now}
	if kind == graphql.KindSubscription && r.NeedsRecordSubscriptions() {
		f.recordKeys = make(map[recordKey]bool, len(pieces))
		for _, k := range recordKeysOf(r.records.Keys()) {
			f.recordKeys[k] = true
		}
	}
	r.byID[f.id] = f
	return f.id, r.sendWaiting(f, now)
}

// splitRequest returns the pieces into which an operation must be split. If it need not be split,
// the result is one piece.
func (r *Requests) splitRequest(kind string, of graphql.Request) []piece {
	if kind == graphql.KindSubscription && r.NeedsRecordSubscriptions() {
		return r.splitPerRecord(of)
	}
	maxKeys := r.dialect.MaxKeys(r.doc.Root)
	if maxKeys == 0 && of.Keys > maxPieceKeys && (kind == graphql.KindQuery || !r.mustNotSplit) {
		maxKeys = maxPieceKeys
	}
	if maxKeys == 0 || of.Keys == 0 {
		return []piece{{filter: of.Filter}}
	}
	filters := graphql.SplitFilter(of.Filter, maxKeys)
	if len(filters) == 0 {
		return []piece{{filter: of.Filter}}
	}
	pieces := make([]piece, len(filters))
	for i, f := range filters {
		pieces[i].filter = f
	}
	return pieces
}

// sendPiece sends a piece and returns its connection ID. While subscriptions are stopped, it sends
// no subscription and returns an unused ID.
func (r *Requests) sendPiece(kind string, p piece) (string, error) {
	text, vars, how := r.dialect.Request(&r.doc, kind, r.root, p.filter)
	if kind == graphql.KindSubscription && r.stoppedReason != "" {
		r.issuedIDs++
		return "mute" + strconv.Itoa(r.issuedIDs), nil
	}
	id, err := r.conn.Subscribe(text, vars)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.doc.Root, err)
	}
	how.Keys = graphql.CountKeys(p.filter)
	r.sent[id] = how
	return id, nil
}

// sendWaiting sends those pieces of a split operation that are due.
func (r *Requests) sendWaiting(f *splitOperation, now time.Time) error {
	for len(f.waitingPieces) > 0 {
		if f.kind == graphql.KindSubscription && now.Before(f.nextAt) || f.kind == graphql.KindQuery && len(f.openPieces) >= maxOpenPieces {
			return nil
		}
		id, err := r.sendPiece(f.kind, f.waitingPieces[0])
		if err != nil {
			return err
		}
		f.openPieces[id], r.ownerByPiece[id] = f.waitingPieces[0], f
		f.waitingPieces = f.waitingPieces[1:]
		f.nextAt = laterOf(f.nextAt, now.Add(-pieceInterval)).Add(pieceInterval)
	}
	return nil
}

// SendDue sends the pieces of all split operations that are due. It ignores errors, because they
// mean that the session has ended.
func (r *Requests) SendDue(now time.Time) {
	for _, f := range r.byID {
		if r.sendWaiting(f, now) != nil {
			return
		}
	}
}

// IsSending reports whether pieces of the operation id have not been sent yet.
func (r *Requests) IsSending(id string) bool {
	f := r.byID[id]
	return f != nil && len(f.waitingPieces) > 0
}

// Cancel ends the operation id and all its pieces. Without a connection it does nothing.
func (r *Requests) Cancel(id string) {
	if r.conn == nil {
		return
	}
	f := r.byID[id]
	if f == nil {
		delete(r.sent, id)
		r.conn.Unsubscribe(id)
		return
	}
	delete(r.byID, id)
	for part := range f.openPieces {
		delete(r.ownerByPiece, part)
		delete(r.sent, part)
		delete(r.deliveredPieces, part)
		r.conn.Unsubscribe(part)
	}
}

// OperationID returns the ID of the operation to which the piece id belongs. If id is not a piece,
// it returns id.
func (r *Requests) OperationID(id string) string {
	if f := r.ownerByPiece[id]; f != nil {
		return f.id
	}
	return id
}

// RefusesPieces reports whether the server refused the piece id of the pending subscription because
// it accepts only one subscription per operation. If so, later subscriptions of the operation are
// not split for size on this connection. If the subscription had to be split for another reason,
// RefusesPieces returns false.
func (r *Requests) RefusesPieces(id, pending string) bool {
	f := r.ownerByPiece[id]
	if f == nil || f.kind != graphql.KindSubscription || f.id != pending || f.recordKeys != nil || len(f.openPieces) < 2 ||
		r.deliveredPieces[id] || r.dialect.MaxKeys(r.doc.Root) > 0 {
		return false
	}
	r.mustNotSplit = true
	return true
}

// CoversAllRecords reports whether the operation id has exactly one piece for each existing record.
func (r *Requests) CoversAllRecords(id string) bool {
	f, keys := r.byID[id], recordKeysOf(r.records.Keys())
	return f != nil && len(f.recordKeys) == len(keys) && !slices.ContainsFunc(keys, func(k recordKey) bool { return !f.recordKeys[k] })
}

// NeedsRecordSubscriptions reports whether one subscription per record is needed and possible. It is needed if
// updates do not say which record they concern, and possible for 1 to maxPieces records other than users.
func (r *Requests) NeedsRecordSubscriptions() bool {
	n := r.records.Records()
	return r.dialect.IsKeyless(r.doc.Root) && r.doc.Root != string(model.OpUsers) && n > 0 && n <= maxPieces
}

// splitPerRecord splits a request into one piece per known record. Records that are not known yet
// get no piece. Only queries find them.
func (r *Requests) splitPerRecord(of graphql.Request) []piece {
	root, err := graphql.ParseFilter(of.Filter)
	if err != nil {
		return []piece{{filter: of.Filter}}
	}
	var pieces []piece
	for _, k := range recordKeysOf(r.records.Keys()) {
		if f, ok := root.FilterForRecord(k.name, k.channel, k.component); ok {
			pieces = append(pieces, piece{filter: f, key: k.members()})
		}
	}
	return pieces
}

// LargestOperation returns how the open operation or piece with the largest Size was sent, or the
// zero value if none is open.
func (r *Requests) LargestOperation() (of SentRequest) {
	for h := range maps.Values(r.sent) {
		if h.Size > of.Size {
			of = h
		}
	}
	return of
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
