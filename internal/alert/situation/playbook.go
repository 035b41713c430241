package situation

import (
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Playbook describes what to do in the situations that a rule causes.
type Playbook struct {
	Rule string
	// Services and Groups are the codes of the places to which the playbook applies. If both are
	// empty, it applies to all places.
	Services, Groups []string

	Checks         []string // what to check first
	Steps          []string // measures, in order
	PeopleToInform []string // people to inform
	EndCondition   string   // when the situation is over; "": not said
}

// PlaybookItem is an item of a playbook that can be ticked off.
type PlaybookItem struct {
	Section string // "Check", "Do" or "Inform"
	Text    string // unique within the playbook
}

// Items returns the checks, the steps and the people to inform, in this order.
func (p *Playbook) Items() []PlaybookItem {
	var out []PlaybookItem
	for _, section := range []struct {
		name  string
		texts []string
	}{{"Check", p.Checks}, {"Do", p.Steps}, {"Inform", p.PeopleToInform}} {
		for _, text := range section.texts {
			out = append(out, PlaybookItem{section.name, text})
		}
	}
	return out
}

// listsPlace reports whether the playbook lists the place k.
func (p *Playbook) listsPlace(k alert.Key) bool {
	return k.Scope == alert.Service && slices.Contains(p.Services, k.Code) || k.Scope == alert.Group && slices.Contains(p.Groups, k.Code)
}

// FindPlaybook returns the playbook for a place and its alerts, or nil. alerts must be sorted by
// urgency. The first alert whose rule has a playbook for the place decides. A playbook that lists
// the place is preferred to a playbook for all places.
func FindPlaybook(list []Playbook, place alert.Key, alerts []alert.Alert) *Playbook {
	for i := range alerts {
		var general *Playbook
		for j := range list {
			p := &list[j]
			switch {
			case p.Rule != alerts[i].Rule:
			case p.listsPlace(place):
				return p
			case general == nil && len(p.Services)+len(p.Groups) == 0:
				general = p
			}
		}
		if general != nil {
			return general
		}
	}
	return nil
}

// tickLifetime is how long a tick stays valid for the situation at its place.
const tickLifetime = 24 * time.Hour

// NewTick returns a copy of the note n that ticks off an item of a playbook at a place. It is valid
// for tickLifetime.
func NewTick(n model.Note, place alert.Key, item PlaybookItem) model.Note {
	n.Until = n.At.Add(tickLifetime)
	n.Tick = model.PlaybookTick{Scope: string(place.Scope), Code: place.Code, Channel: place.Channel, Item: item.Text}
	return n
}

// Ticks returns the ticks at a place for a situation that began at since, by the text of the item.
// It uses the notes that are active at the time at. notes must be sorted by time.
func Ticks(notes []model.Note, place alert.Key, since, at time.Time) map[string]model.Note {
	out := make(map[string]model.Note)
	for i := range notes {
		n := &notes[i]
		t := &n.Tick
		isHere := t.Item != "" && t.Scope == string(place.Scope) && t.Code == place.Code && t.Channel == place.Channel
		if isHere && !n.At.Before(since) && n.IsActive(at) {
			out[t.Item] = *n
		}
	}
	return out
}
