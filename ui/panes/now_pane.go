package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// SituationOf returns the situation of the record with the key k in the shown snapshot, or nil if
// there is none.
func (sc *Scene) SituationOf(k alert.Key) *situation.Situation {
	return sc.Alarms.Situations.ByKey(k)
}

// departureTexts describes each agent whose departure is a cause of the situation s; s may be nil.
func departureTexts(s *situation.Situation, sc *Scene) []string {
	if s == nil {
		return nil
	}
	var out []string
	for i := range s.Causes {
		for j := range s.Causes[i].Departed {
			out = append(out, sc.Floor.DepartureText(&s.Causes[i].Departed[j], sc.Look.Format))
		}
	}
	return out
}

// shownPanelData returns the data of a panel that lists the situations of the shown snapshot.
func (sc *Scene) shownPanelData() widgets.SituationPanelData {
	return sc.panelData(sc.Alarms.Situations)
}

// panelData returns the data of a panel that lists the situations in v. A nil v means that alerts
// have not been evaluated yet.
func (sc *Scene) panelData(v *situation.View) widgets.SituationPanelData {
	switch {
	case sc.Floor.IsUnrecorded():
		v = &situation.View{QuietLine: sc.translate(words.PaneNotRecorded()), FiguresUnknown: true}
	case v == nil:
		v = &situation.View{}
	}
	return widgets.SituationPanelData{Look: sc.Look, View: v, Keys: sc.KeyHints.Situations}
}

// openPanelTarget asks the board to open the target of a line of the panel. It does nothing if the
// line has no target.
func (sc *Scene) openPanelTarget(t widgets.SituationTarget) {
	switch {
	case t.Today:
		sc.Requests.Add(widgets.MissedTargetsMsg{})
	case t.Situation != nil:
		sc.Requests.Add(OpenSubjectMsg{t.Situation.FocusKey()})
	}
}

type currentSituationsPane struct {
	panel   widgets.SituationPanel
	focused bool // the pane has the keyboard focus
}

var _ interface {
	Pane
	titleProvider
	statusProvider
	subscriber
	KeyHandler
	updater
	situationFocuser
	recordPointer
	situationPointer
} = (*currentSituationsPane)(nil)

// Refresh implements [Pane].
func (*currentSituationsPane) Refresh(*Scene) {}

func (*currentSituationsPane) title(sc *Scene) string { return sc.translate(words.PaneNow()) }

func (*currentSituationsPane) status(sc *Scene) style.HeadingStatus {
	return style.HeadingStatus{Text: sc.shownPanelData().HeadingNote()}
}

func (*currentSituationsPane) subscriptions() []model.Op { return []model.Op{model.OpServices} }

func (n *currentSituationsPane) focus(enabled bool) { n.focused = enabled }

func (n *currentSituationsPane) focusSituations(*Scene) { n.panel.SelectFirst() }

// SizeHint implements [Pane]. The pane wants room for the most urgent situation with its causes and
// remedies, and a line for all other situations.
func (*currentSituationsPane) SizeHint(_ *Scene, w int) frame.SizeHint {
	const large = 160
	steps := []int{4}
	if w >= large {
		steps = []int{4, 6, 8}
	}
	return frame.SizeHint{MinWidth: 30, MinHeight: steps[0], WantedHeight: steps[0], UsefulHeights: steps}
}

// Press implements [KeyHandler].
func (n *currentSituationsPane) Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	t, ok := n.panel.Press(sc.shownPanelData(), msg)
	sc.openPanelTarget(t)
	return nil, ok
}

// Update handles the mouse.
func (n *currentSituationsPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		t, _ := n.panel.Click(sc.shownPanelData(), click.X, click.Y)
		sc.openPanelTarget(t)
	}
	return nil
}

func (*currentSituationsPane) recordUnderCursor() (floorview.RecordKind, string, model.Channel, bool) {
	return 0, "", "", false
}

// situation implements [situationPointer]. It returns the selected situation.
func (n *currentSituationsPane) situation(sc *Scene) *situation.Situation {
	return n.panel.Selected(sc.shownPanelData())
}

// View implements [Pane].
func (n *currentSituationsPane) View(sc *Scene, x, y, w, h int) []string {
	return n.panel.View(sc.shownPanelData(), x, y, w, h, widgets.SituationPanelOptions{Focused: n.focused && sc.Wall == nil})
}

func currentSituationsKind() paneKind {
	return paneKind{name: "now", make: func(*Scene, PaneSpec) Pane { return &currentSituationsPane{} }}
}
