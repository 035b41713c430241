package ui

import (
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/panes"
	"wallboard/ui/render"
)

// frontage is an alert that has brought its page to the front.
type frontage struct {
	key   string // of the row that it is about
	dwell time.Duration
	back  model.Channel // what is shown afterwards
}

// urgent are the alerts that are grave enough for the front, and what they were
// chosen from.
type urgent struct {
	alerts *render.Alerts
	front  alert.Level
	open   []*render.Entry
}

// pressing returns the open alerts that are grave enough for the front, the
// gravest first, of equals the newest. In a storm there are thousands, and every
// frame asks.
func (m *Model) pressing() []*render.Entry {
	sc, k := m.scene, m.scene.wall
	if k.urgent.alerts == sc.latest && k.urgent.front == sc.Kiosk.Front {
		return k.urgent.open
	}
	var out []*render.Entry
	for _, e := range sc.latest.Active() {
		if sc.Kiosk.Front != alert.Normal && e.Open() && e.Level >= sc.Kiosk.Front {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *render.Entry) int {
		if a.Level != b.Level {
			return int(b.Level) - int(a.Level)
		}
		return b.LevelSince.Compare(a.LevelSince)
	})
	k.urgent = urgent{sc.latest, sc.Kiosk.Front, out}
	return out
}

// bringToFront shows the page about an alert that has not been in front yet. The
// rotation has a page between two of them, so that a storm of alerts does not
// stop it.
func (m *Model) bringToFront() {
	k := m.scene.wall
	open := m.pressing()
	m.forgetMet(open)
	if k.front != nil || k.paused {
		return
	}
	for _, e := range open {
		if level, ok := k.met[e.ID]; ok && level >= e.Level {
			continue
		}
		k.met[e.ID] = e.Level
		at, ok := m.stopAbout(e.Key)
		if !ok {
			continue // the line above the page says it
		}
		m.showAlert(e, at)
		for _, other := range open { // those that stand on the same page are seen as well
			if to, ok := m.stopAbout(other.Key); ok && to == at && other.Key.Channel == e.Key.Channel {
				k.met[other.ID] = other.Level
			}
		}
		return
	}
}

func (m *Model) showAlert(e *render.Entry, to stop) {
	k, sc := m.scene.wall, m.scene
	m.turned()
	k.front = &frontage{key: e.Key.Code, dwell: to.dwell, back: sc.floor.Channel}
	if e.Key.Channel != "" {
		sc.floor.Choose(e.Key.Channel)
	}
	m.goTo(to.page)
}

// leaveFront gives the rotation back what an alert has shown.
func (m *Model) leaveFront() {
	k := m.scene.wall
	if k.front == nil {
		return
	}
	m.scene.floor.Channel = k.front.back
	k.front, k.paused = nil, true
}

// forgetMet forgets the alerts that are over, so that they do not pile up and
// count as new when they come again.
func (m *Model) forgetMet(open []*render.Entry) {
	met := m.scene.wall.met
	still := make(map[string]alert.Level, len(met))
	for _, e := range open {
		if level, ok := met[e.ID]; ok {
			still[e.ID] = level
		}
	}
	m.scene.wall.met = still
}

// stopAbout finds the page that shows what an alert is about: of the rotation
// the one that shows the least else, or the standard page. What is about the
// feed or the whole floor stands above every page.
func (m *Model) stopAbout(key alert.Key) (stop, bool) {
	of, _, ok := panes.KindOf(key)
	if !ok {
		return stop{}, false
	}
	sub := [...]model.Op{model.OpServices, model.OpGroups, model.OpUserStats, model.OpCampaigns}[of]
	var best *stop
	for i, s := range m.scene.wall.stops {
		subs := m.pages.all[s.page].Subs()
		if slices.Contains(subs, sub) && (best == nil || len(subs) < len(m.pages.all[best.page].Subs())) {
			best = &m.scene.wall.stops[i]
		}
	}
	if best != nil {
		return *best, true
	}
	standard := [...]pageID{pageServices, pageGroups, pageAgents, pageCampaigns}[of]
	p, ok := m.pages.standard(standard)
	return stop{p, m.scene.wall.stop().dwell}, ok
}

// frontLine says what is wrong, above every page, for as long as it is.
func (m *Model) frontLine(w int) []string {
	open := m.pressing()
	if len(open) == 0 {
		return nil
	}
	e := open[0]
	if k := m.scene.wall.front; k != nil { // what the page in front is about comes first
		if i := slices.IndexFunc(open, func(e *render.Entry) bool { return e.Key.Code == k.key }); i >= 0 {
			e = open[i]
		}
	}
	token, word, glyph := themes.BadgeWarn, "WARNING", render.Warn
	if e.Level == alert.Critical {
		token, word, glyph = themes.BadgeCritical, "CRITICAL", render.Critical
	}
	sc := m.scene
	st := sc.look.Style(token)
	text, more := glyph.Glyph(sc.ASCII)+" "+word+" "+sc.look.Glyphs.Dot+" "+e.Text, ""
	if !e.Unverified.IsZero() {
		more = " (not verified)"
	}
	const narrow = 60
	switch n := len(open) - 1; {
	case n > 0 && w < narrow:
		more += " +" + sc.look.Count(n)
	case n > 0:
		more += " and " + sc.look.Count(n) + " more"
	}
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis).Space(st, 1)
	return []string{l.Add(st, render.WholeWords(text, w-2-look.Width(more), sc.ASCII)).Add(st, more).End(st)}
}
