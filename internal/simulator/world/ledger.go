package world

// recordSlot holds the current version of a record and the version that [World.TakeChanges] last
// reported. build creates the current version. A nil version means that the record does not exist.
type recordSlot[T any] struct {
	build             func() *T
	current, reported *T
	isStale, isQueued bool
}

// ledger holds the records of a kind. stale lists the records to build again. changed lists
// the records built since the last call of takeChanges.
type ledger[T any] struct {
	slots          []*recordSlot[T]
	stale, changed []*recordSlot[T]
}

// addSlot adds a slot for a record, which build creates when rebuildStale is called next.
func (l *ledger[T]) addSlot(build func() *T) *recordSlot[T] {
	s := &recordSlot[T]{build: build}
	l.slots = append(l.slots, s)
	l.markStale(s)
	return s
}

// markStale marks a record as stale, which means that it must be built again.
func (l *ledger[T]) markStale(s *recordSlot[T]) {
	if !s.isStale {
		s.isStale = true
		l.stale = append(l.stale, s)
	}
}

// rebuildStale builds the stale records again.
func (l *ledger[T]) rebuildStale() {
	for _, s := range l.stale {
		s.isStale = false
		s.current = s.build()
		if !s.isQueued {
			s.isQueued = true
			l.changed = append(l.changed, s)
		}
	}
	clear(l.stale)
	l.stale = l.stale[:0]
}

// takeChanges returns the changes of records since the previous call.
func (l *ledger[T]) takeChanges() []Change[T] {
	l.rebuildStale()
	if len(l.changed) == 0 {
		return nil
	}
	out := make([]Change[T], 0, len(l.changed))
	for _, s := range l.changed {
		s.isQueued = false
		if s.reported != s.current {
			out = append(out, Change[T]{Old: s.reported, New: s.current})
		}
		s.reported = s.current
	}
	clear(l.changed)
	l.changed = l.changed[:0]
	return out
}

// records returns the existing records.
func (l *ledger[T]) records() []*T {
	l.rebuildStale()
	out := make([]*T, 0, len(l.slots))
	for _, s := range l.slots {
		if s.current != nil {
			out = append(out, s.current)
		}
	}
	return out
}

// Change is a change of a record from Old to New. Old is nil for a new record, and New is nil for a
// removed record. Old and New are immutable.
type Change[T any] struct {
	Old, New *T
}

// Changes lists the changed records, in an order that depends only on the seed. Each record
// appears once, however often it has changed. A login adds the user's User, UserStat and
// UserProfileStat records, and a logout removes them. A new campaign adds a record. Records of
// other kinds exist from the beginning.
type Changes struct {
	Services             []Change[ServiceStat]
	Groups               []Change[GroupStat]
	Users                []Change[User]
	UserStats            []Change[UserStat]
	UserProfileStats     []Change[UserProfileStat]
	Campaigns            []Change[CampaignStat]
	Attendants           []Change[AttendantStat]
	Operators            []Change[OperatorStat]
	OperatorProfileStats []Change[OperatorProfileStat]
}

// State lists all current records. The tag op of a field is the name of the operation for its
// records. The records are immutable; the caller owns the slices.
type State struct {
	Users                []*User                `op:"users"`
	Services             []*ServiceStat         `op:"serviceStats"`
	Groups               []*GroupStat           `op:"groupStats"`
	UserStats            []*UserStat            `op:"userStats"`
	UserProfileStats     []*UserProfileStat     `op:"userProfileStats"`
	Campaigns            []*CampaignStat        `op:"pdCampaignStats"`
	Attendants           []*AttendantStat       `op:"serviceAttendantStats"`
	Operators            []*OperatorStat        `op:"operatorStats"`
	OperatorProfileStats []*OperatorProfileStat `op:"operatorProfileStats"`
}

// ledgers holds the records of all kinds.
type ledgers struct {
	services         ledger[ServiceStat]
	groups           ledger[GroupStat]
	users            ledger[User]
	userStats        ledger[UserStat]
	profiles         ledger[UserProfileStat]
	campaigns        ledger[CampaignStat]
	attendants       ledger[AttendantStat]
	operators        ledger[OperatorStat]
	operatorProfiles ledger[OperatorProfileStat]
}

// TakeChanges returns the changes of records since the previous call. The first call after [New]
// returns all records as new.
func (w *World) TakeChanges() *Changes {
	return &Changes{
		Services:             w.ledgers.services.takeChanges(),
		Groups:               w.ledgers.groups.takeChanges(),
		Users:                w.ledgers.users.takeChanges(),
		UserStats:            w.ledgers.userStats.takeChanges(),
		UserProfileStats:     w.ledgers.profiles.takeChanges(),
		Campaigns:            w.ledgers.campaigns.takeChanges(),
		Attendants:           w.ledgers.attendants.takeChanges(),
		Operators:            w.ledgers.operators.takeChanges(),
		OperatorProfileStats: w.ledgers.operatorProfiles.takeChanges(),
	}
}

// State returns all current records. It does not affect [World.TakeChanges].
func (w *World) State() *State {
	return &State{
		Services:             w.ledgers.services.records(),
		Groups:               w.ledgers.groups.records(),
		Users:                w.ledgers.users.records(),
		UserStats:            w.ledgers.userStats.records(),
		UserProfileStats:     w.ledgers.profiles.records(),
		Campaigns:            w.ledgers.campaigns.records(),
		Attendants:           w.ledgers.attendants.records(),
		Operators:            w.ledgers.operators.records(),
		OperatorProfileStats: w.ledgers.operatorProfiles.records(),
	}
}
