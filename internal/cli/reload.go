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

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/ui"
)

// reloader makes an open board follow its configuration. Results go to the board through
// the channel reloads. One goroutine watches for changes until stop.
type reloader struct {
	board   *board
	read    source
	feed    *feeds.Feed
	log     *slog.Logger
	level   *slog.LevelVar
	reloads chan ui.Reload

	begun   *config.Config // configuration at the start
	present *config.Config
	themes  fingerprint           // fingerprint of the theme files
	wayBack app.HistoryConnection // current history connection
	common  *common
	viewer  *hub.Viewer    // who looks
	trouble func() string  // problem with notifications; nil: none are sent
	teller  *alertNotifier // sends notifications; nil: none are sent
	consent *consent
	asked   bool   // the current reload was requested
	bad     string // why the last configuration was rejected; "": it was not

	restart  atomic.Pointer[string] // see waiting
	retrying atomic.Bool            // the viewer has requested a retry

	mu       sync.Mutex
	controls *controls // current
	past     []func()  // functions that close previous parts
}

// retry reads the configuration again, including the secret files, and then reconnects to
// what was refused.
func (r *reloader) retry() {
	r.retrying.Store(true)
	r.consent.look()
}

// tryNow reconnects to what was refused.
func (r *reloader) tryNow() {
	r.feed.RetryNow()
	r.mu.Lock()
	again := r.controls.retry
	r.mu.Unlock()
	again()
}

// stop closes the current parts and waits for the previous ones.
func (r *reloader) stop() {
	for _, end := range append(r.past, r.controls.stop, r.common.close) {
		end()
	}
	r.wayBack.Close()
}

// run applies changes until ctx ends.
func (r *reloader) run(ctx context.Context) {
	r.themes = fingerprintOf(commands.Dir())
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
			return // nothing new to report
		}
		select {
		case r.reloads <- change:
		case <-ctx.Done():
		}
	})
}

// refused reports whether any service refuses a secret.
func (r *reloader) refused() bool {
	return r.bad != "" || linkRefused(r.feed.Latest()) || r.controls.refused() || r.wayBack.Refused() || r.teller != nil && r.teller.refused()
}

// waiting returns what of the saved configuration needs a restart, "" for nothing. It is
// safe for concurrent use.
func (r *reloader) waiting() string {
	if text := r.restart.Load(); text != nil {
		return *text
	}
	return ""
}

// reload reads the configuration again and applies it to everything but the screen, which
// the board does. A configuration with errors changes nothing.
func (r *reloader) reload(ctx context.Context, asked bool) ui.Reload {
	c, fo, err := r.read()
	var o ui.Options
	if err == nil {
		o, err = uiOptions(c, hubEngine{r.viewer})
	}
	if err != nil {
		return r.refuse(err)
	}
	changed := config.Changed(r.present, c)
	looks := fingerprintOf(commands.Dir())
	if len(changed) == 0 && looks == r.themes {
		change := ui.Reload{Unchanged: true}
		if asked && r.teller != nil && r.teller.needs() != "" { // it waited for the request
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
		if why := redirectText(where, restartRemedy); r.bad != why {
			r.bad = why
			r.log.Warn("changed configuration rejected: secrets would be sent to another address", "keys", strings.Join(changed, " "))
		}
		return r.consent.ask(where, r.present.Kiosk.Enabled)
	}
	change, err := r.apply(ctx, c, fo, changed)
	if err != nil {
		return r.refuse(err)
	}
	o.Controller, o.History, o.ProblemText = r.controls.controller, r.wayBack.Reader, r.trouble
	if change.OtherPlatform {
		o.PastActions = deedsOf(c, r.log)
	}
	change.Options = o
	r.present, r.themes, r.bad = c, looks, ""
	r.note(c)
	r.log.Info("configuration reloaded", "keys", strings.Join(changed, " "))
	return change
}

// note stores what of the saved configuration is not in force.
func (r *reloader) note(c *config.Config) {
	waiting := joinSentences(restartNeeded(r.begun, c, boardNeedsStart()), r.teller.needs())
	if waiting != "" && waiting != r.waiting() {
		r.log.Warn("a part of the changed configuration is not in force", "why", waiting)
	}
	r.restart.Store(&waiting)
}

// refuse keeps the current configuration and reports the reason.
func (r *reloader) refuse(err error) ui.Reload {
	why := problemOf(err)
	if r.bad != why {
		r.bad = why
		r.log.Warn("changed configuration rejected", "error", err)
	}
	return ui.Reload{Problem: why}
}

// apply applies a changed configuration to the feed, the actions, the history, the stored
// alerts, the metrics and the log. After an error nothing has changed.
func (r *reloader) apply(ctx context.Context, c *config.Config, fo feeds.Options, changed []string) (ui.Reload, error) {
	var change ui.Reload
	back, err := r.wayBack.Reconfigure(c, changed, r.log)
	if err != nil {
		return change, err
	}
	var over []func() // to be closed when the board has applied the options
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
	change.OtherPlatform = elsewhere
	ended, err := r.common.applyConfig(c, 0, elsewhere)
	if ended != nil {
		over = append(over, ended)
	}
	if err == nil {
		err = r.viewer.SetVisibility(localSight(c))
	}
	if err == nil && r.teller != nil {
		err = r.teller.follow(c, r.asked)
	}
	if err != nil { // cannot happen: the configuration was checked when it was loaded
		r.log.Error("the alerts cannot apply the configuration", "error", err)
	}
	r.past = append(r.past, over...)
	change.Applied = func() {
		for _, end := range over {
			go end() // it may wait for the outcome of an action
		}
	}
	if touches(changed, "log.file", "log.max_size", "log.keep") {
		if err := r.board.FollowLog(c); err != nil && trouble == nil {
			trouble = fmt.Errorf("The log stays where it was: %w", err) //nolint:staticcheck // a sentence for the viewer
		}
	}
	r.level.Set(c.Log.SlogLevel())
	change.Notice = r.noticeOf(changed, trouble)
	return change, nil
}

// noticeOf describes the result of a reload.
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
	case slices.ContainsFunc(changed, needsReconnect):
		return inForce + "; the board connects anew."
	}
	return inForce + "."
}

// boardNeedsStart returns the keys that need a restart of the board.
func boardNeedsStart() []string { return []string{"record", "command", "platform", "kiosk.enabled"} }

// restartNeeded returns which of the keys differ from their values at the start, "" for none.
func restartNeeded(begun, c *config.Config, keys []string) string {
	var waiting []string
	if begun == nil { // a test of a single part
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

// problemOf describes the error in a changed configuration. The list of allowed values
// comes last, because it may be long.
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
