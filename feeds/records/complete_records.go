package records

import (
	"errors"
	"math/bits"

	"wallboard/feeds/merge"
)

// errIncomplete stops the reading of a message after an incomplete record.
var errIncomplete = errors.New("a part of a record")

// CompleteRecords returns the number of records in a message if all of them seem complete,
// otherwise 0.
//
// All complete records of a channel lack the same fields: those without a meaning on the channel.
// Records in an update each lack different fields. Fields that were unknown in earlier answers are
// not considered.
func (t *Table[K, T, R]) CompleteRecords(payload []byte, env *merge.Env) int {
	env.UnitsOnly = true
	defer func() { env.UnitsOnly = false }()
	seen, lacks := make(map[K]struct{}), make(map[string]uint64)
	var rec T // one variable for all records, because it escapes to the heap
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

// CompleteRecords returns 0, because the first message for a single object never replaces the
// query.
func (s *SingleRecord[T]) CompleteRecords([]byte, *merge.Env) int { return 0 }
