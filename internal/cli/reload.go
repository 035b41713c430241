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
	board      *commandSetup
	readSource source
	feed       *feeds.Feed
	log        *slog.Logger
	level      *slog.LevelVar
	reloads    chan ui.Reload

	startConfig     *config.Config // configuration at the start
	current         *config.Config
	themes          fingerprint           // fingerprint of the theme files
	history         app.HistoryConnection // current history connection
	common          *app.Runtime
	viewer          *hub.Viewer    // viewer of the board
	notifyProblem   func() string  // problem with notifications; nil: none are sent
	notifier        *alertNotifier // sends notifications; nil: none are sent
	consent         *consent
	reloadRequested bool   // the current reload was requested
	rejection       string // why the last configuration was rejected; "": it was not

	pendingRestart atomic.Pointer[string] // see waiting
	retrying       atomic.Bool            // the viewer has requested a retry

	mu       sync.Mutex
	controls *app.Connection // current
	closers  []func()        // functions that close previous parts
}

// retry reads the configuration again, including the secret files, and then reconnects to
// what was refused.
func (r *reloader) retry() {
	r.retrying.Store(true)
	r.consent.requestReread()
}

// reconnect reconnects to what was refused.
func (r *reloader) reconnect() {
	r.feed.RetryNow()
	r.mu.Lock()
	retry := r.controls.Retry
	r.mu.Unlock()
	retry()
}

// stop closes the current parts and waits for the previous ones.
func (r *reloader) stop() {
	for _, end := range append(r.closers, r.controls.Stop, r.common.Close) {
		end()
	}
	r.history.Close()
}

// run applies changes until ctx ends.
func (r *reloader) run(ctx context.Context) {
	r.themes = fingerprintOf(commands.ThemesDir())
	triggers := reloadTriggers{requests: r.consent.reread, isRefused: r.isRefused, secrets: func() []string { return r.current.SecretFiles() }}
	r.board.onChange(ctx, r.log, triggers, func(why reloadReason) {
		retrying := r.retrying.Swap(false)
		previous := r.rejection
		r.reloadRequested = why == reloadOnRequest && !retrying
		change := r.reload(ctx, r.reloadRequested)
		if retrying {
			r.reconnect()
		}
		if why == whileRefused && (r.rejection == previous && r.rejection != "" || change.Unchanged && change.Notice == "") {
			return // nothing new to report
		}
		select {
		case r.reloads <- change:
		case <-ctx.Done():
		}
	})
}

// isRefused reports whether any service refuses a secret.
func (r *reloader) isRefused() bool {
	return r.rejection != "" || isLinkRefused(r.feed.Latest()) || r.controls.IsRefused() || r.history.Refused() || r.notifier != nil && r.notifier.isRefused()
}

// pendingText returns what of the saved configuration needs a restart, "" for nothing. It is
// safe for concurrent use.
func (r *reloader) pendingText() string {
	if text := r.pendingRestart.Load(); text != nil {
		return *text
	}
	return ""
}

// reload reads the configuration again and applies it to everything but the screen, which
// the board does. A configuration with errors changes nothing.
func (r *reloader) reload(ctx context.Context, requested bool) ui.Reload {
	c, fo, err := r.readSource()
	var o ui.Options
	if err == nil {
		o, err = uiOptions(c, app.HubEngine{Viewer: r.viewer})
	}
	if err != nil {
		return r.rejectConfig(err)
	}
	changed := config.Changed(r.current, c)
	themes := fingerprintOf(commands.ThemesDir())
	if len(changed) == 0 && themes == r.themes {
		change := ui.Reload{Unchanged: true}
		if requested && r.notifier != nil && r.notifier.pendingText() != "" { // it waited for the request
			if err := r.notifier.applyConfig(c, true); err != nil {
				return r.rejectConfig(err)
			}
			r.storePending(c)
			change.Notice = configApplied + "."
			return change
		}
		if requested || r.rejection != "" {
			change.Notice = configUnchanged
		}
		r.rejection = ""
		return change
	}
	if redirects := config.Redirects(r.current, c); !r.consent.isAllowed(redirects) {
		if reason := redirectText(redirects, restartRemedy); r.rejection != reason {
			r.rejection = reason
			r.log.Warn("changed configuration rejected: secrets would be sent to another address", "keys", strings.Join(changed, " "))
		}
		return r.consent.question(redirects, r.current.Kiosk.Enabled)
	}
	change, err := r.apply(ctx, c, fo, changed)
	if err != nil {
		return r.rejectConfig(err)
	}
	o.Controller, o.History, o.ProblemText = r.controls.Controller, r.history.Reader, r.notifyProblem
	if change.OtherPlatform {
		o.PastActions = actionReader(c, r.log)
	}
	change.Options = o
	r.current, r.themes, r.rejection = c, themes, ""
	r.storePending(c)
	r.log.Info("configuration reloaded", "keys", strings.Join(changed, " "))
	return change
}

