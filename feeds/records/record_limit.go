package records

// recordLimit limits how many new records a stage accepts; the zero value is no
// limit.
type recordLimit struct {
	enabled bool
	free    int // how many more records are accepted
	refused int // number of records refused
}

func (b *recordLimit) setFree(limit int) { *b = recordLimit{enabled: true, free: limit} }

// accept reports whether one more record fits, and counts it.
func (b *recordLimit) accept() bool {
	if b.enabled {
		if b.free <= 0 {
			b.refused++
			return false
		}
		b.free--
	}
	return true
}
