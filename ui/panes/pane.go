package panes

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/frame"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Pane is a pane of a page. It draws its content, and says how much room it needs. The page draws
// the heading above it. A pane may implement the optional interfaces below.
//
// A pane is a plain struct that is made from a [PaneSpec]. If the spec names a channel, the scene
// that is passed to the methods is on that channel.
type Pane interface {
	// Refresh updates the pane from the current snapshot. It runs before every view.
	Refresh(sc *Scene)
	// View draws the pane in h lines of exactly w cells, faded if its figures are
	// stale. x and y are its position on the screen, for the mouse.
	View(sc *Scene, x, y, w, h int) []string
	// Want returns how much room the pane needs in a page of w cells. It must not depend on the
	// figures, so that the layout does not change with them.
	Want(sc *Scene, w int) frame.SizeHint
}

// titler is a pane that has a default title.
type titler interface {
	title(sc *Scene) string
}

// describer is a pane that has a status text, such as the viewer's position.
type describer interface {
	status(sc *Scene) style.Position
}

// hinter is a pane that has keys of its own. Its frame shows them.
type hinter interface {
	hints(sc *Scene) []style.KeyHint
}

// subscriber is a pane whose figures come from subscriptions.
type subscriber interface {
	subs() []model.Op
}

// restyler is a pane with cached lines that depend on the theme.
type restyler interface {
	restyle(sc *Scene)
}

// KeyHandler is a pane, or a page, that handles keys itself. While a pane has the keyboard, it gets
// a key before the rest of its page.
type KeyHandler interface {
	// Press handles a key. The bool reports whether it did; otherwise the caller handles the key.
	Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool)
}

// updater is a pane that handles mouse messages within its area, and keys that neither
// [KeyHandler] nor the page has handled.
type updater interface {
	Update(sc *Scene, msg tea.Msg) tea.Cmd
}

// hider is a pane that must know when it is not on the screen, so that it ignores
// clicks.
type hider interface {
	hide()
}

// focuser is a pane that can have the keyboard.
type focuser interface {
	focus(enabled bool)
}

// tableOwner is a pane of record tables.
type tableOwner interface {
	// tables returns all tables of the pane.
	tables() []*RecordTable
	// focused returns the table that gets keys while the pane has the keyboard, or nil.
	focused() *RecordTable
}

// SingleTable is a pane that may consist of a single table.
type SingleTable interface {
	// Only returns the table if the pane shows nothing else, otherwise nil.
	Only() *RecordTable
}

// SelfScroller is a pane whose content scrolls by itself.
type SelfScroller interface {
	// ScrollInterval returns the interval between two moves of the content, or 0 if the content
	// does not move.
	ScrollInterval() time.Duration
}

// recordPointer is a pane that can have a record under its cursor. The method returns the record
// and its channel; the channel "" is the current one. ok is false if there is no such record.
type recordPointer interface {
	pointedRecord() (kind snapshot.RecordKind, key string, channel model.Channel, ok bool)
}

// situationPointer is a pane that shows situations.
type situationPointer interface {
	// situation returns the situation under the cursor, or nil if there is none.
	situation(sc *Scene) *situation.Situation
}

// situationFocuser is a pane that can give the keyboard to the most urgent situation.
type situationFocuser interface {
	focuser
	focusSituations(sc *Scene)
}

// chartChooser is a pane that chooses the subject of a chart itself. For other panes a chart is
// about the selected row.
type chartChooser interface {
	// chartSubject returns the record that the chart is about. ok is false if the chart is about
	// the whole floor.
	chartSubject(sc *Scene) (k alert.Key, ok bool)
}

// inheritor is a pane that takes over the state of an earlier pane, which has the same spec.
type inheritor interface {
	inherit(previous Pane)
}

