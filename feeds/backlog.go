package feeds

import (
	"slices"

	"wallboard/feeds/merge"
)

// backlog are updates that are merged once more, onto something that is older:
// a full state that was asked for before they came, or what a subscription
// tells late.
type backlog struct {
	list [][]byte
	size int
	work []byte
	mark int // index of the first that came after the query was sent
}

// add keeps a copy of an update, without what it says nothing about. It reports whether there was room for it in so
// many bytes; if not, all of them are dropped.
func (b *backlog) add(payload []byte, most int) bool {
	b.work = merge.AppendCompact(b.work[:0], payload)
	if b.size += len(b.work); b.size > most {
		*b = backlog{}
		return false
	}
	b.list = append(b.list, slices.Clone(b.work))
	return true
}
