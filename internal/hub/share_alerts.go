package hub

import (
	"slices"
	"time"

	"wallboard/internal/alert"
)

// Acknowledgements and snoozes apply to all views. The view of the whole floor holds the
// originals. The other views have copies, with notes and names masked for their viewers.

// toFloorKey converts the key of a record in this view to the key of the same record in the view of
// the whole floor. ok is false if there is no such record: a view of a part has floor figures of
// its own.
func (p *sharedView) toFloorKey(k alert.Key) (_ alert.Key, ok bool) {
	switch {
	case k.Scope == alert.Floor && p.partFilter != nil:
		return k, false
	case k.Scope == alert.User:
		k.Code = p.mask.Username(k.Code)
		return k, k.Code != ""
	}
	return k, true
}

// fromFloorKey converts the key of a record on the whole floor to the key of the record in this
// view. ok is false if the viewers of this view may not see the record.
func (p *sharedView) fromFloorKey(k alert.Key) (_ alert.Key, ok bool) {
	in := func(list []string) bool { return len(list) == 0 || slices.Contains(list, k.Code) }
	part := &p.visibility.Part
	switch k.Scope {
	case alert.Floor, alert.Campaign:
		return k, part.IsWholeFloor()
	case alert.Service:
		return k, in(part.Services)
	case alert.Group:
		if part.DerivesGroups() {
			return k, p.showsGroup(k.Code)
		}
		return k, in(part.Groups)
	case alert.User:
		k.Code = p.mask.Replacement(k.Code)
		return k, k.Code != "" && p.visible != nil && p.visible.Users.Get(k.Code) != nil
	case alert.Feed:
	}
	return k, true
}

// showsGroup reports whether the visible snapshot contains the group with a code.
func (p *sharedView) showsGroup(code string) bool {
	if p.visible == nil {
		return false
	}
	for r := range p.visible.Groups.All() {
		if seen, _ := r.Code.Get(); seen == code {
			return true
		}
	}
	return false
}

// maskText returns s with everything hidden that the viewers of this view may not see.
func (p *sharedView) maskText(s string) string { return p.mask.Text(p.partFilter.Text(s)) }

// acknowledge acknowledges the alert with the given ID for the viewer who, in this view and on
// the whole floor. It returns the acknowledged alert.
func (p *sharedView) acknowledge(id, who, note string, now time.Time) (alert.Alert, error) {
	p.mu.Lock()
	taken, err := p.engine.Acknowledge(id, who, note, now)
	key, ok := p.toFloorKey(taken.Key)
	p.mu.Unlock()
	if err != nil {
		return taken, err
	}
	defer p.markActionDone()
	if p.wholeFloor == nil {
		p.storeAlerts([]alert.Alert{taken})
		return taken, nil
	}
	if ok {
		p.wholeFloor.acknowledgeRule(taken.Rule, key, taken.Ack)
	}
	return taken, nil
}

// acknowledgeRule acknowledges the active alert of a rule about a record, if there is one.
func (p *sharedView) acknowledgeRule(rule string, k alert.Key, ack alert.Ack) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.engine.AlertsOf(k) {
		if a.Rule != rule || a.Ack == ack {
			continue
		}
		taken, err := p.engine.Acknowledge(a.ID, ack.By, ack.Note, ack.At)
		if err != nil {
			continue
		}
		p.needsEvaluation.Store(true)
		if p.storeAlerts != nil {
			p.storeAlerts([]alert.Alert{taken})
		}
	}
}

// syncFromFloor copies acknowledgements and snoozes from the view of the whole floor to this
// view. It reports whether the view must be evaluated again.
func (p *sharedView) syncFromFloor() bool {
	if p.wholeFloor == nil {
		return false
	}
	p.wholeFloor.mu.Lock()
	active := p.wholeFloor.engine.Active()
	p.wholeFloor.mu.Unlock()
	snoozes := p.wholeFloor.snoozes.Load().List()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range active {
		a := &active[i]
		key, ok := p.fromFloorKey(a.Key)
		if a.Ack == (alert.Ack{}) || !ok {
			continue
		}
		ack := a.Ack
		ack.By, ack.Note = p.maskText(ack.By), p.maskText(ack.Note)
		for _, mine := range p.engine.AlertsOf(key) {
			// If the levels of a and mine differ, mine will soon have the level of a and get
			// the acknowledgement then.
			if mine.Rule == a.Rule && mine.Ack != ack && mine.Level == a.Level {
				if _, err := p.engine.Acknowledge(mine.ID, ack.By, ack.Note, ack.At); err == nil { // otherwise the alert has ended
					p.needsEvaluation.Store(true)
				}
			}
		}
	}
	mine := make([]alert.Snooze, 0, len(snoozes))
	for _, z := range snoozes {
		all := len(z.Keys)
		if z, ok := convertKeys(z, p.fromFloorKey); ok {
			if z.Title = p.maskText(z.Title); len(z.Keys) < all {
				z.Title, z.PartlyHidden = "", true // the original title may name records that are hidden here
			}
			mine = append(mine, z)
		}
	}
	p.snoozes.Load().Merge(mine)
	return p.needsEvaluation.Load()
}

// copySnoozeToFloor copies a snooze set by a viewer of this view to the whole floor. If the view is
// a part of the floor, a snooze of all alerts is not copied. The caller must hold p.mu.
func (p *sharedView) copySnoozeToFloor(z alert.Snooze) {
	all := len(z.Keys) == 0 && p.partFilter != nil // a snooze of all alerts in a part of the floor
	if z, ok := convertKeys(z, p.toFloorKey); ok && !all {
		p.wholeFloor.snoozes.Load().Add(z)
	}
}

// convertKeys returns a copy of z with its keys converted by the function to. It drops keys that
// cannot be converted. ok is false if no key remains. A snooze without keys is returned unchanged.
func convertKeys(z alert.Snooze, to func(alert.Key) (alert.Key, bool)) (_ alert.Snooze, ok bool) {
	if len(z.Keys) == 0 {
		return z, true
	}
	keys := make([]alert.Key, 0, len(z.Keys))
	for _, k := range z.Keys {
		if k, ok := to(k); ok && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	z.Keys = keys
	return z, len(keys) > 0
}
