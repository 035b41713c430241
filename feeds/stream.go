package feeds

import (
	"iter"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/verify"
)

// stream turns the payloads of one operation into records. [picture.Table] and
// [picture.Single] implement it and document the methods.
type stream interface {
	verify.Records

	ApplyUpdate(payload []byte, opening bool, env *merge.Env) (picture.Applied, error)
	Late(payload []byte, env *merge.Env) (picture.Applied, error)
	Replace(answer picture.FullState, later iter.Seq[[]byte], asked func(name string) bool, env *merge.Env) (picture.Applied, error)
	Whole(payload []byte, env *merge.Env) int
	Doubts() []picture.Doubt

	Trust(since uint64, asked, told func(key any) bool)
	Disown(names map[string]bool, now time.Time)
	Remove(name string)
	Clear()

	Keys() []any
	LeftOut() int
}
