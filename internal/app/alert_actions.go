package app

import (
	"errors"
	"log/slog"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/netconn"
	"wallboard/ui/alerts"
)

// actionLimits limits how often each SSH viewer may act on alerts (for example snooze one or write a
// note) or send a handover. Each action is a line in the audit log, and too many lines would displace
// older ones.
type actionLimits struct{ limiter *netconn.Failures }

// A viewer may act actionBurst times at once, and after that once every actionInterval.
const (
	actionBurst    = 20
	actionInterval = 10 * time.Second
)

func newActionLimits() *actionLimits {
	return &actionLimits{netconn.NewFailures(actionBurst, 1/actionInterval.Seconds(), time.Now)}
}

var (
	errSilenceForbidden = errors.New("you may not silence critical alerts or all alerts: this needs the role act or admin, or may_silence")
	errNoteForbidden    = errors.New("you may not write notes or agree tolerances for everyone: this needs the role act or admin, or may_silence")
	errTickForbidden    = errors.New("you may not tick off steps of playbooks: this needs the role act or admin, or may_silence")
	errRateLimited      = errors.New("too many actions on alerts; try again in a few seconds")
)

// check counts an action of a viewer. If the viewer has acted too often, it returns errRateLimited.
func (s *actionLimits) check(person string) error {
	if !s.limiter.Take(person) {
		return errRateLimited
	}
	return nil
}

// newRecorder returns a recorder of an SSH viewer's actions on alerts. The recorder returns an
// error, which prevents the action, if the viewer has no right to it, if the viewer exceeds the
// limit, or if the audit log cannot be written.
func (s *actionLimits) newRecorder(c *config.Config, u *config.ServeUser, log *slog.Logger) alerts.Recorder {
	person, canSilence := u.Name, u.CanSilence()
	return func(d *alerts.Action) error {
		switch {
		case d.Critical && !canSilence:
			return errSilenceForbidden
		case (d.Kind == alerts.WriteNote || d.Kind == alerts.AgreeTolerance) && !canSilence:
			return errNoteForbidden
		case d.Kind == alerts.TickPlaybookItem && !canSilence:
			return errTickForbidden
		}
		if err := s.check(person); err != nil {
			return err
		}
		if err := recordAction(c, person, d, log); err != nil {
			log.Error("an action on an alert cannot be written to the audit log", "user", person, "what", string(d.Kind), "error", err)
			return errors.New("it cannot be recorded; the log of the server has the reason")
		}
		return nil
	}
}

// newLocalRecorder returns a recorder of a local board's actions on alerts. The recorder allows an
// action even if the audit log cannot be written, because no other user is affected.
func newLocalRecorder(c *config.Config, log *slog.Logger) alerts.Recorder {
	return func(d *alerts.Action) error {
		if err := recordAction(c, "", d, log); err != nil {
			log.Warn("an action on an alert cannot be written to the audit log", "what", string(d.Kind), "error", err)
		}
		return nil
	}
}

// recordAction writes an action on an alert to the audit log. person is the name of the viewer, or
// "" on a local board.
func recordAction(c *config.Config, person string, d *alerts.Action, log *slog.Logger) error {
	in := audit.Intent{Person: person, Action: alertActionPrefix + string(d.Kind), Target: d.RecordNames, Parameters: make(map[string]string)}
	if d.UserName != "" && d.UserName != person {
		in.Parameters["by"] = d.UserName
	}
	if d.Note != "" {
		in.Parameters["note"] = d.Note
	}
	if !d.Until.IsZero() {
		in.Parameters["until"] = d.Until.UTC().Format(time.RFC3339)
	}
	return audit.Append(c.Audit.LogOptions(c, log), in)
}
