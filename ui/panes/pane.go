package panes

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/ui/areas"
	"wallboard/ui/floor"
	"wallboard/ui/look"
)

// Pane is one pane of a page: what it shows, and how much room it needs for that.
// The page draws the line above it. A pane may have more to it: see the interfaces
// below.
//
// A pane is a plain struct, made from its [PaneSpec] by its kind. The scene that
// its methods get is on the pane's own channel, if the spec says one.
type Pane interface {
	// Refresh takes over what is shown now. It runs before every view.
	Refresh(sc *Scene)
	// View draws the pane in h lines of exactly w cells, faded where its figures
	// are old. x and y are its place on the screen, for the mouse.
	View(sc *Scene, x, y, w, h int) []string
	// Want returns how much room the pane needs in w cells of width. It must not
	// depend on the figures: the screen stands still while they change.
	Want(sc *Scene, w int) areas.Room
}

// titled is a pane that has a name where its spec gives it none.
type titled interface {
	title(sc *Scene) string
}

// placed is a pane that says where the viewer is in it, or what is peculiar to it.
type placed interface {
	status(sc *Scene) look.Position
}

// sourced is a pane whose figures come from subscriptions.
type sourced interface {
	subs() []model.Op
}

// styled is a pane that keeps something drawn, which another theme changes.
type styled interface {
	restyle(sc *Scene)
}

// Presser is a pane that obeys keys before anything else of the page does, while
// it has the keyboard.
type Presser interface {
	// Press reports whether it was one of its keys.
	Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool)
}

// updater is a pane that obeys the keys that nothing else has obeyed, and the
// mouse while that is over the pane.
type updater interface {
	Update(sc *Scene, msg tea.Msg) tea.Cmd
}

// hider is a pane that has to know when there is no room for it, so that no click
// finds it.
type hider interface {
	hide()
}

// listener is a pane that can have the keyboard.
type listener interface {
	focus(on bool)
}

// tabled is a pane of record tables.
type tabled interface {
	// tables are all of them, for the viewer's places in them.
	tables() []*RecordTable
	// focused is the one that has the keyboard while the pane has it, nil while
	// none can.
	focused() *RecordTable
}

// Filler is a pane that may be nothing but the rows of a table.
type Filler interface {
	// Only is that table, nil if there is more to the pane.
	Only() *RecordTable
}

// Mover is a pane in which something moves by itself.
type Mover interface {
	// Moving is how long it stands still, 0 for not at all.
	Moving() time.Duration
}

// pointer is a pane in which the viewer points at something, on a channel; "" is
// the one on the screen.
type pointer interface {
	pointed() (of floor.Kind, key string, on model.Channel, ok bool)
}

// situated is a pane that is about situations.
type situated interface {
	// situation is the one that the viewer points at, nil for none.
	situation(sc *Scene) *situation.Situation
}

// charter is a pane that knows better than its selected row what a chart should
// be about.
type charter interface {
	// charted is ok when there is anything but the floor to be shown.
	charted(sc *Scene) (k alert.Key, ok bool)
}

// heir is a pane that goes on where another of the same spec has stood.
type heir interface {
	inherit(before Pane)
}

// What each kind of pane has: a method of another name would go unnoticed.
var (
	_ interface {
		Pane
		titled
		placed
		sourced
		styled
		updater
		hider
		listener
		tabled
		Filler
	} = (*tablePane)(nil)
	_ interface {
		Pane
		placed
		charter
		tabled
		Filler
	} = situationsPane{}
	_ interface {
		Pane
		tabled
		Filler
	} = connectionPane{}
	_ interface {
		Pane
		placed
		sourced
		styled
		updater
		listener
		tabled
		charter
	} = (*overviewPane)(nil)
	_ interface {
		Pane
		titled
		placed
		sourced
		Presser
		updater
		hider
		listener
		pointer
		heir
	} = (*MapPane)(nil)
	_ interface {
		Pane
		titled
		sourced
		Presser
		updater
		hider
		listener
		heir
	} = (*PlotPane)(nil)
	_ interface {
		Pane
		hider
		Mover
	} = (*textPane)(nil)
	_ interface {
		Pane
		sourced
	} = (*tilesPane)(nil)
)

// paneKind is what a pane can be.
type paneKind struct {
	name  string
	takes []string    // the settings of [PaneSpec] that mean something to it
	scope alert.Scope // of the KPIs of one's own that it has columns for; "": none
	make  func(*Scene, PaneSpec) Pane
}

func paneKinds() []paneKind {
	return append(tableKinds(), tilesKind(), cardsKind(), mapKind(), plotKind(), clockKind(), textKind(), nowKind())
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
	sc := &Scene{Look: &look.Look{}, Floor: &floor.View{}}
	var out []PaneKind
	for _, k := range paneKinds() {
		kind := PaneKind{Name: k.name, Takes: k.takes, Own: k.scope}
		if slices.Contains(k.takes, "columns") {
			for _, c := range tablesOf(k.make(sc, PaneSpec{Kind: k.name}))[0].Rows.Columns() {
				kind.Columns = append(kind.Columns, c.ID)
			}
		}
		out = append(out, kind)
	}
	return out
}

// newPane returns the pane of a spec, nil if there is no such kind.
func newPane(sc *Scene, spec PaneSpec) Pane {
	for _, k := range append(paneKinds(), standardKinds()...) {
		if k.name == spec.Kind {
			if sc.Wall != nil && (spec.role.whole || spec.role.afar) {
				if p := afar(sc, spec); p != nil {
					return p
				}
			}
			p := k.make(sc, spec)
			if t, is := p.(*tablePane); is && spec.role.whole {
				return &previewPane{tablePane: t} // with a preview of its selected row
			}
			return p
		}
	}
	return nil
}

// afar returns the pane of a spec as it is read from some metres away, nil where it is
// as anywhere.
func afar(sc *Scene, spec PaneSpec) Pane {
	if spec.Kind == "agents" {
		return newCrowdPane(sc, spec)
	}
	if kind := cardKindOf(spec.Kind); kind != nil {
		return newCardsPane(sc, kind, spec)
	}
	return nil
}

// tablesOf returns the tables of a pane.
func tablesOf(p Pane) []*RecordTable {
	if t, ok := p.(tabled); ok {
		return t.tables()
	}
	return nil
}
