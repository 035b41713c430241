package records

// bound limits how many new records a stage accepts; the zero value is no
// limit.
type bound struct {
	on      bool
	room    int
	refused int // records refused
}

func (b *bound) set(most int) { *b = bound{on: true, room: most} }

// accept reports whether one more record fits, and counts it.
func (b *bound) accept() bool {
	if b.on {
		if b.room <= 0 {
			b.refused++
			return false
		}
		b.room--
	}
	return true
}
