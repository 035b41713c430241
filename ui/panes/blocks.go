package panes

import (
	"wallboard/ui/dialog"
	"wallboard/ui/look"
)

// PlaceIn says which lines of a text are in view, where they are not all.
func PlaceIn(lk *look.Look, text *dialog.Scroller) look.Position {
	at := text.Place(lk)
	if at == "" {
		return look.Position{}
	}
	return look.Position{Text: at + " lines", Brief: at}
}
