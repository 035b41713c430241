package floor

import (
	"slices"
	"time"

	"wallboard/model"
	"wallboard/ui/look"
)

// View is the picture of the floor that a board shows, and when it was true.
type View struct {
	Names  model.Names     // what people call the platform's codes
	Newest *model.Snapshot // nil before the first
	Shown  *model.Snapshot // newest, or the one the picture was frozen at
	Frozen time.Time       // when the frozen picture was true, on our clock; zero: not frozen
	Heard  time.Time       // when the platform was last heard of, on our clock; zero: never
	Ours   time.Time       // our clock, of the last second; where Past, what it was then
	Past   bool            // it is a recording that is shown
	Behind time.Duration   // how long ago that was, of a board that was rewound; 0: it is another's recording

	Channel    model.Channel
	settled    bool // the channel was chosen, or found to be in use
	LastValues bool // figures that are too old to be shown are shown
}

// Take takes over a new picture, and shows it unless the shown one is frozen.
func (v *View) Take(s *model.Snapshot) {
	v.hear(&s.Health)
	if v.Replace(s); v.Frozen.IsZero() {
		v.settle()
	}
}

// Replace has another picture stand for the newest one.
func (v *View) Replace(s *model.Snapshot) {
	if v.Newest = s; v.Frozen.IsZero() {
		v.Shown = s
	}
}

// Leap goes to a picture of another time or platform: what was heard before it counts
// no more.
func (v *View) Leap(s *model.Snapshot) {
	v.Heard = time.Time{}
	if s != nil {
		v.hear(&s.Health)
	}
	v.Replace(s)
}

// Freeze holds what is shown.
func (v *View) Freeze() { v.Frozen = v.pictured() }

// Thaw shows the newest picture again.
func (v *View) Thaw() { v.Frozen, v.Shown = time.Time{}, v.Newest }

// Choose goes to a channel.
func (v *View) Choose(ch model.Channel) { v.Channel, v.settled = ch, true }

// On returns the view of the same picture on another channel.
func (v *View) On(ch model.Channel) View {
	other := *v
	other.Channel = ch
	return other
}

// Server returns a time of our clock as the server's clock shows it.
func (v *View) Server(t time.Time) time.Time {
	if v.Newest == nil {
		return t
	}
	return t.Add(v.Newest.Health.ClockOffset)
}

// Now is the time of what is shown, on the server's clock. It stands still
// while the picture is frozen, and while there is no connection: how long a
// state has lasted since then is not known.
func (v *View) Now() time.Time {
	if v.Shown == nil {
		return v.Ours
	}
	return v.pictured().Add(v.Shown.Health.ClockOffset)
}

// pictured is when what is shown was true, on our clock.
func (v *View) pictured() time.Time {
	switch {
	case !v.Frozen.IsZero():
		return v.Frozen
	case v.Health().Link.State != model.LinkUp && !v.Heard.IsZero() && v.Heard.Before(v.Ours):
		return v.Heard
	}
	return v.Ours
}

// hear notes when the platform was last heard of. A feed that has lost its
// connection may no longer know.
func (v *View) hear(h *model.Health) {
	note := func(t time.Time) {
		if t.After(v.Heard) {
			v.Heard = t
		}
	}
	note(h.Link.LastFrame)
	for i := range h.Subscriptions {
		note(h.Subscriptions[i].LastData)
	}
}

// Health returns the state of the feed now, frozen picture or not.
func (v *View) Health() *model.Health {
	if v.Newest == nil {
		return &model.Health{}
	}
	return &v.Newest.Health
}

// Age returns how long ago a time of our clock was: "0:42".
func (v *View) Age(lk *look.Look, t time.Time) string { return lk.Duration(v.Ours.Sub(t)) }

// Channels returns the channels of what is shown; see channelsOf.
func (v *View) Channels() []model.Channel { return v.channelsOf(v.Shown) }

// channelsOf returns the channels that a floor has, in the order of document
// 2; others follow as they come. The present one is always among them.
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

// settle leaves calls, the channel the board begins with, for the first
// channel that the floor has, once.
func (v *View) settle() {
	if v.settled || v.Shown.Services.Len()+v.Shown.UserStats.Len() == 0 {
		return
	}
	v.settled = true
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
	if chs := v.Channels(); len(chs) > 1 {
		v.Channel = chs[1]
	}
}
