package webboards

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/report/ask"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/serve/web"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/alerts"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/term"
)

// idleTimeout is how long a page and the board of a wall remain after the last request.
const idleTimeout = 30 * time.Second

// pageLifetime is how long a page is shown before it is written again.
const pageLifetime = time.Second

// pastTimeout limits how long evaluating an earlier time may take.
const pastTimeout = 12 * time.Second

// content implements [web.Content] for the platforms of a server.
type content struct {
	server   *app.BoardServer
	log      *slog.Logger
	ctx      context.Context //nolint:containedctx // of the boards, which outlive requests
	pastSlot chan struct{}   // limits the evaluation of earlier times to one at a time
	boards   sync.WaitGroup

	mu         sync.Mutex
	pageCaches map[string]*pageCache
	walls      map[string]*wall
	keys       map[string]viewKey // by user

	drawing        sync.Mutex // guards the fields below
	drawer         *Drawer
	columns        int
	rows           int
	recentPictures map[[sha256.Size]byte]*web.Picture // the latest pictures by their cells
}

var _ web.Content = (*content)(nil)

func newContent(ctx context.Context, s *app.BoardServer, log *slog.Logger) *content {
	return &content{
		server: s, log: log, ctx: ctx, pastSlot: make(chan struct{}, 1), pageCaches: make(map[string]*pageCache), walls: make(map[string]*wall), keys: make(map[string]viewKey),
		recentPictures: make(map[[sha256.Size]byte]*web.Picture),
	}
}

// wait waits until all boards have ended.
func (c *content) wait() { c.boards.Wait() }

// user returns the configuration and the user with the given name. It returns false if there is no such
// user or the user may not use a browser.
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
	return web.Viewer{
		Name: u.Name, Wall: u.RoleName() == config.RoleKiosk, Language: cmp.Or(u.Language, c.server.CurrentConfig().UI.Language), Rights: fmt.Sprintf("%s %q", app.VisibilityOf(&u).Key(), u.Platforms),
	}, ok
}

var (
	errNoUser    = errors.New("the user has no access with a browser")
	errPastBusy  = errors.New("earlier times are being looked up for others")
	errTakenOver = errors.New("another user has taken the situation over")
)

// viewKey identifies what a user sees: a page or, for a wall, a board.
type viewKey struct {
	text    string
	configs []*config.Config // configurations for which text was made
}

// viewKeyOf returns a key that identifies what a user sees. The key changes when the configuration of a
// platform changes. The caller must hold mu.
func (c *content) viewKeyOf(all *config.Config, u *config.ServeUser) string {
	configs := []*config.Config{all}
	for _, p := range c.server.Platforms {
		configs = append(configs, p.Platform.Config())
	}
	known, ok := c.keys[u.Name]
	if !ok || !slices.Equal(known.configs, configs) {
		v := app.VisibilityOf(u)
		text := fmt.Sprintf("%s %q %q %q %q %q", v.Key(), u.Platforms, u.Pages, u.Page, u.Theme, u.Language)
		if u.RoleName() != config.RoleKiosk { // a user other than a wall sees the page of text
			text = fmt.Sprintf("%s %q", v.Key(), u.Platforms)
		}
		for _, one := range configs {
			text += fmt.Sprintf(" %p", one)
		}
		known = viewKey{text, configs}
		c.keys[u.Name] = known
	}
	return known.text
}

// pageCache writes the pages of the users who see the same in the same language.
type pageCache struct {
	mu     sync.Mutex
	floors []shownFloor
	words  *words.Language
	page   *web.Page
	usedAt time.Time // when the page was last requested
	madeAt time.Time
}

// pageCacheOf returns the page cache of a user and a language.
func (c *content) pageCacheOf(name string, l *words.Language) (*pageCache, error) {
	all, u, ok := c.user(name)
	if !ok {
		return nil, errNoUser
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.viewKeyOf(all, &u) + " " + l.Tag()
	now := time.Now()
	maps.DeleteFunc(c.pageCaches, func(_ string, d *pageCache) bool { return now.Sub(d.usedAt) > idleTimeout })
	d := c.pageCaches[key]
	if d == nil {
		floors, err := c.floors(all, &u, l)
		if err != nil {
			return nil, err
		}
		d = &pageCache{floors: floors, words: l}
		c.pageCaches[key] = d
	}
	d.usedAt = now
	return d, nil
}

// platformsOf returns the platforms that a user may see.
func (c *content) platformsOf(u *config.ServeUser) []*app.ServedPlatform {
	return slices.DeleteFunc(slices.Clone(c.server.Platforms), func(p *app.ServedPlatform) bool { return !u.CanSee(p.Platform.Config().Platform) })
}

// floors returns the floors that a user may see, with the user's masks.
func (c *content) floors(all *config.Config, u *config.ServeUser, l *words.Language) ([]shownFloor, error) {
	var out []shownFloor
	for _, p := range c.platformsOf(u) {
		platform := p.Platform.Config()
		viewer, err := p.Platform.Hub.NewViewer(app.VisibilityOf(u), 0, 0)
		if err != nil {
			return nil, err
		}
		title := platform.Platform
		if title == "" {
			title = all.UI.Site
		}
		out = append(out, shownFloor{Title: model.CleanText(title, model.MaxName), Responder: p.Platform.AnswerFloor(c.ctx, app.VisibilityOf(u), viewer, l)})
	}
	return out, nil
}

// Page implements [web.Content].
func (c *content) Page(ctx context.Context, user string, l *words.Language) (*web.Page, error) {
	d, err := c.pageCacheOf(user, l)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := time.Now(); d.page == nil || now.Sub(d.madeAt) >= pageLifetime {
		page, err := writePage(ctx, d.floors, time.Time{}, l)
		if err != nil {
			return nil, err
		}
		d.page, d.madeAt = page, now
	}
	return d.page, nil
}

// PageAt implements [web.Content].
func (c *content) PageAt(ctx context.Context, user string, clock time.Time, l *words.Language) (*web.Page, error) {
	d, err := c.pageCacheOf(user, l)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, pastTimeout)
	defer cancel()
	select {
	case c.pastSlot <- struct{}{}:
		defer func() { <-c.pastSlot }()
	case <-ctx.Done():
		return nil, errPastBusy
	}
	return writePage(ctx, d.floors, lastOccurrence(clock, time.Now()), l)
}

