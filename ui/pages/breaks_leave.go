package pages

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// leaveFigures holds the numbers of agents who can leave now. They come from the release plan. If
// there is no plan, they are the numbers of agents whom the queues can spare, computed every
// leaveInterval.
type leaveFigures struct {
	computedAt   time.Time
	channel      model.Channel
	spare        *diagnosis.FloorSpare  // nil: unknown
	plan         *diagnosis.ReleasePlan // nil: there is no plan
	serviceCodes []string               // codes of the services; those that can spare the most agents come first
}

// leaveInterval is the time between two computations of [leaveFigures]. A computation takes a while
// on a floor with thousands of agents.
const leaveInterval = 3 * time.Second

// refresh uses the figures of plan. If plan is nil, it computes the figures again if they are older
// than leaveInterval or belong to another channel.
func (l *leaveFigures) refresh(sc *panes.Scene, now time.Time, plan *diagnosis.ReleasePlan) {
	s := sc.Floor.Newest
	if sc.Floor.Replay {
		s = sc.Floor.Shown
	}
	switch {
	case plan != nil && plan.Spare != nil:
		if plan == l.plan {
			return
		}
		*l = leaveFigures{channel: sc.Floor.Channel, spare: plan.Spare, plan: plan}
		if !plan.MissingReason.IsZero() {
			l.plan = nil
		}
	case s == nil:
		*l = leaveFigures{}
		return
	case sc.Floor.Channel == l.channel && now.Sub(l.computedAt).Abs() < leaveInterval:
		return
	default:
		*l = leaveFigures{computedAt: now, channel: sc.Floor.Channel, spare: diagnosis.ComputeFloorSpare(s, sc.Floor.Channel)}
	}
	l.serviceCodes = slices.SortedFunc(maps.Keys(l.spare.Services), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.canLeaveCount(b), l.canLeaveCount(a)), cmp.Compare(sc.Floor.Names.NameOf(model.NameService, a), sc.Floor.Names.NameOf(model.NameService, b)))
	})
}

// canLeaveCount returns the number of agents of a service who can leave now.
func (l *leaveFigures) canLeaveCount(code string) int {
	if l.plan != nil {
		return l.plan.ReleasableByService[code]
	}
	return l.spare.ReleasableFrom(code)
}

func (l *leaveFigures) isCurrent() bool { return l.spare != nil && l.spare.IsCurrent }

// position returns the text beside the heading of the table. The text says how many of the ready
// agents can leave, or why this is not known.
func (l *leaveFigures) position(lang *words.Language) style.HeadingStatus {
	switch {
	case !l.isCurrent():
		return style.HeadingStatus{Text: words.LeaveUnknown().In(lang)}
	case l.spare.Ready == 0:
		return style.HeadingStatus{Text: words.LeaveNoOneReady().In(lang)}
	case l.plan == nil:
		spare := words.LeaveSpare(l.spare.Releasable, l.spare.Ready)
		return style.HeadingStatus{Text: words.LeaveSpareOnly(spare).In(lang), Brief: spare.In(lang)}
	}
	agents := words.LeaveOfReady(l.plan.ReleasableNow, l.spare.Ready)
	return style.HeadingStatus{Text: words.LeaveOfReadyCan(agents).In(lang), Brief: agents.In(lang)}
}

// leaveRows returns a row for each service, or nil if the figures are not current. It also sets the
// text that the table shows if it has no rows.
func (f rowFormatter) leaveRows(l *leaveFigures) []table.TextRow {
	t := f.page.tables.List[leaveTable].Table
	if !l.isCurrent() {
		t.SetEmptyText("")
		return nil
	}
	t.SetEmptyText(words.LeaveNoService().In(f.scene.Look.Format.Words))
	rows := make([]table.TextRow, len(l.serviceCodes))
	for i, code := range l.serviceCodes {
		spare, id := l.spare.Services[code], "service/"+code
		f.page.subjects[id] = alert.Key{Scope: alert.Service, Code: code, Channel: l.channel}
		rows[i] = table.TextRow{Key: id, Cells: []table.TextCell{
			{Text: f.scene.Floor.Names.NameOf(model.NameService, code)},
			f.waiting(l.spare.Waiting[code]), f.count(spare.Ready, themes.Text), f.count(l.canLeaveCount(code), themes.OK), f.nextFreeAgent(&spare),
		}}
	}
	return rows
}

// waiting returns the cell with the number of waiting contacts.
func (f rowFormatter) waiting(n model.Int) table.TextCell {
	if v, known := n.Get(); known {
		return f.count(int(v), themes.Text)
	}
	return table.TextCell{Text: string(f.scene.Look.Format.Unknown(nil)), SortKey: -1}
}

// count returns the cell for a number, in the color of the token t.
func (f rowFormatter) count(n int, t themes.Token) table.TextCell {
	if n == 0 {
		return table.TextCell{Text: f.scene.Look.Glyphs.Dot, Style: f.scene.Look.Theme.OpenSequence(themes.Dim)}
	}
	return table.TextCell{Text: f.scene.Look.FormatCount(n), Style: f.scene.Look.Theme.OpenSequence(t)}
}

// nextFreeAgent returns the cell with the agent who is likely to become free next.
func (f rowFormatter) nextFreeAgent(spare *diagnosis.SpareCapacity) table.TextCell {
	if len(spare.NextFree) == 0 {
		return table.TextCell{}
	}
	who := &spare.NextFree[0]
	name := textformat.PersonName(f.scene.Floor.Shown, f.scene.Floor.Names, who.Username, f.scene.Floor.Channel)
	state := words.AgentStateInSentence(who.Status, f.scene.Floor.Channel)
	text := words.LeaveFreeNext(name, state)
	if !who.Since.IsZero() {
		text = words.LeaveFreeNextFor(name, state, f.now.Sub(who.Since))
	}
	return table.TextCell{Text: text.In(f.scene.Look.Format.Words), Style: f.scene.Look.Theme.OpenSequence(themes.Dim), IsList: true}
}
