package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wallboard/feeds"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui"
)

// ConfigObserver holds the functions to call when the configuration of a platform changes. [Platform.Run]
// calls them on one goroutine. Each function may be nil.
type ConfigObserver struct {
	// IsBoard is true for a board on this machine. Such a board reloads themes, and its viewer can
	// permit sending secrets to another address.
	IsBoard bool
	// Prepare is called before anything changes. If it returns an error, nothing changes.
	Prepare func(*ConfigChange) error
	// Apply is called after the platform has changed. If it returns an error, the previous
	// configuration remains the current one.
	Apply func(context.Context, *ConfigChange) error
	// Notice returns the notice for the viewer after a configuration was applied. A nil Notice
	// means a default text.
	Notice func(*ConfigChange) words.Text
	// Report is called with the result of a reload.
	Report func(context.Context, ui.Reload)
	// RestartKeys are the keys whose changes take effect only after a restart.
	RestartKeys []string
}

// ConfigChange describes the difference between a reloaded configuration and the current one.
type ConfigChange struct {
	Config    *config.Config
	Keys      []string  // keys that differ from the current configuration
	Requested bool      // SIGHUP or the viewer requested the reload
	Result    ui.Reload // result for the board; OtherPlatform is true if the address of the platform has changed

	sinceStart []string // keys that differ from the configuration at the start
}

// HasChanged reports whether one of the keys, or a key in one of the tables, has changed.
func (c *ConfigChange) HasChanged(names ...string) bool { return isChanged(c.Keys, names...) }

type reloadReason int

const (
	fileChanged     reloadReason = iota // a configuration file, a theme or a secret file has changed
	reloadOnRequest                     // SIGHUP or a viewer's request
	secretRefused                       // a service refuses a secret, which may have been replaced in its file
)

// rereadInterval is how often secrets are read again while a service refuses one.
const rereadInterval = 10 * time.Second

// reloadTriggers holds the events on which a program reads its configuration again.
type reloadTriggers struct {
	requests    <-chan struct{} // receives requests to read the configuration; nil: there are none
	secretFiles func() []string // returns the files of the current secrets
	isRefused   func() bool     // reports whether a current secret is refused
	interval    time.Duration   // interval of reading while a secret is refused; 0 means rereadInterval
}

// reloadOnChange calls reload when a configuration file, a theme or a secret file has changed, on a
// request such as SIGHUP, and periodically while a secret is refused. It returns when ctx ends.
func (e *Environment) reloadOnChange(ctx context.Context, log *slog.Logger, triggers reloadTriggers, reload func(reloadReason)) {
	watched := func() []string {
		return slices.Concat([]string{e.ConfigFile.Path(), config.ThemesDir()}, e.ConfigFile.WatchedFiles(), triggers.secretFiles())
	}
	watcher := watchFiles(log, watched()...)
	defer watcher.close()
	if e.ConfigFile.HasConfigChanged() {
		reload(fileChanged)
	}
	requested := make(chan struct{}, 1)
	if e.OnHangup != nil {
		defer e.OnHangup(func() bool {
			select {
			case requested <- struct{}{}:
			default: // a request is pending
			}
			return true
		})()
	}
	reread := time.NewTicker(cmp.Or(triggers.interval, rereadInterval))
	defer reread.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-requested:
			reload(reloadOnRequest)
		case <-triggers.requests:
			reload(reloadOnRequest)
		case <-watcher.changed:
			reload(fileChanged)
		case <-reread.C:
			if !triggers.isRefused() {
				continue
			}
			reload(secretRefused)
		}
		watcher.setPaths(watched()...)
	}
}

// followConfig reads the configuration again whenever it may have changed, and applies the changes.
// It returns when ctx ends.
func (p *Platform) followConfig(ctx context.Context, f *ConfigObserver) {
	p.themesFingerprint = fingerprintOf(config.ThemesDir())
	triggers := reloadTriggers{requests: p.redirectConsent.reread, isRefused: p.isRefused, secretFiles: func() []string { return p.Config().SecretFiles() }}
	p.env.reloadOnChange(ctx, p.Log, triggers, func(why reloadReason) {
		retrying := p.retryRequested.Swap(false)
		previous := p.rejectionText()
		result := p.reload(ctx, f, why == reloadOnRequest && !retrying)
		if retrying {
			p.Source.RetryNow()
			p.Control.RetryLogin()
		}
		if why == secretRefused && (!previous.IsZero() && p.rejectionText().Equal(previous) || result.Unchanged && result.Notice.IsZero()) {
			return // nothing new to report
		}
		if f.Report != nil {
			f.Report(ctx, result)
		}
	})
}

