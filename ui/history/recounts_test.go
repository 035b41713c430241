package history

import (
	"testing"

	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestIntervalsFit checks that no column is cut at any width.
func TestIntervalsFit(t *testing.T) {
	t.Parallel()
	lk := style.New(style.Options{}, render.Options{})
	for w := 12; w < 250; w++ {
		widths, head := fittingColumns(lk, w)
		sum := 1
		for i, one := range widths {
			if sum += one; i > 0 && len([]rune(head[i])) >= one && w < 75 {
				t.Errorf("%d cells: %q has no room in %d", w, head[i], one)
			}
		}
		if sum > w || len(widths) < 1 || w >= 56 && len(widths) != len(intervalWidths) {
			t.Errorf("%d cells: %d columns, %d wide", w, len(widths), sum)
		}
	}
}
