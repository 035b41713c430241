package world

// slot holds the record of a key: the latest record, and the one last reported by
// Changed. nil means that the record does not exist.
type slot[T any] struct {
	build         func() *T
	now, reported *T
	stale, queued bool
}

// ledger holds the slots of a kind of record. It tracks which are stale and which
// were rebuilt since the last take.
type ledger[T any] struct {
	all            []*slot[T]
	stale, changed []*slot[T]
}

// open adds a slot. Its record exists from the next flush.
func (l *ledger[T]) open(build func() *T) *slot[T] {
	s := &slot[T]{build: build}
	l.all = append(l.all, s)
	l.touch(s)
	return s
}

// touch marks a record as stale.
func (l *ledger[T]) touch(s *slot[T]) {
	if !s.stale {
		s.stale = true
		l.stale = append(l.stale, s)
	}
}

// flush rebuilds the stale records.
func (l *ledger[T]) flush() {
	for _, s := range l.stale {
		s.stale = false
		s.now = s.build()
		if !s.queued {
			s.queued = true
			l.changed = append(l.changed, s)
		}
	}
	clear(l.stale)
	l.stale = l.stale[:0]
}

// take returns the changes since the previous take.
func (l *ledger[T]) take() []Change[T] {
	l.flush()
	if len(l.changed) == 0 {
		return nil
	}
	out := make([]Change[T], 0, len(l.changed))
	for _, s := range l.changed {
		s.queued = false
		if s.reported != s.now {
			out = append(out, Change[T]{Old: s.reported, New: s.now})
		}
		s.reported = s.now
	}
	clear(l.changed)
	l.changed = l.changed[:0]
	return out
}

// present returns the existing records.
func (l *ledger[T]) present() []*T {
	l.flush()
	out := make([]*T, 0, len(l.all))
	for _, s := range l.all {
		if s.now != nil {
			out = append(out, s.now)
		}
	}
	return out
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

// Changed returns the records that have changed since the previous call. The first
// call after [New] returns all records.
func (w *World) Changed() *Changes {
	return &Changes{
		Services:             w.ledgers.services.take(),
		Groups:               w.ledgers.groups.take(),
		Users:                w.ledgers.users.take(),
		UserStats:            w.ledgers.userStats.take(),
		UserProfileStats:     w.ledgers.profiles.take(),
		Campaigns:            w.ledgers.campaigns.take(),
		Attendants:           w.ledgers.attendants.take(),
		Operators:            w.ledgers.operators.take(),
		OperatorProfileStats: w.ledgers.operatorProfiles.take(),
	}
}

// State returns all current records. It does not affect [World.Changed].
func (w *World) State() *State {
	return &State{
		Services:             w.ledgers.services.present(),
		Groups:               w.ledgers.groups.present(),
		Users:                w.ledgers.users.present(),
		UserStats:            w.ledgers.userStats.present(),
		UserProfileStats:     w.ledgers.profiles.present(),
		Campaigns:            w.ledgers.campaigns.present(),
		Attendants:           w.ledgers.attendants.present(),
		Operators:            w.ledgers.operators.present(),
		OperatorProfileStats: w.ledgers.operatorProfiles.present(),
	}
}
