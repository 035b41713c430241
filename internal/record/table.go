package record

import (
	"maps"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"wallboard/model"
)

// tableSpec describes how a table of the snapshots is recorded.
type tableSpec interface {
	operation() model.Op
	layout() *typePlan
	newEncoder() tableEncoder
	newDecoder(r *schemaMapping) tableDecoder
	newScrubTable(s *Scrubber) scrubTable
	// recordBytes returns the size of the table's records in a snapshot, in bytes.
	recordBytes(s *model.Snapshot) int
}

// tableEncoder encodes a table as changes since the last snapshot.
type tableEncoder interface {
	// startChunk makes the next call of write encode the complete table.
	startChunk()
	// write appends the changes of the table in s to the output of e.
	write(e *encoder, s *model.Snapshot)
}

// tableDecoder rebuilds a table from frames.
type tableDecoder interface {
	// startChunk drops all records. The next frame must hold the complete table.
	startChunk()
	// makeReadOnly makes the current records read-only. Later frames change copies of them.
	makeReadOnly()
	// fork returns an independent copy of the decoder. makeReadOnly must have been called.
	fork() tableDecoder
	// read decodes the changes of the table in a frame.
	read(d *decoder)
	// compareWith replaces records with equal records of a snapshot. If the store holds the
	// snapshot, updateStore then updates only records that differ.
	compareWith(s *model.Snapshot)
	// updateStore copies the records to a store. It deletes the other records of the table
	// from the store.
	updateStore(to *model.Store)
}

// tables returns the specifications of all recorded tables. A test compares it with
// model.Operations.
var tables = sync.OnceValue(func() []tableSpec {
	return []tableSpec{
		newTable(model.OpUsers, func(s *model.Snapshot) *model.Table[string, model.User] { return s.Users },
			func(s *model.Store) *model.MutableTable[string, model.User, *model.User] { return &s.Users }),
		newTable(model.OpServices, func(s *model.Snapshot) *model.Table[model.ServiceKey, model.Service] { return s.Services },
			func(s *model.Store) *model.MutableTable[model.ServiceKey, model.Service, *model.Service] {
				return &s.Services
			}),
		newTable(model.OpGroups, func(s *model.Snapshot) *model.Table[model.GroupKey, model.Group] { return s.Groups },
			func(s *model.Store) *model.MutableTable[model.GroupKey, model.Group, *model.Group] { return &s.Groups }),
		newTable(model.OpUserStats, func(s *model.Snapshot) *model.Table[model.UserStatKey, model.UserStat] { return s.UserStats },
			func(s *model.Store) *model.MutableTable[model.UserStatKey, model.UserStat, *model.UserStat] {
				return &s.UserStats
			}),
		newTable(model.OpProfiles, func(s *model.Snapshot) *model.Table[model.ProfileKey, model.ProfileStat] { return s.Profiles },
			func(s *model.Store) *model.MutableTable[model.ProfileKey, model.ProfileStat, *model.ProfileStat] {
				return &s.Profiles
			}),
		newTable(model.OpCampaigns, func(s *model.Snapshot) *model.Table[int64, model.Campaign] { return s.Campaigns },
			func(s *model.Store) *model.MutableTable[int64, model.Campaign, *model.Campaign] { return &s.Campaigns }),
		newTable(model.OpAttendants, func(s *model.Snapshot) *model.Table[model.AttendantKey, model.Attendant] { return s.Attendants },
			func(s *model.Store) *model.MutableTable[model.AttendantKey, model.Attendant, *model.Attendant] {
				return &s.Attendants
			}),
		newTable(model.OpOperators, func(s *model.Snapshot) *model.Table[model.UserStatKey, model.Operator] { return s.Operators },
			func(s *model.Store) *model.MutableTable[model.UserStatKey, model.Operator, *model.Operator] {
				return &s.Operators
			}),
		newTable(model.OpOperatorProfiles, func(s *model.Snapshot) *model.Table[model.ProfileKey, model.ProfileStat] { return s.OperatorProfiles },
			func(s *model.Store) *model.MutableTable[model.ProfileKey, model.ProfileStat, *model.ProfileStat] {
				return &s.OperatorProfiles
			}),
	}
})

type table[K comparable, T any, R model.Record[K, T]] struct {
	op           model.Op
	fromSnapshot func(*model.Snapshot) *model.Table[K, T]
	fromStore    func(*model.Store) *model.MutableTable[K, T, R]
	plan         *typePlan
}

func newTable[K comparable, T any, R model.Record[K, T]](
	name model.Op, shown func(*model.Snapshot) *model.Table[K, T], live func(*model.Store) *model.MutableTable[K, T, R],
) tableSpec {
	return &table[K, T, R]{name, shown, live, newPlan(reflect.TypeFor[T]())}
}

