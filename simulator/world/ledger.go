package world

// slot holds the record of one key: the last one built and the last one told
// by Changed. A nil record is absent.
type slot[T any] struct {
	build         func() *T
	now, told     *T
	stale, listed bool
}

// ledger holds the slots of one kind of record and knows which need building
// and which were built since the last take.
type ledger[T any] struct {
	all            []*slot[T]
	stale, changed []*slot[T]
}

// open adds a slot. Its record exists from the next build on.
func (l *ledger[T]) open(build func() *T) *slot[T] {
	s := &slot[T]{build: build}
	l.all = append(l.all, s)
	l.touch(s)
	return s
}

// touch notes that the record no longer tells the truth.
func (l *ledger[T]) touch(s *slot[T]) {
	if !s.stale {
		s.stale = true
		l.stale = append(l.stale, s)
	}
}

// flush builds the stale records anew.
func (l *ledger[T]) flush() {
	for _, s := range l.stale {
		s.stale = false
		s.now = s.build()
		if !s.listed {
			s.listed = true
			l.changed = append(l.changed, s)
		}
	}
	clear(l.stale)
	l.stale = l.stale[:0]
}

// take returns the changes since the last take.
func (l *ledger[T]) take() []Change[T] {
	l.flush()
	if len(l.changed) == 0 {
		return nil
	}
	out := make([]Change[T], 0, len(l.changed))
	for _, s := range l.changed {
		s.listed = false
		if s.told != s.now {
			out = append(out, Change[T]{Old: s.told, New: s.now})
		}
		s.told = s.now
	}
	clear(l.changed)
	l.changed = l.changed[:0]
	return out
}

// present returns the records that exist.
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

// ledgers are the records of all kinds.
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

// Changed returns the records that changed since the last call. The first call
// after [New] returns all of them.
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

// State returns every record present. It takes nothing away from [World.Changed].
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
