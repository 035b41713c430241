package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/report/headless"
	"wallboard/internal/report/notify"
	"wallboard/model/resource"
	"wallboard/ui/actions"
)

func newNotify(b *commandSetup) *cobra.Command {
	return &cobra.Command{
		Use:   "notify",
		Short: "Send notifications about alerts: by command, webhook, mail and SMS",
		Long: "Notify connects like a board, without a screen, and sends notifications about alerts to the targets in [[notify]].\n\n" +
			"Run it once for all boards. A second one on the same machine is refused, and a board with --notify waits until it\n" +
			"ends. Several machines do not know of each other: ten of them send every message ten times.",
		Example: "wallboard notify\nwallboard --notify",
		Args:    cmdutil.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.runNotify(cmd.Context())
		},
	}
}

// runNotify sends notifications about alerts on all platforms until ctx ends.
func (b *commandSetup) runNotify(ctx context.Context) error {
	defer b.hangups.markService()()
	platforms, err := b.openFeeds()
	if err != nil {
		return err
	}
	var notified []notifiedPlatform
	for _, h := range platforms {
		v, err := newViewer(h.config, h.feed, h.log)
		if err != nil {
			return err
		}
		notified = append(notified, notifiedPlatform{h.config, v})
	}
	t, err := b.openNotifier(ctx, notified, platforms[0].log)
	if err != nil {
		return err
	}
	defer t.stop()
	if t.running() == nil {
		return errNotifies // without a board it has nothing else to do
	}
	if _, err := fmt.Fprintf(b.Streams.Out, "sending notifications to %d targets\n", len(platforms[0].config.Notify)); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	for i, h := range platforms {
		var stop func()
		f := viewerFollower(h, notified[i].viewer)
		takeConfig := f.apply
		f.apply = func(ctx context.Context, c *config.Config, platformChanged bool) error {
			if err := t.applyConfig(c, h.reloadRequested); err != nil {
				return err
			}
			return takeConfig(ctx, c, platformChanged)
		}
		f.isRefused, f.otherProblems = t.isRefused, t.pendingText
		ctx, stop = h.run(ctx, f)
		defer stop()
	}
	<-ctx.Done()
	return causeOfEnd(ctx)
}

// notifiedPlatform is a platform with notifications.
type notifiedPlatform struct {
	config *config.Config
	viewer *headless.Viewer
}

// alertNotifier sends notifications about the situations that viewers find. While another
// process of this machine does so, it waits. It has a few goroutines until stop.
type alertNotifier struct {
	stop func()

	board   *commandSetup
	ctx     context.Context //nolint:containedctx // the SMS connection outlives the reload that opens it
	log     *slog.Logger
	closing sync.WaitGroup
	sending *app.OptionalService

	mu             sync.Mutex
	notifier       *notify.Notifier   // nil: another process sends notifications
	platforms      []notifiedPlatform // with current configurations
	targets        []config.Notify
	pendingTargets []string // names of targets that are not in force yet
	sms            notify.SendSMS
	closeSMS       func()
}

// errNoTargets is the error for a configuration without [[notify]].
var errNoTargets = errors.New("no notification target: add a [[notify]] to the configuration")

// errNotifies is the error while another process of this machine sends notifications.
var errNotifies = errors.New("another process of this machine sends notifications already: a board with --notify, or wallboard notify")

// openNotifier starts sending notifications. If another process of this machine does so,
// it takes over when that process ends.
func (b *commandSetup) openNotifier(ctx context.Context, platforms []notifiedPlatform, log *slog.Logger) (*alertNotifier, error) {
	c := platforms[0].config // for settings of all platforms
	if len(c.Notify) == 0 {
		return nil, cmdutil.Usage(errNoTargets)
	}
	if b.ReadOnly && usesSMS(c.Notify) {
		return nil, cmdutil.Usage(errors.New("SMS cannot be sent with --read-only"))
	}
	sms, closeSMS, err := b.openSMS(ctx, platforms, log)
	if err != nil {
		return nil, err
	}
	t := &alertNotifier{board: b, ctx: ctx, log: log, platforms: slices.Clone(platforms), targets: c.Notify, sms: sms, closeSMS: closeSMS}
	lock := filepath.Join(filepath.Dir(c.Audit.Path()), "notify.lock")
	t.sending = app.StartOptional(ctx, log, "notifications", io.Discard, func(io.Writer) (func(), error) { return t.start(lock, platforms) })
	t.stop = func() {
		t.sending.Stop()
		t.mu.Lock()
		t.closeSMS()
		t.mu.Unlock()
		t.closing.Wait()
	}
	return t, nil
}

// start sends notifications until end, unless another process has the lock.
func (t *alertNotifier) start(lock string, platforms []notifiedPlatform) (end func(), err error) {
	unlock, err := securefile.HoldLock(lock, 0)
	if errors.Is(err, securefile.ErrLocked) {
		return nil, errNotifies
	} else if err != nil { // a duplicate notification is better than none
		t.log.Warn("the lock against duplicate notifications is not available", "error", err)
		unlock = func() {}
	}
	t.mu.Lock()
	n := notify.New(notify.Options{Targets: targetsOf(t.targets), SMS: t.sms, Ledger: newNotifyLedger(), Logger: t.log})
	t.notifier = n
	t.mu.Unlock()
	ctx, cancel := context.WithCancel(t.ctx)
	var beside sync.WaitGroup
	beside.Go(func() { n.Run(ctx) })
	beside.Go(func() { watchSituations(ctx, n, platforms) })
	return func() {
		cancel()
		beside.Wait()
		unlock()
	}, nil
}