func (t *table[K, T, R]) operation() model.Op { return t.op }
func (t *table[K, T, R]) layout() *typePlan   { return t.plan }
func (t *table[K, T, R]) recordBytes(s *model.Snapshot) (bytes int) {
	for _, r := range t.fromSnapshot(s).Rows() {
		bytes += t.plan.recordSize(unsafe.Pointer(r))
	}
	return bytes
}
func (t *table[K, T, R]) newEncoder() tableEncoder { return &encodedTable[K, T, R]{table: t} }
func (t *table[K, T, R]) newDecoder(r *schemaMapping) tableDecoder {
	return &decodedTable[K, T, R]{table: t, mapping: r}
}

// encodedTable encodes a table. In a chunk, each record has a number, called its slot.
type encodedTable[K comparable, T any, R model.Record[K, T]] struct {
	*table[K, T, R]
	rows  []*T // last written record of each slot; nil if it was deleted
	last  *model.Table[K, T]
	slots []uint64 // slot of each row of the last table
}

func (t *encodedTable[K, T, R]) startChunk() { t.rows, t.last, t.slots = t.rows[:0], nil, t.slots[:0] }

func (t *encodedTable[K, T, R]) write(e *encoder, s *model.Snapshot) {
	now := t.fromSnapshot(s)
	if t.last == now { // the table has not changed
		e.writeUint(0)
		e.writeUint(0)
		return
	}
	rows := now.Rows()
	if t.last == nil || t.last.Generation() != now.Generation() || len(t.slots) != len(rows) {
		t.assignSlots(e, rows)
	}
	e.writeUint(0)
	for i, r := range rows {
		slot := t.slots[i]
		old, begin := t.rows[slot], len(e.buf)
		if old == r {
			continue
		}
		before := t.plan.zeroValue
		if old != nil {
			before = unsafe.Pointer(old)
		}
		e.writeUint(slot + 1)
		if differs := e.writeDiff(t.plan, before, unsafe.Pointer(r)); !differs && old != nil {
			e.buf = e.buf[:begin]
		}
		t.rows[slot] = r // also if the record is equal, so that it is not compared again
	}
	e.writeUint(0)
	t.last = now
}

// assignSlots assigns a slot to each row and writes the slots of the deleted records. It searches
// only the rows whose position has changed.
func (t *encodedTable[K, T, R]) assignSlots(e *encoder, rows []*T) {
	before := t.last.Rows()
	same := func(i int) bool {
		return i < len(before) && i < len(rows) && (before[i] == rows[i] || R(before[i]).Key() == R(rows[i]).Key())
	}
	gone := make(map[K]uint64) // slots of the records that were deleted or moved
	for i, r := range before {
		if !same(i) {
			gone[R(r).Key()] = t.slots[i]
		}
	}
	t.slots = t.slots[:min(len(before), len(rows))]
	for i, r := range rows {
		if same(i) {
			continue
		}
		k := R(r).Key()
		slot, there := gone[k]
		if there {
			delete(gone, k)
		} else {
			slot = uint64(len(t.rows))
			t.rows = append(t.rows, nil)
		}
		if i < len(t.slots) {
			t.slots[i] = slot
		} else {
			t.slots = append(t.slots, slot)
		}
	}
	for _, slot := range slices.Sorted(maps.Values(gone)) {
		e.writeUint(slot + 1)
		t.rows[slot] = nil
	}
}

// decodedTable decodes a table.
type decodedTable[K comparable, T any, R model.Record[K, T]] struct {
	*table[K, T, R]
	mapping   *schemaMapping
	rows      []*T   // record of each slot; nil if it was deleted
	isPrivate []bool // for each slot: true if only this decoder uses the record, so that it may be changed
	lastIndex []int  // for each slot: last known index of the record in the compared table

	changedSlots []int // slots that may differ from the compared table
	allChanged   bool  // any slot may differ, and records may be missing
	changesExact bool  // changedSlots and deleted are exactly the differences
	deleted      []K   // keys of records that only the compared table has
}

// comparedTable is a table that a decodedTable is compared with.
type comparedTable[K comparable, T any] interface {
	Rows() []*T
	IndexOf(k K) (at int, there bool)
}

func (t *decodedTable[K, T, R]) startChunk() {
	t.rows, t.isPrivate, t.lastIndex, t.changedSlots, t.deleted = t.rows[:0], t.isPrivate[:0], t.lastIndex[:0], t.changedSlots[:0], nil
	t.allChanged, t.changesExact = true, false
}

func (t *decodedTable[K, T, R]) makeReadOnly() {
	clear(t.isPrivate)
	t.changedSlots, t.deleted, t.changesExact = t.changedSlots[:0], nil, false
}

func (t *decodedTable[K, T, R]) fork() tableDecoder {
	return &decodedTable[K, T, R]{
		table: t.table, mapping: t.mapping, rows: slices.Clone(t.rows), isPrivate: make([]bool, len(t.isPrivate)),
		lastIndex: slices.Clone(t.lastIndex), allChanged: true,
	}
}

