package ui

import (
	tea "charm.land/bubbletea/v2"
)

// part is one pane of a page that is laid out from the configuration. The page
// draws the line above it, from title and status; the part draws the rest.
//
// A part is a plain struct, made by [newPart] from its [PaneSpec]. It is drawn
// with the scene of its page; one that has a channel of its own takes it from
// its spec.
type part interface {
	// title is what the part is called when its spec does not say.
	title(sc *scene) string
	// status says where the viewer is in it, and what is peculiar to it.
	status(sc *scene) standing
	// subs returns the subscriptions whose figures it shows; those of a part
	// that is in doubt look old.
	subs() []string
	// refresh takes over what is shown now. It runs before every view.
	refresh(sc *scene)
	// restyle redraws everything in the scene's theme.
	restyle(sc *scene)
	// update obeys keys while the part has the keyboard, and the mouse while it
	// is over the part.
	update(sc *scene, msg tea.Msg) tea.Cmd
	// view draws the part in h lines of exactly w cells. x and y are its place
	// on the screen, for the mouse.
	view(sc *scene, x, y, w, h int) []string
	// want returns how much room the part needs in w cells of width.
	want(sc *scene, w int) room
	// hide takes the part off the screen, so that no click finds it.
	hide()
	// listens tells whether the part can have the keyboard, focus gives it or
	// takes it away.
	listens() bool
	focus(on bool)
	// focused returns its table, nil if it has none.
	focused() *pane
	// flashing tells whether anything is highlighted because it changed.
	flashing() bool
}

// room is how much of the screen a part needs, without the line above it.
type room struct {
	width  int // the least cells it can be drawn in
	least  int // the least lines
	most   int // more lines than these would stay empty; 0: it can use all
	wanted int // the lines it is best drawn in; 0 is least
}
