package floorview

import (
	"strconv"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// RecordKind is the kind of a record that has a detail page.
type RecordKind int

// Values of [RecordKind].
const (
	Service RecordKind = iota
	Group
	Agent
	Campaign
	Subscription
)

// NameKind returns the kind of configured name that records of this kind have. It returns "" if
// they have none.
func (k RecordKind) NameKind() model.NameKind {
	return [...]model.NameKind{
		model.NameService, model.NameGroup, model.NameUser, model.NameCampaign, "",
	}[k]
}

// Target is the agent or the campaign to which an action applies. It was selected when the viewer
// pressed the key of the action.
type Target struct {
	Kind RecordKind
	Key  string // user name of the agent or ID of the campaign; "": there is no target
	Name string
}

// IsSet reports whether there is a target.
func (t Target) IsSet() bool { return t.Key != "" }

// CampaignID returns the ID of the campaign. The target must be a campaign.
func (t Target) CampaignID() int {
	n, _ := strconv.Atoi(t.Key) // the key of a campaign is a number
	return n
}

// TargetOf returns the target for an agent or a campaign. The bool result is false for other kinds
// and for invalid keys, because actions cannot apply to them.
func (v *View) TargetOf(k RecordKind, key string) (Target, bool) {
	switch k {
	case Agent:
		return Target{k, key, v.uniqueAgentName(key)}, key != ""
	case Campaign:
		_, err := strconv.ParseInt(key, 10, 32)
		name := v.Names.NameInSnapshot(v.Shown, model.NameCampaign, key)
		if name == key {
			name = words.ViewCampaign(key).In(v.Words)
		}
		return Target{k, key, name}, err == nil
	case Service, Group, Subscription:
	}
	return Target{}, false
}

// AgentName returns the display name of a user.
func (v *View) AgentName(username string) string {
	return textformat.PersonName(v.Shown, v.Names, username, v.Channel)
}

// ChannelName returns the display name of the channel on the screen.
func (v *View) ChannelName() string { return words.ChannelName(v.Channel).In(v.Words) }

// uniqueAgentName returns the display name of a user. If another user has the same name, the result
// also contains the user name, so that viewers do not choose the wrong agent.
func (v *View) uniqueAgentName(username string) string {
	name := v.AgentName(username)
	if v.Shown == nil || name == username {
		return name
	}
	me := v.Shown.Users.Get(username)
	for u := range v.Shown.Users.All() {
		id := u.Key()
		if id == username {
			continue
		}
		ownName := v.Names.NameOf(model.NameUser, id)
		if ownName == name || ownName == id && me != nil && u.Surname == me.Surname && u.Name == me.Name {
			return name + " (" + username + ")"
		}
	}
	return name
}

// NameAndCode returns the name of a code, followed by the code in parentheses. If the name is
// unknown, it returns only the code.
func (v *View) NameAndCode(kind model.NameKind, code string) string {
	if code == "" {
		return ""
	}
	if name := v.Names.NameInSnapshot(v.Shown, kind, code); name != code {
		return name + " (" + code + ")"
	}
	return code
}

// MissingReason returns a message for a target that is missing from the newest snapshot, so that
// actions on it are impossible. It returns "" if the target exists or if there is no snapshot.
func (v *View) MissingReason(t Target) string {
	s := v.Newest
	if s == nil || !t.IsSet() {
		return ""
	}
	switch t.Kind {
	case Agent:
		if status, _, ok := CallState(s, t.Key); !ok || status == "" && s.Users.Get(t.Key) == nil {
			return words.ViewAgentLeft(t.Name).In(v.Words)
		}
	case Campaign:
		if s.Campaigns.Get(int64(t.CampaignID())) == nil {
			return words.ViewNoFigures(t.Name).In(v.Words)
		}
	case Service, Group, Subscription:
	}
	return ""
}

// CallState returns the state of an agent on calls and when that state began, either of which may
// be unknown. ok is false if the platform does not list the agent.
func CallState(s *model.Snapshot, username string) (status model.UserStatus, since model.Instant, ok bool) {
	u := s.Users.Get(username)
	if u != nil {
		status, ok = u.StateOn(model.Call), true
	}
	if r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: model.Call}); r != nil && (ok || s.Users.Len() == 0) {
		status, since, ok = r.Status, r.TimeInState, true
	}
	return status, since, ok
}

// CurrentState describes the state of a target in the newest snapshot, for a dialog. If the data is
// stale, the description contains the age of the data. CurrentState returns "" if the state is
// unknown.
func (v *View) CurrentState(lk *style.Look, t Target) string {
	sub := model.OpUserStats
	if t.Kind == Campaign {
		sub = model.OpCampaigns
	}
	text := v.NewestState(lk, t)
	if d := v.DoubtAbout(sub); text != "" && d.Stale {
		text = words.ViewStateStale(text, v.StalenessText(lk, d)).In(lk.Format.Words)
	}
	return text
}

// NewestState describes the state of a target in the newest snapshot. It returns "" if the state
// is unknown.
func (v *View) NewestState(lk *style.Look, t Target) string {
	s := v.Newest
	if s == nil || !t.IsSet() {
		return ""
	}
	switch t.Kind {
	case Agent:
		status, since, ok := CallState(s, t.Key)
		if !ok || status == "" {
			return ""
		}
		text := render.StateOf(status, model.Call).Word.In(lk.Format.Words)
		at := v.LocalNow
		if !v.IsLinkUp() && !v.LastData.IsZero() && v.LastData.Before(at) {
			at = v.LastData // durations after this time are unknown
		}
		if d, ok := since.Since(v.ToServerTime(at)); ok {
			text = words.ViewStateFor(text, d).In(lk.Format.Words)
		}
		return text
	case Campaign:
		if r := s.Campaigns.Get(int64(t.CampaignID())); r != nil {
			f := func(n model.Int) string { return string(lk.Format.Int(nil, n)) }
			lines := words.ViewLines(f(r.UsedChannels), f(r.AllocatedChannels))
			return words.ViewCampaignState(render.CampaignStateOf(r).State().Word, f(r.TalkingContacts), f(r.RingingContacts), lines).In(lk.Format.Words)
		}
	case Service, Group, Subscription:
	}
	return ""
}
