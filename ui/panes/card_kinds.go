package panes

import (
	"cmp"
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/render"
)

// cardKind describes the cards for one kind of record.
type cardKind struct {
	name      string // kind of pane in a configuration, such as "services"
	title     words.Text
	table     func(*Scene, PaneSpec) *RecordTable
	kind      floorview.RecordKind
	nameKind  model.NameKind
	operation model.Op // subscription that delivers the figures
	figures   [frame.MaxFigures]cardFigure

	normalFigureIndex int        // index of the figure shown last on a calm card without room for all figures
	onTargetWord      words.Text // word for a record without a problem
	missedTargetWord  words.Text // word for a record that misses the target of its last figure, a figure of the day
	recordState       func(v *floorview.View, code string) string
}

// cardFigure is a figure on a card, with its label. A card without room for all figures shows the
// first ones.
type cardFigure struct {
	figure string
	label  words.Text
}

func cardKinds() []*cardKind {
	return []*cardKind{
		{
			name: "services", title: words.PageServices(), table: servicesTable, kind: floorview.Service, nameKind: model.NameService, operation: model.OpServices,
			figures:      [...]cardFigure{{figureWaiting, words.PaneLabelWaiting()}, {"longestWait", words.PaneLabelLongest()}, {figureServiceLevel, words.PaneLabelServiceLevel()}},
			onTargetWord: words.PaneOnTarget(), missedTargetWord: words.PaneBelowTarget(), normalFigureIndex: 2,
		},
		{
			name: "groups", title: words.PageGroups(), kind: floorview.Group, nameKind: model.NameGroup, operation: model.OpGroups,
			table:        func(sc *Scene, s PaneSpec) *RecordTable { return groupsTable(sc, s) },
			figures:      [...]cardFigure{{figureWaiting, words.PaneLabelWaiting()}, {"readyUsers", words.PaneLabelReady()}, {"abandonRate", words.PaneLabelAbandoned()}},
			onTargetWord: words.PaneAllWell(), missedTargetWord: words.PaneHighAbandonment(), normalFigureIndex: 1,
		},
		{
			name: "campaigns", title: words.PageCampaigns(), kind: floorview.Campaign, nameKind: model.NameCampaign, operation: model.OpCampaigns,
			table:        func(sc *Scene, s PaneSpec) *RecordTable { return campaignsTable(sc, s) },
			figures:      [...]cardFigure{{"talkingContacts", words.PaneLabelTalking()}, {"penetration", words.PaneLabelListCalled()}, {"hitRate", words.PaneLabelHitRate()}},
			onTargetWord: words.PaneAllWell(), missedTargetWord: words.PaneFewReached(), normalFigureIndex: 1, recordState: (*floorview.View).CampaignWord,
		},
	}
}

// cardKindOf returns the kind of cards that replaces a table on a wall. table is the kind of pane
// of that table. The result is nil if no cards replace it.
func cardKindOf(table string) *cardKind {
	for _, k := range cardKinds() {
		if k.name == table {
			return k
		}
	}
	return nil
}

// stateWord returns a few words, without figures, about the state of a record, and the color token of
// these words. The token is [themes.Text] if no alert needs action, and [themes.Dim] if a viewer has
// taken the situation over.
func (k *cardKind) stateWord(sc *Scene, subject alert.Key) (words.Text, themes.Token) {
	live := sc.shownPanelData().View.Live // not View.Today: a figure of the whole day hardly changes any more, whatever the floor does now
	index := slices.IndexFunc(live, func(s situation.Situation) bool { return s.Place.Key == subject })
	word, level := sc.Alarms.ShownAlerts.Alarm(subject).MostUrgent(sc.Look.Format.Words)
	switch {
	case index >= 0 && live[index].Ack != (alert.Ack{}):
		return takenOverText(sc.Wall, live[index].Ack.By), themes.Dim
	case index >= 0 && live[index].NeedsAction() && live[index].Level == alert.Critical:
		return words.PaneActionNeeded(), themes.GaugeCritical
	case index >= 0 && live[index].NeedsAction():
		return words.Name(cmp.Or(word, sc.translate(words.PaneCheck()))), themes.GaugeWarn
	case level == render.Critical: // the alert is part of another record's situation
		return words.Name(word), themes.GaugeCritical
	case level == render.Warning:
		return words.Name(word), themes.GaugeWarn
	case word != "": // no action is needed yet
		return words.Name(word), themes.Text
	case sc.Floor.DoubtAbout(k.operation).Stale:
		return words.PaneUnknown(), themes.Text
	case k.kind == floorview.Service:
		return k.targetWord(sc, subject), themes.Text
	case sc.Alarms.ShownAlerts.Alarm(subject).MissesTarget(k.figures[frame.MaxFigures-1].figure):
		return k.missedTargetWord, themes.Text
	case k.recordState != nil:
		return words.Name(k.recordState(sc.Floor, subject.Code)), themes.Text
	}
	return k.onTargetWord, themes.Text
}

// targetWord describes the figures of the day of a service. A service is off target if the overview
// lists it as such. If the service level is below the target, but the service is not listed, there
// are too few calls to judge it.
func (k *cardKind) targetWord(sc *Scene, subject alert.Key) words.Text {
	level, known := sc.Alarms.Engine.Value(figureServiceLevel, subject).Get()
	target, hasTarget := sc.Alarms.Engine.Goal(subject.Code).WithTolerance().ServiceLevel.Get()
	offTarget, below := sc.shownPanelData().View.IsOffTarget(subject), known && hasTarget && level < target
	switch {
	case offTarget && below:
		return k.missedTargetWord
	case offTarget && sc.Alarms.ShownAlerts.Alarm(subject).MissesTarget("abandonRate"):
		return words.PaneHighAbandonment()
	case offTarget:
		return words.PaneMissingTarget()
	case !known || !hasTarget:
		return words.PaneNoServiceLevel()
	case below:
		return words.PaneTooFewCalls()
	}
	return k.onTargetWord
}

// drawCell draws the name of a record with a mark for its state. If h is more than 1, it draws the
// state in words below the name.
func (k *cardKind) drawCell(sc *Scene, code string, w, h int) []string {
	word, token := k.stateWord(sc, sc.KeyOf(k.kind, code))
	mark := sc.Look.StateMark(token)
	switch {
	case mark != "":
	case word.Equal(k.onTargetWord):
		mark = " "
	case word.Equal(words.PaneHighAbandonment()):
		mark = sc.Look.Render.MissedGlyph(kpi.LowerIsBetter)
	case word.Equal(k.missedTargetWord):
		mark = sc.Look.Render.MissedGlyph(kpi.HigherIsBetter)
	default:
		mark = sc.Look.Glyphs.Dot
	}
	out := []string{sc.Look.CellLine(w, token, mark+" "+k.recordName(sc, code))}
	if h > 1 {
		out = append(out, sc.Look.CellLine(w, themes.Dim, "  "+sc.translate(word)))
	}
	return out
}

func (k *cardKind) recordName(sc *Scene, code string) string {
	return sc.Floor.Names.NameInSnapshot(sc.Floor.Shown, k.nameKind, code)
}
