package records

import (
	"errors"
	"math/bits"

	"wallboard/feeds/merge"
)

// errIncomplete stops the reading of a message with incomplete records.
var errIncomplete = errors.New("a part of a record")

// CompleteRecords returns the number of records in a message, 0 if some are incomplete or there are
// errors. In a complete state, a field is unknown only if it has no meaning on the channel, so all
// records of a channel lack the same fields, apart from those that answers lack now and then. In an
// update, each record lacks different fields.
func (t *Table[K, T, R]) CompleteRecords(payload []byte, env *merge.Env) int {
	env.UnitsOnly = true
	defer func() { env.UnitsOnly = false }()
	seen, lacks := make(map[K]struct{}), make(map[string]uint64)
	var rec T // one for all records, because it escapes
	res, err := t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		if !it.Keyed {
			return ErrKeyless
		}
		k := R(it.Key).Key()
		seen[k] = struct{}{}
		rec = *new(T)
		if err := it.Merge(&rec); err != nil {
			return err
		}
		unknown, channel := t.plan.UnknownFields(&rec)&^t.absentFields, KeyChannel(k)
		same, there := lacks[channel]
		if there && same != unknown || bits.OnesCount64(unknown|t.absentFields) > t.plan.FieldCount()/2 {
			return errIncomplete
		}
		lacks[channel] = unknown
		return nil
	})
	if err != nil || len(res.Errors) > 0 {
		return 0
	}
	return len(seen)
}

// CompleteRecords returns the number of records in a message, 0 if they are incomplete.
func (s *Single[T]) CompleteRecords([]byte, *merge.Env) int { return 0 }
