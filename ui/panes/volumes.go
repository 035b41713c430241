package panes

import (
	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
)

// Baseline compares today with other days.
type Baseline interface {
	// Kinds returns the kinds of contact that can be compared on the channel of a view.
	Kinds(v *snapshot.View) []contact.Kind
	// Today returns today's comparison of a kind; ok is false if there is none.
	Today(kind contact.Kind) (c contact.Comparison, ok bool)
	// IsRequesting reports whether a request for the baseline is pending.
	IsRequesting() bool
}

// comparableKinds returns the kinds of contact that can be compared on the current channel.
func (sc *Scene) comparableKinds() []contact.Kind {
	if sc.Baseline == nil {
		return nil
	}
	return sc.Baseline.Kinds(sc.Floor)
}

// todayComparison returns today's comparison of a kind.
func (sc *Scene) todayComparison(kind contact.Kind) (contact.Comparison, bool) {
	if sc.Baseline == nil {
		return contact.Comparison{}, false
	}
	return sc.Baseline.Today(kind)
}

// replaceByVolumes replaces tiles of head counts, which the bar of the agents' states also shows, with
// tiles of the day's volumes compared to the baseline. It keeps head counts with an alert. Answered
// and abandoned contacts cannot be compared, because the platform keeps no history of them.
func (o *floorFigures) replaceByVolumes(sc *Scene, all []plots.Tile) {
	calls := &o.floor.Calls
	for _, kind := range sc.comparableKinds() {
		index, n, name := tileIndex(figureLoggedIn), calls.ReceivedCalls, "Received"
		if kind == contact.Outbound {
			index, n, name = tileIndex(figureWrapUp), calls.OutboundReceivedCalls, "Outbound"
		}
		if all[index].Level == render.Normal {
			all[index] = o.volumeTile(sc, kind, name, n)
		}
	}
}

// volumeTile returns the tile of a volume of the day compared to the baseline.
func (o *floorFigures) volumeTile(sc *Scene, kind contact.Kind, name string, n model.Int) plots.Tile {
	t := plots.Tile{Label: name + " vs usual", ShortLabel: name, Value: string(sc.Look.Format.Int(nil, n)), Dim: !n.Known()}
	if !n.Known() {
		return t
	}
	var ok bool
	if t.SmallText, t.Reference, ok = sc.compareWithBaseline(kind); !ok {
		t.Reference = "usual is not known"
		if sc.Baseline != nil && sc.Baseline.IsRequesting() {
			t.Reference = "asking for the usual"
		}
	}
	if f, known := sc.Forecast("", sc.Floor.Channel, &o.floor.Calls); ok && known && f.ContactsKnown && kind != contact.Outbound {
		t.ForecastRange, t.ShortForecast = "forecast "+f.ContactsBand(), "forecast "+forecast.FormatEstimate(f.Contacts.Likely)
	}
	day, _ := sc.todayComparison(kind)
	for i, h := range day.Day.Hours {
		if ok && h.Known && !h.Partial && i < 24 {
			t.Series = append(t.Series, float64(h.Count))
		}
	}
	return t
}

// compareWithBaseline returns the difference of today from the baseline, as a percentage and in words; ok
// is false if it is unknown.
func (sc *Scene) compareWithBaseline(kind contact.Kind) (change, words string, ok bool) {
	d, ok := sc.todayComparison(kind)
	if !ok {
		return "", "", false
	}
	share, known := d.Change()
	if !known {
		return "", d.Volume().String(), true
	}
	change = model.SignedPercent(share)
	return change, change + " vs usual", true
}

// contactKindOf returns the kind of contact that a figure of the floor counts.
func (sc *Scene) contactKindOf(figure string) (contact.Kind, bool) {
	kind, ok := contact.KindOn(sc.Floor.Channel)
	switch figure {
	case "receivedCalls":
		return kind, ok
	case "outboundReceivedCalls":
		return contact.Outbound, ok && kind == contact.Inbound
	}
	return 0, false
}
