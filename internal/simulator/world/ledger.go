package world

// recordSlot holds the current version of a record and the version that [World.TakeChanges] last
// reported. build creates the current version. A nil version means that the record does not exist.
type recordSlot[T any] struct {
	build             func() *T
	current, reported *T
	isStale, isQueued bool
}

// recordSet holds the records of a kind. stale lists the records to build again. changed lists
// the records built since the last call of takeChanges.
type recordSet[T any] struct {
	slots          []*recordSlot[T]
	stale, changed []*recordSlot[T]
}

// addSlot adds a slot for a record, which build creates when rebuildStale is called next.
func (l *recordSet[T]) addSlot(build func() *T) *recordSlot[T] {
	s := &recordSlot[T]{build: build}
	l.slots = append(l.slots, s)
	l.markStale(s)
	return s
}

// markStale marks a record as stale, which means that it must be built again.
func (l *recordSet[T]) markStale(s *recordSlot[T]) {
	if !s.isStale {
		s.isStale = true
		l.stale = append(l.stale, s)
	}
}

// rebuildStale builds the stale records again.
func (l *recordSet[T]) rebuildStale() {
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
func (l *recordSet[T]) takeChanges() []Change[T] {
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
func (l *recordSet[T]) records() []*T {
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
