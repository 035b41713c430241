package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/ui/look"
	"wallboard/ui/task"
)

// pastQuestion is what a view asks. Two equal ones have the same answer, but for
// the time that has passed.
type pastQuestion struct {
	view   pastView
	kind   past.Kind
	date   time.Time // a midnight of the contact center
	weeks  int
	by     int
	month  bool
	search callQuery
	people peopleQuery
}

// pastPhase is how far the asking of a view has come.
type pastPhase int

const (
	pastIdle pastPhase = iota // nothing was asked
	pastAsking
	pastReady
	pastFailed
	pastOff // called off
)

// pastPanel is what a view has asked, and what it was told.
type pastPanel struct {
	phase  pastPhase
	asked  pastQuestion
	job    uint64 // the answer to another one is dropped
	cancel context.CancelFunc
	begun  time.Time // on our clock
	at     time.Time // when the answer came, on our clock
	far    past.Progress
	value  any // of asked; nil: there is none yet
	err    string
}

// stop calls off what the panel waits for.
func (p *pastPanel) stop() {
	if p.phase != pastAsking {
		return
	}
	p.cancel()
	p.job = 0
	p.phase = pastOff
	if p.value != nil {
		p.phase = pastReady
	}
}

// pastMsg brings a view its answer.
type pastMsg struct {
	page   *pastPage
	view   pastView
	job    uint64
	value  any
	err    error
	budget past.Budget
}

// pastFarMsg tells a view how far its answer is.
type pastFarMsg struct {
	page *pastPage
	view pastView
	job  uint64
	far  past.Progress
	next tea.Cmd // waits for the next
}

// How old an answer may get while it is looked at.
const (
	pastFresh = 5 * time.Minute
	pastRetry = time.Minute // of one that failed, where nobody can ask again
)

// question returns what the present view has to ask; ok is false when it has
// nothing to ask yet.
func (p *pastPage) question(sc *scene) (q pastQuestion, ok bool) {
	q = pastQuestion{view: p.showing}
	switch p.showing {
	case pastDay: // of all kinds
		q.date = p.date(sc)
	case pastHeat:
		q.kind, q.date, q.weeks = p.kind, p.date(sc), pastWeeks()[p.weeks]
		if q.weeks == aMonth {
			q.date = past.StartOfMonth(q.date, 0)
		}
	case pastGroups:
		q.kind, q.date, q.by, q.month = p.kind, p.date(sc), p.by, p.month
		if p.month {
			q.date = past.StartOfMonth(q.date, 0)
		}
	case pastCalls:
		q.search = p.search
		return q, p.search.given
	case pastPeople:
		q.people = p.people
		return q, p.people.given
	case numPastViews:
		return q, false
	}
	return q, true
}

// tend asks what the view that is shown needs to know. It runs before every
// view; one question is under way at a time.
func (p *pastPage) tend(sc *scene) tea.Cmd {
	if sc.History == nil {
		return nil
	}
	q, ok := p.question(sc)
	pan := p.panel()
	if !ok || pan.phase != pastIdle && sameQuestion(pan.asked, q) && !p.due(sc, pan) {
		return nil
	}
	return p.ask(sc, q)
}

// sameQuestion compares times by what they are and not by how they are kept.
func sameQuestion(a, b pastQuestion) bool {
	same := a.date.Equal(b.date) && a.search.same(b.search)
	a.date, b.date, a.search, b.search = time.Time{}, time.Time{}, callQuery{}, callQuery{}
	return same && a == b
}

// due reports whether an answer has become old: of a day that is not over.
func (p *pastPage) due(sc *scene, pan *pastPanel) bool {
	age := sc.floor.Ours.Sub(pan.at)
	switch pan.phase {
	case pastReady:
		return pan.asked.view == pastDay && !pan.asked.date.Before(p.today(sc)) && age >= pastFresh
	case pastFailed:
		return sc.wall != nil && age >= pastRetry
	case pastIdle, pastAsking, pastOff:
	}
	return false
}

// again asks anew what the view shows.
func (p *pastPage) again(sc *scene) tea.Cmd {
	if q, ok := p.question(sc); ok && p.panel().phase != pastAsking {
		return p.ask(sc, q)
	}
	return nil
}

