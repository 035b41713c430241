package hub

import (
	"slices"
	"time"

	"wallboard/alert"
)

// What people do about alerts they do on all pictures. That of everything is where it
// is kept; the others take it over from there, in the words that they may see.

// real is a record of this picture as it is called where everything is seen. ok is
// false for what is another one here: the floor of who sees a part of it.
func (p *picture) real(k alert.Key) (_ alert.Key, ok bool) {
	switch {
	case k.Scope == alert.Floor && p.part != nil:
		return k, false
	case k.Scope == alert.User:
		k.Code = p.mask.Username(k.Code)
		return k, k.Code != ""
	}
	return k, true
}

// called is the way back. What is not seen here is called nothing.
func (p *picture) called(k alert.Key) (_ alert.Key, ok bool) {
	in := func(list []string) bool { return len(list) == 0 || slices.Contains(list, k.Code) }
	part := &p.sight.Part
	switch k.Scope {
	case alert.Floor, alert.Campaign:
		return k, part.All()
	case alert.Service:
		return k, in(part.Services)
	case alert.Group:
		if part.DerivesGroups() {
			return k, p.showsGroup(k.Code)
		}
		return k, in(part.Groups)
	case alert.User:
		k.Code = p.mask.Code(k.Code)
		return k, k.Code != "" && p.shown != nil && p.shown.Users.Get(k.Code) != nil
	case alert.Feed:
	}
	return k, true
}

// showsGroup reports whether a group is in the picture.
func (p *picture) showsGroup(code string) bool {
	if p.shown == nil {
		return false
	}
	for r := range p.shown.Groups.All() {
		if seen, _ := r.Code.Get(); seen == code {
			return true
		}
	}
	return false
}

// text is a text of somebody who may see more, as it may be read here.
func (p *picture) text(s string) string { return p.mask.Text(p.part.Text(s)) }

// acknowledge notes who has taken an alert over, here and where everything is seen.
func (p *picture) acknowledge(id, who, note string, now time.Time) (alert.Alert, error) {
	p.mu.Lock()
	taken, err := p.engine.Acknowledge(id, who, note, now)
	key, ok := p.real(taken.Key)
	p.mu.Unlock()
	if err != nil {
		return taken, err //nolint:wrapcheck // it is the engine's, to the board
	}
	defer p.acted()
	if p.whole == nil {
		p.keep([]alert.Alert{taken})
		return taken, nil
	}
	if ok {
		p.whole.take(taken.Rule, key, taken.Ack)
	}
	return taken, nil
}

// take notes on the alert of a rule about a record who has taken it over, if there is
// one.
func (p *picture) take(rule string, k alert.Key, ack alert.Ack) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.engine.Of(k) {
		if a.Rule != rule || a.Ack == ack {
			continue
		}
		taken, err := p.engine.Acknowledge(a.ID, ack.By, ack.Note, ack.At)
		if err != nil {
			continue
		}
		p.anew.Store(true)
		if p.keep != nil {
			p.keep([]alert.Alert{taken})
		}
	}
}

// agree takes over what people did on other pictures, and reports whether that was
// anything new.
func (p *picture) agree() bool {
	if p.whole == nil {
		return false
	}
	p.whole.mu.Lock()
	active := p.whole.engine.Active()
	p.whole.mu.Unlock()
	snoozes := p.whole.snoozes.Load().List()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range active {
		a := &active[i]
		key, ok := p.called(a.Key)
		if a.Ack == (alert.Ack{}) || !ok {
			continue
		}
		ack := a.Ack
		ack.By, ack.Note = p.text(ack.By), p.text(ack.Note)
		for _, mine := range p.engine.Of(key) {
			// Of another level it is about to become what it is there.
			if mine.Rule == a.Rule && mine.Ack != ack && mine.Level == a.Level {
				if _, err := p.engine.Acknowledge(mine.ID, ack.By, ack.Note, ack.At); err == nil { // else it is over
					p.anew.Store(true)
				}
			}
		}
	}
	mine := make([]alert.Snooze, 0, len(snoozes))
	for _, z := range snoozes {
		all := len(z.Keys)
		if z, ok := translated(z, p.called); ok {
			if z.Title = p.text(z.Title); len(z.Keys) < all {
				z.Title = "some of what you see" // the others may be called by any name
			}
			mine = append(mine, z)
		}
	}
	p.snoozes.Load().Merge(mine)
	return p.anew.Load()
}

// snoozed tells where everything is seen what somebody has snoozed here. Who calls
// holds the lock of this picture.
func (p *picture) snoozed(z alert.Snooze) {
	all := len(z.Keys) == 0 && p.part != nil // of what is seen here
	if z, ok := translated(z, p.real); ok && !all {
		p.whole.snoozes.Load().Add(z)
	}
}

// translated is a snooze with other names of its records; ok is false where none of
// them is left.
func translated(z alert.Snooze, to func(alert.Key) (alert.Key, bool)) (_ alert.Snooze, ok bool) {
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
