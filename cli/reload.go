package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"wallboard/cli/theming"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/hub"
	"wallboard/ui"
)

// reloader has an open board follow its configuration. What comes of a change
// goes to the board over reloads; one goroutine looks for changes until stop.
type reloader struct {
	board   *board
	read    source
	feed    *feeds.Feed
	log     *slog.Logger
	level   *slog.LevelVar
	reloads chan ui.Reload

	begun   *config.Config // at the start
	present *config.Config
	themes  fingerprint    // of the files of themes
	wayBack wiring.WayBack // the present one
	common  *common
	viewer  *hub.Viewer   // who looks
	trouble func() string // who cannot be told about alerts; nil: nobody is told
	teller  *teller       // tells people about alerts; nil: nobody does
	consent *consent
	asked   bool   // somebody asks for the change that is taken over
	bad     string // why the last one could not be used; "": it could

	restart  atomic.Pointer[string] // see waiting
	retrying atomic.Bool            // somebody wants what was refused to be tried again

	mu       sync.Mutex
	controls *controls // the present ones
	past     []func()  // end what was there before
}

// retry reads the configuration again, the files of its secrets included, and then
// tries at once what was refused.
func (r *reloader) retry() {
	r.retrying.Store(true)
	r.consent.look()
}

// tryNow tries at once what was refused.
func (r *reloader) tryNow() {
	r.feed.Retry()
	r.mu.Lock()
	again := r.controls.retry
	r.mu.Unlock()
	again()
}

// stop ends what there is, and waits for what was there before.
func (r *reloader) stop() {
	for _, end := range append(r.past, r.controls.stop, r.common.close) {
		end()
	}
	r.wayBack.Close()
}

// run takes changes over until the context ends.
func (r *reloader) run(ctx context.Context) {
	r.themes = printOf(theming.Dir())
	of := changes{again: r.consent.again, refused: r.refused, secrets: func() []string { return r.present.SecretFiles() }}
	r.board.onChange(ctx, r.log, of, func(why reason) {
		retrying := r.retrying.Swap(false)
		before := r.bad
		r.asked = why == askedFor && !retrying
		change := r.reload(ctx, r.asked)
		if retrying {
			r.tryNow()
		}
		if why == whileRefused && (r.bad == before && r.bad != "" || change.Unchanged && change.Notice == "") {
			return // it was said, or there is nothing to say
		}
		select {
		case r.reloads <- change:
		case <-ctx.Done():
		}
	})
}

// refused reports whether a secret is refused, by any of those that it is for.
func (r *reloader) refused() bool {
	return r.bad != "" || linkRefused(r.feed.Latest()) || r.controls.refused() || r.wayBack.Refused() || r.teller != nil && r.teller.refused()
}

// waiting says what of the saved configuration is not in force before a new start, "" where
// all is. It may be called from any goroutine.
func (r *reloader) waiting() string {
	if text := r.restart.Load(); text != nil {
		return *text
	}
	return ""
}

// reload reads the configuration again and has everything go by it but the
// screen, which the board does. A configuration with problems changes nothing.
func (r *reloader) reload(ctx context.Context, asked bool) ui.Reload {
	c, fo, err := r.read()
	var o ui.Options
	if err == nil {
		o, err = uiOptions(c, seen{r.viewer})
	}
	if err != nil {
		return r.refuse(err)
	}
	changed := config.Changed(r.present, c)
	looks := printOf(theming.Dir())
	if len(changed) == 0 && looks == r.themes {
		change := ui.Reload{Unchanged: true}
		if asked && r.teller != nil && r.teller.needs() != "" { // it waited for that
			if err := r.teller.follow(c, true); err != nil {
				return r.refuse(err)
			}
			r.note(c)
			change.Notice = inForce + "."
			return change
		}
		if asked || r.bad != "" {
			change.Notice = nothingChanged
		}
		r.bad = ""
		return change
	}
	if where := config.Redirects(r.present, c); !r.consent.to(where) {
		if why := elsewhere(where, newStart); r.bad != why {
			r.bad = why
			r.log.Warn("the changed configuration is not followed: the secrets would go to somebody else", "keys", strings.Join(changed, " "))
		}
		return r.consent.ask(where, r.present.Kiosk.Enabled)
	}
	change, err := r.apply(ctx, c, fo, changed)
	if err != nil {
		return r.refuse(err)
	}
	o.Controller, o.History, o.Trouble = r.controls.controller, r.wayBack.Reader, r.trouble
	if change.Elsewhere {
		o.Deeds = deedsOf(c, r.log)
	}
	change.Options = o
	r.present, r.themes, r.bad = c, looks, ""
	r.note(c)
	r.log.Info("the configuration has changed", "keys", strings.Join(changed, " "))
	return change
}

