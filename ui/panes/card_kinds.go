package panes

import (
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
)

// cardKind describes the cards for one kind of record.
type cardKind struct {
	name      string // the same as the kind of their table
	title     string
	table     func(*Scene, PaneSpec) *RecordTable
	kind      snapshot.Kind
	nameKind  model.NameKind
	operation model.Op // the operation that delivers the figures
	figures   [frame.MaxFigures]cardFigure

	okWord     string // the word shown if nothing is wrong
	missedWord string // the word shown if the last figure, the one of the day, raises an alert
	stateOf    func(v *snapshot.View, code string) string
}

// cardFigure is a figure of a card. Small cards leave out the last ones.
type cardFigure struct{ figure, label string }

func cardKinds() []*cardKind {
	return []*cardKind{
		{
			name: "services", title: "Services", table: servicesTable, kind: snapshot.Service, nameKind: model.NameService, operation: model.OpServices,
			figures: [...]cardFigure{{figureWaiting, "waiting"}, {"longestWait", "longest"}, {figureServiceLevel, "service level"}},
			okWord:  "in target", missedWord: "under target today",
		},
		{
			name: "groups", title: "Groups", kind: snapshot.Group, nameKind: model.NameGroup, operation: model.OpGroups,
			table:   func(sc *Scene, s PaneSpec) *RecordTable { return groupsTable(sc, s) },
			figures: [...]cardFigure{{figureWaiting, "waiting"}, {"readyUsers", "ready"}, {"abandonRate", "abandoned"}},
			okWord:  "nothing wrong", missedWord: "many gave up today",
		},
		{
			name: "campaigns", title: "Campaigns", kind: snapshot.Campaign, nameKind: model.NameCampaign, operation: model.OpCampaigns,
			table:   func(sc *Scene, s PaneSpec) *RecordTable { return campaignsTable(sc, s) },
			figures: [...]cardFigure{{"talkingContacts", "talking"}, {"penetration", "list called"}, {"hitRate", "hit rate"}},
			okWord:  "nothing wrong", missedWord: "few reached today", stateOf: (*snapshot.View).CampaignWord,
		},
	}
}

// cardKindOf returns the kind of cards that replaces a table, or nil.
func cardKindOf(table string) *cardKind {
	for _, k := range cardKinds() {
		if k.name == table {
			return k
		}
	}
	return nil
}

// stateWord describes the state of a record in a word or two without figures, and
// returns the token of its color; [themes.Text] means that nothing is wrong, and
// [themes.Dim] that a viewer has taken the situation over.
func (k *cardKind) stateWord(sc *Scene, subject alert.Key) (string, themes.Token) {
	live := sc.shownSituations().View.Live // without the situations of the day, which cannot be helped now
	index := slices.IndexFunc(live, func(s situation.Situation) bool { return s.Place.Key == subject })
	word, level := sc.Alarms.Shown.Alarm(subject).MostUrgent()
	switch {
	case index >= 0 && live[index].Ack != (alert.Ack{}):
		return sc.holder(live[index].Ack.By), themes.Dim
	case index >= 0 && live[index].Level == alert.Critical:
		return "action needed", themes.GaugeCritical
	case index >= 0:
		return "check", themes.GaugeWarn
	case k.kind == snapshot.Service && level != render.Normal: // it needs nobody yet, but is not in target
		return word, themes.Text
	case level == render.Critical: // not every alert becomes a situation
		return word, themes.GaugeCritical
	case level == render.Warn:
		return word, themes.GaugeWarn
	case sc.Floor.DoubtAbout(k.operation).Stale:
		return "not known", themes.Text
	case k.kind == snapshot.Service:
		return k.targetWord(sc, subject), themes.Text
	case sc.Alarms.Shown.Alarm(subject).Missed(k.figures[frame.MaxFigures-1].figure):
		return k.missedWord, themes.Text
	case k.stateOf != nil:
		return k.stateOf(sc.Floor, subject.Code), themes.Text
	}
	return k.okWord, themes.Text
}

// targetWord compares the service level with its target.
func (k *cardKind) targetWord(sc *Scene, subject alert.Key) string {
	level, known := sc.Alarms.Engine.Value(figureServiceLevel, subject).Get()
	target, some := sc.Alarms.Engine.Goal(subject.Code).ServiceLevel.Get()
	switch {
	case !known || !some:
		return "no service level"
	case level < target:
		return k.missedWord
	}
	return k.okWord
}