// lastOccurrence returns the last time before now with the hour and minute of clock. If today's such time is at
// most a minute ahead, it returns the zero time, which stands for the present: the link to a situation that
// has just begun has such a time, see [web.SituationTimePath].
func lastOccurrence(clock, now time.Time) time.Time {
	t := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
	switch {
	case t.Sub(now) > time.Minute:
		return time.Date(now.Year(), now.Month(), now.Day()-1, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	case t.After(now):
		return time.Time{}
	}
	return t
}

// TakeOver implements [web.Content]. Like over SSH, all users but walls may take a situation over; the
// audit log names them.
func (c *content) TakeOver(_ context.Context, user string, floor int, id string) error {
	_, u, ok := c.user(user)
	seen := c.platformsOf(&u)
	if !ok || u.RoleName() == config.RoleKiosk || floor < 1 || floor > len(seen) {
		return errNoUser
	}
	p := seen[floor-1]
	viewer, err := p.Platform.Hub.NewViewer(app.VisibilityOf(&u), 0, 0)
	if err != nil {
		return err
	}
	m := ask.PresentOf(viewer, nil)()
	if m == nil || m.Situations.LiveByID(id) == nil {
		return words.NewError(words.AlertsEnded(), alert.ErrNotActive)
	}
	s := m.Situations.LiveByID(id)
	if by := s.Ack.By; by != "" { // taken over since the page was written
		if by == u.Name || u.NameMode() != string(model.NamesFull) { // if names are masked, by may be this user
			return nil
		}
		return words.NewError(words.WebTaken(by), errTakenOver)
	}
	if err := c.server.AlertRecorder(p, &u)(&alerts.Action{Kind: alerts.TakeOver, UserName: u.Name, RecordNames: s.Place.Title}); err != nil {
		return err
	}
	isTaken := false
	for i := range s.Alerts {
		if taken, err := viewer.Acknowledge(s.Alerts[i].ID, u.Name, "", m.At); err == nil {
			p.Platform.MarkEvent(taken.AckEvent())
			isTaken = true
		}
	}
	if !isTaken {
		return words.NewError(words.AlertsEnded(), alert.ErrNotActive)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.pageCaches) // so that the next page shows who has taken it over
	return nil
}

// errViewOnly refuses actions on alerts on a terminal in a browser.
var errViewOnly = errors.New("a terminal in a browser can only show the board")

// RunTerminal implements [web.Content].
func (c *content) RunTerminal(ctx context.Context, user string, t web.Terminal) error {
	all, u, ok := c.user(user)
	if !ok || u.RoleName() == config.RoleKiosk {
		return errNoUser
	}
	u.Role = config.RoleView
	env := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=" + t.Language + ".UTF-8"}
	o, leave, err := c.server.BoardOptions(&u, &sshterminal.Session{Account: sshterminal.Account{Name: user}, Env: env})
	defer leave()
	if err != nil {
		return err
	}
	makeViewOnly(&o)
	for i := range o.OtherPlatforms {
		makeViewOnly(&o.OtherPlatforms[i])
	}
	return ui.Serve(ctx, o, term.Viewer{In: t.In, Out: t.Out, Env: env, Size: term.Size{Width: t.Columns, Height: t.Rows}, Interval: all.Serve.UpdateInterval})
}

// makeViewOnly removes everything from the options of a board with which its viewer could change something.
func makeViewOnly(o *ui.Options) {
	o.Actions = ui.Actions{ViewOnly: true, User: o.Actions.User, Recorder: func(*alerts.Action) error { return errViewOnly }}
	o.OtherViewers.Member.Leave() // the board shows no messages, so no viewer should write to it
	o.OtherViewers, o.Process.RecordEvent = boarddialogs.ViewersOptions{}, nil
}

// Picture implements [web.Content].
func (c *content) Picture(ctx context.Context, user string) (*web.Picture, error) {
	w, err := c.wallOf(user)
	if err != nil {
		return nil, err
	}
	if err := w.awaitFirstFrame(ctx); err != nil {
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
	maps.DeleteFunc(c.recentPictures, func(_ [sha256.Size]byte, p *web.Picture) bool { return now.Sub(p.DrawnAt) > time.Second })
	if p := c.recentPictures[hash]; p != nil {
		w.picture = p
		return p, nil
	}
	if c.drawer == nil || c.columns != w.columns || c.rows != w.rows {
		d, err := NewDrawer(w.columns, w.rows+1)
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
	w.picture = web.NewPicture(b.Bytes(), now)
	c.recentPictures[hash] = w.picture
	return w.picture, nil
}
