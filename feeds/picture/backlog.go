package picture

import (
	"slices"

	"wallboard/feeds/merge"
)

// Backlog are updates that are merged once more, onto something that is older:
// a full state that was asked for before they came, or what a subscription
// tells late.
type Backlog struct {
	List [][]byte
	Size int
	work []byte
	Mark int // index of the first that came after the query was sent
}

// Add keeps a copy of an update, without what it says nothing about. It reports whether there was room for it in so
// many bytes; if not, all of them are dropped.
func (b *Backlog) Add(payload []byte, most int) bool {
	b.work = merge.AppendCompact(b.work[:0], payload)
	if b.Size += len(b.work); b.Size > most {
		*b = Backlog{}
		return false
	}
	b.List = append(b.List, slices.Clone(b.work))
	return true
}
