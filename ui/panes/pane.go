package panes

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// Pane is an element of a page. It draws its content and says how much room it needs. The page
// draws the heading above the content. A pane may implement the optional interfaces below.
//
// A pane is a struct made from a [PaneSpec]. If the spec names a channel, the scene passed to the
// methods is on that channel.
type Pane interface {
	// Refresh updates the pane from the current snapshot. It is called before every View.
	Refresh(sc *Scene)
	// View draws the pane in h lines of exactly w cells. The lines are faded if the figures are
	// stale. x and y are the position of the pane on the screen, for mouse clicks.
	View(sc *Scene, x, y, w, h int) []string
	// SizeHint returns how much room the pane needs on a page of w cells. The result must not depend on
	// the figures, so that the layout stays the same when figures change.
	SizeHint(sc *Scene, w int) frame.SizeHint
}

// titleProvider is a pane with a default title, which is used if the spec has no title.
type titleProvider interface {
	title(sc *Scene) string
}

// statusProvider is a pane with a status text in its heading, such as the viewer's position in a table.
type statusProvider interface {
	status(sc *Scene) style.HeadingStatus
}

// hintProvider is a pane that handles keys of its own. Its frame shows hints about these keys.
type hintProvider interface {
	hints(sc *Scene) []style.KeyHint
}

// subscriber is a pane that shows figures. subscriptions returns the subscriptions that deliver them.
type subscriber interface {
	subscriptions() []model.Op
}

// restyler is a pane that keeps styles or lines. restyle renews them after a change of the theme.
type restyler interface {
	restyle(sc *Scene)
}

// KeyHandler is a pane or a page that handles keys itself. A pane that has the keyboard focus gets
// a key before its page does.
type KeyHandler interface {
	// Press handles a key. The bool result is false if the caller must handle the key.
	Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool)
}

// updater is a pane that handles mouse messages within its area. It also gets keys that neither its
// Press method nor the page has handled.
type updater interface {
	Update(sc *Scene, msg tea.Msg) tea.Cmd
}

// hideablePane is a pane that must ignore clicks while it is not on the screen. The page calls hide when
// it does not draw the pane.
type hideablePane interface {
	hide()
}

// focuser is a pane that can have the keyboard focus. focus gives it the focus or takes it away.
type focuser interface {
	focus(enabled bool)
}

// tableOwner is a pane that contains tables of records.
type tableOwner interface {
	// tables returns all tables of the pane.
	tables() []*RecordTable
	// focused returns the table that gets the keys while the pane has the keyboard focus, or nil.
	focused() *RecordTable
}

// SingleTable is a pane or a page that may consist of a single table.
type SingleTable interface {
	// OnlyTable returns the table if there is no other content. Otherwise it returns nil.
	OnlyTable() *RecordTable
}

// SelfScroller is a pane whose content scrolls by itself.
type SelfScroller interface {
	// ScrollInterval returns the interval between two moves of the content, or 0 if the content
	// does not move.
	ScrollInterval() time.Duration
}

// recordPointer is a pane with a cursor that can be on a record. The method returns the record and
// its channel, where "" means the current channel. ok is false if the cursor is not on a record.
type recordPointer interface {
	recordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool)
}

// situationPointer is a pane that shows situations and can select one.
type situationPointer interface {
	// situation returns the situation under the cursor, or nil if there is none.
	situation(sc *Scene) *situation.Situation
}

// situationFocuser is a pane that can select the most urgent situation and give the keyboard focus to it.
type situationFocuser interface {
	focuser
	focusSituations(sc *Scene)
}

// chartChooser is a pane that determines the subject of the chart. For other panes, the chart shows
// the selected row.
type chartChooser interface {
	// chartSubject returns the record that the chart shows. ok is false if the chart shows the
	// whole floor.
	chartSubject(sc *Scene) (k alert.Key, ok bool)
}

// stateCopier is a pane that, when the pages are created again, copies the state of the previous pane
// with the same spec.
type stateCopier interface {
	copyStateFrom(previous Pane)
}

// These checks name optional interfaces that panes implement. Without a check, the compiler would
// not notice a misspelled method, and the pane would silently lack the interface.
var (
	_ interface {
		Pane
		titleProvider
		statusProvider
		subscriber
		restyler
		updater
		hideablePane
		focuser
		tableOwner
		SingleTable
	} = (*tablePane)(nil)
	_ interface {
		Pane
		statusProvider
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
		statusProvider
		subscriber
		restyler
		updater
		situationFocuser
		tableOwner
		chartChooser
	} = (*overviewPane)(nil)
	_ interface {
		Pane
		titleProvider
		statusProvider
		subscriber
		KeyHandler
		updater
		hideablePane
		focuser
		recordPointer
		stateCopier
	} = (*AgentMapPane)(nil)
	_ interface {
		Pane
		titleProvider
		subscriber
		KeyHandler
		updater
		hideablePane
		focuser
		stateCopier
	} = (*PlotPane)(nil)
	_ interface {
		Pane
		hideablePane
		SelfScroller
	} = (*textPane)(nil)
	_ interface {
		Pane
		subscriber
	} = (*tilesPane)(nil)
)

// paneKind is a kind of pane. make creates a pane of that kind.
type paneKind struct {
	name     string
	settings []string    // names of the settings of [PaneSpec] that the kind uses
	scope    alert.Scope // scope of the configured KPIs for which the table has columns; "": none
	make     func(*Scene, PaneSpec) Pane
}

func paneKinds() []paneKind {
	return append(tableKinds(), tilesKind(), cardsKind(), agentMapKind(), plotKind(), clockKind(), textKind(), currentSituationsKind())
}

// PaneKind describes a kind of pane to the code that reads a configuration.
type PaneKind struct {
	// Name is the name of the kind in a configuration.
	Name string
	// Settings lists the names of the settings that the kind uses, in snake case.
	Settings []string
	// Columns lists the IDs of the columns of a table. It is nil for a pane that is not a table.
	Columns []string
	// CustomKPIScope is the scope of the configured KPIs for which the table also has columns. The
	// ID of such a column is "kpi." followed by the name of the KPI. The scope is "" if there are
	// no such columns.
	CustomKPIScope alert.Scope
}

// PaneKinds returns the kinds of panes that a configuration can use.
func PaneKinds() []PaneKind {
	sc := &Scene{Look: &style.Look{}, Floor: &floorview.View{}}
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

// newPane creates the pane described by spec. It returns nil if the kind of the pane is unknown.
func newPane(sc *Scene, spec PaneSpec) Pane {
	for _, k := range append(paneKinds(), standardKinds()...) {
		if k.name == spec.Kind {
			if sc.Wall != nil && (spec.role.fillsPage || spec.role.usesLargeFigures) {
				if p := newWallPane(sc, spec); p != nil {
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

// newWallPane returns a pane with the same content, but with figures that are readable from a
// distance. It returns nil if there is no such pane for the kind of spec.
func newWallPane(sc *Scene, spec PaneSpec) Pane {
	if spec.Kind == "agents" {
		return newWallAgentsPane(sc, spec)
	}
	if kind := cardKindOf(spec.Kind); kind != nil {
		return newCardsPane(sc, kind, spec)
	}
	return nil
}

// tablesOf returns the record tables of a pane, or nil if the pane has none.
func tablesOf(p Pane) []*RecordTable {
	if t, ok := p.(tableOwner); ok {
		return t.tables()
	}
	return nil
}
