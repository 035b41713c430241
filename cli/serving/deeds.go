package serving

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"wallboard/audit"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/ui/alerts"
)

// Silencers limits how often each viewer of a server snoozes, wakes and takes over: each
// time is a line in the record of actions, which must not be pushed out of it.
type Silencers struct{ often *allowance }

// What one viewer may do about alerts.
const (
	deedBurst = 20
	deedEvery = 10 * time.Second
)

// NewSilencers returns limits that nobody has used yet.
func NewSilencers() *Silencers { return &Silencers{newAllowance(deedBurst, deedEvery)} }

var (
	errMayNotSilence = errors.New("you may not silence critical alerts, nor everything: ask somebody whose role is act or admin, or who has may_silence")
	errTooOften      = errors.New("too much was done about alerts in a short time; try again in some seconds")
)

// Recorder records what a viewer of a server does about alerts. What cannot be recorded is
// not done.
func (s *Silencers) Recorder(c *config.Config, u *config.ServeUser, log *slog.Logger) alerts.Recorder {
	person, may := u.Name, u.MaySilence()
	return func(d *alerts.Deed) error {
		switch {
		case d.Grave && !may:
			return errMayNotSilence
		case !s.often.take(person):
			return errTooOften
		}
		if err := recordDeed(c, person, d, log); err != nil {
			log.Error("what was done about an alert could not be recorded", "user", person, "what", string(d.Kind), "error", err)
			return errors.New("it cannot be recorded; who runs this server can read why")
		}
		return nil
	}
}

// OwnRecorder records what is done about alerts at a board of one's own. It is done where it
// cannot be recorded, too: nobody else is concerned.
func OwnRecorder(c *config.Config, log *slog.Logger) alerts.Recorder {
	return func(d *alerts.Deed) error {
		if err := recordDeed(c, "", d, log); err != nil {
			log.Warn("what was done about an alert could not be recorded", "what", string(d.Kind), "error", err)
		}
		return nil
	}
}

// recordDeed writes a line of the record of actions.
func recordDeed(c *config.Config, person string, d *alerts.Deed, log *slog.Logger) error {
	file, err := wiring.AuditFile(c, log)
	if err != nil {
		return fmt.Errorf("open the record: %w", err)
	}
	defer file.Close() //nolint:errcheck // every line is on the disk
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
		return err //nolint:wrapcheck // it says so
	}
	return finish(audit.Result{Outcome: "confirmed"})
}