// storePending stores what of the saved configuration is not in force.
func (r *reloader) storePending(c *config.Config) {
	waiting := joinSentences(restartText(r.startConfig, c, boardRestartKeys()), r.notifier.pendingText())
	if waiting != "" && waiting != r.pendingText() {
		r.log.Warn("a part of the changed configuration is not in force", "why", waiting)
	}
	r.pendingRestart.Store(&waiting)
}

// rejectConfig keeps the current configuration and reports the reason.
func (r *reloader) rejectConfig(err error) ui.Reload {
	reason := describeProblem(err)
	if r.rejection != reason {
		r.rejection = reason
		r.log.Warn("changed configuration rejected", "error", err)
	}
	return ui.Reload{Problem: reason}
}

// apply applies a changed configuration to the feed, the actions, the history, the stored
// alerts, the metrics and the log. After an error nothing has changed.
func (r *reloader) apply(ctx context.Context, c *config.Config, fo feeds.Options, changed []string) (ui.Reload, error) {
	var change ui.Reload
	history, err := r.history.Reconfigure(c, changed, r.log)
	if err != nil {
		return change, err
	}
	var closers []func() // to be closed when the board has applied the options
	if isChanged(changed, "rest", "audit", "read_only") {
		next, err := r.board.openControls(ctx, c, r.feed.Latest, r.log)
		if err != nil {
			return change, err
		}
		r.mu.Lock()
		closers = append(closers, r.controls.Stop)
		r.controls = next
		r.mu.Unlock()
	}
	r.history = history
	platformChanged, trouble := reconfigureFeed(ctx, r.feed, fo, changed)
	change.OtherPlatform = platformChanged
	closePrevious, err := r.common.ApplyConfig(c, 0, platformChanged)
	if closePrevious != nil {
		closers = append(closers, closePrevious)
	}
	if err == nil {
		err = r.viewer.SetVisibility(app.LocalVisibility(c))
	}
	if err == nil && r.notifier != nil {
		err = r.notifier.applyConfig(c, r.reloadRequested)
	}
	if err != nil { // cannot happen: the configuration was checked when it was loaded
		r.log.Error("the alerts cannot apply the configuration", "error", err)
	}
	r.closers = append(r.closers, closers...)
	change.Applied = func() {
		for _, end := range closers {
			go end() // it may wait for the outcome of an action
		}
	}
	if isChanged(changed, "log.file", "log.max_size", "log.keep") {
		if err := r.board.FollowLog(c); err != nil && trouble == nil {
			trouble = fmt.Errorf("The log stays where it was: %w", err) //nolint:staticcheck // a sentence for the viewer
		}
	}
	r.level.Set(c.Log.SlogLevel())
	change.Notice = r.reloadNotice(changed, trouble)
	return change, nil
}

// reloadNotice describes the result of a reload.
func (r *reloader) reloadNotice(changed []string, trouble error) string {
	if trouble != nil {
		return trouble.Error()
	}
	switch {
	case r.notifier.pendingText() != "":
		return configApplied + ", except for new targets in [[notify]]: send SIGHUP or restart to apply them."
	case isChanged(changed, "notify") && r.notifier == nil:
		return configApplied + ", but this board sends no notifications: use --notify or `wallboard notify`."
	case isChanged(changed, boardRestartKeys()...):
		return configApplied + ", except for settings that need a restart."
	case slices.ContainsFunc(changed, needsReconnect):
		return configApplied + "; the board reconnects."
	}
	return configApplied + "."
}

// boardRestartKeys returns the keys that need a restart of the board.
func boardRestartKeys() []string { return []string{"record", "command", "platform", "kiosk.enabled"} }

// restartText returns which of the keys differ from their values at the start, "" for none.
func restartText(started, c *config.Config, keys []string) string {
	var pending []string
	if started == nil { // a test of a single part
		return ""
	}
	for _, key := range config.Changed(started, c) {
		if isChanged([]string{key}, keys...) {
			pending = append(pending, key)
		}
	}
	if len(pending) == 0 {
		return ""
	}
	return "Saved, but not in force before a new start: " + strings.Join(pending, ", ")
}

// describeProblem describes the error in a changed configuration. The list of allowed values
// comes last, because it may be long.
func describeProblem(err error) string {
	var errs config.Errors
	if !errors.As(err, &errs) || len(errs) == 0 {
		return "The changed configuration cannot be used, the one before it stays: " + err.Error()
	}
	first := errs[0]
	text := config.Problem{Key: first.Key, Problem: first.Problem, Remedy: first.Remedy}.String()
	if first.Line > 0 {
		text = fmt.Sprintf("line %d: %s", first.Line, text)
	}
	if n := len(errs); n > 1 {
		return fmt.Sprintf("The changed configuration has %d errors, and the one before it stays; "+
			"`wallboard config check` lists them. The first: %s", n, text)
	}
	return "The changed configuration has an error, and the one before it stays: " + text
}
