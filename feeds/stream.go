package feeds

import (
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
)

// stream turns the payloads of one operation into records.
type stream interface {
	// Delta merges a payload onto what is there, all of it or, after an error,
	// nothing of it. opening is whether it is the first of a subscription.
	Delta(payload []byte, opening bool, env *merge.Env) (picture.Applied, error)
	// Doubts are what the last message has left open.
	Doubts() []picture.Doubt
	// Late merges a payload onto the records that are there, and brings none: what
	// an older subscription tells of others is not wanted any more.
	Late(payload []byte, env *merge.Env) (picture.Applied, error)
	// Replace makes a full answer, with later deltas on top, the whole content, or
	// that of the names that were asked for; nil: all. Deltas that cannot be merged
	// are skipped; their errors are in the result.
	Replace(answer picture.FullState, later [][]byte, asked func(name string) bool, env *merge.Env) (picture.Applied, error)
	// Look holds a full answer against what is there; repair takes some of the
	// differences over, and must follow.
	Look(answer picture.FullState, later [][]byte, env *merge.Env, in picture.Scope) (picture.Findings, error)
	Repair(some []picture.Difference)
	// Watch makes updates note in the suspicions what they change; nil ends it.
	Watch(chunk int, suspects map[picture.Suspect]*picture.Suspicion)
	// Trust makes the next replace keep the records that were written since the
	// store had a version: the answer may come from a replica that is behind.
	// Of those that the answer lacks it keeps those that were asked for, of the
	// others those that updates were for.
	Trust(since uint64, asked, told func(key any) bool)
	// Disown forgets the records with some names, and keeps updates from bringing
	// them back, until it is called with others.
	Disown(names map[string]bool, now time.Time)
	// Fallen is how many records had a counter fall in the last update, counting
	// how many have counters above 0.
	Fallen() int
	Counting() int
	// Whole returns how many records a message has, 0 where one of them is not whole.
	Whole(payload []byte, env *merge.Env) int
	// Remove forgets the records with a name, which may come back.
	Remove(name string)
	// Clear forgets everything.
	Clear()
	// Records is how many records there are, leftOut how many there was no room for.
	Records() int
	LeftOut() int
	// Keys are the keys of the records.
	Keys() []any
}
