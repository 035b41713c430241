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

	versions uint64
	seq      uint64
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{}
	s.Services.clock = &s.versions
	s.Groups.clock = &s.versions
	s.Users.clock = &s.versions
	s.UserStats.clock = &s.versions
	s.Profiles.clock = &s.versions
	s.Campaigns.clock = &s.versions
	s.Attendants.clock = &s.versions
	s.Operators.clock = &s.versions
	s.OperatorProfiles.clock = &s.versions
	return s
}

// Records returns how many records there are of all kinds.
func (s *Store) Records() int {
	return s.Services.Len() + s.Groups.Len() + s.Users.Len() + s.UserStats.Len() + s.Profiles.Len() +
		s.Campaigns.Len() + s.Attendants.Len() + s.Operators.Len() + s.OperatorProfiles.Len()
}

// Version returns the version of the record that was written last.
func (s *Store) Version() uint64 { return s.versions }

// Dirty reports whether anything was written since the last Publish.
func (s *Store) Dirty() bool {
	return s.Services.dirty || s.Groups.dirty || s.Users.dirty || s.UserStats.dirty ||
		s.Profiles.dirty || s.Campaigns.dirty || s.Attendants.dirty || s.Operators.dirty ||
		s.OperatorProfiles.dirty
}

// Publish returns the present picture as an immutable snapshot. now is its
// time on the server's clock, so that durations can be computed from it.
func (s *Store) Publish(now time.Time, h Health) *Snapshot {
	s.seq++
	h.Subscriptions = slices.Clone(h.Subscriptions)
	return &Snapshot{
		Seq: s.seq, At: now, Health: h,
		Services:         s.Services.publish(),
		Groups:           s.Groups.publish(),
		Users:            s.Users.publish(),
		UserStats:        s.UserStats.publish(),
		Profiles:         s.Profiles.publish(),
		Campaigns:        s.Campaigns.publish(),
		Attendants:       s.Attendants.publish(),
		Operators:        s.Operators.publish(),
		OperatorProfiles: s.OperatorProfiles.publish(),
	}
}

// Snapshot is one consistent picture of the floor. It never changes.
type Snapshot struct {
	Seq uint64    // grows by one with every snapshot of a store
	At  time.Time // when it was published, on the server's clock

	Services         *Table[ServiceKey, Service]
	Groups           *Table[GroupKey, Group]
	Users            *Table[string, User]
	UserStats        *Table[UserStatKey, UserStat]
	Profiles         *Table[ProfileKey, ProfileStat]
	Campaigns        *Table[int64, Campaign]
	Attendants       *Table[AttendantKey, Attendant]
	Operators        *Table[UserStatKey, Operator]
	OperatorProfiles *Table[ProfileKey, ProfileStat] // of operatorProfileStats

	Health Health
}

func (r *Service) stamp(v uint64)      { r.Version = v }
func (r *Service) version() uint64     { return r.Version }
func (r *Group) stamp(v uint64)        { r.Version = v }
func (r *Group) version() uint64       { return r.Version }
func (r *User) stamp(v uint64)         { r.Version = v }
func (r *User) version() uint64        { return r.Version }
func (r *UserStat) stamp(v uint64)     { r.Version = v }
func (r *UserStat) version() uint64    { return r.Version }
func (r *ProfileStat) stamp(v uint64)  { r.Version = v }
func (r *ProfileStat) version() uint64 { return r.Version }
func (r *Campaign) stamp(v uint64)     { r.Version = v }
func (r *Campaign) version() uint64    { return r.Version }
func (r *Attendant) stamp(v uint64)    { r.Version = v }
func (r *Attendant) version() uint64   { return r.Version }
func (r *Operator) stamp(v uint64)     { r.Version = v }
func (r *Operator) version() uint64    { return r.Version }
