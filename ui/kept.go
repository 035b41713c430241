package ui

import (
	"slices"

	"wallboard/ui/render"
)

// kept is a line that is drawn anew only when what it is drawn from, the look
// or the width has changed.
type kept[E comparable] struct {
	from  []E
	look  *render.Options
	width int
	text  string
}

func (k *kept[E]) line(sc *scene, width int, draw func() string, from ...E) string {
	if k.text == "" || k.look != sc.look.Render || k.width != width || !slices.Equal(k.from, from) {
		k.from, k.look, k.width = append(k.from[:0], from...), sc.look.Render, width
		k.text = draw()
	}
	return k.text
}
