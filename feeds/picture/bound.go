package picture

// bound is how many records that are not known yet a stage takes; the zero value
// is no bound.
type bound struct {
	on   bool
	most int
	over int // that there was no room for
}

func (b *bound) set(most int) { *b = bound{on: true, most: most} }

// takes reports whether there is room for one more.
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
