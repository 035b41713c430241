package render

import (
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Feed holds the rows of the subscriptions. The keys are the names of the subscriptions.
type Feed struct {
	source[model.Subscription]

	listCount uint64 // how many times the list of subscriptions has changed
}

var _ Rows = (*Feed)(nil)

// NewFeed returns a list of subscriptions. It has no rows until its first update.
func NewFeed() *Feed {
	s := &Feed{}
	s.spec = sourceSpec[model.Subscription]{
		key:  func(r *model.Subscription) string { return string(r.Name) },
		name: func(v *View, r *model.Subscription) string { return v.translate(words.SubscriptionTitle(r.Name)) },
		searchWords: func(v *View, r *row[model.Subscription], add func(string)) {
			add(r.name)
			add(string(r.record.Name))
			v.addSearchText(subscriptionRowState(r.record).Word, add)
			add(r.record.Reason)
		},
		drawRow: func(v *View, r *row[model.Subscription], dst *table.Row) {
			v.setLevelMark(subscriptionLevel(r.record.State), dst)
		},
		columns: feedColumns(),
		legend:  textformat.FeedColumns(),
	}
	return s
}

// Update implements [Rows]. It lists all subscriptions, regardless of the view's scope.
func (s *Feed) Update(snap *model.Snapshot, v *View) {
	snap = snapshotOrEmpty(snap)
	v = v.onLocalClock(snap)
	subs := snap.Health.Subscriptions
	var from *model.Subscription
	if len(subs) > 0 {
		from = &subs[0]
	}
	if s.beginUpdate(v, tableState{table: from}) == rowsUnchanged {
		return
	}
	s.listCount++
	for i := range subs {
		s.setRow(i, &subs[i])
	}
	s.truncate(len(subs))
}

// onLocalClock returns a copy of the view with its time converted to the local clock, because the
// times in [model.Health] are on that clock.
func (v *View) onLocalClock(s *model.Snapshot) *View {
	out := *v
	out.Now = v.Now.Add(-s.Health.ClockOffset)
	return &out
}

// Version implements [table.Source]. Subscriptions have no version, so the version of every row
// changes with each new list and each second.
func (s *Feed) Version(int) uint64 {
	const secondBits = 20
	return s.generation<<56 ^ s.listCount<<secondBits ^
		uint64(s.view.Now.Unix())&(1<<secondBits-1) //nolint:gosec // only the low bits matter
}

// subscriptionStates holds the display states of subscriptions.
var subscriptionStates = map[model.SubState]State{
	model.SubWaiting:    {words.StateSubWaiting(), themes.Dim, "○", "o"},
	model.SubConnecting: {words.StateConnecting(), themes.Pending, "◌", "."},
	model.SubSyncing:    {words.StateSyncing(), themes.Pending, "◐", "+"},
	model.SubLive:       {words.StateLive(), themes.OK, "●", "@"},
	model.SubUnverified: {words.StateUnverified(), themes.Warn, "△", "*"},
	model.SubStale:      {words.StateStale(), themes.Warn, "◇", "~"},
	model.SubRefused:    {words.StateRefused(), themes.Critical, "×", "x"},
	model.SubBackoff:    {words.StateRetrying(), themes.Warn, "△", "*"},
	model.SubPolling:    {words.StatePolling(), themes.Pending, "↻", "%"},
}

// SubscriptionStateOf returns the display state of a subscription in the state s: its word, color and glyph.
func SubscriptionStateOf(s model.SubState) State { return lookUpState(subscriptionStates, s) }

// lookUpState returns the display state for s. A state that the map does not contain is shown as received.
func lookUpState[K ~string](states map[K]State, s K) State {
	if out, ok := states[s]; ok {
		return out
	}
	return State{words.Name(string(s)), themes.StateOther, "?", "?"}
}

// PartlyKnownState returns the display state of a subscription that is live but lacks some figures.
func PartlyKnownState() State { return State{words.StatePartlyKnown(), themes.Warn, "◑", "("} }

// subscriptionRowState returns the display state of the subscription s in its row.
func subscriptionRowState(s *model.Subscription) State {
	if s.State.IsCurrent() && s.Unknown != "" {
		return PartlyKnownState()
	}
	return SubscriptionStateOf(s.State)
}

// linkStates holds the display states of connections.
var linkStates = map[model.LinkState]State{
	model.LinkConnecting: {words.StateConnecting(), themes.Pending, "◌", "."},
	model.LinkUp:         {words.StateLive(), themes.OK, "●", "@"},
	model.LinkBackoff:    {words.StateRetrying(), themes.Warn, "△", "*"},
	model.LinkRefused:    {words.StateRefused(), themes.Critical, "×", "x"},
	model.LinkStopped:    {words.StateStopped(), themes.Dim, "○", "o"},
	model.LinkUnrecorded: {words.StateNotRecorded(), themes.Dim, "○", "o"},
}

// LinkStateOf returns the display state of a connection in the state s: its word, color and glyph.
func LinkStateOf(s model.LinkState) State { return lookUpState(linkStates, s) }

func subscriptionLevel(s model.SubState) Level {
	switch s {
	case model.SubRefused:
		return Critical
	case model.SubUnverified, model.SubStale, model.SubBackoff:
		return Warning
	case model.SubWaiting, model.SubConnecting, model.SubSyncing, model.SubLive, model.SubPolling:
	}
	return Normal
}

func feedColumns() []column[model.Subscription] {
	type sub = model.Subscription
	count := func(c columnSpec, get func(*sub) uint64) column[sub] {
		return withoutFlash(intColumn(c, func(r *sub) model.Int { return model.IntOf(int64(min(get(r), 1<<62))) }))
	}
	bad := func(c column[sub], get func(*sub) uint64) column[sub] {
		return c.withColor(func(_ *View, r *sub) themes.Token {
			if get(r) > 0 {
				return themes.Warn
			}
			return themes.Text
		})
	}
	errors := func(r *sub) uint64 { return r.Errors }
	drift := func(r *sub) uint64 { return r.Drift.Total() }
	badMessages := func(r *sub) uint64 { return r.BadMessages }
	return []column[sub]{
		nameColumn[sub](wordsColumn("name", words.ColumnSubscription(), 21, 22, 24, 100)),
		subscriptionStateColumn(),
		ageColumn(numberColumn("since", words.ColumnFor(), 8, 80), func(r *sub) time.Time { return r.Since }),
		ageColumn(numberColumn("age", words.ColumnDataAge(), 8, 98), func(r *sub) time.Time { return r.LastData }),
		ageColumn(numberColumn("verified", words.ColumnVerified(), 8, 97), func(r *sub) time.Time { return r.VerifiedAt }),
		withoutFlash(figuresColumn(numberColumn("rate", words.ColumnRate(), 6, 96), table.NumberValue, func(_ *View, r *sub) model.Figure {
			return model.FigureOf(r.PerSecond)
		}, textformat.Format.Figure)),
		bad(count(numberColumn("drift", words.ColumnWrong(), 5, 94), drift), drift),
		count(numberColumn("records", words.ColumnRecords(), 7, 95), func(r *sub) uint64 { return uint64(max(r.Records, 0)) }),
		count(numberColumn("keys", words.ColumnKeys(), 5, 90), func(r *sub) uint64 { return uint64(max(r.Keys, 0)) }),
		count(numberColumn("messages", words.ColumnMessages(), 8, 85), func(r *sub) uint64 { return r.Messages }),
		count(numberColumn("updates", words.ColumnUpdates(), 8, 60), func(r *sub) uint64 { return r.Updates }),
		withoutFlash(column[sub]{
			columnSpec: numberColumn("bytes", words.ColumnData(), 8, 50),
			cell: func(v *View, r *row[sub], dst *table.Cell) {
				dst.Text = v.Options.Format().Size(dst.Text, r.record.Bytes)
			},
			value: func(v *View, r *row[sub]) table.Value {
				size := string(v.Options.Format().Size(nil, r.record.Bytes))
				return table.Value{Kind: table.NumberValue, Known: true, Number: float64(r.record.Bytes), Text: size}
			},
		}),
		bad(count(numberColumn("errors", words.ColumnErrors(), 6, 88), errors), errors),
		bad(count(numberColumn("bad", words.ColumnBad(), 5, 87), badMessages), badMessages),
		count(numberColumn("resyncs", words.ColumnReloads(), 7, 70), func(r *sub) uint64 { return r.Resyncs }),
		reasonColumn(),
	}
}

// subscriptionStateColumn returns the column of states. The worst states have the highest rank, so the first
// click, which sorts in descending order, shows them at the top.
func subscriptionStateColumn() column[model.Subscription] {
	c := wordsColumn("state", words.ColumnState(), 12, 12, 14, 99)
	c.SortDescending = true
	return column[model.Subscription]{
		columnSpec: c,
		cell: func(v *View, r *row[model.Subscription], dst *table.Cell) {
			v.drawState(subscriptionRowState(r.record), dst)
		},
		value: func(v *View, r *row[model.Subscription]) table.Value {
			return v.stateValue(subscriptionRowState(r.record), int(subscriptionLevel(r.record.State)), true)
		},
	}
}

// reasonColumn returns the column of the reasons for the states. The cell of a state without a
// reason is empty.
func reasonColumn() column[model.Subscription] {
	return column[model.Subscription]{
		columnSpec: wordsColumn("reason", words.ColumnReason(), 10, 30, 0, 75),
		cell: func(v *View, r *row[model.Subscription], dst *table.Cell) {
			dst.AppendString(v.translate(words.PlatformMessage(r.record.Reason)))
		},
		value: func(_ *View, r *row[model.Subscription]) table.Value { return textValue(r.record.Reason) },
	}
}