// Retry requests that the configuration and the secret files are read again and that services which
// have refused a connection are connected to again. It does not wait.
func (p *Platform) Retry() {
	p.retryRequested.Store(true)
	p.redirectConsent.requestReread()
}

// isRefused reports whether reading the secrets again may help: the last configuration was
// rejected, a service refuses a secret, or a notification target cannot be reached.
func (p *Platform) isRefused() bool {
	s := p.Source.Latest()
	return !p.rejectionText().IsZero() || s != nil && s.Health.Link.State == model.LinkRefused ||
		p.Control != nil && p.Control.IsRefused() || p.History != nil && p.History.IsRefused() || p.Notifier.ProblemText() != ""
}

// reload reads the configuration again and applies it to everything except the viewers' screens. If
// the configuration has errors, it changes nothing. The board shows the result and applies it to
// its screen.
func (p *Platform) reload(ctx context.Context, f *ConfigObserver, requested bool) ui.Reload {
	c, fo, err := p.readConfig()
	if err != nil {
		return p.reject(err, describeProblem(err))
	}
	change := &ConfigChange{Config: c, Keys: config.ChangedKeys(p.config, c), sinceStart: config.ChangedKeys(p.startConfig, c)}
	change.Requested = requested
	var themes fingerprint
	if f.IsBoard {
		themes = fingerprintOf(config.ThemesDir())
	}
	if len(change.Keys) == 0 && (!f.IsBoard || themes == p.themesFingerprint) {
		return p.skipReload(f, change)
	}
	if redirects := config.ServerChanges(p.config, c); !p.redirectConsent.isAllowed(redirects) {
		return p.refuseRedirects(f, redirects)
	}
	trouble, err := p.applyConfig(ctx, f, change, fo)
	if err != nil {
		return p.reject(err, describeProblem(err))
	}
	p.mu.Lock()
	p.config, p.rejectionReason = c, words.Text{}
	p.mu.Unlock()
	p.themesFingerprint = themes
	p.storePending(f, change)
	p.level.Set(c.Log.SlogLevel())
	if change.HasChanged("log.file", "log.max_size", "log.keep") {
		if err := p.env.ConfigFile.ApplyLogConfig(c); err != nil && trouble == nil {
			trouble = words.NewError(words.AppLogStays(err.Error()), err)
		}
	}
	p.Log.Info("configuration reloaded", "keys", strings.Join(change.Keys, " "))
	change.Result.Notice = p.noticeText(f, change, trouble)
	return change.Result
}

// skipReload handles a reload that found no changes. If the reload was requested, it activates the
// notification targets that were waiting for one.
func (p *Platform) skipReload(f *ConfigObserver, change *ConfigChange) ui.Reload {
	change.Result.Unchanged = true
	p.applyRecipients(change)
	switch {
	case change.Requested && !p.Notifier.pendingText().IsZero():
		if err := p.Notifier.applyConfig(change); err != nil {
			return p.reject(err, describeProblem(err))
		}
		change.Result.Notice = words.AppConfigApplied()
	case change.Requested || !p.rejectionText().IsZero():
		p.Log.Info("configuration reloaded: no changes")
		change.Result.Notice = words.AppConfigUnchanged()
	}
	p.storePending(f, change)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rejectionReason = words.Text{}
	return change.Result
}

// applyConfig applies a changed configuration. trouble is an error of the feed, as a sentence for the
// viewer. err is an error of another part. After an error of Prepare, the history or the action clients,
// the feed and the hub have not changed.
func (p *Platform) applyConfig(ctx context.Context, f *ConfigObserver, change *ConfigChange, fo feeds.Options) (trouble, err error) {
	c := change.Config
	if f.Prepare != nil {
		err = f.Prepare(change)
	}
	if err == nil && p.History != nil {
		err = p.History.ApplyConfig(change, p.Log)
	}
	if err == nil && p.Control != nil && change.HasChanged(ActionConfigKeys()...) {
		err = p.Control.ApplyConfig(c)
	}
	if err != nil {
		return nil, err
	}
	change.Result.OtherPlatform, trouble = reconfigureFeed(ctx, p.Source, fo, change.Keys)
	if err = p.applyToHub(c, change.Result.OtherPlatform); err == nil && p.Notifier != nil {
		err = p.Notifier.applyConfig(change)
	}
	if err == nil && f.Apply != nil {
		err = f.Apply(ctx, change)
	}
	if err == nil {
		p.applyRecipients(change)
	}
	return trouble, err
}

