package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/ui/look"
)

// part is one pane of a page that is laid out from the configuration. The page
// draws the line above it, from title and status; the part draws the rest.
//
// A part is a plain struct, made from its [PaneSpec] by its kind. The scene that
// its methods get is on the part's own channel, if the spec says one.
type part interface {
	// title is what the part is called when its spec does not say; "": it needs
	// no line above it.
	title(sc *scene) string
	// status says where the viewer is in it, and what is peculiar to it.
	status(sc *scene) standing
	// subs returns the subscriptions whose figures it shows.
	subs() []string
	// refresh takes over what is shown now. It runs before every view.
	refresh(sc *scene)
	// restyle redraws everything in the scene's theme.
	restyle(sc *scene)
	// press obeys a key while the part has the keyboard, before anything else of
	// the page does, and reports whether it did.
	press(sc *scene, msg tea.KeyPressMsg) (tea.Cmd, bool)
	// update obeys the keys that nothing else has obeyed, and the mouse while it
	// is over the part.
	update(sc *scene, msg tea.Msg) tea.Cmd
	// view draws the part in h lines of exactly w cells, faded where its figures
	// are old. x and y are its place on the screen, for the mouse.
	view(sc *scene, x, y, w, h int) []string
	// want returns how much room the part needs in w cells of width. It must not
	// depend on the figures: the screen stands still while they change.
	want(sc *scene, w int) room
	// hide takes the part off the screen, so that no click finds it.
	hide()
	// listens reports whether the part can have the keyboard, focus gives it or
	// takes it away.
	listens() bool
	focus(on bool)
	// focused returns its table, nil if it has none.
	focused() *pane
	// flashing reports whether anything is highlighted because it changed.
	flashing() bool
}

// room is how much of the screen a part needs, without the line above it.
type room struct {
	width  int   // the least cells it can be drawn in
	least  int   // the least lines
	wanted int   // the lines from which on it is at ease
	steps  []int // the heights that are of use to it, ascending; nil: all are
}

// fits returns the most lines of h that are of use, in steps.
func (r room) fits(h int) int {
	out := r.least
	for _, s := range r.steps {
		if s <= h {
			out = max(out, s)
		}
	}
	return out
}

// paneKind is what a pane can be.
type paneKind struct {
	name  string
	takes []string    // the settings of [PaneSpec] that mean something to it
	scope alert.Scope // of the KPIs of one's own that it has columns for; "": none
	make  func(*scene, PaneSpec) part
}

func paneKinds() []paneKind {
	return append(tableKinds(), tilesKind(), mapKind(), plotKind(), clockKind(), textKind())
}

// PaneKind tells a configuration what a kind of pane can be told.
type PaneKind struct {
	// Name is what the configuration calls it.
	Name string
	// Takes are the names of the settings that it has, in snake case.
	Takes []string
	// Columns are the IDs of its table's columns; nil: it is no table.
	Columns []string
	// Own is the scope of the KPIs of one's own that it has columns for as well,
	// called "kpi." and their name; "": none.
	Own alert.Scope
}

// PaneKinds returns all kinds of panes.
func PaneKinds() []PaneKind {
	sc := &scene{Options: &Options{}, look: &look.Look{}}
	var out []PaneKind
	for _, k := range paneKinds() {
		kind := PaneKind{Name: k.name, Takes: k.takes, Own: k.scope}
		if slices.Contains(k.takes, "columns") {
			for _, c := range k.make(sc, PaneSpec{Kind: k.name}).focused().rows.Columns() {
				kind.Columns = append(kind.Columns, c.ID)
			}
		}
		out = append(out, kind)
	}
	return out
}

// newPart returns the part of a spec, nil if there is no such kind.
func newPart(sc *scene, spec PaneSpec) part {
	for _, k := range paneKinds() {
		if k.name == spec.Kind {
			return k.make(sc, spec)
		}
	}
	return nil
}
