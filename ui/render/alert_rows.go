package render

import (
	"cmp"
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

// AlertRows holds the rows of active and ended alerts. The keys are the IDs of the alerts.
type AlertRows struct {
	source[AlertEntry]
	snap *model.Snapshot
}

var _ Rows = (*AlertRows)(nil)

// NewAlertRows returns a list of alerts. It has no rows until its first update.
func NewAlertRows() *AlertRows {
	s := &AlertRows{}
	s.spec = sourceSpec[AlertEntry]{
		key:        func(e *AlertEntry) string { return e.ID },
		name:       func(v *View, e *AlertEntry) string { return v.SubjectName(e.Key, s.snap) },
		version:    func(e *AlertEntry) uint64 { return e.version },
		showsClock: func(e *AlertEntry) bool { return e.Ended.IsZero() },
		searchWords: func(v *View, r *row[AlertEntry], add func(string)) {
			e, state := r.record, alertState(r.record)
			add(r.name)
			add(alert.RuleTitle(e.Rule).In(v.Options.Format().Words))
			add(e.Rule)
			add(formerTitles[alert.RuleTitle(e.Rule).In(nil)])
			add(e.TranslatableText().In(v.Options.Format().Words))
			add(e.Key.Code)
			add(string(e.Key.Scope))
			v.addSearchText(alertChannelName(e), add)
			v.addSearchText(state.Word, add)
			add(state.formerWord())
			add(e.Ack.By)
			add(e.Ack.Note)
		},
		drawRow: func(v *View, r *row[AlertEntry], dst *table.Row) {
			s := alertState(r.record)
			dst.Marker, dst.MarkerStyle = s.Glyph(v.Options.ASCII), v.sgr(s.Token)
		},
		columns:         alertColumns(),
		optionalColumns: []column[AlertEntry]{alertValueColumn(), startTimeColumn(func(e *AlertEntry) time.Time { return e.Since })}, // not shown by default, because the text and the duration contain the same information
		legend:          textformat.IncidentColumns(),
	}
	return s
}

// Update implements [Rows]. It takes the alerts from v. The snapshot only provides names.
func (s *AlertRows) Update(snap *model.Snapshot, v *View) {
	s.snap = snapshotOrEmpty(snap)
	o := tableState{table: v.Alerts}
	var entries []*AlertEntry
	if v.Alerts != nil {
		o.generation, entries = v.Alerts.generation, v.Alerts.Entries
	}
	if n := s.beginUpdate(v, o); n != rowsUnchanged {
		s.truncate(s.collectRows(n, entries, nil))
	}
}

// SubjectName returns the display name of the record that an alert is about. The snapshot s
// provides names of users and campaigns.
func (v *View) SubjectName(k alert.Key, s *model.Snapshot) string {
	switch k.Scope {
	case alert.User:
		if u := s.Users.Get(k.Code); u != nil {
			return v.personName(model.TextOf(k.Code), u.Surname, u.Name)
		}
	case alert.Floor:
		return v.translate(words.DetailWholeFloor())
	case alert.Feed:
		if k.Code == "link" {
			return v.translate(words.DetailTheConnection())
		}
	case alert.Service, alert.Group, alert.Campaign:
	}
	return k.Name(v.Options.Names, s)
}

// alertState returns the display state of an alert in its row.
func alertState(e *AlertEntry) State {
	switch {
	case !e.Ended.IsZero():
		return State{words.StateResolved(), themes.Dim, "○", "o"}
	case e.attention != situation.AttentionOpen:
		return attentionState(e.attention, Level(e.Level))
	}
	return openState(e.Level)
}

// openState returns the display state of an alert or a situation that needs action.
func openState(l alert.Level) State {
	if l == alert.Critical {
		return State{words.StateCritical(), themes.Critical, Critical.Glyph(false), Critical.Glyph(true)}
	}
	return State{words.StateWarning(), themes.Warn, Warning.Glyph(false), Warning.Glyph(true)}
}

// alertRank returns the rank of an alert for sorting. Open critical alerts have the highest rank,
// ended alerts the lowest.
func alertRank(e *AlertEntry) int {
	const levels = int(Critical) + 1
	switch {
	case !e.Ended.IsZero():
		return 0
	case e.attention >= situation.AttentionTaken:
		return levels
	}
	return int(situation.AttentionTaken-e.attention+1)*levels + int(e.Level)
}

func alertChannelName(e *AlertEntry) words.Text {
	if e.Key.Channel == "" {
		return words.Text{}
	}
	return words.ChannelName(e.Key.Channel)
}

func alertColumns() []column[AlertEntry] {
	return []column[AlertEntry]{
		alertStateColumn(),
		textColumn(wordsColumn("rule", words.ColumnAlert(), 13, 14, 20, 99), func(v *View, r *row[AlertEntry]) string { return v.translate(alert.RuleTitle(r.record.Rule)) }),
		nameColumn[AlertEntry](wordsColumn("name", words.ColumnWhere(), 13, 18, 30, 100)),
		labelColumn(wordsColumn("channel", words.ColumnChannel(), 7, 8, 14, 40), func(v *View, r *row[AlertEntry]) string { return v.translate(alertChannelName(r.record)) },
			func(e *AlertEntry) bool { return e.Key.Channel == "" }),
		alertDurationColumn(),
		alertTextColumn(),
		takenOverByColumn(func(e *AlertEntry) string { return e.Ack.By }),
	}
}

// alertStateColumn returns the column of states, with a question mark for unverified alerts. The
// column sorts by urgency, and equally urgent alerts by time, the newest first.
func alertStateColumn() column[AlertEntry] {
	c := wordsColumn("state", words.ColumnState(), 9, 9, 9, 98).withPossibleWords(words.StateCritical(), words.StateWarning(), words.StateResolved()) // the mark of the row shows the same, so this column may be dropped early
	c.SortDescending = true
	return column[AlertEntry]{
		columnSpec: c,
		cell: func(v *View, r *row[AlertEntry], dst *table.Cell) {
			s := alertState(r.record)
			dst.AppendString(v.translate(s.Word))
			if !r.record.UnverifiedSince.IsZero() {
				dst.AppendString("?")
			}
			dst.Style = v.sgr(s.Token)
		},
		value: func(v *View, r *row[AlertEntry]) table.Value {
			return textValue(v.translate(alertState(r.record).Word))
		},
		compare: func(_ *View, a, b *row[AlertEntry]) int {
			x, y := a.record, b.record
			if c := cmp.Compare(alertRank(x), alertRank(y)); c != 0 {
				return c
			}
			if !x.Ended.IsZero() {
				return x.Ended.Compare(y.Ended)
			}
			return alert.CompareUrgency(&y.Alert, &x.Alert)
		},
	}
}

func alertValueColumn() column[AlertEntry] {
	return column[AlertEntry]{
		columnSpec: numberColumn("value", words.ColumnValue(), 8, 90),
		cell: func(v *View, r *row[AlertEntry], dst *table.Cell) {
			if f := r.record.Value; f.Known() {
				dst.Text = v.Options.Format().KPI(dst.Text, r.record.Format.Unit(), f)
			}
		},
		value: func(_ *View, r *row[AlertEntry]) table.Value {
			return figureValue(r.record.Value, valueKind(r.record.Format))
		},
	}
}

func alertDurationColumn() column[AlertEntry] {
	c := numberColumn("for", words.ColumnFor(), 8, 97)
	c.NoFlash = true
	return column[AlertEntry]{
		columnSpec: c,
		cell: func(v *View, r *row[AlertEntry], dst *table.Cell) {
			dst.Text = v.Options.Format().Duration(dst.Text, r.record.Lasted(v.Now))
		},
		value: func(v *View, r *row[AlertEntry]) table.Value { return durationValue(r.record.Lasted(v.Now)) },
	}
}

// startTimeColumn returns the column of the times at which alerts or situations began.
func startTimeColumn[R any](began func(*R) time.Time) column[R] {
	return column[R]{
		columnSpec: numberColumn("since", words.ColumnSince(), 8, 40),
		cell: func(v *View, r *row[R], dst *table.Cell) {
			dst.Text = v.Options.Format().Clock(dst.Text, began(r.record))
		},
		value:   func(v *View, r *row[R]) table.Value { return clockValue(v.Options, began(r.record)) },
		compare: func(_ *View, a, b *row[R]) int { return began(a.record).Compare(began(b.record)) },
	}
}

// alertTextColumn returns the column with the messages of alerts. A message does not contain the
// name of the record, which has its own column. Long messages are cut between words.
func alertTextColumn() column[AlertEntry] {
	c := textColumn(wordsColumn("text", words.ColumnWhat(), 28, 40, 90, 96), func(v *View, r *row[AlertEntry]) string { return v.translate(r.record.TranslatableText()) })
	c.cell = func(v *View, r *row[AlertEntry], dst *table.Cell) {
		text := withoutRecordName(v.translate(r.record.TranslatableText()), r.name)
		dst.AppendString(textlayout.TruncateWords(text, dst.Width, v.Options.ASCII))
		dst.WantedWidth = table.TextWidth(v.Options.WidthMethod, text)
	}
	return c
}

// takenOverByColumn returns the column with the names of the viewers who have taken alerts or situations
// over.
func takenOverByColumn[R any](name func(*R) string) column[R] {
	return labelColumn(wordsColumn("by", words.ColumnTakenBy(), 9, 15, 24, 55), func(_ *View, r *row[R]) string { return name(r.record) },
		func(r *R) bool { return name(r) == "" })
}

// AlertDetail returns the lines about an alert, each exactly width cells wide: its text, period, rule
// and channel, whether it is unverified or silent, and the viewer who has taken it over.
func AlertDetail(e *AlertEntry, v *View, width int) []string {
	if width <= 0 {
		return nil
	}
	f := v.Options.Format()
	clock := func(t time.Time) string { return string(f.Clock(nil, t)) }
	p := v.newDetailWriter(width)
	token := alertState(e).Token
	if token == themes.Dim {
		token = themes.Text
	}
	p.Paragraph(textlayout.NewSpan(v.translate(e.TranslatableText()), token))
	p.Paragraph(textlayout.NewSpan(v.translate(words.JoinSentences(alertPeriod(e, clock), words.DetailRule(RuleLabel(e.Rule, f.Words)), alertChannel(e))), themes.Dim))
	say := func(token themes.Token, t words.Text) { p.Paragraph(textlayout.NewSpan(v.translate(t), token)) }
	if !e.UnverifiedSince.IsZero() {
		say(themes.Warn, words.DetailUnverifiedSince(clock(e.UnverifiedSince)))
	}
	if !e.SilentUntil.IsZero() && e.Ended.IsZero() {
		say(themes.Accent, words.DetailSilentUntil(clock(e.SilentUntil)))
	}
	if e.Ack != (alert.Ack{}) {
		p.Paragraph(textlayout.NewSpan(e.Ack.Text(clock).In(v.Options.Format().Words), themes.Accent))
	}
	return p.Lines
}

// RuleLabel returns the title of a rule in the language l. If the name of the rule in the
// configuration differs, it follows in parentheses.
func RuleLabel(rule string, l *words.Language) string {
	if title := alert.RuleTitle(rule).In(l); title != rule {
		return title + " (" + rule + ")"
	}
	return rule
}

// alertPeriod says since when an alert has its level, or from when to when it lasted. clock formats a time.
func alertPeriod(e *AlertEntry, clock func(time.Time) string) words.Text {
	level := words.DetailLevelWarning()
	if e.Level == alert.Critical {
		level = words.StateCritical()
	}
	switch {
	case !e.Ended.IsZero() && e.Vanished:
		return words.DetailFromToGone(clock(e.Since), clock(e.Ended), Level(e.HighestLevel).worstLevelText())
	case !e.Ended.IsZero():
		return words.DetailFromTo(clock(e.Since), clock(e.Ended), Level(e.HighestLevel).worstLevelText())
	case e.FromStart:
		return words.DetailSinceEarlier(level, clock(e.Since))
	case !e.Since.Equal(e.LevelSince):
		return words.DetailSinceBegan(level, clock(e.LevelSince), clock(e.Since))
	}
	return words.DetailSince(level, clock(e.LevelSince))
}

// alertChannel returns a sentence about the channel of an alert, which a narrow table does not show.
func alertChannel(e *AlertEntry) words.Text {
	if e.Key.Channel == "" {
		return words.Text{}
	}
	return words.DetailChannel(words.ChannelName(e.Key.Channel))
}

// worstLevelText returns the words for the level at the worst moment of an alert.
func (l Level) worstLevelText() words.Text {
	switch l {
	case Warning:
		return words.DetailWorstWarning()
	case Critical:
		return words.DetailWorstCritical()
	case Normal:
	}
	return words.DetailWorstNormal()
}
