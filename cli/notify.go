package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"wallboard/alert"
	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/config"
	"wallboard/internal/flock"
	"wallboard/model/resource"
	"wallboard/notify"
	"wallboard/situation"
	"wallboard/ui/actions"
)

func newNotify(b *board) *cobra.Command {
	return &cobra.Command{
		Use:   "notify",
		Short: "Tell people about alerts: by commands, webhooks, mail and SMS",
		Long: "Notify connects like a board, without a screen, and tells the [[notify]] of the configuration about alerts.\n\n" +
			"Run it once for all boards: ten boards with --notify send every message ten times. On one machine a second\n" +
			"process that tells is refused; over several machines nobody can look after that but you.",
		Example: "wallboard notify\nwallboard --notify",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.tellAll(cmd.Context())
		},
	}
}

// tellAll tells people about alerts on all platforms until the context ends.
func (b *board) tellAll(ctx context.Context) error {
	defer b.hup.serve()()
	all, err := b.openFeeds()
	if err != nil {
		return err
	}
	var floors []toldFloor
	for _, h := range all {
		v, err := newViewer(h.config, h.feed, h.log)
		if err != nil {
			return err
		}
		floors = append(floors, toldFloor{h.config, v})
	}
	t, err := b.openTeller(ctx, floors, all[0].log)
	if err != nil {
		return err
	}
	defer t.stop()
	if _, err := fmt.Fprintf(b.Streams.Out, "telling %d about alerts\n", len(floors[0].config.Notify)); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	for _, h := range all {
		var stop func()
		ctx, stop = h.run(ctx, nil)
		defer stop()
	}
	<-ctx.Done()
	return endOf(ctx)
}

// toldFloor is a platform whose alerts people are told about.
type toldFloor struct {
	config *config.Config
	viewer *headless.Viewer
}

// teller tells people about what viewers find. It has two
// goroutines and those of its notifier until it is stopped.
type teller struct {
	notifier *notify.Notifier
	stop     func()
}

// errNobody says that there is nobody to tell.
var errNobody = errors.New("nobody is to be told: write a [[notify]] into the configuration")

// openTeller begins to tell. No second process of the machine may.
func (b *board) openTeller(ctx context.Context, floors []toldFloor, log *slog.Logger) (*teller, error) {
	c := floors[0].config // of which what holds for all platforms is meant
	if len(c.Notify) == 0 {
		return nil, command.Usage(errNobody)
	}
	if b.ReadOnly && slices.ContainsFunc(c.Notify, func(n config.Notify) bool { return len(n.SMS) > 0 }) {
		return nil, command.Usage(errors.New("SMS cannot be sent with --read-only"))
	}
	unlock, err := flock.Hold(filepath.Join(filepath.Dir(c.Audit.Path()), "notify.lock"), 0)
	if errors.Is(err, flock.ErrLocked) {
		return nil, errors.New("another process of this machine tells already: a board with --notify, or wallboard notify")
	} else if err != nil {
		return nil, fmt.Errorf("notify: %w", err)
	}
	sms, closeSMS, err := b.openSMS(ctx, floors, log)
	if err != nil {
		unlock()
		return nil, err
	}
	t := &teller{notifier: notify.New(notify.Options{Targets: targetsOf(c), SMS: sms, Ledger: newNotifyLedger(), Logger: log})}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		told := make(chan struct{})
		go func() { defer close(told); t.notifier.Run(ctx) }()
		t.watch(ctx, floors)
		<-told
	}()
	t.stop = func() {
		cancel()
		<-done
		closeSMS()
		unlock()
	}
	return t, nil
}

// watch evaluates the alerts and passes on what becomes of situations, first of all what
// stands when it begins.
func (t *teller) watch(ctx context.Context, floors []toldFloor) {
	tick := time.NewTicker(headless.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, f := range floors {
				before := cmp.Or(f.viewer.Situations(), &situation.View{})
				f.viewer.Evaluate()
				t.notifier.TellOf(f.config.Platform, situation.Changes(before, f.viewer.Situations()))
			}
		}
	}
}

// targetsOf returns who is told.
func targetsOf(c *config.Config) []notify.Target {
	var out []notify.Target
	for i := range c.Notify {
		n := &c.Notify[i]
		t := notify.Target{
			Name: n.Name, Command: n.Command, Webhook: n.Webhook, Header: n.Header, Form: n.Format, SMS: n.SMS,
			Default: n.Default, Severity: alert.Critical, On: []notify.Event{notify.Begin, notify.Escalate, notify.End},
			MaxPerHour: n.Rate(), Timeout: n.Patience(),
		}
		if len(n.To) > 0 {
			t.Mail = &notify.Mail{To: n.To, From: n.From, Server: n.SMTP, User: n.SMTPUser, Password: n.SMTPPassword}
		}
		t.Quiet.From, t.Quiet.To = n.Hours()
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

// openSMS returns what sends an SMS through the configuration service of the platform that
// it is about, nil where nobody is told that way or no platform has one.
func (b *board) openSMS(ctx context.Context, floors []toldFloor, log *slog.Logger) (send notify.SendSMS, stop func(), err error) {
	stop = func() {}
	if !slices.ContainsFunc(floors[0].config.Notify, func(n config.Notify) bool { return len(n.SMS) > 0 }) {
		return nil, stop, nil
	}
	ways := make(map[string]*actions.Controller)
	for _, f := range floors {
		ctl, err := b.openControls(ctx, f.config, f.viewer.Latest, log)
		if err != nil {
			stop()
			return nil, nil, err
		}
		before := stop
		stop = func() { ctl.stop(); before() }
		if ctl.controller != nil {
			ways[f.config.Platform] = ctl.controller
		}
	}
	if len(ways) == 0 {
		return nil, stop, nil
	}
	return func(ctx context.Context, platform, number, text string) error {
		way := ways[platform]
		if way == nil {
			return fmt.Errorf("%w: SMS about %s need its [platform.rest] in the configuration", notify.ErrRefused, platform)
		}
		report := way.Messages.SendSMS(ctx, resource.SMS{PhoneNumber: number, Message: text})
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
