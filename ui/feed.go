package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// feed is the page about the connection and the subscriptions. Its figures are
// the board's own, so they are never stale, and a frozen picture does not hold
// them.
type feed struct {
	list *list
	pane *pane
}

func newFeed(sc *scene, keys *KeyMap) *feed {
	p := feedPane(sc, PaneSpec{})
	return &feed{list: newList("Feed", keys, p), pane: p}
}

func feedPane(sc *scene, spec PaneSpec) *pane {
	return newPane(sc, spec.on(pane{
		noun: "subscriptions", rows: render.NewFeed(), live: true,
		total:  func(s *model.Snapshot) int { return len(s.Health.Subscriptions) },
		target: opens(floor.Subscription),
	}), "", false)
}

func (f *feed) crumb(*scene) string       { return "Feed" }
func (f *feed) status(sc *scene) standing { return f.pane.status(sc) }
func (f *feed) subs() []string            { return nil }
func (f *feed) tables() int               { return 1 }
func (f *feed) focused() *pane            { return f.pane }
func (f *feed) restyle(sc *scene)         { f.pane.restyle(sc) }
func (f *feed) flashing() bool            { return f.pane.table.Flashing() }
func (f *feed) refresh(sc *scene)         { f.pane.refresh(sc) }

func (f *feed) update(sc *scene, msg tea.Msg) tea.Cmd { return f.list.update(sc, msg) }

func (f *feed) view(sc *scene, x, y, w, h int) []string {
	if sc.floor.Newest == nil {
		return f.pane.view(sc, x, y, w, h)
	}
	v := sc.liveView() // it goes on while the picture is frozen
	link := render.LinkDetail(sc.floor.Newest, &v, w-2)
	var about []string
	if name, ok := f.pane.table.Selected(); ok {
		about = render.SubscriptionDetail(sc.floor.Newest, &v, name, w-2)
	}
	// The table comes first: what it cannot have is taken from the others.
	rows := min(len(sc.floor.Newest.Health.Subscriptions)+1, max(h/2, 4))
	link = append(link, look.Blanks(w-2))
	rest := max(h-rows, 0)
	link = link[:min(len(link), max(rest-len(about), rest/2))]
	about = about[:min(len(about), rest-len(link))]
	link = look.FitLines(link, w-2, len(link), sc.look.Glyphs.Ellipsis)
	about = look.FitLines(about, w-2, len(about), sc.look.Glyphs.Ellipsis)
	inset(link)
	inset(about)
	out := make([]string, 0, h)
	out = append(out, link...)
	out = append(out, f.pane.view(sc, x, y+len(out), w, h-len(out)-len(about))...)
	return append(out, about...)
}
