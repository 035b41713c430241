package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/internal/alert/situation"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/report/headless"
	"wallboard/internal/report/notify"
	"wallboard/internal/serve/web"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/actions"
)

// Notifier sends notifications about the situations of all platforms. While another process of this
// machine sends notifications, it waits. It runs goroutines until Stop is called.
type Notifier struct {
	env     *Environment
	ctx     context.Context //nolint:containedctx // the SMS connection outlives the reload that opens it
	log     *slog.Logger
	closing sync.WaitGroup
	service *OptionalService

	mu             sync.Mutex
	notifier       *notify.Notifier // nil while another process sends notifications
	platforms      []notifiedPlatform
	targets        []config.Notify
	pendingTargets []string // names of targets that are not used yet
	sendSMS        notify.SendSMS
	closeSMS       func()
}

// notifiedPlatform is a platform about whose situations notifications are sent, with its current
// configuration.
type notifiedPlatform struct {
	config *config.Config
	viewer *headless.Viewer
}

// errNoTargets is the error for a configuration without [[notify]].
var errNoTargets = errors.New("no notification target: add a [[notify]] to the configuration")

// ErrAlreadyNotifying means that another process of this machine sends notifications.
var ErrAlreadyNotifying = errors.New("another process of this machine sends notifications already: a board with --notify, or wallboard notify")

// StartNotifier starts to send notifications about all platforms, which must not be running yet.
// While another process of this machine sends notifications, the Notifier waits.
func (e *Environment) StartNotifier(ctx context.Context, platforms []*Platform, log *slog.Logger) (*Notifier, error) {
	c := platforms[0].Config() // the settings for all platforms are in the first configuration
	if len(c.Notify) == 0 {
		return nil, ConfigError{errNoTargets}
	}
	if e.ReadOnly && notify.UsesSMS(c.Notify) {
		return nil, ConfigError{errors.New("SMS cannot be sent with --read-only")}
	}
	t := &Notifier{env: e, ctx: ctx, log: log, targets: c.Notify}
	for _, p := range platforms {
		v, err := headless.NewViewer(p.Hub, p.Config().Platform, false)
		if err != nil {
			return nil, err
		}
		t.platforms = append(t.platforms, notifiedPlatform{p.Config(), v})
		p.Notifier = t
	}
	var err error
	if t.sendSMS, t.closeSMS, err = t.openSMS(t.platforms); err != nil {
		return nil, err
	}
	lock := filepath.Join(filepath.Dir(c.Audit.Path()), "notify.lock")
	watched := t.platforms
	t.service = StartOptional(ctx, log, "notifications", io.Discard, func(io.Writer) (func(), error) { return t.startSending(lock, watched) })
	return t, nil
}

// configuredLanguage returns the language of the texts for readers who did not choose one.
func configuredLanguage(c *config.Config) *words.Language {
	return words.AvailableLanguages.Choose(c.UI.Language, os.Getenv)
}

// Stop stops sending notifications. t may be nil.
func (t *Notifier) Stop() {
	if t == nil {
		return
	}
	t.service.Stop()
	t.mu.Lock()
	t.closeSMS()
	t.mu.Unlock()
	t.closing.Wait()
}

// startSending starts to send notifications and returns a function that stops sending. If another
// process holds the lock, the error is ErrAlreadyNotifying.
func (t *Notifier) startSending(lock string, platforms []notifiedPlatform) (end func(), err error) {
	unlock, err := securefile.HoldLock(lock, 0)
	if errors.Is(err, securefile.ErrLocked) {
		return nil, ErrAlreadyNotifying
	} else if err != nil { // continue without the lock: a duplicate notification is better than none
		t.log.Warn("the lock against duplicate notifications is not available", "error", err)
		unlock = func() {}
	}
	t.mu.Lock()
	n := notify.New(notify.Options{Targets: notify.ConfiguredTargets(t.targets, configuredLanguage(platforms[0].config)), SMS: t.sendSMS, DeliveryStore: notify.OpenDeliveryStore(), Logger: t.log, Link: situationLink(&platforms[0].config.Serve.Web)})
	t.notifier = n
	t.mu.Unlock()
	ctx, cancel := context.WithCancel(t.ctx)
	var tasks sync.WaitGroup
	tasks.Go(func() { n.Run(ctx) })
	tasks.Go(func() { notifySituations(ctx, n, platforms) })
	return func() {
		cancel()
		tasks.Wait()
		unlock()
	}, nil
}

// situationLink returns a function that returns the address of the web page about the time when an
// alert began. If there is no web server, situationLink returns nil.
func situationLink(w *config.Web) func(since time.Time) string {
	if !w.Enabled() {
		return nil
	}
	return func(since time.Time) string {
		return web.Address(w.Listen, w.Hosts, web.SituationTimePath(since.Local()))
	}
}

