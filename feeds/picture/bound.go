package picture

// bound limits how many new records a stage accepts; the zero value is no
// limit.
type bound struct {
	on   bool
	most int
	over int // records refused
}

func (b *bound) set(most int) { *b = bound{on: true, most: most} }

// takes reports whether one more record fits, and counts it.
func (b *bound) takes() bool {
	if b.on {
		if b.most <= 0 {
			b.over++
			return false
		}
		b.most--
	}
	return true
}
