package records

// recordLimit limits how many new records [stagedRecords] accepts. The zero value accepts any number.
type recordLimit struct {
	enabled   bool
	remaining int // number of further records that are accepted
	refused   int // number of records that were not accepted
}

func (l *recordLimit) setRemaining(limit int) { *l = recordLimit{enabled: true, remaining: limit} }

// accept counts a new record and reports whether it is accepted.
func (l *recordLimit) accept() bool {
	if l.enabled {
		if l.remaining <= 0 {
			l.refused++
			return false
		}
		l.remaining--
	}
	return true
}
