package terminal

import (
	"slices"
	"testing"
)

// TestFit shrinks columns to a width.
func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		widths []int
		width  int
		want   []int
	}{
		{[]int{4, 10, 4}, 80, []int{4, 10, 4}},
		{[]int{4, 30, 20}, 40, []int{4, 16, 16}},
		{[]int{4, 4}, 1, []int{1, 1}},
	} {
		got := slices.Clone(c.widths)
		if shrinkColumns(got, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d is %v, want %v", c.widths, c.width, got, c.want)
		}
	}
}
