package feeds

import (
	"errors"
	"fmt"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
)

// single is the stream of an operation whose result is one object.
type single[T any] struct {
	root  string
	plan  *merge.Plan[T]
	value T
}

func newSingle[T any](doc queries.Document) (*single[T], error) {
	plan, err := merge.NewPlan[T](doc.Fields)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", doc.Root, err)
	}
	return &single[T]{root: doc.Root, plan: plan}, nil
}

func (s *single[T]) read(payload []byte, env *merge.Env, onto T) (applied, error) {
	res, err := s.plan.Read(payload, s.root, env, func(it *merge.Item[T]) error { return it.Merge(&onto) })
	if err != nil {
		return applied{errs: res.Errors}, err //nolint:wrapcheck // Read names the operation
	}
	a := applied{hasData: res.HasData, errs: res.Errors}
	if res.HasData {
		s.value, a.records = onto, 1
	}
	return a, nil
}

func (s *single[T]) delta(payload []byte, _ bool, env *merge.Env) (applied, error) {
	return s.read(payload, env, s.value)
}

func (s *single[T]) late([]byte, *merge.Env) (applied, error) { return applied{}, nil }

func (s *single[T]) replace(answer fullState, later [][]byte, _ func(string) bool, env *merge.Env) (applied, error) {
	var zero T
	a, err := s.read(answer[0], env, zero) // one object has no pieces
	for _, p := range later {
		if err == nil {
			_, skipped := s.delta(p, false, env)
			a.skipped = errors.Join(a.skipped, skipped)
		}
	}
	return a, err
}

func (s *single[T]) watch(int, map[suspect]*suspicion) {}

func (s *single[T]) trust(uint64, func(any) bool, func(any) bool) {}

func (s *single[T]) doubts() []doubt { return nil }

func (s *single[T]) disown(map[string]bool, time.Time) {}

func (s *single[T]) fallen() int { return 0 }

func (s *single[T]) counting() int { return 0 }

func (s *single[T]) remove(string) {}

func (s *single[T]) clear() { var zero T; s.value = zero }

func (s *single[T]) records() int { return 1 }

func (s *single[T]) keys() []recordKey { return nil }

func (s *single[T]) leftOut() int { return 0 }
