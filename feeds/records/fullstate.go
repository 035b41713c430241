package records

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/klauspost/compress/s2"

	"wallboard/feeds/merge"
)

// FullState is a full state as received: one message, or one message per piece of the query. On a
// floor of thousands it is tens of MiB. A piece is therefore released after it was read, and the
// pieces are never joined.
type FullState []MessagePiece

// Size returns the total size in bytes.
func (f FullState) Size() (n int) {
	for _, piece := range f {
		n += piece.size
	}
	return n
}

// MessagePiece is one message of a full state, compressed or not.
type MessagePiece struct {
	data     []byte
	size     int // size of the message, in bytes
	isPacked bool
}

// NewPiece returns a piece that refers to a message without copying it.
func NewPiece(message []byte) MessagePiece { return MessagePiece{data: message, size: len(message)} }

// PackPiece returns a piece with a compressed copy of a message. The records of a message are
// similar, so the message shrinks to a tenth or a fifth.
func PackPiece(message []byte) MessagePiece {
	return MessagePiece{data: slices.Clone(s2.Encode(nil, message)), size: len(message), isPacked: true}
}

// Message returns the message. A packed piece is decompressed into *buf, which grows as needed. The
// message is then valid until *buf is used again.
func (p MessagePiece) Message(buf *[]byte) []byte {
	if !p.isPacked {
		return p.data
	}
	return unpack(buf, p.data)
}

// maxSamples is the maximum number of records of a full state that the units of times are learned
// from.
const maxSamples = 256

// errSampled stops reading when enough records were sampled.
var errSampled = errors.New("enough samples")

// learnUnits learns the units of times from the first records of a full state. It must be called
// before the full state is read, so that all records are read in the same units.
func (t *Table[K, T, R]) learnUnits(answer FullState, env *merge.Env, buf *[]byte) {
	if len(answer) == 0 {
		return
	}
	env.UnitsOnly = true
	defer func() { env.UnitsOnly = false }()
	left := maxSamples
	_, _ = t.plan.Read(answer[0].Message(buf), t.root, env, func(it *merge.Item[T]) error { // readFull returns the same errors
		if left--; left < 0 {
			return errSampled
		}
		var rec T
		env.RawNumbers = merge.RawNumbers{}
		if err := it.Merge(&rec); err != nil {
			return err
		}
		if env.RawNumbers.HasNumbers() && it.Keyed {
			env.LearnUnits(t.root, R(it.Key).Key(), t.SumsAgents)
		}
		return nil
	})
	env.Times.EndFullState(env.ReceivedAt, env.Now)
}

// readFull reads the records of a full state into t.stagedRecords. The result contains the errors of the
// pieces read. It is empty if a piece has neither data nor errors.
func (t *Table[K, T, R]) readFull(answer FullState, env *merge.Env) (merge.Result, error) {
	var work []byte
	t.learnUnits(answer, env, &work)
	env.FullRecord = true
	defer func() { env.FullRecord = false }()
	var all merge.Result
	for i, piece := range answer {
		res, err := t.stageRecords(&t.stagedRecords, piece.Message(&work), env, func(K) *T { return nil })
		if all.Errors = joinErrors(all.Errors, res.Errors); err != nil {
			return all, err
		}
		if !res.HasData && len(res.Errors) == 0 {
			return merge.Result{}, nil
		}
		all.HasData = all.HasData || res.HasData
		answer[i] = MessagePiece{}
	}
	return all, nil
}

// joinErrors returns one JSON list of the errors in a and b, which are JSON or nil. If neither is
// nil, both must be lists. A piece with errors in another form was refused earlier.
func joinErrors(a, b []byte) []byte {
	if a == nil || b == nil {
		return slices.Concat(a, b)
	}
	var first, second []json.RawMessage
	_, _ = json.Unmarshal(a, &first), json.Unmarshal(b, &second)
	all, _ := json.Marshal(append(first, second...)) // lists that were parsed can be encoded
	return all
}
