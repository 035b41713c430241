package pages

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// leaveFigures holds how many agents can leave now without making contacts wait. It is computed
// every leaveInterval.
type leaveFigures struct {
	computedAt   time.Time
	channel      model.Channel
	serviceCodes []string // codes of the services; services that can spare the most agents come first
	services     map[string]diagnosis.SpareCapacity
	waiting      map[string]model.Int // number of waiting contacts of each service, by code
	readyAgents  int                  // number of ready agents on the channel
	releasable   int                  // number of ready agents on the channel who can leave
	isCurrent    bool                 // the feed is up to date
}

// leaveInterval is the time between two computations. They are not more frequent because a
// computation takes a while on a floor with thousands of agents.
const leaveInterval = 3 * time.Second

// refresh computes the figures again if they are older than leaveInterval, or if they belong to
// another channel.
func (l *leaveFigures) refresh(sc *panes.Scene, now time.Time) {
	s := sc.Floor.Newest
	if sc.Floor.Replay {
		s = sc.Floor.Shown
	}
	if s == nil || sc.Floor.Channel == l.channel && now.Sub(l.computedAt).Abs() < leaveInterval {
		return
	}
	*l = leaveFigures{computedAt: now, channel: sc.Floor.Channel, waiting: make(map[string]model.Int)}
	l.isCurrent = s.Health.IsCurrent(model.OpUserStats) && s.Health.IsCurrent(model.OpServices)
	l.services, l.releasable = diagnosis.SpareFloor(s, l.channel)
	for u := range s.UserStats.All() {
		if u.Channel == l.channel && u.Status == model.Ready {
			l.readyAgents++
		}
	}
	for r := range s.Services.All() {
		if r.Channel == l.channel {
			l.waiting[r.Key().Code] = r.ChannelStats.QueuedCalls
		}
	}
	l.serviceCodes = slices.SortedFunc(maps.Keys(l.services), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.releasableCount(b), l.releasableCount(a)), cmp.Compare(sc.Floor.Names.Of(model.NameService, a), sc.Floor.Names.Of(model.NameService, b)))
	})
}

// releasableCount returns the number of agents who can leave a service before its next contact has
// to wait. It returns 0 if contacts are already waiting, or if their number is unknown.
func (l *leaveFigures) releasableCount(code string) int {
	if n, known := l.waiting[code].Get(); !known || n > 0 {
		return 0
	}
	spare := l.services[code]
	return spare.Releasable()
}

// position returns the text beside the heading of the table. It says how many of the ready agents
// can leave, or why this is not known.
func (l *leaveFigures) position() style.Position {
	switch {
	case !l.isCurrent:
		return style.Position{Text: "not known: the figures are not the present ones"}
	case l.readyAgents == 0:
		return style.Position{Text: "no agent is ready"}
	}
	brief := strconv.Itoa(l.releasable) + " of " + strconv.Itoa(l.readyAgents) + " ready agents are spare right now"
	return style.Position{Text: brief + " and each of these services keeps one", Brief: brief}
}

// leaveRows returns a row for each service. It also sets the text that the table shows if there are
// no rows.
func (f formatter) leaveRows(l *leaveFigures) []table.TextRow {
	t := f.page.tables.List[canLeave].Table
	if !l.isCurrent {
		t.SetEmptyText("")
		return nil
	}
	t.SetEmptyText("No agent of this channel serves a service.")
	rows := make([]table.TextRow, len(l.serviceCodes))
	for i, code := range l.serviceCodes {
		spare, id := l.services[code], "service/"+code
		f.page.subjects[id] = alert.Key{Scope: alert.Service, Code: code, Channel: l.channel}
		rows[i] = table.TextRow{Key: id, Cells: []table.TextCell{
			{Text: f.sc.Floor.Names.Of(model.NameService, code)},
			f.waiting(l.waiting[code]), f.count(spare.Ready, themes.Text), f.count(l.releasableCount(code), themes.OK), f.nextFree(&spare),
		}}
	}
	return rows
}

// waiting returns the cell with the number of waiting contacts.
func (f formatter) waiting(n model.Int) table.TextCell {
	if v, known := n.Get(); known {
		return f.count(int(v), themes.Text)
	}
	return table.TextCell{Text: string(f.sc.Look.Format.Unknown(nil)), SortKey: -1}
}

// count returns the cell of a number in the color of the token t.
func (f formatter) count(n int, t themes.Token) table.TextCell {
	if n == 0 {
		return table.TextCell{Text: f.sc.Look.Glyphs.Dot, Style: f.sc.Look.Theme.SGR(themes.Dim)}
	}
	return table.TextCell{Text: f.sc.Look.Count(n), Style: f.sc.Look.Theme.SGR(t)}
}

// nextFree returns the cell with the agent who is likely to be free next.
func (f formatter) nextFree(spare *diagnosis.SpareCapacity) table.TextCell {
	if len(spare.NextFree) == 0 {
		return table.TextCell{}
	}
	who := &spare.NextFree[0]
	text := phrases.Person(f.sc.Floor.Shown, f.sc.Floor.Names, who.Username, f.sc.Floor.Channel)
	text += ", " + strings.ToLower(render.StateOf(who.Status, f.sc.Floor.Channel).Word)
	if !who.Since.IsZero() {
		text += " " + f.sc.Look.Duration(max(f.now.Sub(who.Since), 0))
	}
	return table.TextCell{Text: text, Style: f.sc.Look.Theme.SGR(themes.Dim)}
}
