package records

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
)

// Single keeps the object of an operation with a single result.
type Single[T any] struct {
	root  string
	plan  *merge.Plan[T]
	Value T
}

// NewSingle returns a Single for the operation root. fields is the selection. It returns an error
// if the fields do not fit T.
func NewSingle[T any](root string, fields []merge.Selection) (*Single[T], error) {
	plan, err := merge.NewPlan[T](fields)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", root, err)
	}
	return &Single[T]{root: root, plan: plan}, nil
}

func (s *Single[T]) read(payload []byte, env *merge.Env, onto T) (ApplyResult, error) {
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
func (s *Single[T]) ApplyUpdate(payload []byte, _ bool, env *merge.Env) (ApplyResult, error) {
	return s.read(payload, env, s.Value)
}

// ApplyLate ignores late updates of a replaced subscription.
func (s *Single[T]) ApplyLate([]byte, *merge.Env) (ApplyResult, error) { return ApplyResult{}, nil }

// Replace replaces the object with a full answer and merges later updates on top. It skips updates
// that cannot be merged. The Skipped field of the result contains their errors.
func (s *Single[T]) Replace(answer FullState, later iter.Seq[[]byte], _ func(string) bool, env *merge.Env) (ApplyResult, error) {
	var zero T
	a, err := s.read(answer[0].Message(new([]byte)), env, zero) // a single object has no pieces
	for p := range later {
		if err == nil {
			_, skipped := s.ApplyUpdate(p, false, env)
			a.Skipped = errors.Join(a.Skipped, skipped)
		}
	}
	return a, err
}

// Watch does nothing: a single object has no suspects.
func (s *Single[T]) Watch(int, map[SuspectKey]*Suspicion) {}

// Trust does nothing: an answer always replaces a single object.
func (s *Single[T]) Trust(uint64, func(any) bool, func(any) bool) {}

// Doubts returns nil: a message leaves nothing of a single object unclear.
func (s *Single[T]) Doubts() []Doubt { return nil }

// IgnoreNames does nothing: a single object has no name.
func (s *Single[T]) IgnoreNames(map[string]bool, time.Time) {}

// FallenCount returns 0: a single object has no counters.
func (s *Single[T]) FallenCount() int { return 0 }

// NonZeroCount returns 0: a single object has no counters.
func (s *Single[T]) NonZeroCount() int { return 0 }

// Remove does nothing: a single object has no name.
func (s *Single[T]) Remove(string) {}

// Clear sets the object to its zero value.
func (s *Single[T]) Clear() { var zero T; s.Value = zero }

// Records returns 1.
func (s *Single[T]) Records() int { return 1 }

// Keys returns nil: a single object has no key.
func (s *Single[T]) Keys() []any { return nil }

// LeftOut returns 0: a single object always fits.
func (s *Single[T]) LeftOut() int { return 0 }

// Compare replaces the object with the answer at once and finds no differences. A change of a
// single object, such as the platform's own state, should not wait for a second check.
func (s *Single[T]) Compare(answer FullState, later iter.Seq[[]byte], env *merge.Env, _ CompareScope) (Findings, error) {
	a, err := s.Replace(answer, later, nil, env)
	if err == nil && (!a.HasData || len(a.Errors) > 0) {
		return Findings{ApplyResult: a}, errors.Join(errNotComparable, errors.New(graphql.Reasons(a.Errors)))
	}
	return Findings{}, err
}

// Repair does nothing: [Single.Compare] has applied the answer.
func (s *Single[T]) Repair([]Difference) {}
