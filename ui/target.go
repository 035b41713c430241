package ui

import (
	"strconv"

	"wallboard/model"
	"wallboard/ui/render"
)

// target is an agent or a campaign that something is to be done with. It is
// kept as it was when the key was pressed.
type target struct {
	kind kind
	key  string // "" is no target
	name string
}

// some reports whether there is a target.
func (t target) some() bool { return t.key != "" }

// id returns the campaign's id.
func (t target) id() int {
	n, _ := strconv.Atoi(t.key) // the keys of campaigns are numbers
	return n
}

// targetOf names what is to be acted on, if it can be.
func (sc *scene) targetOf(k kind, key string) (target, bool) {
	switch k {
	case kindAgent:
		return target{k, key, sc.agentApart(key)}, key != ""
	case kindCampaign:
		_, err := strconv.ParseInt(key, 10, 32)
		name := sc.Names.Of(model.NameCampaign, key)
		if name == key {
			name = "campaign " + key
		}
		return target{k, key, name}, err == nil
	case kindService, kindGroup, kindSubscription:
	}
	return target{}, false
}

// agentName is what people call a user.
func (sc *scene) agentName(username string) string {
	if name := sc.Names.Of(model.NameUser, username); name != username || sc.shown == nil {
		return name
	}
	if u := sc.shown.Users.Get(username); u != nil {
		return fullName(u, username)
	}
	return username
}

// agentApart is agentName with the user name when somebody else is called the
// same: nobody is to act on the wrong one.
func (sc *scene) agentApart(username string) string {
	name := sc.agentName(username)
	if sc.shown == nil || name == username {
		return name
	}
	me := sc.shown.Users.Get(username)
	for u := range sc.shown.Users.All() {
		id := u.Key()
		if id == username {
			continue
		}
		own := sc.Names.Of(model.NameUser, id)
		if own == name || own == id && me != nil && u.Surname == me.Surname && u.Name == me.Name {
			return name + " (" + username + ")"
		}
	}
	return name
}

// called is a code with its name.
func (sc *scene) called(kind model.NameKind, code string) string {
	if code == "" {
		return ""
	}
	if name := sc.Names.Of(kind, code); name != code {
		return name + " (" + code + ")"
	}
	return code
}

// subject returns what the viewer points at: what he has opened, or the row
// that is selected.
func (m *Model) subject() (target, bool) {
	if s := m.opened[m.current]; len(s) > 0 {
		if d := s[len(s)-1]; d.onText {
			return m.scene.targetOf(d.kind, d.key)
		}
	}
	k, key, _, ok := m.pointed()
	if !ok {
		return target{}, false
	}
	return m.scene.targetOf(k, key)
}

// pointed returns what the selected row is about, or the agent under the cursor
// of a map, and the channel that it is shown on; "" is the one on the screen.
func (m *Model) pointed() (of kind, key string, on model.Channel, ok bool) {
	if page, is := m.page().(*mosaic); is {
		if agents := page.mapHeld(); agents != nil {
			return kindAgent, agents.cursor, agents.pane.channel, agents.selected() >= 0
		}
	}
	p := m.page().focused()
	if p == nil || p.target == nil {
		return 0, "", "", false
	}
	row, ok := p.table.Selected()
	if !ok {
		return 0, "", "", false
	}
	of, key, ok = p.target(row)
	return of, key, p.channel, ok
}

// gone says that a target can no longer be acted on, as far as the newest
// picture tells; "" when it can.
func (sc *scene) gone(t target) string {
	s := sc.newest
	if s == nil || !t.some() {
		return ""
	}
	switch t.kind {
	case kindAgent:
		if status, _, ok := callState(s, t.key); !ok || status == "" && s.Users.Get(t.key) == nil {
			return t.name + " has logged out: the platform no longer lists this agent."
		}
	case kindCampaign:
		if s.Campaigns.Get(int64(t.id())) == nil {
			return "The platform no longer sends figures of " + t.name + "."
		}
	case kindService, kindGroup, kindSubscription:
	}
	return ""
}

// callState returns an agent's state on calls and since when it lasts, as far
// as that is known; ok is false for somebody whom the platform does not list.
func callState(s *model.Snapshot, username string) (status model.UserStatus, since model.Instant, ok bool) {
	u := s.Users.Get(username)
	if u != nil {
		status, ok = u.Statuses.Call, true
	}
	if r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: model.Call}); r != nil && (ok || s.Users.Len() == 0) {
		status, since, ok = r.Status, r.TimeInState, true
	}
	return status, since, ok
}

// doingNow says what a target is doing, for the dialogs about it, and since
// when nobody knows better.
func (sc *scene) doingNow(t target) string {
	sub := subAgents
	if t.kind == kindCampaign {
		sub = subCampaigns
	}
	text := sc.lastSeen(t)
	if d := sc.doubtAbout(sub); text != "" && d.stale {
		text += " (" + sc.staleWord(d) + ")"
	}
	return text
}

// lastSeen says what a target did in the newest picture.
func (sc *scene) lastSeen(t target) string {
	s := sc.newest
	if s == nil || !t.some() {
		return ""
	}
	switch t.kind {
	case kindAgent:
		status, since, ok := callState(s, t.key)
		if !ok || status == "" {
			return ""
		}
		text := render.StateOf(status, model.Call).Word
		at := sc.ours
		if !sc.linkUp() && !sc.heard.IsZero() && sc.heard.Before(at) {
			at = sc.heard // how long it has lasted since then is not known
		}
		if d, ok := since.Since(sc.server(at)); ok {
			text += " for " + sc.look.Duration(d)
		}
		return text
	case kindCampaign:
		if r := s.Campaigns.Get(int64(t.id())); r != nil {
			f := func(n model.Int) string { return string(sc.look.Format.Int(nil, n)) }
			return render.CampaignStateOf(r).State().Word + ", " + f(r.TalkingContacts) + " talking, " +
				f(r.RingingContacts) + " ringing, " + f(r.UsedChannels) + " of " + f(r.AllocatedChannels) + " lines"
		}
	case kindService, kindGroup, kindSubscription:
	}
	return ""
}
