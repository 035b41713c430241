package commands

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/ui/alerts"
)

// DeedLimits limits how often each viewer may snooze, wake and take over: each action is a
// line in the audit log, and must not displace older ones by flooding it.
type DeedLimits struct{ often *allowance }

// Limits on a viewer's actions on alerts.
const (
	deedBurst = 20
	deedEvery = 10 * time.Second
)

// NewSilencers returns unused limits.
func NewSilencers() *DeedLimits { return &DeedLimits{newAllowance(deedBurst, deedEvery)} }

var (
	errMayNotSilence = errors.New("you may not silence critical alerts, nor everything: ask somebody whose role is act or admin, or who has may_silence")
	errTooOften      = errors.New("too much was done about alerts in a short time; try again in some seconds")
)

// Recorder records a viewer's actions on alerts. An action that cannot be recorded is
// refused.
func (s *DeedLimits) Recorder(c *config.Config, u *config.ServeUser, log *slog.Logger) alerts.Recorder {
	person, may := u.Name, u.MaySilence()
	return func(d *alerts.Action) error {
		switch {
		case d.Critical && !may:
			return errMayNotSilence
		case !s.often.take(person):
			return errTooOften
		}
		if err := recordDeed(c, person, d, log); err != nil {
			log.Error("an action on an alert cannot be written to the audit log", "user", person, "what", string(d.Kind), "error", err)
			return errors.New("it cannot be recorded; who runs this server can read why")
		}
		return nil
	}
}

// OwnRecorder records actions on alerts of a local board. They are executed even if
// recording fails, because no other user is affected.
func OwnRecorder(c *config.Config, log *slog.Logger) alerts.Recorder {
	return func(d *alerts.Action) error {
		if err := recordDeed(c, "", d, log); err != nil {
			log.Warn("an action on an alert cannot be written to the audit log", "what", string(d.Kind), "error", err)
		}
		return nil
	}
}

// recordDeed writes a line to the audit log.
func recordDeed(c *config.Config, person string, d *alerts.Action, log *slog.Logger) error {
	file, err := app.AuditFile(c, log)
	if err != nil {
		return fmt.Errorf("open the audit log: %w", err)
	}
	defer file.Close() //nolint:errcheck // every line is flushed
	in := audit.Intent{Person: person, Action: alertActions + string(d.Kind), Target: d.About, Parameters: make(map[string]string)}
	if d.By != "" && d.By != person {
		in.Parameters["by"] = d.By
	}
	if d.Note != "" {
		in.Parameters["note"] = d.Note
	}
	if !d.Until.IsZero() {
		in.Parameters["until"] = d.Until.UTC().Format(time.RFC3339)
	}
	finish, err := file.Begin(in)
	if err != nil {
		return err
	}
	return finish(audit.Result{Outcome: "confirmed"})
}