func (t *decodedTable[K, T, R]) read(d *decoder) {
	t.changesExact = false
	for {
		slot := d.readUint()
		if slot == 0 || d.err != nil {
			break
		}
		if slot > uint64(len(t.rows)) {
			d.fail("deletion of an unknown record")
			return
		}
		if old := t.rows[slot-1]; old != nil {
			d.heldBytes -= t.plan.recordSize(unsafe.Pointer(old))
		}
		t.rows[slot-1], t.isPrivate[slot-1], t.allChanged = nil, false, true
	}
	for {
		n := d.readUint()
		if n == 0 || d.err != nil {
			return
		}
		if n > uint64(len(t.rows))+1 {
			d.fail("invalid slot")
			return
		}
		slot := int(n - 1) //nolint:gosec // bounded
		if slot == len(t.rows) {
			t.rows, t.isPrivate, t.lastIndex = append(t.rows, nil), append(t.isPrivate, false), append(t.lastIndex, slot)
		}
		if t.rows[slot] == nil || !t.isPrivate[slot] {
			size := t.plan.typ.Size()
			if !d.addFrameBytes(1, size) || t.rows[slot] == nil && !d.addHeldBytes(int(size)) {
				return
			}
			t.changedSlots = append(t.changedSlots, slot)
			t.makePrivate(slot)
		}
		d.readDiff(t.mapping, unsafe.Pointer(t.rows[slot]))
	}
}

// makePrivate replaces the record in a slot with a copy that may be changed.
func (t *decodedTable[K, T, R]) makePrivate(slot int) {
	r := new(T)
	if old := t.rows[slot]; old != nil {
		*r = *old
		*t.plan.version(unsafe.Pointer(r)) = 0
	}
	t.rows[slot], t.isPrivate[slot] = r, true
}

func (t *decodedTable[K, T, R]) compareWith(s *model.Snapshot) { t.compare(t.fromSnapshot(s)) }

// compare finds the differences from another table and sets changedSlots and deleted. It
// replaces records that differ and are not private with private copies.
func (t *decodedTable[K, T, R]) compare(against comparedTable[K, T]) {
	if t.allChanged {
		t.changedSlots = t.changedSlots[:0]
		for slot, r := range t.rows {
			if r != nil {
				t.changedSlots = append(t.changedSlots, slot)
			}
		}
	}
	all, news := len(t.changedSlots), 0
	t.changedSlots = slices.DeleteFunc(t.changedSlots, func(slot int) bool {
		same, there := t.sameRecord(slot, against)
		if !there {
			news++
		}
		if !same && !t.isPrivate[slot] {
			t.makePrivate(slot)
		}
		return same
	})
	if t.allChanged && all-news != len(against.Rows()) {
		t.deleted = t.missingKeys(against.Rows())
	}
	t.allChanged, t.changesExact = false, true
}

// sameRecord compares the record in a slot with the record that has the same key in another table.
// If they are equal, same is true and the slot gets the other record. there is false if there is none.
func (t *decodedTable[K, T, R]) sameRecord(slot int, against comparedTable[K, T]) (same, there bool) {
	r, rows := t.rows[slot], against.Rows()
	if i := t.lastIndex[slot]; i < len(rows) && rows[i] == r {
		return true, true
	}
	i, there := against.IndexOf(R(r).Key())
	t.lastIndex[slot] = i
	if !there {
		return false, false
	}
	if old := rows[i]; old != r {
		if !t.plan.equal(unsafe.Pointer(old), unsafe.Pointer(r)) {
			return false, true
		}
		t.rows[slot], t.isPrivate[slot] = old, false
	}
	return true, true
}

// missingKeys returns the keys of the given records that this table does not have.
func (t *decodedTable[K, T, R]) missingKeys(of []*T) (gone []K) {
	has := make(map[K]bool, len(t.rows))
	for _, r := range t.rows {
		if r != nil {
			has[R(r).Key()] = true
		}
	}
	for _, r := range of {
		if k := R(r).Key(); !has[k] {
			gone = append(gone, k)
		}
	}
	return gone
}

func (t *decodedTable[K, T, R]) updateStore(to *model.Store) {
	live := t.fromStore(to)
	if !t.changesExact {
		t.compare(live)
	}
	for _, slot := range t.changedSlots {
		live.Put(t.rows[slot])
		t.isPrivate[slot] = false
	}
	for _, k := range t.deleted {
		live.Delete(k)
	}
	t.changedSlots, t.deleted, t.changesExact = t.changedSlots[:0], nil, false
}

// skippedTable decodes a table that is not needed. It reads and discards the records.
type skippedTable struct {
	mapping *schemaMapping
	slots   uint64
}

func (t *skippedTable) startChunk()                 { t.slots = 0 }
func (t *skippedTable) makeReadOnly()               {}
func (t *skippedTable) fork() tableDecoder          { f := *t; return &f }
func (t *skippedTable) compareWith(*model.Snapshot) {}
func (t *skippedTable) updateStore(*model.Store)    {}

func (t *skippedTable) read(d *decoder) {
	for d.err == nil {
		if slot := d.readUint(); slot == 0 {
			break
		} else if slot > t.slots {
			d.fail("deletion of an unknown record")
		}
	}
	for d.err == nil {
		slot := d.readUint()
		switch {
		case slot == 0:
			return
		case slot > t.slots+1:
			d.fail("invalid slot")
			return
		}
		t.slots = max(t.slots, slot)
		d.readDiff(t.mapping, nil)
	}
}
