package picture

import (
	"encoding/json"
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

// readFull stages the records of a full state, and lets what they tell in unknown
// units be learnt from. Its errors are those of all pieces; one that has neither
// data nor errors is no answer.
func (t *Table[K, T, R]) readFull(answer FullState, env *merge.Env) (merge.Result, error) {
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
