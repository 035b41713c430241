package model

import (
	"slices"
	"time"
)

// Store holds the present picture of the floor. It has a single writer;
// what everybody else sees are the snapshots that [Store.Publish] returns.
type Store struct {
	Services         Live[ServiceKey, Service, *Service]
	Groups           Live[GroupKey, Group, *Group]
	Users            Live[string, User, *User]
	UserStats        Live[UserStatKey, UserStat, *UserStat]
	Profiles         Live[ProfileKey, ProfileStat, *ProfileStat]
	Campaigns        Live[int64, Campaign, *Campaign]
	Attendants       Live[AttendantKey, Attendant, *Attendant]
	Operators        Live[UserStatKey, Operator, *Operator]
	OperatorProfiles Live[ProfileKey, ProfileStat, *ProfileStat]

	tables   []stored // the same, in the order of document 2
	draft    Snapshot // where they publish to
	versions uint64
	seq      uint64
	states   states // of UserStats
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{}
	for _, o := range Operations() {
		if o.HasRecords() {
			t := o.table(s, &s.draft)
			t.countBy(&s.versions)
			s.tables = append(s.tables, t)
		}
	}
	return s
}

// Records returns how many records there are of all kinds.
func (s *Store) Records() int {
	n := 0
	for _, t := range s.tables {
		n += t.Len()
	}
	return n
}

// Version returns the version of the record that was written last.
func (s *Store) Version() uint64 { return s.versions }

// Dirty reports whether anything was written since the last Publish.
func (s *Store) Dirty() bool {
	for _, t := range s.tables {
		if t.written() {
			return true
		}
	}
	return false
}

// Publish returns the present picture as an immutable snapshot. now is its
// time on the server's clock, so that durations can be computed from it.
func (s *Store) Publish(now time.Time, h Health) *Snapshot {
	s.seq++
	for _, t := range s.tables {
		t.show()
	}
	h.Subscriptions = slices.Clone(h.Subscriptions)
	p := s.draft
	p.Seq, p.At, p.Health = s.seq, now, h
	p.UserStats = s.states.of(p.UserStats, &s.versions)
	return &p
}

// stored is a table of a store and its place in a snapshot, whatever its records
// are.
type stored interface {
	Len() int
	countBy(versions *uint64)
	written() bool // since it was shown last
	show()
	records() Records // those in the snapshot
}

// joined is a table of a store and its place in a snapshot.
type joined[K comparable, T any, R Record[K, T]] struct {
	*Live[K, T, R]
	shown **Table[K, T]
}

func join[K comparable, T any, R Record[K, T]](l *Live[K, T, R], shown **Table[K, T]) stored {
	return joined[K, T, R]{l, shown}
}

func (j joined[K, T, R]) countBy(versions *uint64) { j.clock = versions }
func (j joined[K, T, R]) written() bool            { return j.dirty }
func (j joined[K, T, R]) show()                    { *j.shown = j.publish() }
func (j joined[K, T, R]) records() Records         { return *j.shown }

// Snapshot is one consistent picture of the floor. It never changes.
type Snapshot struct {
	Seq uint64    // grows by one with every snapshot of a store
	At  time.Time // when it was published, on the server's clock

	Services         *Table[ServiceKey, Service]
	Groups           *Table[GroupKey, Group]
	Users            *Table[string, User]
	UserStats        *Table[UserStatKey, UserStat] // with [BusyElsewhere] where that is so
	Profiles         *Table[ProfileKey, ProfileStat]
	Campaigns        *Table[int64, Campaign]
	Attendants       *Table[AttendantKey, Attendant]
	Operators        *Table[UserStatKey, Operator]
	OperatorProfiles *Table[ProfileKey, ProfileStat] // of operatorProfileStats

	Health Health
}

// Stamp is the version of a record.
type Stamp struct {
	Version uint64 `json:"-"` // grows with every change; 0 before the record is in a store
}

func (s *Stamp) stamp(v uint64)  { s.Version = v }
func (s *Stamp) version() uint64 { return s.Version }
