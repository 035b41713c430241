package model

import (
	"slices"
	"time"
)

// Op is the name of an operation of document 2 that can be subscribed to (section Operations). A
// test ensures that other packages do not contain these names as literals.
type Op string

// The operations.
const (
	OpVersion          Op = "version"
	OpServerHealth     Op = "serverHealth"
	OpUsers            Op = "users"
	OpServices         Op = "serviceStats"
	OpGroups           Op = "groupStats"
	OpUserStats        Op = "userStats"
	OpProfiles         Op = "userProfileStats"
	OpCampaigns        Op = "pdCampaignStats"
	OpAttendants       Op = "serviceAttendantStats"
	OpOperators        Op = "operatorStats"
	OpOperatorProfiles Op = "operatorProfileStats"
)

// operations lists all operations in the order of document 2. To add a subscription, add a row
// here; there is no other such list.
var operations = []Operation{
	{Name: OpVersion, Importance: 1},
	{Name: OpServerHealth, Importance: 2},
	{OpUsers, "User", []string{"username"}, "", false, 9, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.Users, &p.Users) }},
	{OpServices, "ServiceStat", []string{"code", "channel"}, ScopeService, true, 11, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.Services, &p.Services) }},
	{OpGroups, "GroupStat", []string{"code", "channel"}, ScopeGroup, false, 8, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.Groups, &p.Groups) }},
	{OpUserStats, "UserStat", []string{"username", "channel"}, ScopeUser, true, 10, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.UserStats, &p.UserStats) }},
	{OpProfiles, "UserProfileStat", []string{"id", "channel"}, "", false, 7, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.Profiles, &p.Profiles) }},
	{OpCampaigns, "PdCampaignStat", []string{"campaignId"}, ScopeCampaign, false, 5, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.Campaigns, &p.Campaigns) }},
	{OpAttendants, "ServiceAttendantStat", []string{"code", "channel", "component"}, "", false, 6, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.Attendants, &p.Attendants) }},
	{OpOperators, "OperatorCallStat", []string{"username", "channel"}, "", false, 4, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.Operators, &p.Operators) }},
	{OpOperatorProfiles, "UserProfileCallStat", []string{"id", "channel"}, "", false, 3, func(s *Store, p *Snapshot) storeTable { return newStoreTable(&s.OperatorProfiles, &p.OperatorProfiles) }},
}

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

// IsDirty reports whether a record was written or deleted since the last Publish.
func (s *Store) IsDirty() bool {
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
	hide()            // removes the table from the snapshot
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
func (t liveTable[K, T, R]) hide()                              { *t.draftField = nil }

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
	// members; see [FloorPart.MinGroup]. It is not recorded.
	HiddenGroups int `json:"-"`

	Health Health
}

// Stamp holds the version of a record.
type Stamp struct {
	Version uint64 `json:"-"` // increases with every change of any record; 0 until the record is in a store
}

func (s *Stamp) stamp(v uint64)  { s.Version = v }
func (s *Stamp) version() uint64 { return s.Version }
