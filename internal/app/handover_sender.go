package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/report/handover"
	"wallboard/internal/report/headless"
	"wallboard/internal/report/notify"
	"wallboard/internal/words"
)

// sendHandover is the audit log's name for sending a handover.
const sendHandover = reportActionPrefix + "send-handover"

// HandoverSender returns a sender of handovers to the recipients of [[notify]]. It writes each
// delivery to the audit log. person is the name of an SSH viewer, or "" on this machine. mayStart
// returns an error if the person must not send anything now. If mayStart is nil, sending is always
// allowed.
func (p *Platform) HandoverSender(person string, mayStart func() error) *notify.DocumentSender {
	return &notify.DocumentSender{
		Platform: p.Config().Platform,
		Targets:  func() []notify.Target { return notify.ConfiguredTargets(p.currentRecipients(), nil) },
		Begin: func(recipient string) (func(error), error) {
			if mayStart != nil {
				if err := mayStart(); err != nil {
					return nil, err
				}
			}
			finish, err := beginDelivery(p.Config(), p, person, recipient)
			if err == nil {
				return finish, nil
			}
			p.Log.Warn("sending a handover cannot be written to the audit log", "recipient", recipient, "user", person, "error", err)
			if person == "" { // no other user is affected
				return func(error) {}, nil
			}
			return nil, errors.New("it cannot be recorded; the log of the server has the reason")
		},
	}
}

// beginDelivery writes to the audit log that a handover is about to be sent. The caller must call
// finish to write the result.
func beginDelivery(c *config.Config, p *Platform, person, recipient string) (finish func(error), err error) {
	file, err := openAuditFile(c, p.Log)
	if err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	end, err := file.Begin(audit.Intent{Person: person, Action: sendHandover, Target: recipient})
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func(result error) {
		defer file.Close() //nolint:errcheck // every line is flushed
		out := audit.Result{Outcome: "confirmed"}
		switch {
		case errors.Is(result, notify.ErrDeliveryUnknown):
			out = audit.Result{Outcome: "unknown", Sentence: result.Error()}
		case result != nil:
			out = audit.Result{Outcome: "rejected", Sentence: result.Error()}
		}
		if err := end(out); err != nil {
			p.Log.Warn("the result of sending a handover cannot be written to the audit log", "recipient", recipient, "error", err)
		}
	}, nil
}

// currentRecipients returns the recipients to which handovers can be sent.
func (p *Platform) currentRecipients() []config.Notify {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.recipients)
}

// applyRecipients applies the recipients of a changed configuration. A new recipient, like a new
// notification target, is used only after SIGHUP or a restart.
func (p *Platform) applyRecipients(change *ConfigChange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.recipients, _ = notify.ActiveTargets(p.recipients, change.Config.Notify, change.Requested)
}

// HandoverReport returns the report about the shift that lasts from the time from until now. v is the
// viewer whose alerts and figures are reported. from and now are on the platform's clock.
func (p *Platform) HandoverReport(ctx context.Context, v *headless.Viewer, from, now time.Time, l *words.Language) handover.Report {
	c, loc := p.Config(), now.Location()
	watched := now
	if at := v.TrackedSince(); !at.IsZero() {
		watched = at.In(loc)
	}
	r := handover.New(handover.Input{
		Site: c.UI.Site, Snapshot: v.LastSnapshot, Alerts: v, Situations: v.Situations(), Names: v.Names(),
		From: from, At: v.EvaluatedAt.In(loc), WatchedSince: watched, HasStoredAlerts: true, HandedOverBy: ViewerName(c), Words: l,
	})
	v.Observations().ReadBreaks(r.AddBreaks)
	r.AddNotes(p.Notes.All())
	if err := r.AddActions(func(since time.Time) ([]handover.Action, error) { return ReadActions(c.Audit.Path(), c.RTD.URL, since) }); err != nil {
		r.ActionsNote = "The record of actions could not be read: " + err.Error()
	}
	r.ReadIncidents(ctx, NewMarkReader(c))
	r.Baseline, r.BaselineNote = handover.ReadBaseline(ctx, p.History.Reader(), r.At)
	if err := r.MeasureEffects(ctx, NewEffectMeasure(c)); err != nil {
		p.Log.Warn("the effects of actions cannot be measured", "error", err)
	}
	return r
}
