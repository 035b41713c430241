package records

// recordLimit limits how many new records a stage accepts. The zero value accepts all.
type recordLimit struct {
	enabled bool
	free    int // number of further records that are accepted
	refused int // number of records that were not accepted
}

func (l *recordLimit) setFree(limit int) { *l = recordLimit{enabled: true, free: limit} }

// accept reports whether one more record is accepted, and counts the record.
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
