package picture

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/merge"
)

// Single is the stream of an operation whose result is one object.
type Single[T any] struct {
	root  string
	plan  *merge.Plan[T]
	Value T
}

// NewSingle makes the stream of one object. An error is a mistake in the fields.
func NewSingle[T any](root string, fields []merge.Selection) (*Single[T], error) {
	plan, err := merge.NewPlan[T](fields)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", root, err)
	}
	return &Single[T]{root: root, plan: plan}, nil
}

func (s *Single[T]) read(payload []byte, env *merge.Env, onto T) (Applied, error) {
	res, err := s.plan.Read(payload, s.root, env, func(it *merge.Item[T]) error { return it.Merge(&onto) })
	if err != nil {
		return Applied{Errs: res.Errors}, err //nolint:wrapcheck // Read names the operation
	}
	a := Applied{HasData: res.HasData, Errs: res.Errors}
	if res.HasData {
		s.Value, a.Records = onto, 1
	}
	return a, nil
}

// Delta merges an update onto what is there, all of it or, after an error, nothing
// of it. opening is whether it is the first of a subscription.
func (s *Single[T]) Delta(payload []byte, _ bool, env *merge.Env) (Applied, error) {
	return s.read(payload, env, s.Value)
}

// Late merges an update onto the records that are there, and brings none: what an
// older subscription tells of others is not wanted any more.
func (s *Single[T]) Late([]byte, *merge.Env) (Applied, error) { return Applied{}, nil }

// Replace makes a full answer, with later updates on top, the whole content, or
// that of the names that were asked for; nil: all. Updates that cannot be merged
// are skipped; their errors are in the result.
func (s *Single[T]) Replace(answer FullState, later iter.Seq[[]byte], _ func(string) bool, env *merge.Env) (Applied, error) {
	var zero T
	a, err := s.read(answer[0], env, zero) // one object has no pieces
	for p := range later {
		if err == nil {
			_, skipped := s.Delta(p, false, env)
			a.Skipped = errors.Join(a.Skipped, skipped)
		}
	}
	return a, err
}

// Watch has nothing to do: there are no suspects.
func (s *Single[T]) Watch(int, map[Suspect]*Suspicion) {}

// Trust makes the next Replace keep the records that were written since the store
// had a version: the answer may come from a replica that is behind. Of those that the
// answer lacks it keeps those that were asked for, of the others those that updates
// were for.
func (s *Single[T]) Trust(uint64, func(any) bool, func(any) bool) {}

// Doubts are what the last message has left open.
func (s *Single[T]) Doubts() []Doubt { return nil }

// Disown forgets the records with some names, and keeps updates from bringing them
// back, until it is called with others.
func (s *Single[T]) Disown(map[string]bool, time.Time) {}

// Fallen is how many records had a counter fall in the last update.
func (s *Single[T]) Fallen() int { return 0 }

// Counting is how many records have counters above 0.
func (s *Single[T]) Counting() int { return 0 }

// Remove forgets the records with a name, which may come back.
func (s *Single[T]) Remove(string) {}

// Clear forgets everything.
func (s *Single[T]) Clear() { var zero T; s.Value = zero }

// Records is how many records there are.
func (s *Single[T]) Records() int { return 1 }

// Keys are the keys of the records.
func (s *Single[T]) Keys() []any { return nil }

// LeftOut is how many records there was no room for.
func (s *Single[T]) LeftOut() int { return 0 }

// Look takes the answer over: one object that is asked for costs nothing, and
// what says how the platform is must not wait for a second look.
func (s *Single[T]) Look(answer FullState, later iter.Seq[[]byte], env *merge.Env, _ Scope) (Findings, error) {
	a, err := s.Replace(answer, later, nil, env)
	if err == nil && (!a.HasData || len(a.Errs) > 0) {
		return Findings{Applied: a}, errors.Join(errPartial, errors.New(graphqlws.Reasons(a.Errs)))
	}
	return Findings{}, err
}

// Repair has nothing to do: Look took the answer over.
func (s *Single[T]) Repair([]Difference) {}
