package records

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
)

// SingleRecord keeps the object of an operation with a single result.
type SingleRecord[T any] struct {
	root  string
	plan  *merge.Plan[T]
	Value T
}

// NewSingleRecord returns a SingleRecord for the operation root. fields is the selection. It returns an error
// if the fields do not fit T.
func NewSingleRecord[T any](root string, fields []merge.Selection) (*SingleRecord[T], error) {
	plan, err := merge.NewPlan[T](fields)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", root, err)
	}
	return &SingleRecord[T]{root: root, plan: plan}, nil
}

func (s *SingleRecord[T]) read(payload []byte, env *merge.Env, onto T) (ApplyResult, error) {
	res, err := s.plan.Read(payload, s.root, env, func(it *merge.Item[T]) error { return it.Merge(&onto) })
	if err != nil {
		return ApplyResult{Errors: res.Errors}, err
	}
	a := ApplyResult{HasData: res.HasData, Errors: res.Errors}
	if res.HasData {
		s.Value, a.Records = onto, 1
	}
	return a, nil
}

// ApplyUpdate merges an update. After an error, it merges nothing of the update.
func (s *SingleRecord[T]) ApplyUpdate(payload []byte, _ bool, env *merge.Env) (ApplyResult, error) {
	return s.read(payload, env, s.Value)
}

// ApplyLate ignores late updates of a replaced subscription.
func (s *SingleRecord[T]) ApplyLate([]byte, *merge.Env) (ApplyResult, error) {
	return ApplyResult{}, nil
}

// Replace replaces the object with a full answer and merges later updates on top. It skips updates
// that cannot be merged. The SkippedError of the result contains their errors.
func (s *SingleRecord[T]) Replace(answer FullState, later iter.Seq[[]byte], _ func(string) bool, env *merge.Env) (ApplyResult, error) {
	var zero T
	a, err := s.read(answer[0].Message(new([]byte)), env, zero) // a single object has no pieces
	for p := range later {
		if err == nil {
			_, skipped := s.ApplyUpdate(p, false, env)
			a.SkippedError = errors.Join(a.SkippedError, skipped)
		}
	}
	return a, err
}

// WatchSuspects does nothing: a single object has no suspects.
func (s *SingleRecord[T]) WatchSuspects(int, map[SuspectKey]*SuspectValue) {}

// TrustLocalRecords does nothing: an answer always replaces a single object.
func (s *SingleRecord[T]) TrustLocalRecords(uint64, func(any) bool, func(any) bool) {}

// DoubtfulRecords returns nil: a message leaves nothing of a single object unclear.
func (s *SingleRecord[T]) DoubtfulRecords() []DoubtfulRecord { return nil }

// IgnoreNames does nothing: a single object has no name.
func (s *SingleRecord[T]) IgnoreNames(map[string]bool, time.Time) {}

// FallenCounters returns 0: a single object has no counters.
func (s *SingleRecord[T]) FallenCounters() int { return 0 }

// NonZeroCount returns 0: a single object has no counters.
func (s *SingleRecord[T]) NonZeroCount() int { return 0 }

// Remove does nothing: a single object has no name.
func (s *SingleRecord[T]) Remove(string) {}

// Clear sets the object to its zero value.
func (s *SingleRecord[T]) Clear() { var zero T; s.Value = zero }

// Records returns 1.
func (s *SingleRecord[T]) Records() int { return 1 }

// Keys returns nil: a single object has no key.
func (s *SingleRecord[T]) Keys() []any { return nil }

// OmittedRecords returns 0: a single object always fits.
func (s *SingleRecord[T]) OmittedRecords() int { return 0 }

// Compare replaces the object with the answer at once and finds no differences. A change of a
// single object, such as the platform's own state, should not wait for a second check.
func (s *SingleRecord[T]) Compare(answer FullState, later iter.Seq[[]byte], env *merge.Env, _ CompareScope) (Findings, error) {
	a, err := s.Replace(answer, later, nil, env)
	if err == nil && (!a.HasData || len(a.Errors) > 0) {
		return Findings{ApplyResult: a}, errors.Join(errNotComparable, errors.New(graphql.ErrorMessages(a.Errors)))
	}
	return Findings{}, err
}

// Repair does nothing: [SingleRecord.Compare] has applied the answer.
func (s *SingleRecord[T]) Repair([]Difference) {}
