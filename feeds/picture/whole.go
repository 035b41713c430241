package picture

import (
	"errors"
	"math/bits"

	"wallboard/feeds/merge"
)

// errPart ends the reading of a message that is not of whole records.
var errPart = errors.New("a part of a record")

// Whole returns how many records a message has, 0 when they are not whole or when
// there are errors beside them. What a record does not know has no meaning on its channel then, and all on it lack the
// same, but for the fields that answers to queries lack here and there. In a
// message of what has changed, each record lacks something else.
func (t *Table[K, T, R]) Whole(payload []byte, env *merge.Env) int {
	env.Sampling = true
	defer func() { env.Sampling = false }()
	seen, lacks := make(map[K]struct{}), make(map[string]uint64)
	res, err := t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		if !it.Keyed {
			return ErrKeyless
		}
		k := R(it.Key).Key()
		seen[k] = struct{}{}
		var rec T
		if err := it.Merge(&rec); err != nil {
			return err //nolint:wrapcheck // it is not shown
		}
		unknown, channel := t.plan.Unknown(&rec)&^t.absent, ChannelOf(k)
		same, there := lacks[channel]
		if there && same != unknown || bits.OnesCount64(unknown|t.absent) > t.plan.Fields()/2 {
			return errPart
		}
		lacks[channel] = unknown
		return nil
	})
	if err != nil || len(res.Errors) > 0 {
		return 0
	}
	return len(seen)
}

// Whole returns how many records a message has, 0 where one of them is not whole.
func (s *Single[T]) Whole([]byte, *merge.Env) int { return 0 }
