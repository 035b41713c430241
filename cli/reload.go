package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"wallboard/config"
	"wallboard/feeds"
	"wallboard/ui"
)

// source reads the configuration of a board, and what its feed is made of.
type source func() (*config.Config, feeds.Options, error)

// reloader has an open board follow its configuration. What comes of a change
// goes to the board over reloads; one goroutine looks for changes until stop.
type reloader struct {
	board   *board
	read    source
	feed    *feeds.Feed
	metrics *metrics // nil: none are served
	log     *slog.Logger
	level   *slog.LevelVar
	reloads chan ui.Reload

	present *config.Config
	themes  fingerprint   // of the files of themes
	wayBack wayBack       // the present one
	trouble func() string // who can not be told about alerts; nil: nobody is told
	bad     bool          // the last one could not be used

	mu       sync.Mutex
	controls *controls   // the present ones
	past     []*controls // those before
}

// retry tries at once what was refused.
func (r *reloader) retry() {
	r.feed.Retry()
	r.mu.Lock()
	again := r.controls.retry
	r.mu.Unlock()
	again()
}

// stop ends the present controls, and waits for those before.
func (r *reloader) stop() {
	for _, c := range append(r.past, r.controls) {
		c.stop()
	}
}

// run takes changes over until the context ends.
func (r *reloader) run(ctx context.Context) {
	w := watchFiles(r.log, r.board.path(), themesDir())
	defer w.close()
	r.themes = printOf(themesDir())
	asked := make(chan struct{}, 1)
	defer r.board.hup.listen(func() bool {
		if !r.board.onTerminal() {
			return false
		}
		select {
		case asked <- struct{}{}:
		default: // it is about to be read
		}
		return true
	})()
	for {
		var change ui.Reload
		select {
		case <-ctx.Done():
			return
		case <-asked:
			change = r.reload(ctx, true)
		case <-w.changed:
			change = r.reload(ctx, false)
		}
		select {
		case r.reloads <- change:
		case <-ctx.Done():
			return
		}
	}
}

// reload reads the configuration again and has everything go by it but the
// screen, which the board does. A configuration with problems changes nothing.
func (r *reloader) reload(ctx context.Context, asked bool) ui.Reload {
	c, fo, err := r.read()
	var o ui.Options
	if err == nil {
		o, err = uiOptions(c)
	}
	if err != nil {
		r.bad = true
		r.log.Warn("the changed configuration can not be used", "error", err)
		return ui.Reload{Problem: problemOf(err)}
	}
	changed := config.Changed(r.present, c)
	looks := printOf(themesDir())
	if len(changed) == 0 && looks == r.themes {
		change := ui.Reload{Unchanged: true}
		if asked || r.bad {
			change.Notice = "The configuration was read again: nothing has changed."
		}
		r.bad = false
		return change
	}
	change, err := r.apply(ctx, c, fo, changed)
	if err != nil {
		r.bad = true
		r.log.Warn("the changed configuration can not be used", "error", err)
		return ui.Reload{Problem: problemOf(err)}
	}
	o.Controller, o.History, o.Trouble = r.controls.controller, r.wayBack.reader, r.trouble
	change.Options = o
	r.present, r.themes, r.bad = c, looks, false
	r.log.Info("the configuration has changed", "keys", strings.Join(changed, " "))
	return change
}

// apply has the feed, the actions, the past, the metrics and the log go by a changed
// configuration.
func (r *reloader) apply(ctx context.Context, c *config.Config, fo feeds.Options, changed []string) (ui.Reload, error) {
	change := ui.Reload{Notice: "The changed configuration is in force."}
	back, err := r.wayBackOf(c, changed)
	if err != nil {
		return change, err
	}
	if touches(changed, "rest", "audit", "read_only") {
		next, err := r.board.openControls(ctx, c, r.feed.Latest, r.log)
		if err != nil {
			return change, err
		}
		r.mu.Lock()
		before := r.controls
		r.controls, r.past = next, append(r.past, before)
		r.mu.Unlock()
		change.Taken = func() { go before.stop() } // it may wait for the outcome of an action
	}
	r.wayBack = back
	if r.metrics != nil {
		if err := r.metrics.adopt(c); err != nil {
			r.log.Error("the metrics do not follow the configuration", "error", err)
		}
	}
	if touches(changed, asked()...) {
		r.feed.Reconfigure(feeds.Filter{
			UserSite: fo.UserSite, Services: fo.Services, Groups: fo.Groups, Campaigns: fo.Campaigns,
			PublishEvery: fo.PublishEvery, AuditInterval: fo.AuditInterval,
		})
	}
	if slices.ContainsFunc(changed, newConnection) {
		change.Notice = "The changed configuration is in force; the board connects anew."
		if err := r.feed.Redial(fo); err != nil {
			change.Notice = "The board can not connect as the changed configuration says: " + err.Error()
		}
	}
	r.level.Set(c.Log.SlogLevel())
	if r.trouble != nil && touches(changed, "notify", "builtin", "alert", "threshold", "kpi", "service_level", "rest") {
		change.Notice = "The changed configuration is in force, but not for who is told about alerts: that needs a new start."
	}
	if touches(changed, "history") {
		change.Notice = "The changed configuration is in force, but not for the history: that needs a new start."
	}
	if touches(changed, "log.file") {
		change.Notice = "The changed configuration is in force, but for log.file: that needs a new start."
	}
	return change, nil
}

// wayBackOf returns the way to the past of a changed configuration: the present
// one, unless that has changed.
func (r *reloader) wayBackOf(c *config.Config, changed []string) (wayBack, error) {
	if !touches(changed, "history") {
		return r.wayBack, nil
	}
	next, err := openHistory(c, r.log)
	if err == nil {
		r.wayBack.close() // it only lets go of what is idle: questions under way end by themselves
	}
	return next, err
}

// touches tells whether one of the tables or keys has changed.
func touches(changed []string, names ...string) bool {
	return slices.ContainsFunc(changed, func(key string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return key == name || strings.HasPrefix(key, name+".") })
	})
}

// asked are the keys about what is asked of the real-time service, and not about
// the way to it.
func asked() []string {
	return []string{
		"rtd.user_site", "rtd.services", "rtd.groups", "rtd.campaigns", "rtd.publish_interval", "rtd.audit_interval",
	}
}

// newConnection tells whether a changed key is about the way to the real-time
// service.
func newConnection(key string) bool {
	return strings.HasPrefix(key, "rtd.") && key != "rtd.names" && !slices.Contains(asked(), key)
}

// problemOf says on the board what is wrong with a changed configuration.
func problemOf(err error) string {
	var wrong config.Errors
	if !errors.As(err, &wrong) || len(wrong) == 0 {
		return "The changed configuration can not be used, the one before it stays: " + err.Error()
	}
	first := wrong[0]
	what := first.Problem
	if first.Key != "" {
		what = first.Key + " " + what
	}
	if first.Line > 0 {
		what = fmt.Sprintf("line %d: %s", first.Line, what)
	}
	count := "an error"
	if len(wrong) > 1 {
		count = fmt.Sprintf("%d errors", len(wrong))
	}
	return "The changed configuration has " + count + " (" + what + "): the one before it stays. `wallboard config check` says more."
}
