package actions

import (
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// Durations for which an action is marked on the row of its target.
const (
	feedTimeout         = 30 * time.Second // how long an action is pending until it becomes unconfirmed
	markDuration        = 10 * time.Second // how long an action is marked as confirmed, rejected or not sent
	unconfirmedDuration = 5 * time.Minute  // how long an action is marked as unconfirmed
)

// Tolerances for comparing times that the platform reports with the time of an action.
const (
	clockTolerance     = 2 * time.Second  // inaccuracy of the platform's clock
	hostClockTolerance = 15 * time.Second // assumed difference between the clocks of the platform's hosts
)

// markState is the state of an action that is marked on a row.
type markState int

const (
	markPending     markState = iota // the feed does not show the effect yet
	markUnconfirmed                  // the feed has not shown the effect in time, or the outcome is unknown
	markConfirmed                    // the feed shows the effect
	markRejected
	markNotSent
)

// actionMark is a recent action that is marked on the row of its target.
type actionMark struct {
	recordNumber uint64 // number of the action in the log
	target       floorview.Target
	operation    resource.Operation
	askedAt      time.Time // on the local clock
	serverTime   time.Time // on the server's clock
	stateBefore  targetState
	hasOutcome   bool // the outcome has arrived
	accepted     bool // the platform has confirmed the action
	state        markState
	expiresAt    time.Time // end of the mark on the local clock; zero: the mark stays until its state changes
	text         string    // message of the outcome, for the detail page of the target
}

// targetState is the state of a target before an action.
type targetState struct {
	status   model.UserStatus
	since    model.Instant
	campaign *model.Campaign // nil: unknown
}

func targetStateOf(v *floorview.View, t floorview.Target) targetState {
	var b targetState
	switch {
	case v.Newest == nil:
	case t.Kind == floorview.Campaign:
		b.campaign = v.Newest.Campaigns.Get(int64(t.CampaignID()))
	default:
		b.status, b.since, _ = floorview.CallState(v.Newest, t.Key)
	}
	return b
}

// pendingMarks holds the recent actions that are marked on the rows of their targets.
type pendingMarks struct {
	list []actionMark        // in order of time, the newest last
	rows *render.ActionMarks // marks that the rows show; nil: none
}

// addMark marks the row of the target of o as pending. It removes earlier marks of the row that no
// longer wait for an effect.
func (b *pendingMarks) addMark(lk *style.Look, v *floorview.View, o actionOrder, record uint64) {
	if !o.markedTarget.IsSet() {
		return
	}
	b.list = slices.DeleteFunc(b.list, func(m actionMark) bool {
		return m.target.Kind == o.markedTarget.Kind && m.target.Key == o.markedTarget.Key && !m.isWaiting()
	})
	b.list = append(b.list, actionMark{
		recordNumber: record, target: o.markedTarget, operation: o.operation, askedAt: v.LocalNow, serverTime: v.ToServerTime(v.LocalNow), stateBefore: targetStateOf(v, o.markedTarget),
	})
	b.buildMarks(lk)
}

// applyOutcome applies the outcome r to the mark of the action with the number record. After a refusal, the
// mark no longer waits for an effect. After an unknown outcome, it is unconfirmed, but waits. After a
// success, it is confirmed at once if the feed cannot show the effect, and otherwise waits.
func (b *pendingMarks) applyOutcome(lk *style.Look, v *floorview.View, record uint64, r words.ActionReport) {
	for i := range b.list {
		m := &b.list[i]
		if m.recordNumber != record {
			continue
		}
		m.hasOutcome, m.accepted, m.text = true, r.Outcome == resource.OutcomeConfirmed, r.Text.In(lk.Format.Words)
		switch {
		case r.Outcome == resource.OutcomeRejected:
			m.setState(markRejected, v.LocalNow.Add(markDuration))
		case r.Outcome == resource.OutcomeNotSent:
			m.setState(markNotSent, v.LocalNow.Add(markDuration))
		case r.Outcome == resource.OutcomeUnknown && m.state != markConfirmed:
			m.setState(markUnconfirmed, v.LocalNow.Add(unconfirmedDuration))
		case m.accepted && !m.isObservable():
			m.setState(markConfirmed, v.LocalNow.Add(markDuration))
		}
	}
	b.dropSuperseded()
	b.update(lk, v)
	b.buildMarks(lk)
}

// dropSuperseded removes a waiting mark if a later action on the same target has succeeded. The
// feed then no longer shows the effect of the earlier action.
func (b *pendingMarks) dropSuperseded() {
	all := slices.Clone(b.list)
	b.list = slices.DeleteFunc(b.list, func(m actionMark) bool {
		return m.isWaiting() && slices.ContainsFunc(all, func(later actionMark) bool {
			return later.recordNumber > m.recordNumber && later.target.Kind == m.target.Kind && later.target.Key == m.target.Key &&
				feedShows(later.operation) && (later.accepted || later.state == markConfirmed)
		})
	})
}

// pendingText describes the last action on a target whose effect is still pending. It returns "" if
// there is none.
func (b *pendingMarks) pendingText(lk *style.Look, t floorview.Target) string {
	for _, m := range slices.Backward(b.list) {
		if m.isWaiting() && t.IsSet() && m.target.Kind == t.Kind && m.target.Key == t.Key {
			return translate(lk, words.ActStillPending(words.OperationTitle(m.operation), string(lk.Format.Clock(nil, m.serverTime))))
		}
	}
	return ""
}

func (m *actionMark) setState(s markState, until time.Time) { m.state, m.expiresAt = s, until }

// isWaiting reports whether the effect of the action may still appear in the feed.
func (m *actionMark) isWaiting() bool { return m.state == markPending || m.state == markUnconfirmed }

// update updates the marks from the newest snapshot and the clock, and removes expired marks. It
// reports whether a mark has changed or was removed.
func (b *pendingMarks) update(lk *style.Look, v *floorview.View) bool {
	if len(b.list) == 0 {
		return false
	}
	changed := false
	for i := range b.list {
		m := &b.list[i]
		switch {
		case m.isWaiting() && v.Newest != nil && m.isVisibleIn(v.Newest):
			m.setState(markConfirmed, v.LocalNow.Add(markDuration))
			changed = true
		case m.state == markPending && !v.LocalNow.Before(m.askedAt.Add(feedTimeout)) && !m.isDraining(v.Newest):
			m.setState(markUnconfirmed, v.LocalNow.Add(unconfirmedDuration))
			changed = true
		}
	}
	n := len(b.list)
	b.list = slices.DeleteFunc(b.list, func(m actionMark) bool { return !m.expiresAt.IsZero() && !v.LocalNow.Before(m.expiresAt) })
	b.dropSuperseded()
	if changed = changed || len(b.list) != n; changed {
		b.buildMarks(lk)
	}
	return changed
}

// feedShows reports whether the feed can show the effect of the operation v.
func feedShows(v resource.Operation) bool {
	switch v { //nolint:exhaustive // other operations have only the outcome
	case resource.OpDial, resource.OpHangUp, resource.OpCampaignStart, resource.OpCampaignStop:
		return true
	}
	return false
}

// isObservable reports whether the feed can show the effect of the action. The feed cannot show the
// start of a campaign that was already running.
func (m *actionMark) isObservable() bool {
	return feedShows(m.operation) && (m.operation != resource.OpCampaignStart || !isDialing(m.stateBefore.campaign))
}

// isDialing reports whether a campaign is certainly dialing. It returns false if all lines of the
// campaign are in conversations, because the campaign may have been stopped.
func isDialing(c *model.Campaign) bool {
	return c != nil && (c.RingingContacts.Or(0) > 0 || c.UsedChannels.Or(0) > 0 && c.AllocatedChannels.Or(0) > c.UsedChannels.Or(0))
}

// isVisibleIn reports whether the snapshot s shows the effect of the action.
func (m *actionMark) isVisibleIn(s *model.Snapshot) bool {
	switch m.operation { //nolint:exhaustive // see feedShows
	case resource.OpDial, resource.OpHangUp:
		return m.isCallVisibleIn(s)
	case resource.OpCampaignStart, resource.OpCampaignStop:
		return m.isCampaignVisibleIn(s)
	}
	return false
}

// isCallVisibleIn reports whether the snapshot s shows the effect of dialing or hanging up. The
// agent must be in a new state that began after the action. After dialing, this must be a state on
// a call. After hanging up, the effect is also visible if the agent has logged out.
func (m *actionMark) isCallVisibleIn(s *model.Snapshot) bool {
	status, since, ok := floorview.CallState(s, m.target.Key)
	if !ok {
		return m.operation == resource.OpHangUp // a user without a state has logged out
	}
	if status == m.stateBefore.status && since == m.stateBefore.since {
		return false
	}
	if m.startedBefore(since) {
		return false
	}
	switch status {
	case model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return true
	case model.Busy, model.NotReadyBusy: // before the outcome arrives, the state may come from an incoming contact
		return m.operation == resource.OpHangUp || m.hasOutcome && m.state == markPending
	case model.Ready, model.NotReady, model.BusyElsewhere, model.Booked, model.WNR, model.BusyDNCallIn:
	}
	return m.operation == resource.OpHangUp
}

// startedBefore reports whether a state that began at since began before the action. The tolerance
// is larger for an action that the platform has accepted, because the clocks of the platform's
// hosts may differ.
func (m *actionMark) startedBefore(since model.Instant) bool {
	slack := clockTolerance
	if m.accepted {
		slack = hostClockTolerance
	}
	t, ok := since.Get()
	return ok && t.Before(m.serverTime.Add(-slack))
}

// isCampaignVisibleIn reports whether the snapshot s shows the effect of starting or stopping a
// campaign. After a start, the campaign has more lines or more started calls than before. After a
// stop, the campaign uses no line.
func (m *actionMark) isCampaignVisibleIn(s *model.Snapshot) bool {
	current, previous := s.Campaigns.Get(int64(m.target.CampaignID())), m.stateBefore.campaign
	if current == nil || previous == nil || current == previous || !m.isObservable() {
		return false
	}
	if m.operation == resource.OpCampaignStop {
		return current.AllocatedChannels == model.IntOf(0) || current.UsedChannels == model.IntOf(0) && current.RingingContacts == model.IntOf(0)
	}
	return current.AllocatedChannels.Or(0) > previous.AllocatedChannels.Or(0) ||
		current.UsedChannels.Or(0) > previous.UsedChannels.Or(0) || current.StartedCalls.Or(0) > previous.StartedCalls.Or(0)
}

// isDraining reports whether a stopped campaign is only waiting for the end of its conversations,
// that is, talking contacts use all of its lines.
func (m *actionMark) isDraining(s *model.Snapshot) bool {
	if m.operation != resource.OpCampaignStop || !m.hasOutcome || s == nil {
		return false
	}
	current := s.Campaigns.Get(int64(m.target.CampaignID()))
	return current != nil && current.TalkingContacts.Or(0) > 0 && current.AllocatedChannels.Known() &&
		current.AllocatedChannels.Or(0) <= current.UsedChannels.Or(0)
}

// buildMarks creates the marks of the rows. A row with several actions shows the newest one. A
// refused action does not hide another action.
func (b *pendingMarks) buildMarks(lk *style.Look) {
	if len(b.list) == 0 {
		b.rows = nil
		return
	}
	out := &render.ActionMarks{Agents: map[string]render.ActionMark{}, Campaigns: map[string]render.ActionMark{}}
	for i := range b.list {
		m := &b.list[i]
		sign := m.state.rowMark(lk.ASCII)
		sign.Word, sign.Text = translate(lk, m.shortName()), translate(lk, m.describe(lk))
		rows := out.Agents
		if m.target.Kind == floorview.Campaign {
			rows = out.Campaigns
		}
		refused := m.state == markRejected || m.state == markNotSent
		if _, other := rows[m.target.Key]; !other || !refused {
			rows[m.target.Key] = sign
		}
	}
	b.rows = out
}

// rowMark returns a mark with the glyph and the color of the state s, and no other fields.
func (s markState) rowMark(ascii bool) render.ActionMark {
	pick := func(glyph, plain string, t themes.Token) render.ActionMark {
		if ascii {
			glyph = plain
		}
		return render.ActionMark{Glyph: glyph, Token: t}
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

// shortName returns a short name of an operation for the mark on a row.
func shortName(v resource.Operation) words.Text {
	switch v { //nolint:exhaustive // other operations have no row
	case resource.OpDial:
		return words.ActMarkDial()
	case resource.OpHangUp:
		return words.ActMarkHangUp()
	case resource.OpRecordingStart, resource.OpRecordingStop:
		return words.ActMarkRecord()
	case resource.OpCampaignStart:
		return words.ActMarkStart()
	case resource.OpCampaignStop:
		return words.ActMarkStop()
	}
	return words.ActMarkSave()
}

// shortName returns a short name of the action for the mark on a row.
func (m *actionMark) shortName() words.Text {
	if m.accepted && m.operation == resource.OpCampaignStop && m.state == markPending {
		return words.ActMarkStopping() // the calls of a stopped campaign may still be going on
	}
	return shortName(m.operation)
}

// describe returns a description of the action for the detail page of its target.
func (m *actionMark) describe(lk *style.Look) words.Text {
	operation, at := words.OperationTitle(m.operation), string(lk.Format.Clock(nil, m.serverTime))
	var answer words.Text
	if m.text != "" {
		answer = words.Name(m.text)
	}
	switch m.state {
	case markPending:
		return words.JoinSentences(words.ActMarkPending(operation, at), m.progress())
	case markUnconfirmed:
		if m.accepted {
			return words.ActMarkUnshown(operation, at)
		}
		return words.JoinSentences(words.ActMarkUnconfirmed(operation, at), answer)
	case markConfirmed:
		return words.ActMarkConfirmed(operation, at)
	case markRejected:
		return words.JoinSentences(words.ActMarkRejected(operation, at), answer)
	case markNotSent:
	}
	return words.JoinSentences(words.ActMarkNotSent(operation, at), answer)
}

// progress returns what is known about a pending action, or the zero Text if that is nothing.
func (m *actionMark) progress() words.Text {
	switch {
	case m.accepted && m.operation == resource.OpCampaignStop:
		return words.ActMarkEnding()
	case m.accepted:
		return words.ActMarkAccepted()
	case feedShows(m.operation):
		return words.ActMarkNoAnswer()
	}
	return words.Text{}
}
