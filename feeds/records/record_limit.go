package records

// recordLimit limits how many new records a stage accepts; the zero value is no
// limit.
type recordLimit struct {
	enabled bool
	free    int // how many more records are accepted
	refused int // number of records refused
}

func (l *recordLimit) setFree(limit int) { *l = recordLimit{enabled: true, free: limit} }

// accept reports whether one more record fits, and counts it.
func (l *recordLimit) accept() bool {
	if l.enabled {
		if l.free <= 0 {
			l.refused++
			return false
		}
		l.free--
	}
	return true
}
