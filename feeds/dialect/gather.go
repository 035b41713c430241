package dialect

import (
	"bytes"
	"encoding/json"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
)

// ReceivedMessage is a message for an operation. The answer to a split query is assembled from the answers to
// its pieces.
type ReceivedMessage struct {
	ID                    string // ID of the whole operation; "" while answers are missing
	FullState             records.FullState
	IsComplete            bool // a complete message: one of a subscription, or the whole answer to a query
	IsPiece               bool // the message answered one piece of a query
	IsFirstOfPiece        bool // the message was the first one for a piece of a subscription
	IsFirstForManyRecords bool // the message was the first one for a piece that covers many records
	IsFirstOrKeyless      bool // for a piece that covers one record: the message was the first one, or had no key
}

// AssembleAnswer returns payload, a message received with the connection ID id, as a message of the
// whole operation. It stores the answer to a piece of a query until the other pieces are answered,
// and then returns all answers together.
func (r *Requests) AssembleAnswer(id string, payload []byte, now time.Time) ReceivedMessage {
	if sent := r.sent[id]; sent.ResponseKey() != "" && sent.Root != r.doc.Root {
		payload = replaceResponseKey(payload, sent.Root, r.doc.Root)
	}
	f := r.ownerByPiece[id]
	if f == nil {
		if r.sent[id].Root == "" { // a query has only one answer: its ID is no longer needed
			delete(r.sent, id)
		}
		return ReceivedMessage{ID: id, FullState: records.FullState{records.NewPiece(payload)}, IsComplete: true}
	}
	if f.kind == graphql.KindSubscription {
		key := f.openPieces[id].key
		out := ReceivedMessage{ID: f.id, IsComplete: true, IsFirstOfPiece: !r.deliveredPieces[id]}
		out.IsFirstForManyRecords = out.IsFirstOfPiece && key == nil
		out.IsFirstOrKeyless = key != nil && (out.IsFirstOfPiece || !hasKey(payload, r.doc.Root, key))
		out.FullState = records.FullState{records.NewPiece(withKey(payload, r.doc.Root, key))}
		r.deliveredPieces[id] = true
		return out
	}
	if isRefusal(payload, r.doc.Root) { // the caller handles the errors
		return ReceivedMessage{ID: f.id, FullState: records.FullState{records.NewPiece(payload)}, IsComplete: true}
	}
	f.answers = append(f.answers, records.PackPiece(payload))
	delete(f.openPieces, id)
	delete(r.ownerByPiece, id)
	delete(r.sent, id)
	if len(f.waitingPieces) > 0 || len(f.openPieces) > 0 {
		_ = r.sendWaiting(f, now) // after an error, the next piece is sent on the next tick
		return ReceivedMessage{IsPiece: true}
	}
	delete(r.byID, f.id)
	return ReceivedMessage{ID: f.id, FullState: f.answers, IsComplete: true, IsPiece: true}
}

// replaceResponseKey returns the message with the response key from replaced with to.
func replaceResponseKey(payload []byte, from, to string) []byte {
	at := bytes.Index(payload, []byte(`"data"`))
	key := []byte(graphql.StringLiteral(from))
	i := bytes.Index(payload[max(at, 0):], key)
	if at < 0 || i < 0 {
		return payload
	}
	out := make([]byte, 0, len(payload)+len(to))
	out = append(append(out, payload[:at+i]...), graphql.StringLiteral(to)...)
	return append(out, payload[at+i+len(key):]...)
}

// isRefusal reports whether a message contains errors and no list of records.
func isRefusal(payload []byte, root string) bool {
	if !bytes.Contains(payload, []byte(`"errors"`)) {
		return false
	}
	_, _, ok := splitPayload(payload, root)
	return !ok
}

// splitPayload returns the records and the errors of a message. ok is false if the message has no
// list of records.
func splitPayload(payload []byte, root string) (records, errs []json.RawMessage, ok bool) {
	var m struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors []json.RawMessage          `json:"errors"`
	}
	if json.Unmarshal(payload, &m) != nil || json.Unmarshal(m.Data[root], &records) != nil {
		return nil, nil, false
	}
	return records, m.Errors, true
}

// joinPayload returns a message with the given records and errors.
func joinPayload(root string, records, errs []json.RawMessage) []byte {
	b := append([]byte(`{"data":{`), graphql.StringLiteral(root)...)
	b = append(b, ":["...)
	b = append(append(b, joinJSON(records)...), "]}"...)
	if len(errs) > 0 {
		b = append(append(append(b, `,"errors":[`...), joinJSON(errs)...), ']')
	}
	return append(b, '}')
}

func joinJSON(list []json.RawMessage) []byte {
	var b []byte
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, e...)
	}
	return b
}
