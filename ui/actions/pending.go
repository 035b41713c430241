package actions

import (
	"slices"
	"time"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// How long an action is marked on its row.
const (
	patience   = 30 * time.Second // time for the feed to show it
	markLasts  = 10 * time.Second // after the end
	doubtLasts = 5 * time.Minute  // if the feed never shows it
	clockSlack = 2 * time.Second  // accuracy of the platform's clock
	hostsSlack = 15 * time.Second // assumed difference between clocks of the platform's hosts
)

// markState is the state of a marked action.
type markState int

const (
	markPending     markState = iota // the feed does not show it yet
	markUnconfirmed                  // overdue in the feed, or the outcome is unknown
	markConfirmed                    // the feed shows it
	markRejected
	markNotSent
)

// mark is an action that is shown on its row.
type mark struct {
	record     uint64 // number in the log
	about      snapshot.Target
	verb       resource.Operation
	asked      time.Time // on the local clock
	serverTime time.Time // on the server's clock
	before     baseline
	heard      bool // the outcome has arrived
	accepted   bool // the platform has accepted it
	state      markState
	until      time.Time // on the local clock; zero: until the state changes
	text       string    // text of the outcome
}

// baseline is the state of a target before an action.
type baseline struct {
	status   model.UserStatus
	since    model.Instant
	campaign *model.Campaign // nil: unknown
}

func baselineOf(v *snapshot.View, t snapshot.Target) baseline {
	var b baseline
	switch {
	case v.Newest == nil:
	case t.Kind == snapshot.Campaign:
		b.campaign = v.Newest.Campaigns.Get(int64(t.ID()))
	default:
		b.status, b.since, _ = snapshot.CallState(v.Newest, t.Key)
	}
	return b
}

// pending holds the marked actions.
type pending struct {
	list []mark        // newest last
	rows *render.Marks // marks for the rows; nil: none
}

// begin marks the row of an order.
func (b *pending) begin(lk *style.Look, v *snapshot.View, o order, record uint64) {
	if !o.about.Some() {
		return
	}
	b.list = slices.DeleteFunc(b.list, func(m mark) bool {
		return m.about.Kind == o.about.Kind && m.about.Key == o.about.Key && !m.waits()
	})
	b.list = append(b.list, mark{
		record: record, about: o.about, verb: o.verb, asked: v.Ours, serverTime: v.Server(v.Ours), before: baselineOf(v, o.about),
	})
	b.show(lk)
}

// end applies the outcome. A negative one always overrides the feed; a positive one counts
// if the feed cannot show the effect.
func (b *pending) end(lk *style.Look, v *snapshot.View, record uint64, r resource.Report) {
	for i := range b.list {
		m := &b.list[i]
		if m.record != record {
			continue
		}
		m.heard, m.accepted, m.text = true, r.Outcome == resource.Confirmed, r.Text
		switch {
		case r.Outcome == resource.Rejected:
			m.settle(markRejected, v.Ours.Add(markLasts))
		case r.Outcome == resource.NotSent:
			m.settle(markNotSent, v.Ours.Add(markLasts))
		case r.Outcome == resource.Unknown && m.state != markConfirmed:
			m.settle(markUnconfirmed, v.Ours.Add(doubtLasts))
		case m.accepted && !m.shows():
			m.settle(markConfirmed, v.Ours.Add(markLasts))
		}
	}
	b.supersede()
	b.follow(lk, v)
	b.show(lk)
}

// supersede drops marks whose effect a later action on the same target has hidden.
func (b *pending) supersede() {
	all := slices.Clone(b.list)
	b.list = slices.DeleteFunc(b.list, func(m mark) bool {
		return m.waits() && slices.ContainsFunc(all, func(later mark) bool {
			return later.record > m.record && later.about.Kind == m.about.Kind && later.about.Key == m.about.Key &&
				feedShows(later.verb) && (later.accepted || later.state == markConfirmed)
		})
	})
}

// waiting returns which action on a target is still open, for dialogs; "" for none.
func (b *pending) waiting(lk *style.Look, t snapshot.Target) string {
	for _, m := range slices.Backward(b.list) {
		if m.waits() && t.Some() && m.about.Kind == t.Kind && m.about.Key == t.Key {
			return "Still open: " + m.verb.Words() + ", asked for at " + string(lk.Format.Clock(nil, m.serverTime)) + "."
		}
	}
	return ""
}

func (m *mark) settle(s markState, until time.Time) { m.state, m.until = s, until }

// waits reports whether the feed may still show the effect.
func (m *mark) waits() bool { return m.state == markPending || m.state == markUnconfirmed }

// follow updates the marks from the newest snapshot and the clock, and reports whether any
// changed.
func (b *pending) follow(lk *style.Look, v *snapshot.View) bool {
	if len(b.list) == 0 {
		return false
	}
	changed := false
	for i := range b.list {
		m := &b.list[i]
		switch {
		case m.waits() && v.Newest != nil && m.shownBy(v.Newest):
			m.settle(markConfirmed, v.Ours.Add(markLasts))
			changed = true
		case m.state == markPending && !v.Ours.Before(m.asked.Add(patience)) && !m.drains(v.Newest):
			m.settle(markUnconfirmed, v.Ours.Add(doubtLasts))
			changed = true
		}
	}
	n := len(b.list)
	b.list = slices.DeleteFunc(b.list, func(m mark) bool { return !m.until.IsZero() && !v.Ours.Before(m.until) })
	b.supersede()
	if changed = changed || len(b.list) != n; changed {
		b.show(lk)
	}
	return changed
}

// feedShows reports whether the feed shows the effect of an operation.
func feedShows(v resource.Operation) bool {
	switch v { //nolint:exhaustive // other operations have only the outcome
	case resource.OpDial, resource.OpHangUp, resource.OpCampaignStart, resource.OpCampaignStop:
		return true
	}
	return false
}

// shows reports whether the feed can show the effect: the start of a campaign that was
// running already is not visible.
func (m *mark) shows() bool {
	return feedShows(m.verb) && (m.verb != resource.OpCampaignStart || !running(m.before.campaign))
}

// running reports whether a campaign is known to dial. If all its lines are in
// conversations, it may have been stopped.
func running(c *model.Campaign) bool {
	return c != nil && (c.RingingContacts.Or(0) > 0 || c.UsedChannels.Or(0) > 0 && c.AllocatedChannels.Or(0) > c.UsedChannels.Or(0))
}

// shownBy reports whether a snapshot shows the effect.
func (m *mark) shownBy(s *model.Snapshot) bool {
	switch m.verb { //nolint:exhaustive // see feedShows
	case resource.OpDial, resource.OpHangUp:
		return m.callShownBy(s)
	case resource.OpCampaignStart, resource.OpCampaignStop:
		return m.campaignShownBy(s)
	}
	return false
}

// callShownBy reports whether the agent's state has changed since the action; after
// dialing, to a state on a call.
func (m *mark) callShownBy(s *model.Snapshot) bool {
	status, since, ok := snapshot.CallState(s, m.about.Key)
	if !ok {
		return m.verb == resource.OpHangUp // logged out
	}
	if status == m.before.status && since == m.before.since {
		return false
	}
	if m.beganBefore(since) {
		return false
	}
	switch status {
	case model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return true
	case model.Busy, model.NotReadyBusy: // it may be an incoming contact: the outcome is needed, too
		return m.verb == resource.OpHangUp || m.heard && m.state == markPending
	case model.Ready, model.NotReady, model.BusyElsewhere, model.Booked, model.WNR, model.BusyDNCallIn:
	}
	return m.verb == resource.OpHangUp
}

// beganBefore reports whether a state began before the action. Clocks of the platform's
// hosts may differ, so states seen after the platform accepted the action are compared with
// more tolerance.
func (m *mark) beganBefore(since model.Instant) bool {
	slack := clockSlack
	if m.accepted {
		slack = hostsSlack
	}
	t, ok := since.Get()
	return ok && t.Before(m.serverTime.Add(-slack))
}

// campaignShownBy reports whether the campaign's lines have started or come to rest.
func (m *mark) campaignShownBy(s *model.Snapshot) bool {
	is, was := s.Campaigns.Get(int64(m.about.ID())), m.before.campaign
	if is == nil || was == nil || is == was || !m.shows() {
		return false
	}
	if m.verb == resource.OpCampaignStop {
		return is.AllocatedChannels == model.IntOf(0) || is.UsedChannels == model.IntOf(0) && is.RingingContacts == model.IntOf(0)
	}
	return is.AllocatedChannels.Or(0) > was.AllocatedChannels.Or(0) ||
		is.UsedChannels.Or(0) > was.UsedChannels.Or(0) || is.StartedCalls.Or(0) > was.StartedCalls.Or(0)
}

// drains reports whether a stopped campaign only waits for ongoing conversations: it has no
// lines beyond those in use.
func (m *mark) drains(s *model.Snapshot) bool {
	if m.verb != resource.OpCampaignStop || !m.heard || s == nil {
		return false
	}
	is := s.Campaigns.Get(int64(m.about.ID()))
	return is != nil && is.TalkingContacts.Or(0) > 0 && is.AllocatedChannels.Known() &&
		is.AllocatedChannels.Or(0) <= is.UsedChannels.Or(0)
}

// show creates the marks for the rows, the newest of each row. A refused action does not
// hide one that is still open.
func (b *pending) show(lk *style.Look) {
	if len(b.list) == 0 {
		b.rows = nil
		return
	}
	out := &render.Marks{Agents: map[string]render.Mark{}, Campaigns: map[string]render.Mark{}}
	for i := range b.list {
		m := &b.list[i]
		sign := m.state.look(lk.ASCII)
		sign.Word, sign.Text = shortVerb(m.verb), m.sentence(lk)
		rows := out.Agents
		if m.about.Kind == snapshot.Campaign {
			rows = out.Campaigns
		}
		refused := m.state == markRejected || m.state == markNotSent
		if _, other := rows[m.about.Key]; !other || !refused {
			rows[m.about.Key] = sign
		}
	}
	b.rows = out
}

// look returns the glyph and the color of a state.
func (s markState) look(ascii bool) render.Mark {
	pick := func(glyph, plain string, t themes.Token) render.Mark {
		if ascii {
			glyph = plain
		}
		return render.Mark{Glyph: glyph, Token: t}
	}
	switch s {
	case markPending:
		return pick("◌", "o", themes.Pending)
	case markUnconfirmed:
		return pick("?", "?", themes.Warn)
	case markConfirmed:
		return pick("✓", "+", themes.OK)
	case markRejected, markNotSent:
	}
	return pick("✗", "x", themes.Critical)
}

// shortVerb returns a short name for a row.
func shortVerb(v resource.Operation) string {
	switch v { //nolint:exhaustive // other operations have no row
	case resource.OpDial:
		return "dial"
	case resource.OpHangUp:
		return "end"
	case resource.OpRecordingStart, resource.OpRecordingStop:
		return "rec"
	case resource.OpCampaignStart:
		return "start"
	case resource.OpCampaignStop:
		return "stop"
	}
	return "save"
}

// sentence describes the action on the target's page.
func (m *mark) sentence(lk *style.Look) string {
	what := m.verb.Words() + ", asked for at " + string(lk.Format.Clock(nil, m.serverTime))
	switch m.state {
	case markPending:
		what = "Pending: " + what + "."
		switch {
		case m.accepted:
			return what + " The platform accepted it; the figures do not show it yet."
		case feedShows(m.verb):
			what += " No answer yet."
		}
	case markUnconfirmed:
		if m.accepted {
			return "Unconfirmed: " + what + ". The platform accepted it, but the figures have not shown it."
		}
		what = "Unconfirmed: " + what + "; the figures have not shown it."
	case markConfirmed:
		what = "Confirmed: " + what + "."
	case markRejected:
		what = "Rejected: " + what + "."
	case markNotSent:
		what = "Not sent: " + what + "."
	}
	if m.text != "" && m.state != markConfirmed {
		what += " " + m.text
	}
	return what
}