// These checks list the optional interfaces that each pane implements. Without a check the compiler
// would not notice a misnamed method.
var (
	_ interface {
		Pane
		titler
		describer
		subscriber
		restyler
		updater
		hider
		focuser
		tableOwner
		SingleTable
	} = (*tablePane)(nil)
	_ interface {
		Pane
		describer
		chartChooser
		tableOwner
		SingleTable
	} = situationsPane{}
	_ interface {
		Pane
		tableOwner
		SingleTable
	} = connectionPane{}
	_ interface {
		Pane
		describer
		subscriber
		restyler
		updater
		situationFocuser
		tableOwner
		chartChooser
	} = (*overviewPane)(nil)
	_ interface {
		Pane
		titler
		describer
		subscriber
		KeyHandler
		updater
		hider
		focuser
		recordPointer
		inheritor
	} = (*MapPane)(nil)
	_ interface {
		Pane
		titler
		subscriber
		KeyHandler
		updater
		hider
		focuser
		inheritor
	} = (*PlotPane)(nil)
	_ interface {
		Pane
		hider
		SelfScroller
	} = (*textPane)(nil)
	_ interface {
		Pane
		subscriber
	} = (*tilesPane)(nil)
)

// paneKind is a kind of pane, with the function that makes such panes.
type paneKind struct {
	name     string
	settings []string    // names of the settings of [PaneSpec] that the kind uses
	scope    alert.Scope // scope of the configured KPIs that the table has columns for; "": none
	make     func(*Scene, PaneSpec) Pane
}

func paneKinds() []paneKind {
	return append(tableKinds(), tilesKind(), cardsKind(), mapKind(), plotKind(), clockKind(), textKind(), nowKind())
}

// PaneKind describes a kind of pane to the code that reads a configuration.
type PaneKind struct {
	// Name is the name of the kind in a configuration.
	Name string
	// Settings lists the names of the settings that the kind uses, in snake case.
	Settings []string
	// Columns lists the IDs of the columns if the pane is a table; nil: it is not a table.
	Columns []string
	// CustomKPIScope is the scope of the configured KPIs that the table also has columns for. The
	// ID of such a column is "kpi." and the name of the KPI. The scope is "" if there are none.
	CustomKPIScope alert.Scope
}

// PaneKinds returns all kinds of panes that a configuration can use.
func PaneKinds() []PaneKind {
	sc := &Scene{Look: &style.Look{}, Floor: &snapshot.View{}}
	var out []PaneKind
	for _, k := range paneKinds() {
		kind := PaneKind{Name: k.name, Settings: k.settings, CustomKPIScope: k.scope}
		if slices.Contains(k.settings, "columns") {
			for _, c := range tablesOf(k.make(sc, PaneSpec{Kind: k.name}))[0].Rows.Columns() {
				kind.Columns = append(kind.Columns, c.ID)
			}
		}
		out = append(out, kind)
	}
	return out
}

// newPane returns the pane that a spec describes, or nil if its kind is unknown.
func newPane(sc *Scene, spec PaneSpec) Pane {
	for _, k := range append(paneKinds(), standardKinds()...) {
		if k.name == spec.Kind {
			if sc.Wall != nil && (spec.role.fillsPage || spec.role.large) {
				if p := largePane(sc, spec); p != nil {
					return p
				}
			}
			p := k.make(sc, spec)
			if t, ok := p.(*tablePane); ok && spec.role.fillsPage {
				return &previewPane{tablePane: t} // adds a preview of the selected row
			}
			return p
		}
	}
	return nil
}

// largePane returns a pane with the same content that can be read from a distance, or nil if there
// is none for the kind.
func largePane(sc *Scene, spec PaneSpec) Pane {
	if spec.Kind == "agents" {
		return newWallAgentsPane(sc, spec)
	}
	if kind := cardKindOf(spec.Kind); kind != nil {
		return newCardsPane(sc, kind, spec)
	}
	return nil
}

// tablesOf returns the record tables of a pane, nil if it has none.
func tablesOf(p Pane) []*RecordTable {
	if t, ok := p.(tableOwner); ok {
		return t.tables()
	}
	return nil
}
