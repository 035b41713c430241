package frame

import (
	"slices"

	"wallboard/ui/render"
	"wallboard/ui/style"
)

// cachedLine caches a drawn line. The line is redrawn only if the values shown on it, the look or
// the width have changed.
type cachedLine[E comparable] struct {
	inputs []E
	look   *render.Options
	width  int
	text   string
}

// draw returns the cached line. If the inputs, the look or the width have changed, it first calls
// draw and caches the result.
func (k *cachedLine[E]) draw(lk *style.Look, width int, draw func() string, inputs ...E) string {
	if k.text == "" || k.look != lk.Render || k.width != width || !slices.Equal(k.inputs, inputs) {
		k.inputs, k.look, k.width = append(k.inputs[:0], inputs...), lk.Render, width
		k.text = draw()
	}
	return k.text
}
