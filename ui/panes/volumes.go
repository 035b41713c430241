package panes

import (
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/model/kpi"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/widgets"
)

// Baseline compares today's contacts with those of other days.
type Baseline interface {
	// Kinds returns the kinds of contacts on the view's channel that can be compared with other
	// days.
	Kinds(v *floorview.View) []contact.Kind
	// Today returns the comparison of today with a typical day, for one kind of contact. ok is
	// false if there is no comparison.
	Today(kind contact.Kind) (c contact.Comparison, ok bool)
	// IsRequesting reports whether a request for the contacts of other days is pending.
	IsRequesting() bool
}

// comparableKinds returns the kinds of contacts on the current channel that can be compared with
// other days.
func (sc *Scene) comparableKinds() []contact.Kind {
	if sc.Baseline == nil {
		return nil
	}
	return sc.Baseline.Kinds(sc.Floor)
}

// todayComparison returns the comparison of today with a typical day, for one kind of contact. The
// bool result is false if there is no comparison.
func (sc *Scene) todayComparison(kind contact.Kind) (contact.Comparison, bool) {
	if sc.Baseline == nil {
		return contact.Comparison{}, false
	}
	return sc.Baseline.Today(kind)
}

// replaceByVolumes replaces some tiles for numbers of agents, which the bar of the agents' states
// also shows, with tiles that compare the day's contacts with other days. A tile with an alert
// stays. Answered and abandoned contacts have no such tile, because the platform stores no history
// of them.
func (o *floorFigures) replaceByVolumes(sc *Scene, all []widgets.Tile) {
	calls := &o.floor.Calls
	for _, kind := range sc.comparableKinds() {
		index, n, name := kpi.TileIndex(figureLoggedIn), calls.ReceivedCalls, words.PaneReceived()
		if kind == contact.Outbound {
			index, n, name = kpi.TileIndex(wrapUpFigure), calls.OutboundReceivedCalls, words.PaneOutbound()
		}
		if all[index].Level == render.Normal {
			all[index] = o.volumeTile(sc, kind, name, n)
		}
	}
}

// volumeTile returns a tile that compares n, the number of contacts of a kind today, with other
// days. name is the label of the tile.
func (o *floorFigures) volumeTile(sc *Scene, kind contact.Kind, name words.Text, n model.Int) widgets.Tile {
	t := widgets.Tile{Label: sc.translate(words.PaneVersusTypical(name)), ShortLabel: sc.translate(name), Value: string(sc.Look.Format.Int(nil, n)), Dim: !n.Known()}
	if !n.Known() {
		return t
	}
	var ok bool
	if t.SmallText, t.Reference, ok = sc.compareWithBaseline(kind); !ok {
		t.Reference = sc.translate(words.PaneTypicalUnknown())
		if sc.Baseline != nil && sc.Baseline.IsRequesting() {
			t.Reference = sc.translate(words.PaneTypicalLoading())
		}
	}
	if t.SmallText != "" { // without parentheses, "28 361 0 %" would read as one number
		t.SmallText = "(" + t.SmallText + ")"
	}
	if f, known := sc.Forecast("", sc.Floor.Channel, &o.floor.Calls); ok && known && f.IsContactsRangeNarrow() && kind != contact.Outbound {
		t.ForecastRange, t.ShortForecast = sc.translate(words.PaneForecast(f.ContactsBand())), sc.translate(words.PaneForecast(words.Name(forecast.FormatEstimate(f.Contacts.Likely))))
	}
	day, _ := sc.todayComparison(kind)
	for i, h := range day.Day.Hours {
		if ok && h.Known && !h.Partial && i < 24 {
			t.Series = append(t.Series, float64(h.Count))
		}
	}
	return t
}

// compareWithBaseline compares the number of contacts of a kind today with other days. change is the
// difference in percent, and text describes it. ok is false if there is no comparison. change is "" if it
// is unknown.
func (sc *Scene) compareWithBaseline(kind contact.Kind) (change, text string, ok bool) {
	d, ok := sc.todayComparison(kind)
	if !ok {
		return "", "", false
	}
	share, known := d.Change()
	if !known {
		return "", words.VolumeText(d.Volume()).In(sc.Look.Format.Words), true
	}
	change = model.SignedPercent(share)
	return change, sc.translate(words.PaneChange(change)), true
}

// contactKindOf returns the kind of contacts that a figure of the floor counts. The bool result is
// false if the figure does not count contacts that can be compared with other days.
func (sc *Scene) contactKindOf(figure string) (contact.Kind, bool) {
	kind, ok := contact.KindForChannel(sc.Floor.Channel)
	switch figure {
	case "receivedCalls":
		return kind, ok
	case "outboundReceivedCalls":
		return contact.Outbound, ok && kind == contact.Inbound
	}
	return 0, false
}
