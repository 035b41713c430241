package webboards

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/cellimage"
	"wallboard/internal/serve/web"
	"wallboard/model"
)

// How long a page and the board of a wall remain after the last request.
const idleTimeout = 30 * time.Second

// pageLifetime is how long a page is shown before it is written again.
const pageLifetime = time.Second

// pastTimeout limits how long evaluating an earlier time may take.
const pastTimeout = 12 * time.Second

// content implements [web.Content] for the platforms of a server.
type content struct {
	server *app.BoardServer
	log    *slog.Logger
	ctx    context.Context //nolint:containedctx // of the boards, which outlive requests
	past   chan struct{}   // limits the evaluation of earlier times to one at a time
	boards sync.WaitGroup

	mu    sync.Mutex
	desks map[string]*desk
	walls map[string]*wall

	drawing sync.Mutex // guards the fields below
	drawer  *cellimage.Drawer
	columns int
	rows    int
	recent  map[[sha256.Size]byte]*web.Picture // the latest pictures by their cells
}

var _ web.Content = (*content)(nil)

func newContent(ctx context.Context, s *app.BoardServer, log *slog.Logger) *content {
	return &content{
		server: s, log: log, ctx: ctx, past: make(chan struct{}, 1), desks: make(map[string]*desk), walls: make(map[string]*wall),
		recent: make(map[[sha256.Size]byte]*web.Picture),
	}
}

// wait waits until all boards have ended.
func (c *content) wait() { c.boards.Wait() }

// user returns the user with a name, who may use a browser.
func (c *content) user(name string) (*config.Config, config.ServeUser, bool) {
	all := c.server.CurrentConfig()
	i := slices.IndexFunc(all.Serve.Users, func(u config.ServeUser) bool { return u.Name == name && u.Web })
	if i < 0 {
		return nil, config.ServeUser{}, false
	}
	return all, all.Serve.Users[i], true
}

// Viewer implements [web.Content].
func (c *content) Viewer(name string) (web.Viewer, bool) {
	_, u, ok := c.user(name)
	return web.Viewer{Name: u.Name, Wall: u.RoleName() == config.RoleKiosk}, ok
}

var (
	errNoUser  = errors.New("the user has no access with a browser")
	errTimeout = errors.New("earlier times are being looked up for others")
)

// viewKey identifies what a user sees. It changes when the configuration of a platform does.
func (c *content) viewKey(all *config.Config, u *config.ServeUser) string {
	v := app.VisibilityOf(u)
	key := fmt.Sprintf("%p %s %q", all, v.Key(), u.Platforms)
	for _, p := range c.server.Platforms {
		key += fmt.Sprintf(" %p", p.Platform.Config())
	}
	return key
}

// desk writes the pages of the users who see the same.
type desk struct {
	mu     sync.Mutex
	floors []shownFloor
	page   *web.Page
	usedAt time.Time // when the page was last requested
	madeAt time.Time
}

// deskOf returns the desk of a user.
func (c *content) deskOf(name string) (*desk, error) {
	all, u, ok := c.user(name)
	if !ok {
		return nil, errNoUser
	}
	key := c.viewKey(all, &u)
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(c.desks, func(_ string, d *desk) bool { return now.Sub(d.usedAt) > idleTimeout })
	d := c.desks[key]
	if d == nil {
		floors, err := c.floors(all, &u)
		if err != nil {
			return nil, err
		}
		d = &desk{floors: floors}
		c.desks[key] = d
	}
	d.usedAt = now
	return d, nil
}

// floors returns the floors that a user may see, with the user's masks.
func (c *content) floors(all *config.Config, u *config.ServeUser) ([]shownFloor, error) {
	var out []shownFloor
	for _, p := range c.server.Platforms {
		platform := p.Platform.Config()
		if !u.CanSee(platform.Platform) {
			continue
		}
		viewer, err := p.Platform.Hub.Viewer(app.VisibilityOf(u), 0, 0)
		if err != nil {
			return nil, err
		}
		title := platform.Platform
		if title == "" {
			title = all.UI.Site
		}
		out = append(out, shownFloor{Title: model.CleanText(title, model.MaxName), Floor: p.Platform.QuestionFloor(c.ctx, app.VisibilityOf(u), viewer)})
	}
	return out, nil
}

// Page implements [web.Content].
func (c *content) Page(ctx context.Context, user string) (*web.Page, error) {
	d, err := c.deskOf(user)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := time.Now(); d.page == nil || now.Sub(d.madeAt) >= pageLifetime {
		page, err := writePage(ctx, d.floors, time.Time{})
		if err != nil {
			return nil, err
		}
		d.page, d.madeAt = page, now
	}
	return d.page, nil
}

// Past implements [web.Content].
func (c *content) Past(ctx context.Context, user, at string) (*web.Page, error) {
	d, err := c.deskOf(user)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, pastTimeout)
	defer cancel()
	select {
	case c.past <- struct{}{}:
		defer func() { <-c.past }()
	case <-ctx.Done():
		return nil, errTimeout
	}
	clock, err := time.Parse("15:04", at)
	if err != nil {
		return nil, fmt.Errorf("%q is not a time of day: %w", at, err)
	}
	return writePage(ctx, d.floors, lastTime(clock, time.Now()))
}

// lastTime returns the last time before now with the hour and minute of clock.
func lastTime(clock, now time.Time) time.Time {
	t := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
	if t.After(now) {
		t = time.Date(now.Year(), now.Month(), now.Day()-1, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	}
	return t
}

// tagOf returns the ETag of a content.
func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// Picture implements [web.Content].
func (c *content) Picture(ctx context.Context, user string) (*web.Picture, error) {
	w, err := c.wallOf(user)
	if err != nil {
		return nil, err
	}
	if err := w.awaitFirst(ctx); err != nil {
		return nil, err
	}
	return c.draw(w, time.Now())
}

// draw draws the screen of a wall, or returns the picture of another wall with the same cells.
func (c *content) draw(w *wall, now time.Time) (*web.Picture, error) {
	now = now.Truncate(time.Second).In(w.zone)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.checkAlive(now); err != nil {
		return nil, err
	}
	if w.picture != nil && w.picture.DrawnAt.Equal(now) {
		return w.picture, nil
	}
	cell := w.cells(now)
	hash := w.hash(cell)
	c.drawing.Lock()
	defer c.drawing.Unlock()
	maps.DeleteFunc(c.recent, func(_ [sha256.Size]byte, p *web.Picture) bool { return now.Sub(p.DrawnAt) > time.Second })
	if p := c.recent[hash]; p != nil {
		w.picture = p
		return p, nil
	}
	if c.drawer == nil || c.columns != w.columns || c.rows != w.rows {
		d, err := cellimage.New(w.columns, w.rows+1)
		if err != nil {
			return nil, err
		}
		c.drawer, c.columns, c.rows = d, w.columns, w.rows
	}
	fg, bg := w.colors()
	c.drawer.Draw(cell, fg, bg)
	var b bytes.Buffer
	if err := c.drawer.WritePNG(&b); err != nil {
		return nil, err
	}
	w.picture = &web.Picture{PNG: b.Bytes(), ETag: tagOf(b.Bytes()), DrawnAt: now}
	c.recent[hash] = w.picture
	return w.picture, nil
}
