package floorview

import (
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// View holds the data that a board shows: the newest snapshot, the snapshot on the screen (the same
// one unless the view is frozen), and the selected channel.
type View struct {
	Words     *words.Language // language of the viewer; nil: English
	Names     model.Names     // display names for the codes of the platform
	Newest    *model.Snapshot // nil before the first snapshot
	Shown     *model.Snapshot // Newest or, while the view is frozen, the frozen snapshot
	FrozenAt  time.Time       // time of the frozen snapshot, on the local clock; zero: the view is not frozen
	LastData  time.Time       // when data or frames last arrived, on the local clock; zero: never
	LocalNow  time.Time       // local clock, updated once a second; during a replay, the recorded time
	Replay    bool            // the view shows a recording
	ReplayAge time.Duration   // how far a rewound board is behind the live board; 0: the viewer opened a recording

	Channel       model.Channel
	channelChosen bool // the viewer or chooseChannel has chosen the channel
	ShowsOutdated bool // figures are shown even if they are older than BlankAfter
}

// SetNewest sets the newest snapshot and updates LastData. Unless the view is frozen, the view then
// shows the snapshot, and the first one with data may change the channel (see chooseChannel).
func (v *View) SetNewest(s *model.Snapshot) {
	v.updateLastData(&s.Health)
	if v.ReplaceNewest(s); v.FrozenAt.IsZero() {
		v.chooseChannel()
	}
}

// ReplaceNewest replaces the newest snapshot without updating LastData. Unless the view is frozen,
// the view then shows the snapshot.
func (v *View) ReplaceNewest(s *model.Snapshot) {
	if v.Newest = s; v.FrozenAt.IsZero() {
		v.Shown = s
	}
}

// ReplaceAtOtherTime replaces the newest snapshot with s, a snapshot of another time or platform.
// It sets LastData to the time when data or frames last arrived according to s, and to zero if s is
// nil.
func (v *View) ReplaceAtOtherTime(s *model.Snapshot) {
	v.LastData = time.Time{}
	if s != nil {
		v.updateLastData(&s.Health)
	}
	v.ReplaceNewest(s)
}

// Freeze makes the view keep showing the current snapshot when newer snapshots arrive.
func (v *View) Freeze() { v.FrozenAt = v.shownTime() }

// Unfreeze makes the view show the newest snapshot again.
func (v *View) Unfreeze() { v.FrozenAt, v.Shown = time.Time{}, v.Newest }

// SetChannel sets the channel that the view shows. It is called when the viewer chooses a channel.
func (v *View) SetChannel(ch model.Channel) { v.Channel, v.channelChosen = ch, true }

// OnChannel returns a copy of the view that shows the same snapshot on another channel.
func (v *View) OnChannel(ch model.Channel) View {
	other := *v
	other.Channel = ch
	return other
}

// ToServerTime converts a time on the local clock to the server's clock. Without a snapshot it
// returns t.
func (v *View) ToServerTime(t time.Time) time.Time {
	if v.Newest == nil {
		return t
	}
	return t.Add(v.Newest.Health.ClockOffset)
}

// Now returns the time of the shown snapshot, on the server's clock. The time stands still while
// the view is frozen. It also stands still while the connection is down, because it is then unknown
// whether the agents are still in their states.
func (v *View) Now() time.Time {
	if v.Shown == nil {
		return v.LocalNow
	}
	return v.shownTime().Add(v.Shown.Health.ClockOffset)
}

// shownTime returns the time of the shown snapshot, on the local clock.
func (v *View) shownTime() time.Time {
	switch {
	case !v.FrozenAt.IsZero():
		return v.FrozenAt
	case v.Health().Link.State != model.LinkUp && !v.LastData.IsZero() && v.LastData.Before(v.LocalNow):
		return v.LastData
	}
	return v.LocalNow
}

// updateLastData sets LastData to the last arrival of data or frames according to h, unless LastData is
// later. LastData does not go back, because a feed without a connection may have lost its times.
func (v *View) updateLastData(h *model.Health) {
	note := func(t time.Time) {
		if t.After(v.LastData) {
			v.LastData = t
		}
	}
	note(h.Link.LastFrame)
	for i := range h.Subscriptions {
		note(h.Subscriptions[i].LastData)
	}
}

// Health returns the health of the feed in the newest snapshot, even while the view is frozen.
func (v *View) Health() *model.Health {
	if v.Newest == nil {
		return &model.Health{}
	}
	return &v.Newest.Health
}

// Channels returns the channels that occur in the shown snapshot, and the current channel. The
// channels in [model.Channels] come first, in this order, followed by all other channels.
func (v *View) Channels() []model.Channel { return v.channelsOf(v.Shown) }

// channelsOf returns the channels that occur in a snapshot, and the current channel, in the order
// of [View.Channels].
func (v *View) channelsOf(s *model.Snapshot) []model.Channel {
	if s == nil {
		return []model.Channel{v.Channel}
	}
	seen := map[model.Channel]bool{v.Channel: true}
	var others []model.Channel
	note := func(c model.Channel) {
		if !seen[c] {
			seen[c] = true
			if !c.Known() && len(others) < model.NumChannels {
				others = append(others, c)
			}
		}
	}
	for r := range s.Services.All() {
		note(r.Channel)
	}
	for r := range s.Groups.All() {
		note(r.Channel)
	}
	for r := range s.UserStats.All() {
		note(r.Channel)
	}
	for r := range s.Attendants.All() {
		note(r.Channel)
	}
	slices.Sort(others)
	var out []model.Channel
	for _, c := range model.Channels() {
		if seen[c] {
			out = append(out, c)
		}
	}
	if !v.Channel.Known() && !slices.Contains(others, v.Channel) {
		out = append(out, v.Channel)
	}
	return append(out, others...)
}

// chooseChannel switches to a channel in use if no service and no agent uses the initial channel.
// Only the first call with a snapshot that contains services or agents has an effect.
func (v *View) chooseChannel() {
	if v.channelChosen || v.Shown.Services.Len()+v.Shown.UserStats.Len() == 0 {
		return
	}
	v.channelChosen = true
	for r := range v.Shown.Services.All() {
		if r.Channel == v.Channel {
			return
		}
	}
	for r := range v.Shown.UserStats.All() {
		if r.Channel == v.Channel {
			return
		}
	}
	if channels := v.Channels(); len(channels) > 1 {
		v.Channel = channels[1]
	}
}
