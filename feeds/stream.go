package feeds

import (
	"iter"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/records"
)

// recordMerger merges the payloads of one operation into its records. See [records.Table] and
// [records.SingleRecord] for the methods.
type recordMerger interface {
	records.VerifiedRecords

	ApplyUpdate(payload []byte, opening bool, env *merge.Env) (records.ApplyResult, error)
	ApplyLate(payload []byte, env *merge.Env) (records.ApplyResult, error)
	Replace(answer records.FullState, later iter.Seq[[]byte], asked func(name string) bool, env *merge.Env) (records.ApplyResult, error)
	CompleteRecords(payload []byte, env *merge.Env) int
	DoubtfulRecords() []records.DoubtfulRecord

	TrustLocalRecords(since uint64, inAnswer, wasCovered func(key any) bool)
	IgnoreNames(names map[string]bool, now time.Time)
	Remove(name string)
	Clear()

	Keys() []any
	OmittedRecords() int
}
