package records

import (
	"wallboard/feeds/merge"
	"wallboard/model"
)

// StoredTable is the table of an operation in a store.
type StoredTable struct {
	Op  model.Op
	Len func() int
	// OpenTable returns a [Table], which keeps its records in the store. root is the operation and fields
	// is the selection.
	OpenTable func(root string, fields []merge.Selection, o TableOptions) (VerifiedRecords, error)
	// Merge returns a function that merges a message into the store, and one that removes the records
	// in a message.
	Merge func(root string, fields []merge.Selection) (update, remove func(payload []byte, env *merge.Env) error, err error)
}

// TableOptions configures a [Table].
type TableOptions struct {
	Capacity   func(own int) int // see [Table]
	SumsAgents bool              // a record summarizes several agents
}

// Tables returns the tables of a store in the order of document 2. To add a subscription, add its
// table here.
func Tables(s *model.Store) []StoredTable {
	return []StoredTable{
		storedTable(model.OpUsers, &s.Users),
		storedTable(model.OpServices, &s.Services),
		storedTable(model.OpGroups, &s.Groups),
		storedTable(model.OpUserStats, &s.UserStats),
		storedTable(model.OpProfiles, &s.Profiles),
		storedTable(model.OpCampaigns, &s.Campaigns),
		storedTable(model.OpAttendants, &s.Attendants),
		storedTable(model.OpOperators, &s.Operators),
		storedTable(model.OpOperatorProfiles, &s.OperatorProfiles),
	}
}

func storedTable[K comparable, T any, R model.Record[K, T]](op model.Op, live *model.MutableTable[K, T, R]) StoredTable {
	return StoredTable{
		Op: op, Len: live.Len,
		OpenTable: func(root string, fields []merge.Selection, o TableOptions) (VerifiedRecords, error) {
			t, err := NewTable(root, fields, live, op.Keys()...)
			if err != nil {
				return nil, err
			}
			t.Capacity, t.SumsAgents = o.Capacity, o.SumsAgents
			return t, nil
		},
		Merge: func(root string, fields []merge.Selection) (update, remove func([]byte, *merge.Env) error, err error) {
			plan, err := merge.NewPlan[T](fields, op.Keys()...)
			if err != nil {
				return nil, nil, err
			}
			update = func(payload []byte, env *merge.Env) error {
				_, err := plan.Read(payload, root, env, func(it *merge.Item[T]) error {
					rec := new(T)
					if previous := live.Get(R(it.Key).Key()); previous != nil {
						*rec = *previous
					}
					if err := it.Merge(rec); err != nil {
						return err
					}
					live.Put(rec)
					return nil
				})
				return err
			}
			remove = func(payload []byte, env *merge.Env) error {
				_, err := plan.Read(payload, root, env, func(it *merge.Item[T]) error {
					live.Delete(R(it.Key).Key())
					return nil
				})
				return err
			}
			return update, remove, nil
		},
	}
}
