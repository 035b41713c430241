package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/render"
)

// slot is a pane in its place on a page. What a pane does not have, a slot knows
// the meaning of.
type slot struct {
	pane  Pane
	spec  PaneSpec
	area  area // what it draws on; the line above it is not in it
	shown bool
	head  bool  // there is a line above it
	own   scene // the page's scene on the pane's own channel
}

// on returns the scene on the pane's own channel.
func (c *slot) on(sc *scene) *scene {
	if c.spec.Channel == "" || c.spec.Channel == sc.floor.Channel {
		return sc
	}
	c.own = *sc
	c.own.floor = sc.floor.On(c.spec.Channel)
	return &c.own
}

// called is what stands above the pane, "" for nothing.
func (c *slot) called(sc *scene) string {
	if c.spec.Title != "" {
		return c.spec.Title
	}
	if p, ok := c.pane.(titled); ok {
		return p.title(sc)
	}
	return ""
}

// status is the pane's own, and its channel if it has one.
func (c *slot) status(sc *scene) standing {
	var s standing
	if p, ok := c.pane.(placed); ok {
		s = p.status(c.on(sc))
	}
	if c.spec.Channel != "" {
		s.before(render.ChannelName(c.spec.Channel), " "+sc.look.Glyphs.Dot+" ")
	}
	return s
}

// standing is the pane's status among others, where no banner says how old its
// figures are.
func (c *slot) standing(sc *scene) standing {
	s := c.status(sc)
	dot := " " + sc.look.Glyphs.Dot + " "
	if d := sc.floor.DoubtAbout(c.subs()...); d.Stale && len(c.subs()) > 0 {
		s.before(sc.floor.StaleWord(sc.look, d), dot)
	}
	return s
}

func (c *slot) subs() []model.Op {
	if p, ok := c.pane.(sourced); ok {
		return p.subs()
	}
	return nil
}

func (c *slot) restyle(sc *scene) {
	if p, ok := c.pane.(styled); ok {
		p.restyle(c.on(sc))
	}
}

func (c *slot) update(sc *scene, msg tea.Msg) tea.Cmd {
	if p, ok := c.pane.(updater); ok {
		return p.update(c.on(sc), msg)
	}
	return nil
}

func (c *slot) hide() {
	if p, ok := c.pane.(hider); ok {
		p.hide()
	}
}

// listens reports whether the pane can have the keyboard.
func (c *slot) listens() bool {
	_, ok := c.pane.(listener)
	return ok
}

// focused returns the table that has the keyboard, nil if none has.
func (c *slot) focused() *recordTable {
	if p, ok := c.pane.(tabled); ok {
		return p.focused()
	}
	return nil
}

// flashing reports whether anything is highlighted because it changed.
func (c *slot) flashing() bool {
	return slices.ContainsFunc(tablesOf(c.pane), func(t *recordTable) bool { return t.table.Flashing() })
}