// note keeps for people what of the saved configuration is not in force.
func (r *reloader) note(c *config.Config) {
	waiting := joined(restartFor(r.begun, c, boardNeedsStart()), r.teller.needs())
	if waiting != "" && waiting != r.waiting() {
		r.log.Warn("a part of the changed configuration is not in force", "why", waiting)
	}
	r.restart.Store(&waiting)
}

// refuse leaves everything as it is, and says why.
func (r *reloader) refuse(err error) ui.Reload {
	why := problemOf(err)
	if r.bad != why {
		r.bad = why
		r.log.Warn("the changed configuration cannot be used", "error", err)
	}
	return ui.Reload{Problem: why}
}

// apply has the feed, the actions, the past, the alerts that are kept, the metrics
// and the log go by a changed configuration. With an error nothing has changed.
func (r *reloader) apply(ctx context.Context, c *config.Config, fo feeds.Options, changed []string) (ui.Reload, error) {
	var change ui.Reload
	back, err := r.wayBack.Follow(c, changed, r.log)
	if err != nil {
		return change, err
	}
	var over []func() // what ends when the board goes by the new options
	if touches(changed, "rest", "audit", "read_only") {
		next, err := r.board.openControls(ctx, c, r.feed.Latest, r.log)
		if err != nil {
			return change, err
		}
		r.mu.Lock()
		over = append(over, r.controls.stop)
		r.controls = next
		r.mu.Unlock()
	}
	r.wayBack = back
	elsewhere, trouble := followFeed(ctx, r.feed, fo, changed)
	change.Elsewhere = elsewhere
	ended, err := r.common.follow(c, 0, elsewhere)
	if ended != nil {
		over = append(over, ended)
	}
	if err == nil {
		err = r.viewer.Look(sightOf(c))
	}
	if err == nil && r.teller != nil {
		err = r.teller.follow(c, r.asked)
	}
	if err != nil { // a configuration that loaded has none
		r.log.Error("the alerts do not follow the configuration", "error", err)
	}
	r.past = append(r.past, over...)
	change.Taken = func() {
		for _, end := range over {
			go end() // it may wait for the outcome of an action
		}
	}
	if touches(changed, "log.file", "log.max_size", "log.keep") {
		if err := r.board.FollowLog(c); err != nil && trouble == nil {
			trouble = fmt.Errorf("The log stays where it was: %w", err) //nolint:staticcheck // a sentence for people
		}
	}
	r.level.Set(c.Log.SlogLevel())
	change.Notice = r.noticeOf(changed, trouble)
	return change, nil
}

// noticeOf says what came of a change.
func (r *reloader) noticeOf(changed []string, trouble error) string {
	if trouble != nil {
		return trouble.Error()
	}
	switch {
	case r.teller.needs() != "":
		return inForce + ", but not for all of [[notify]]: that takes SIGHUP or a new start."
	case touches(changed, "notify") && r.teller == nil:
		return inForce + ", but this board tells nobody about alerts: that takes --notify, or `wallboard notify`."
	case touches(changed, boardNeedsStart()...):
		return inForce + ", but for what needs a new start."
	case slices.ContainsFunc(changed, newConnection):
		return inForce + "; the board connects anew."
	}
	return inForce + "."
}

// boardNeedsStart are the keys that an open board does not follow.
func boardNeedsStart() []string { return []string{"record", "command", "platform", "kiosk.enabled"} }

// restartFor says which of some keys have another value than at the start, "" where none has.
func restartFor(begun, c *config.Config, keys []string) string {
	var waiting []string
	if begun == nil { // a part of a program, in a test
		return ""
	}
	for _, key := range config.Changed(begun, c) {
		if touches([]string{key}, keys...) {
			waiting = append(waiting, key)
		}
	}
	if len(waiting) == 0 {
		return ""
	}
	return "Saved, but not in force before a new start: " + strings.Join(waiting, ", ")
}

// problemOf says on the board what is wrong with a changed configuration: what is
// allowed comes last, because that may be a long list.
func problemOf(err error) string {
	var wrong config.Errors
	if !errors.As(err, &wrong) || len(wrong) == 0 {
		return "The changed configuration cannot be used, the one before it stays: " + err.Error()
	}
	first := wrong[0]
	what := config.Problem{Key: first.Key, Problem: first.Problem, Remedy: first.Remedy}.String()
	if first.Line > 0 {
		what = fmt.Sprintf("line %d: %s", first.Line, what)
	}
	if n := len(wrong); n > 1 {
		return fmt.Sprintf("The changed configuration has %d errors, and the one before it stays; "+
			"`wallboard config check` lists them. The first: %s", n, what)
	}
	return "The changed configuration has an error, and the one before it stays: " + what
}