func (p *pastPage) ask(sc *scene, q pastQuestion) tea.Cmd {
	pan := p.panel()
	pan.stop()
	if !sameQuestion(pan.asked, q) {
		pan.value = nil
		if t := p.lists[p.showing]; t != nil {
			t.set(nil)
		}
		p.text.Top()
	}
	p.jobs++
	ctx, cancel := context.WithCancel(sc.Context)
	if sc.wall != nil || pan.value != nil {
		ctx = past.InBackground(ctx)
	}
	pan.phase, pan.asked, pan.job, pan.cancel = pastAsking, q, p.jobs, cancel
	pan.begun, pan.far, pan.err = sc.floor.Ours, past.Progress{}, ""
	far := make(chan past.Progress, 1)
	reader, job, view := sc.History, p.jobs, p.showing
	work := task.Guard(func() tea.Msg {
		defer cancel()
		defer close(far)
		v, err := q.read(ctx, reader, func(now past.Progress) {
			select { // the newest one counts
			case <-far:
			default:
			}
			far <- now
		})
		return pastMsg{p, view, job, v, err, reader.Budget()}
	})
	return tea.Batch(work, p.follow(view, job, far))
}

// follow waits until the answer to a question is farther.
func (p *pastPage) follow(view pastView, job uint64, far <-chan past.Progress) tea.Cmd {
	return task.Guard(func() tea.Msg {
		now, ok := <-far // closed when there is an answer, which a call-off brings as well
		if !ok {
			return nil
		}
		return pastFarMsg{p, view, job, now, p.follow(view, job, far)}
	})
}

// read asks the platform. What it returns is what the view's drawing takes.
func (q pastQuestion) read(ctx context.Context, r HistoryReader, far func(past.Progress)) (any, error) {
	switch q.view {
	case pastDay:
		return readDay(ctx, r, q, far)
	case pastHeat:
		ctx = past.WithProgress(ctx, far)
		if q.weeks == aMonth {
			return r.HeatOfMonth(ctx, q.date, q.kind) //nolint:wrapcheck // a sentence for people
		}
		return r.Heat(ctx, q.date, q.weeks, q.kind) //nolint:wrapcheck // a sentence for people
	case pastGroups:
		return readGroups(past.WithProgress(ctx, func(p past.Progress) { far(past.Progress{Wait: p.Wait}) }), r, q)
	case pastCalls:
		return q.search.read(ctx, r, far)
	case pastPeople:
		return q.people.read(ctx, r, far)
	case numPastViews:
	}
	return nil, errors.New("nothing was asked")
}

// take takes an answer over, unless something else was asked since.
func (p *pastPage) take(sc *scene, msg pastMsg) {
	p.budget = msg.budget
	pan := &p.panels[msg.view]
	if msg.job != pan.job {
		return
	}
	pan.job, pan.at = 0, sc.floor.Ours
	switch {
	case errors.Is(msg.err, context.Canceled):
		pan.phase = pastOff
	case msg.err != nil:
		pan.phase, pan.err = pastFailed, model.CleanText(look.OneLine(msg.err.Error()), model.MaxBody)
		pan.value = nil
	default:
		pan.phase, pan.value = pastReady, msg.value
		p.fill(sc, msg.view)
	}
}

// fill puts an answer into the table of its view.
func (p *pastPage) fill(sc *scene, v pastView) {
	switch list := p.panels[v].value.(type) {
	case callAnswer:
		p.lists[v].set(sc.callRows(list))
		if p.search.id != "" && len(list.calls) == 1 {
			p.open = list.calls[0].ID
		}
	case model.Found[past.Contact]:
		p.lists[v].set(peopleRows(list.Items))
	}
}

// advance takes over how far an answer is, and waits on.
func (p *pastPage) advance(msg pastFarMsg) tea.Cmd {
	if pan := &p.panels[msg.view]; pan.job == msg.job {
		pan.far = msg.far
	}
	return msg.next
}

// tendHistory has the history's page ask what it needs while it is in front,
// and calls off what it waits for when it is not.
func (m *Model) tendHistory() tea.Cmd {
	var cmds []tea.Cmd
	for i, one := range m.pages.all {
		p, ok := one.(*pastPage)
		switch {
		case !ok:
		case pageID(i) == m.pages.current && len(m.pages.opened[i]) == 0:
			cmds = append(cmds, p.tend(m.scene))
		default:
			p.leave()
		}
	}
	return tea.Batch(cmds...)
}