// running returns the notifier, nil while another process sends notifications.
func (t *alertNotifier) running() *notify.Notifier {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.notifier
}

// trouble returns which target cannot be reached, "" for none. t may be nil.
func (t *alertNotifier) trouble() string {
	if t == nil {
		return ""
	}
	if n := t.running(); n != nil {
		return n.Trouble()
	}
	return ""
}

// idle returns why no notifications are sent, "" if they are. t may be nil.
func (t *alertNotifier) idle() string {
	if t == nil {
		return ""
	}
	return t.sending.Trouble()
}

// applyConfig applies a changed configuration of a platform. Targets that are new or have a new
// address wait for SIGHUP or a restart: write access to the file alone must not be enough
// to run a command or to receive notifications.
func (t *alertNotifier) applyConfig(c *config.Config, requested bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	index := slices.IndexFunc(t.platforms, func(f notifiedPlatform) bool { return f.config.Platform == c.Platform })
	if index < 0 {
		return nil
	}
	targets, waiting := activeTargets(t.targets, c.Notify, requested)
	changed := config.Changed(t.platforms[index].config, c)
	platforms := slices.Clone(t.platforms)
	platforms[index].config = c
	var sms notify.SendSMS
	if usesSMS(targets) && (t.sms == nil || isChanged(changed, app.ActionConfigKeys()...)) {
		newSMS, closeSMS, err := t.board.openSMS(t.ctx, platforms, t.log)
		if err != nil {
			return err
		}
		t.closing.Go(t.closeSMS) // it may wait for the outcome of a message
		sms, t.sms, t.closeSMS = newSMS, newSMS, closeSMS
	}
	t.platforms, t.targets, t.pendingTargets = platforms, targets, waiting
	if t.notifier != nil {
		t.notifier.SetTargets(targetsOf(targets), sms)
	}
	return nil
}

// activeTargets returns the targets in force, and the names of those that wait.
func activeTargets(current, changed []config.Notify, requested bool) (targets []config.Notify, pending []string) {
	for i := range changed {
		n := &changed[i]
		index := slices.IndexFunc(current, func(o config.Notify) bool { return o.Name == n.Name })
		switch {
		case requested || index >= 0 && current[index].HasSameDelivery(n):
			targets = append(targets, *n)
		case index >= 0:
			targets = append(targets, current[index])
			pending = append(pending, n.Name)
		default:
			pending = append(pending, n.Name)
		}
	}
	return targets, pending
}

// pendingText returns which targets wait, "" for none. t may be nil.
func (t *alertNotifier) pendingText() string {
	if t == nil {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.pendingTargets) == 0 {
		return ""
	}
	return "Saved, but not in force before SIGHUP or a new start: [[notify]] " + strings.Join(t.pendingTargets, ", ")
}

// isRefused reports whether a target cannot be reached, possibly because a secret is refused.
func (t *alertNotifier) isRefused() bool { return t.trouble() != "" }

// usesSMS reports whether a target uses SMS.
func usesSMS(targets []config.Notify) bool {
	return slices.ContainsFunc(targets, func(n config.Notify) bool { return len(n.SMS) > 0 })
}

// watchSituations evaluates the alerts and passes the changes of situations to a notifier,
// at first all open ones.
func watchSituations(ctx context.Context, n *notify.Notifier, platforms []notifiedPlatform) {
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

// targetsOf converts the configured targets.
func targetsOf(targets []config.Notify) []notify.Target {
	var out []notify.Target
	for i := range targets {
		n := &targets[i]
		t := notify.Target{
			Name: n.Name, Command: n.Command, Webhook: n.Webhook, Header: n.Header, Format: n.Format, SMS: n.SMS,
			Default: n.Default, Severity: alert.Critical, On: []notify.Event{notify.Begin, notify.Escalate, notify.End},
			MaxPerHour: n.Rate(), Timeout: n.TimeoutOrDefault(),
		}
		if len(n.To) > 0 {
			t.Mail = &notify.Mail{To: n.To, From: n.From, Server: n.SMTP, User: n.SMTPUser, Password: n.SMTPPassword}
		}
		t.Quiet.From, t.Quiet.To = n.QuietHours()
		if n.Severity == alert.Warning.String() {
			t.Severity = alert.Warning
		}
		if len(n.On) > 0 {
			t.On = nil
			for _, event := range n.On {
				t.On = append(t.On, notify.Event(event))
			}
		}
		out = append(out, t)
	}
	return out
}

// openSMS returns a function that sends SMS through the configuration service of the
// platform concerned, nil if no target uses SMS or no platform has such a service.
func (b *commandSetup) openSMS(ctx context.Context, platforms []notifiedPlatform, log *slog.Logger) (send notify.SendSMS, stop func(), err error) {
	stop = func() {}
	if !slices.ContainsFunc(platforms, func(f notifiedPlatform) bool { return usesSMS(f.config.Notify) }) {
		return nil, stop, nil
	}
	controllers := make(map[string]*actions.Controller)
	for _, f := range platforms {
		ctl, err := b.openControls(ctx, f.config, f.viewer.Latest, log)
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
		case resource.Confirmed:
			return nil
		case resource.Rejected:
			return fmt.Errorf("%w: %s", notify.ErrRefused, report.Text)
		case resource.NotSent:
			return errors.New(report.Text)
		case resource.Unknown:
		}
		return fmt.Errorf("%w: %s", notify.ErrUnknown, report.Text)
	}, stop, nil
}
