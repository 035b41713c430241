package picture

import (
	"encoding/json"
	"errors"
	"slices"

	"wallboard/feeds/merge"
)

// FullState is the full state as it came: one message, or one of each piece that
// it was asked for in. On a floor of thousands it is tens of MiB; a piece that was
// read is let go of, and nothing makes one message of them.
type FullState [][]byte

// Size returns how many bytes it has.
func (f FullState) Size() (n int) {
	for _, piece := range f {
		n += len(piece)
	}
	return n
}

// samples is how many records of a full state the units of times are learnt from.
const samples = 256

// errSampled ends the reading of samples.
var errSampled = errors.New("enough samples")

// sample learns the units of times from the first records of a full state, before
// any of it is read: all of it is read in the same units then.
func (t *Table[K, T, R]) sample(answer FullState, env *merge.Env) {
	if len(answer) == 0 {
		return
	}
	env.Sampling = true
	defer func() { env.Sampling = false }()
	left := samples
	_, _ = t.plan.Read(answer[0], t.root, env, func(it *merge.Item[T]) error { // its errors are those of readFull
		if left--; left < 0 {
			return errSampled
		}
		var rec T
		env.Raw = merge.Raw{}
		if err := it.Merge(&rec); err != nil {
			return err //nolint:wrapcheck // it is not shown
		}
		if env.Raw.Some() && it.Keyed {
			env.Learn(t.root, R(it.Key).Key(), t.OfMany)
		}
		return nil
	})
	env.Times.Conclude(env.Received, env.Now)
}

// readFull stages the records of a full state. Its errors are those of all pieces;
// one that has neither data nor errors is no answer.
func (t *Table[K, T, R]) readFull(answer FullState, env *merge.Env) (merge.Result, error) {
	t.sample(answer, env)
	env.Full = true
	defer func() { env.Full = false }()
	var all merge.Result
	for i, piece := range answer {
		res, err := t.read(&t.stage, piece, env, func(K) *T { return nil })
		if all.Errors = joinErrors(all.Errors, res.Errors); err != nil {
			return all, err
		}
		if !res.HasData && len(res.Errors) == 0 {
			return merge.Result{}, nil
		}
		all.HasData = all.HasData || res.HasData
		answer[i] = nil
	}
	return all, nil
}

// joinErrors puts the errors of two pieces into one list. Those of several are
// lists: what has another shape is no piece of an answer (see [refuses]).
func joinErrors(a, b []byte) []byte {
	if a == nil || b == nil {
		return slices.Concat(a, b)
	}
	var first, second []json.RawMessage
	_, _ = json.Unmarshal(a, &first), json.Unmarshal(b, &second)
	all, _ := json.Marshal(append(first, second...)) // they are JSON
	return all
}