// runningNotifier returns the notifier that sends notifications, or nil while another process sends
// them.
func (t *Notifier) runningNotifier() *notify.Notifier {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.notifier
}

// IsWaiting reports whether another process sends notifications.
func (t *Notifier) IsWaiting() bool { return t.runningNotifier() == nil }

// ProblemText describes a target that cannot be reached. It returns "" if there is none. t may be nil.
func (t *Notifier) ProblemText() string {
	if t == nil {
		return ""
	}
	if n := t.runningNotifier(); n != nil {
		return n.Trouble().In(nil)
	}
	return ""
}

// IdleReason returns the reason why no notifications are sent, or "" if they are sent. t may be
// nil.
func (t *Notifier) IdleReason() string {
	if t == nil {
		return ""
	}
	return t.service.ProblemText()
}

// applyConfig applies a changed configuration of a platform. A target that is new or has a new
// address is not used before SIGHUP or a restart. Otherwise write access to the file would be
// enough to run commands or receive notifications.
func (t *Notifier) applyConfig(change *ConfigChange) error {
	c := change.Config
	t.mu.Lock()
	defer t.mu.Unlock()
	index := slices.IndexFunc(t.platforms, func(f notifiedPlatform) bool { return f.config.Platform == c.Platform })
	if index < 0 {
		return nil
	}
	targets, waiting := notify.ActiveTargets(t.targets, c.Notify, change.Requested)
	platforms := slices.Clone(t.platforms)
	platforms[index].config = c
	var sms notify.SendSMS
	if notify.UsesSMS(targets) && (t.sendSMS == nil || change.HasChanged(ActionConfigKeys()...)) {
		newSMS, closeSMS, err := t.openSMS(platforms)
		if err != nil {
			return err
		}
		t.closing.Go(t.closeSMS) // closeSMS may wait for the outcome of a message
		sms, t.sendSMS, t.closeSMS = newSMS, newSMS, closeSMS
	}
	t.platforms, t.targets, t.pendingTargets = platforms, targets, waiting
	if t.notifier != nil {
		t.notifier.SetTargets(notify.ConfiguredTargets(targets, configuredLanguage(platforms[0].config)), sms)
	}
	return nil
}

// pendingText lists the targets that are not used yet. It returns the zero Text if there are none. t may be
// nil.
func (t *Notifier) pendingText() words.Text {
	if t == nil {
		return words.Text{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.pendingTargets) == 0 {
		return words.Text{}
	}
	return words.AppConfigNeedsReload(strings.Join(t.pendingTargets, ", "))
}

// notifySituations periodically evaluates the alerts and passes changes of situations to n, until
// ctx ends. It first reports all situations that are already open.
func notifySituations(ctx context.Context, n *notify.Notifier, platforms []notifiedPlatform) {
	tick := time.NewTicker(headless.EvaluateInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, f := range platforms {
				previous := cmp.Or(f.viewer.Situations(), &situation.View{})
				f.viewer.Evaluate()
				n.NotifySituations(f.config.Platform, situation.Changes(previous, f.viewer.Situations()))
			}
		}
	}
}

// openSMS returns a function that sends SMS through the configuration service of the platform that
// the message is about. send is nil if no target uses SMS, or if no platform can act on its
// configuration service. stop closes the connections.
func (t *Notifier) openSMS(platforms []notifiedPlatform) (send notify.SendSMS, stop func(), err error) {
	stop = func() {}
	if !slices.ContainsFunc(platforms, func(f notifiedPlatform) bool { return notify.UsesSMS(f.config.Notify) }) {
		return nil, stop, nil
	}
	controllers := make(map[string]*actions.Controller)
	for _, f := range platforms {
		ctl, err := t.env.OpenConnection(t.ctx, f.config, f.viewer.Latest, t.log)
		if err != nil {
			stop()
			return nil, nil, err
		}
		stopPrevious := stop
		stop = func() { ctl.Stop(); stopPrevious() }
		if ctl.Controller != nil {
			controllers[f.config.Platform] = ctl.Controller
		}
	}
	if len(controllers) == 0 {
		return nil, stop, nil
	}
	return func(ctx context.Context, platform, number, text string) error {
		controller := controllers[platform]
		if controller == nil {
			return fmt.Errorf("%w: SMS about %s need its [platform.rest] in the configuration", notify.ErrRefused, platform)
		}
		report := controller.Messages.SendSMS(ctx, resource.SMS{PhoneNumber: number, Message: text})
		switch report.Outcome {
		case resource.OutcomeConfirmed:
			return nil
		case resource.OutcomeRejected:
			return fmt.Errorf("%w: %s", notify.ErrRefused, report.Text.In(nil))
		case resource.OutcomeNotSent:
			return errors.New(report.Text.In(nil))
		case resource.OutcomeUnknown:
		}
		return fmt.Errorf("%w: %s", notify.ErrDeliveryUnknown, report.Text.In(nil))
	}, stop, nil
}
