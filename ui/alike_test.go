package ui

import (
	"math/rand/v2"
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/track"
	"wallboard/ui/alerts"
	"wallboard/ui/look"
)

// pool is an engine that keeps what boards make of its alerts, and the situations.
type pool struct {
	hub

	judged bool
	made   any
	watch  *situation.Watch
	view   *situation.View
}

// pooled is a pool as one board sees it.
type pooled struct {
	viewer

	pool *pool
}

var _ alerts.Pool = (*pooled)(nil)

// Evaluate implements [Engine].
func (p *pooled) Evaluate(s *model.Snapshot, now time.Time) []alert.Change {
	if h := &p.pool.hub; s.Seq != h.seq || now.Unix() != h.second {
		h.seq, h.second = s.Seq, now.Unix()
		news := h.Evaluate(s, now)
		h.changes = append(h.changes, news...)
		p.pool.view, p.pool.judged = p.pool.watch.Look(s, h.Active(), news, now), true
	}
	news := p.pool.changes[p.told:]
	p.told = len(p.pool.changes)
	return news
}

// Once implements [alerts.Pool].
func (p *pooled) Once(fresh bool, made func(active, ended []alert.Alert, before any) any) any {
	if x := p.pool; fresh || x.judged || x.made == nil {
		x.made, x.judged = made(x.Active(), x.History(), x.made), false
	}
	return p.pool.made
}

// Situations implements [alerts.Shared].
func (p *pooled) Situations() alerts.Situations { return (*pooledSituations)(p.pool) }

type pooledSituations pool

// Look implements [alerts.Situations].
func (p *pooledSituations) Look(*model.Snapshot, []alert.Alert, []alert.Change, time.Time) *situation.View {
	return p.view
}

// Hour implements [alerts.Situations].
func (p *pooledSituations) Hour(k model.UserStatKey, now time.Time) track.Hour {
	return p.watch.Hour(k, now)
}

// TestAlikeBoards holds boards that share what they draw to boards that share nothing:
// whatever their viewers do, and whatever happens on the floor, each shows the same
// bytes as its twin.
func TestAlikeBoards(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	o := alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: testNames()}
	every := func() *pool {
		p := &pool{hub: hub{Engine: engine(t, o)}}
		p.watch = situation.New(situation.Options{Names: testNames(), Hold: time.Minute, Goal: p.Goal})
		return p
	}
	all, alike := every(), new(look.Shared)
	sizes := [][2]int{{200, 60}, {200, 60}, {120, 40}, {200, 60}}
	var sharing, alone []*board
	for _, size := range sizes {
		sharing = append(sharing, newBoardOn(t, f, size[0], size[1], func(o *Options) {
			o.Alerts, o.Alike, o.StartPage = &pooled{viewer{hub: &all.hub}, all}, alike, "Agents"
		}))
		own := every()
		alone = append(alone, newBoardOn(t, f, size[0], size[1], func(o *Options) {
			o.Alerts, o.StartPage = &pooled{viewer{hub: &own.hub}, own}, "Agents"
		}))
	}
	both := func(i int, do func(b *board)) { do(sharing[i]); do(alone[i]) }
	keys := []string{
		"down", "down", "up", "pgdown", "end", "home", "s", "S", "c", "enter", "esc", "tab", "1", "2", "3", "4", "4", "4",
		"/", "r", "o", "enter", "esc", "T", "f", "left", "right", "w",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for step := range 600 {
		switch random.IntN(4) {
		case 0:
			for range random.IntN(4) {
				f.putAgent(random.IntN(60), random.IntN(1000))
			}
			f.at = sharing[0].now
			picture := f.publish()
			for i := range sizes {
				both(i, func(b *board) { b.send(snapshotMsg{picture}) })
			}
		case 1:
			for i := range sizes {
				both(i, func(b *board) { b.pass(time.Second / 2 * time.Duration(1+step%2)) })
			}
		default:
			i, k := random.IntN(len(sizes)), keys[random.IntN(len(keys))]
			both(i, func(b *board) { b.press(k) })
		}
		for i := range sizes {
			if got, want := string(sharing[i].Frame()), string(alone[i].Frame()); got != want {
				t.Fatalf("step %d, board %d shows\n%s\nits twin\n%s", step, i, got, want)
			}
		}
	}
	if drawn, taken := alike.Rows(); taken < 500 {
		t.Errorf("%d rows were drawn, %d taken over: hardly anything is shared", drawn, taken)
	}
}