// applyToHub applies a changed configuration to the hub and to the local viewer. If newPlatform is
// true, it first opens the stored alerts, courses and notes of the platform in c.
func (p *Platform) applyToHub(c *config.Config, newPlatform bool) error {
	if newPlatform {
		next := p.openAlerts(c)
		p.mu.Lock()
		previous := p.alertStore
		p.alertStore = next
		p.mu.Unlock()
		p.closing.Go(previous.Stop) // Stop may have to write the remaining alerts
		p.openIntraday(c)
		p.Notes.UseFile(p.notesPath(c))
	}
	change := hub.ConfigChange{Engine: engineConstructor(c, p.env.SpokenAlerts), Names: c.Names(), Secrets: maskedLogins(c), Breaks: c.BreakLimits(), Holidays: c.Holidays(), NewPlatform: newPlatform}
	if p.options.HubOptions.OnUnclaimed != nil {
		change.UnclaimedAfter = c.Serve.EscalateAfter
	}
	if err := p.Hub.Reconfigure(change); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.localViewer == nil {
		return nil
	}
	return p.localViewer.SetVisibility(LocalVisibility(c))
}

// refuseRedirects rejects a configuration that would send secrets to another address. On a board it
// asks the viewer for permission. It returns the result for the board.
func (p *Platform) refuseRedirects(f *ConfigObserver, redirects []config.ServerChange) ui.Reload {
	reason := words.AppRedirectRestart(redirectKeys(redirects))
	result := p.reject(words.NewError(reason, nil), reason)
	if !f.IsBoard || p.config.Kiosk.Enabled { // no viewer to ask
		return result
	}
	return p.redirectConsent.newConsentRequest(redirects)
}

