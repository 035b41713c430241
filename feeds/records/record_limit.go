package records

// recordLimit limits how many new records a stage accepts. The zero value accepts any number.
type recordLimit struct {
	enabled bool
	free    int // number of further records that are accepted
	refused int // number of records that were not accepted
}

func (l *recordLimit) setFree(limit int) { *l = recordLimit{enabled: true, free: limit} }

// accept counts a new record and reports whether it is accepted.
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
