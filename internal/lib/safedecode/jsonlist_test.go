package safedecode

import (
	"errors"
	"slices"
	"testing"
)

func TestFirst(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		list []int
		more bool
		ok   bool
	}{
		`null`: {ok: true}, `[]`: {ok: true}, `[1,2]`: {list: []int{1, 2}, ok: true},
		`[1,2,3]`: {list: []int{1, 2}, more: true}, `{}`: {}, `7`: {}, ``: {}, `["a"]`: {}, `[1`: {list: []int{1}, ok: true},
	} {
		list, err := JSONList[int]([]byte(text), 2)
		if !slices.Equal(list, want.list) || errors.Is(err, ErrListTooLong) != want.more || (err == nil) != want.ok {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}
