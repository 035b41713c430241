package render

import (
	"cmp"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// SituationRow is a row about a situation, or about an alert that belongs to no situation. The
// section of the row says whether it is live, of the day, watched, silent, recovered or ended.
type SituationRow struct {
	ID              string // ID of the situation or of the alert
	section         section
	position        int // position within the section, from 0
	Key             alert.Key
	level           alert.Level
	placeTitle      string // name of the place; "" means the name of the record
	Sentence        string
	since           time.Time
	ended           time.Time // zero while the situation lasts
	silentUntil     time.Time // end of the silence; zero: not silenced
	unverifiedSince time.Time // when its figures stopped being verified; zero: they are verified
	takenOverBy     string
	timesToday      int                      // number of episodes: today, or of an ended situation those in the list of ended alerts
	past            *situation.PastSituation // the ended situation; nil unless the situation has ended
	rules           string                   // names of the alert rules, for filtering
	version         uint64
}

// section is a part of the list of situations. Sections with a higher value are listed first.
type section int

const (
	sectionEnded section = iota
	sectionRecovered
	sectionSilent
	sectionToday
	sectionWatched
	sectionLive
)

// IsOver reports whether the situation or alert has ended.
func (t *SituationRow) IsOver() bool {
	return t.section == sectionRecovered || t.section == sectionEnded
}

// Situation returns the situation of the row in the view v. It returns nil if the situation has
// ended or if v does not contain it any more.
func (t *SituationRow) Situation(v *situation.View) *situation.Situation {
	if t.IsOver() {
		return nil
	}
	return v.ByID(t.ID)
}

// Past returns the ended situation of the row. It returns nil for a row about a current situation
// or an alert.
func (t *SituationRow) Past() *situation.PastSituation { return t.past }

// Situations holds the rows about situations and about alerts that belong to no situation. The keys
// are the IDs of the situations and alerts.
type Situations struct {
	source[SituationRow]
	snap           *model.Snapshot
	situationRows  []*SituationRow
	byID           map[string]*SituationRow
	view           *situation.View // view from which the rows were made
	pastSituations []situation.PastSituation
	alerts         *Alerts
	serial         uint64 // version of the latest row
	rowVersion     uint64 // number of changes of situationRows
}

var _ Rows = (*Situations)(nil)

// NewSituations returns a list of situations. It has no rows until its first update.
func NewSituations() *Situations {
	s := &Situations{}
	s.spec = sourceSpec[SituationRow]{
		key:        func(t *SituationRow) string { return t.ID },
		name:       s.nameOf,
		version:    func(t *SituationRow) uint64 { return t.version },
		showsClock: func(t *SituationRow) bool { return t.ended.IsZero() },
		searchWords: func(v *View, r *row[SituationRow], add func(string)) {
			t, state := r.record, r.record.state()
			for _, text := range []string{
				r.name, t.Sentence, t.rules, t.Key.Code, string(t.Key.Scope), t.takenOverBy, state.formerWord(),
			} {
				add(text)
			}
			v.addSearchText(state.Word, add)
			if t.Key.Channel != "" {
				v.addSearchText(words.ChannelName(t.Key.Channel), add)
			}
		},
		drawRow: func(v *View, r *row[SituationRow], dst *table.Row) {
			s := r.record.state()
			dst.Marker, dst.MarkerStyle = s.Glyph(v.Options.ASCII), v.sgr(s.Token)
		},
		columns: situationColumns(),
		optionalColumns: []column[SituationRow]{ // not shown by default, because the detail and the duration contain the same information
			takenOverByColumn(func(t *SituationRow) string { return t.takenOverBy }), startTimeColumn(func(t *SituationRow) time.Time { return t.since }),
		},
		legend: textformat.SituationColumns(),
	}
	return s
}

func (s *Situations) nameOf(v *View, t *SituationRow) string {
	name := t.placeTitle
	if name == "" {
		name = v.SubjectName(t.Key, s.snap)
		if ch := t.Key.Channel; ch != "" && ch != model.Call {
			name = v.translate(words.SituationPlaceOn(words.Name(name), words.ChannelName(ch)))
		}
	}
	return textformat.ToASCII(name, v.Options.ASCII)
}

// RowByID returns the row with the given ID, or nil if there is no such row.
func (s *Situations) RowByID(id string) *SituationRow { return s.byID[id] }

// Update implements [Rows]. It takes the situations and the alerts from v. The snapshot only
// provides names.
func (s *Situations) Update(snap *model.Snapshot, v *View) {
	s.snap = snapshotOrEmpty(snap)
	if s.view != v.Situations || s.alerts != v.Alerts || s.byID == nil {
		s.view, s.alerts, s.pastSituations = v.Situations, v.Alerts, v.EndedSituations
		s.rebuild(v)
	}
	if n := s.beginUpdate(v, tableState{table: s, generation: s.rowVersion}); n != rowsUnchanged {
		s.truncate(s.collectRows(n, s.situationRows, nil))
	}
}

// rebuild creates the rows again. It reuses rows that have not changed.
func (s *Situations) rebuild(v *View) {
	previous := s.byID
	s.situationRows, s.byID = nil, make(map[string]*SituationRow)
	covered := make(map[string]bool) // IDs of the alerts that belong to a situation
	if v.Situations != nil {
		s.addCurrent(v.Situations, previous, covered)
	}
	for i, e := range v.Alerts.All() {
		if covered[e.ID] || !e.Ended.IsZero() {
			continue
		}
		t := SituationRow{
			ID: e.ID, section: sectionWatched, position: i, Key: e.Key, level: e.Level, Sentence: textformat.Sentence(withoutRecordName(e.Text, v.SubjectName(e.Key, s.snap))), since: e.Since,
			silentUntil: e.SilentUntil, unverifiedSince: e.UnverifiedSince, takenOverBy: e.Ack.By, rules: e.Rule,
		}
		if !e.SilentUntil.IsZero() {
			t.section = sectionSilent
		}
		s.addRow(t, previous)
	}
	s.addPast(v.Situations, previous)
	s.rowVersion++
}

// addPast adds the rows of ended situations. v says which of them have just recovered.
func (s *Situations) addPast(v *situation.View, previous map[string]*SituationRow) {
	for i := range s.pastSituations {
		p := &s.pastSituations[i]
		t := SituationRow{
			ID: "past:" + p.Place.Key.String(), section: sectionEnded, position: i, Key: p.FocusKey(), level: p.HighestLevel, placeTitle: p.Place.Title,
			Sentence: p.Headline, since: p.FirstBegan, ended: p.Ended, takenOverBy: p.Ack.By, timesToday: p.EpisodeCount, rules: strings.Join(situation.RuleNames(p.Alerts), " "), past: p,
		}
		if r := v.RecoveredAt(p.Place.Key); p.Daily {
			t.ID += ":today"
		} else if r != nil {
			t.section, t.Sentence, t.since, t.ended = sectionRecovered, r.Headline, r.Began, r.Ended
		}
		s.addRow(t, previous)
	}
}

// addCurrent adds the rows of the situations in v. It adds the IDs of their alerts to covered.
func (s *Situations) addCurrent(v *situation.View, previous map[string]*SituationRow, covered map[string]bool) {
	for index, list := range [][]situation.Situation{v.Live, v.Today, v.HeldBack} {
		for i := range list {
			sit := &list[i]
			t := SituationRow{
				ID: sit.ID, section: sectionLive, position: i, Key: sit.FocusKey(), level: sit.Level, placeTitle: sit.Place.Title,
				Sentence: sit.Headline, since: sit.Since, unverifiedSince: sit.StaleSince, takenOverBy: sit.Ack.By, timesToday: sit.OccurrencesToday,
			}
			for j := range sit.Alerts {
				covered[sit.Alerts[j].ID] = true
			}
			switch index {
			case 1:
				t.section = sectionToday
			case 2:
				t.section = sectionWatched
				if t.silentUntil = sit.SilentUntil(); !t.silentUntil.IsZero() {
					t.section = sectionSilent
				}
			}
			t.rules = strings.Join(situation.RuleNames(sit.Alerts), " ")
			s.addRow(t, previous)
		}
	}
}

// addRow adds the row t. If the previous row with the same ID is equal, it adds that row instead.
func (s *Situations) addRow(t SituationRow, previous map[string]*SituationRow) {
	if was := previous[t.ID]; was != nil {
		if t.version = was.version; t == *was {
			s.situationRows, s.byID[t.ID] = append(s.situationRows, was), was
			return
		}
	}
	s.serial++
	t.version = s.serial
	s.situationRows, s.byID[t.ID] = append(s.situationRows, &t), &t
}

// withoutRecordName removes place, the name of the record, from the start of an alert's text.
func withoutRecordName(text, place string) string {
	if user, what, ok := strings.Cut(text, ": "); ok && user == place {
		return what
	}
	return text
}

// state returns the display state of the row: its word, color and glyph.
func (t *SituationRow) state() State {
	switch t.section {
	case sectionEnded:
		return State{words.StateResolved(), themes.Dim, "○", "o"}
	case sectionRecovered:
		return State{words.StateResolved(), themes.OK, "✓", "+"}
	case sectionSilent:
		return attentionState(situation.AttentionSilenced, Level(t.level))
	case sectionWatched:
		return attentionState(situation.AttentionMonitored, Level(t.level))
	case sectionLive, sectionToday:
	}
	switch {
	case t.takenOverBy != "":
		return attentionState(situation.AttentionTaken, Level(t.level))
	case t.section == sectionToday:
		return attentionState(situation.AttentionDaily, Level(t.level))
	}
	return openState(t.level)
}

func (t *SituationRow) duration(v *View) time.Duration {
	switch {
	case t.past != nil && t.section == sectionEnded:
		return t.past.TotalDuration
	case !t.ended.IsZero():
		return t.ended.Sub(t.since)
	}
	sit := situation.Situation{Since: t.since, StaleSince: t.unverifiedSince}
	return sit.Lasted(v.Now)
}

func situationColumns() []column[SituationRow] {
	return []column[SituationRow]{
		situationStateColumn(),
		nameColumn[SituationRow](wordsColumn("name", words.ColumnWhere(), 17, 22, 34, 99)),
		sentenceColumn(),
		situationTimeColumn(),
		{
			columnSpec: numberColumn("times", words.ColumnTimes(), 5, 35),
			cell: func(v *View, r *row[SituationRow], dst *table.Cell) {
				if r.record.timesToday > 1 {
					dst.Text = v.Options.Format().Count(dst.Text, int64(r.record.timesToday))
				}
			},
			value: func(_ *View, r *row[SituationRow]) table.Value {
				return intValue(model.IntOf(int64(r.record.timesToday)))
			},
		},
	}
}

// situationStateColumn returns the column of states, sorted by section, then by urgency. A narrow
// table omits it, because the marks of the rows show the states.
func situationStateColumn() column[SituationRow] {
	c := wordsColumn("state", words.ColumnState(), 9, 10, 10, 95).withPossibleWords(words.StateCritical(), words.StateWarning(), words.StateResolved())
	c.SortDescending = true
	return column[SituationRow]{
		columnSpec: c,
		cell: func(v *View, r *row[SituationRow], dst *table.Cell) {
			s := r.record.state()
			dst.AppendString(v.translate(s.Word))
			if !r.record.unverifiedSince.IsZero() && r.record.ended.IsZero() {
				dst.AppendString("?")
			}
			dst.Style = v.sgr(s.Token)
		},
		value: func(v *View, r *row[SituationRow]) table.Value { return textValue(v.translate(r.record.state().Word)) },
		compare: func(_ *View, a, b *row[SituationRow]) int {
			return cmp.Or(cmp.Compare(a.record.section, b.record.section), cmp.Compare(b.record.position, a.record.position))
		},
	}
}

// sentenceColumn returns the column of sentences, cut between words. The details show them in full.
func sentenceColumn() column[SituationRow] {
	wide := wordsColumn("text", words.ColumnWhat(), 18, 34, 120, 98)
	wide.DropBelow = 96 // the state and less important columns are dropped before the sentences shrink
	c := textColumn(wide, func(_ *View, r *row[SituationRow]) string { return r.record.Sentence })
	c.NoFlash = true // times and counts in the sentences change all the time
	c.cell = func(v *View, r *row[SituationRow], dst *table.Cell) {
		text := textformat.ToASCII(r.record.Sentence, v.Options.ASCII)
		dst.AppendString(textlayout.TruncateWords(text, dst.Width, v.Options.ASCII))
		dst.WantedWidth = table.TextWidth(v.Options.WidthMethod, text)
		if r.record.section != sectionLive && r.record.section != sectionToday || r.record.takenOverBy != "" {
			dst.Style = v.sgr(themes.Dim)
		}
	}
	return c
}

func situationTimeColumn() column[SituationRow] {
	c := numberColumn("for", words.ColumnFor(), 8, 96)
	c.NoFlash = true
	return column[SituationRow]{
		columnSpec: c,
		cell: func(v *View, r *row[SituationRow], dst *table.Cell) {
			if r.record.section != sectionToday { // figures of the day have no meaningful duration
				dst.Text = v.Options.Format().Duration(dst.Text, r.record.duration(v))
			}
		},
		value: func(v *View, r *row[SituationRow]) table.Value { return durationValue(r.record.duration(v)) },
	}
}
