package panes

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// Slot is a pane at its position on a page. Its methods return default values for optional
// interfaces that the pane does not implement.
type Slot struct {
	Pane       Pane
	Spec       PaneSpec
	Area       frame.Area     // area of the pane's content
	Shown      bool           // the page has room for the pane and draws it
	hasHeading bool           // the pane has a title, in its frame or in the line above it
	framedArea frame.Area     // Area with the frame or heading around it; used only if hasHeading is true
	ownScene   Scene          // scene of the page, but on the channel of the pane
	floor      floorview.View // the view to which ownScene refers
}

// scene returns the scene for the pane. If the spec of the pane names a channel, the scene is on
// that channel.
func (c *Slot) scene(sc *Scene) *Scene {
	if c.Spec.Channel == "" || c.Spec.Channel == sc.Floor.Channel {
		return sc
	}
	c.ownScene, c.floor = *sc, sc.Floor.OnChannel(c.Spec.Channel)
	c.ownScene.Floor = &c.floor
	return &c.ownScene
}

// title returns the title of the pane, or "" if it has none.
func (c *Slot) title(sc *Scene) string {
	if c.Spec.Title != "" {
		return c.Spec.Title
	}
	if p, ok := c.Pane.(titleProvider); ok {
		return p.title(sc)
	}
	return ""
}

// status returns the status text of the pane. If the spec of the pane names a channel, the text
// begins with the channel.
func (c *Slot) status(sc *Scene) style.HeadingStatus {
	var s style.HeadingStatus
	if p, ok := c.Pane.(statusProvider); ok {
		s = p.status(c.scene(sc))
	}
	if c.Spec.Channel != "" {
		s.Prepend(sc.translate(words.ChannelName(c.Spec.Channel)), " "+sc.Look.Glyphs.Dot+" ")
	}
	return s
}

// statusWithDoubt returns the status text of the pane. If the figures of the pane are stale, the
// text begins with a note about that, because a page with several panes has no banner.
func (c *Slot) statusWithDoubt(sc *Scene) style.HeadingStatus {
	s := c.status(sc)
	dot := " " + sc.Look.Glyphs.Dot + " "
	if d := sc.Floor.DoubtAbout(c.subscriptions()...); d.Stale && len(c.subscriptions()) > 0 {
		s.Prepend(sc.Floor.StalenessText(sc.Look, d), dot)
	}
	return s
}

func (c *Slot) subscriptions() []model.Op {
	if p, ok := c.Pane.(subscriber); ok {
		return p.subscriptions()
	}
	return nil
}

func (c *Slot) restyle(sc *Scene) {
	if p, ok := c.Pane.(restyler); ok {
		p.restyle(c.scene(sc))
	}
}

// Update passes a key or a mouse message to the pane. A pane without an Update method ignores it.
func (c *Slot) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	if p, ok := c.Pane.(updater); ok {
		return p.Update(c.scene(sc), msg)
	}
	return nil
}

func (c *Slot) hide() {
	if p, ok := c.Pane.(hideablePane); ok {
		p.hide()
	}
}

func (c *Slot) canFocus() bool {
	_, ok := c.Pane.(focuser)
	return ok
}

// focused returns the table of the pane that gets the keys, or nil if there is none.
func (c *Slot) focused() *RecordTable {
	if p, ok := c.Pane.(tableOwner); ok {
		return p.focused()
	}
	return nil
}

func (c *Slot) hints(sc *Scene) []style.KeyHint {
	if t := c.focused(); t != nil {
		return sc.KeyHints.forTable(t)
	}
	if p, ok := c.Pane.(hintProvider); ok && sc.Wall == nil {
		return p.hints(sc)
	}
	return nil
}

// isFlashing reports whether the pane currently highlights a changed value.
func (c *Slot) isFlashing() bool {
	return slices.ContainsFunc(tablesOf(c.Pane), func(t *RecordTable) bool { return t.Table.Flashing() })
}
