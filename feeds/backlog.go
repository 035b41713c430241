package feeds

import "slices"

// backlog are updates that are merged once more, onto something that is older:
// a full state that was asked for before they came, or what a subscription
// tells late.
type backlog struct {
	list [][]byte
	size int
	mark int // index of the first that came after the query was sent
}

// add keeps a copy of an update. It reports whether there was room for it in so
// many bytes; if not, all of them are dropped.
func (b *backlog) add(payload []byte, most int) bool {
	if b.size += len(payload); b.size > most {
		*b = backlog{}
		return false
	}
	b.list = append(b.list, slices.Clone(payload))
	return true
}