// reject keeps the current configuration. It logs the error, unless the reason is the same as before,
// and returns the reason as the result for the viewer.
func (p *Platform) reject(err error, reason words.Text) ui.Reload {
	if !p.rejectionText().Equal(reason) {
		p.Log.Warn("changed configuration rejected", "error", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rejectionReason = reason
	return ui.Reload{Problem: reason}
}

// rejectionText returns the reason why the last changed configuration was rejected. It is zero if it
// was not.
func (p *Platform) rejectionText() words.Text {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rejectionReason
}

// PendingText describes the part of the saved configuration that is not in force yet. It returns ""
// if there is none.
func (p *Platform) PendingText() string { return p.pendingText().In(nil) }

func (p *Platform) pendingText() words.Text {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending
}

// ProblemText returns the reason why the saved configuration, or a part of it, is not in force. It
// returns "" if all of it is in force.
func (p *Platform) ProblemText() string { return cmp.Or(p.rejectionText().In(nil), p.PendingText()) }

// storePending stores a description of the part of the saved configuration that is not in force
// yet. It logs a new description.
func (p *Platform) storePending(f *ConfigObserver, change *ConfigChange) {
	pending := joinPendingTexts(restartText(change.sinceStart, f.RestartKeys), p.Notifier.pendingText())
	if !pending.IsZero() && !pending.Equal(p.pendingText()) {
		p.Log.Warn("a part of the changed configuration is not in force", "why", pending.In(nil))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = pending
}

// noticeText returns the notice for the viewer after a configuration was applied. trouble is the
// error of the feed, or nil.
func (p *Platform) noticeText(f *ConfigObserver, change *ConfigChange, trouble error) words.Text {
	switch {
	case trouble != nil:
		p.Log.Warn("the feed cannot apply the changed configuration", "error", trouble)
		return words.TextOf(trouble)
	case f.Notice != nil:
		return f.Notice(change)
	}
	pending := p.pendingText()
	if !pending.IsZero() {
		pending = words.Sentence(pending)
	}
	return words.JoinSentences(words.AppConfigApplied(), pending)
}

// joinPendingTexts joins two texts about parts of a configuration that are not in force. Either may be zero.
func joinPendingTexts(first, second words.Text) words.Text {
	switch {
	case first.IsZero():
		return second
	case second.IsZero():
		return first
	}
	return words.AppConfigBoth(first, second)
}

// restartText lists the changed keys that take effect only after a restart. It returns the zero Text if
// there are none.
func restartText(changed, restartKeys []string) words.Text {
	pending := slices.DeleteFunc(slices.Clone(changed), func(key string) bool { return !isChanged([]string{key}, restartKeys...) })
	if len(pending) == 0 {
		return words.Text{}
	}
	return words.AppConfigNeedsRestart(strings.Join(pending, ", "))
}

// describeProblem describes the first error in a changed configuration and, if there are several,
// says how many.
func describeProblem(err error) words.Text {
	var errs config.Errors
	if !errors.As(err, &errs) || len(errs) == 0 {
		return words.AppConfigUnusable(err.Error())
	}
	first := errs[0]
	text := config.Problem{Key: first.Key, Problem: first.Problem, Remedy: first.Remedy}.String()
	if first.Line > 0 {
		text = fmt.Sprintf("line %d: %s", first.Line, text)
	}
	if dir, name := filepath.Split(first.File); filepath.Base(dir) == filepath.Base(config.DropInDir("")) {
		text = filepath.Join(filepath.Base(dir), name) + ", " + text
	}
	if n := len(errs); n > 1 {
		return words.AppConfigErrors(n, text)
	}
	return words.AppConfigError(text)
}

// reconfigureFeed applies a changed configuration to a feed. changed holds the changed keys.
// platformChanged is true if the feed now connects to another platform; the previous connection has
// then ended. The error message is a sentence for the viewer.
func reconfigureFeed(ctx context.Context, feed Source, fo feeds.Options, changed []string) (platformChanged bool, err error) {
	if isChanged(changed, subscriptionKeys()...) {
		feed.Reconfigure(feeds.RuntimeOptions{
			UserSite: fo.UserSite, Services: fo.Services, Groups: fo.Groups, Campaigns: fo.Campaigns, FindCampaigns: fo.FindCampaigns,
			Restriction: fo.Restriction, Bounds: fo.Bounds, Publish: fo.Publish, AuditInterval: fo.AuditInterval,
		})
	}
	if !slices.ContainsFunc(changed, needsReconnect) {
		return false, nil
	}
	previous := feed.Latest()
	if err := feed.Reconnect(fo); err != nil {
		return false, words.NewError(words.AppCannotConnect(err.Error()), err)
	}
	if !isChanged(changed, "rtd.url") {
		return false, nil
	}
	awaitDisconnect(ctx, feed, previous)
	return true, nil
}

// awaitDisconnect waits until the connection that delivered the snapshot previous has ended, but
// for at most two seconds. Later snapshots then come from the new platform.
func awaitDisconnect(ctx context.Context, feed Source, previous *model.Snapshot) {
	const maxWait = 2 * time.Second // a feed with much data may need some time to end
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	isConnected := func(s *model.Snapshot) bool {
		return s.Health.Link.State == model.LinkUp && s.Health.Link.Since.Equal(previous.Health.Link.Since)
	}
	for s := previous; s != nil && isConnected(s); {
		next, err := feed.Wait(ctx, s.Seq)
		if err != nil {
			return
		}
		s = next
	}
}

// isChanged reports whether changed contains one of the keys, or a key in one of the tables.
func isChanged(changed []string, names ...string) bool {
	return slices.ContainsFunc(changed, func(key string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return key == name || strings.HasPrefix(key, name+".") })
	})
}

// subscriptionKeys returns the keys and tables that affect the subscriptions but not the connection
// to the real-time service. The table rest is one of them because the configuration service lists
// the campaigns.
func subscriptionKeys() []string {
	return []string{
		"rtd.user_site", "rtd.services", "rtd.groups", "rtd.campaigns", "rtd.publish_interval", "rtd.audit_interval",
		"rtd.max_records", "rtd.max_codes",
		"rtd.filter", "rest",
	}
}

// needsReconnect reports whether a change of a key requires a new connection to the real-time
// service.
func needsReconnect(key string) bool {
	return strings.HasPrefix(key, "rtd.") && key != "rtd.names" && !isChanged([]string{key}, subscriptionKeys()...)
}
