package model

import (
	"slices"
	"time"
)

// Store holds the current state of the floor. It has a single writer; readers use the
// snapshots that [Store.Publish] returns.
type Store struct {
	Services         MutableTable[ServiceKey, Service, *Service]
	Groups           MutableTable[GroupKey, Group, *Group]
	Users            MutableTable[string, User, *User]
	UserStats        MutableTable[UserStatKey, UserStat, *UserStat]
	Profiles         MutableTable[ProfileKey, ProfileStat, *ProfileStat]
	Campaigns        MutableTable[int64, Campaign, *Campaign]
	Attendants       MutableTable[AttendantKey, Attendant, *Attendant]
	Operators        MutableTable[UserStatKey, Operator, *Operator]
	OperatorProfiles MutableTable[ProfileKey, ProfileStat, *ProfileStat]

	tables        []storeTable  // the tables above, in the order of document 2
	draft         Snapshot      // filled by publishDraft of the tables
	lastVersion   uint64        // version of the last record written
	lastSeq       uint64        // Seq of the last snapshot
	stateResolver stateResolver // derives UserStats
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{}
	for _, o := range Operations() {
		if o.HasRecords() {
			t := o.table(s, &s.draft)
			t.setVersionCounter(&s.lastVersion)
			s.tables = append(s.tables, t)
		}
	}
	return s
}

// Records returns the number of records in all tables of the store.
func (s *Store) Records() int {
	n := 0
	for _, t := range s.tables {
		n += t.Len()
	}
	return n
}

// Version returns the version of the record written last.
func (s *Store) Version() uint64 { return s.lastVersion }

// Dirty reports whether a record was written or deleted since the last Publish.
func (s *Store) Dirty() bool {
	for _, t := range s.tables {
		if t.isDirty() {
			return true
		}
	}
	return false
}

// Publish returns the current state as an immutable snapshot. now is the time on the server's
// clock; readers compute durations from it. h is the state of the feed.
func (s *Store) Publish(now time.Time, h Health) *Snapshot {
	s.lastSeq++
	for _, t := range s.tables {
		t.publishDraft()
	}
	h.Subscriptions = slices.Clone(h.Subscriptions)
	p := s.draft
	p.Seq, p.At, p.Health = s.lastSeq, now, h
	p.UserStats = s.stateResolver.resolve(p.UserStats, &s.lastVersion)
	return &p
}

// storeTable is a table of a store, connected with its field in a snapshot. The records can
// have any type.
type storeTable interface {
	Len() int
	setVersionCounter(versions *uint64)
	isDirty() bool // reports whether a record was written or deleted since the last publish
	publishDraft()
	records() Records // returns the table in the snapshot
}

// liveTable implements storeTable for the records of one type.
type liveTable[K comparable, T any, R Record[K, T]] struct {
	*MutableTable[K, T, R]
	draftField **Table[K, T] // field of the table in the draft
}

func newStoreTable[K comparable, T any, R Record[K, T]](l *MutableTable[K, T, R], shown **Table[K, T]) storeTable {
	return liveTable[K, T, R]{l, shown}
}

func (t liveTable[K, T, R]) setVersionCounter(versions *uint64) { t.versionCounter = versions }
func (t liveTable[K, T, R]) isDirty() bool                      { return t.dirty }
func (t liveTable[K, T, R]) publishDraft()                      { *t.draftField = t.publish() }
func (t liveTable[K, T, R]) records() Records                   { return *t.draftField }

// Snapshot is the immutable state of the floor at one time.
type Snapshot struct {
	Seq uint64    // increases by one with every snapshot of a store
	At  time.Time // time of the snapshot on the server's clock

	Services         *Table[ServiceKey, Service]
	Groups           *Table[GroupKey, Group]
	Users            *Table[string, User]
	UserStats        *Table[UserStatKey, UserStat] // with derived states, see [BusyElsewhere]
	Profiles         *Table[ProfileKey, ProfileStat]
	Campaigns        *Table[int64, Campaign]
	Attendants       *Table[AttendantKey, Attendant]
	Operators        *Table[UserStatKey, Operator]
	OperatorProfiles *Table[ProfileKey, ProfileStat] // from operatorProfileStats

	// HiddenGroups is the number of groups that the viewer may not see because they have too few
	// members; see [Part.MinGroup]. It is not recorded.
	HiddenGroups int `json:"-"`

	Health Health
}

// Stamp holds the version of a record.
type Stamp struct {
	Version uint64 `json:"-"` // increases with every change of any record; 0 until the record is in a store
}

func (s *Stamp) stamp(v uint64)  { s.Version = v }
func (s *Stamp) version() uint64 { return s.Version }
