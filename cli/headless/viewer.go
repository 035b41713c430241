// Package headless looks at a platform without a screen: in one line, as JSON, and as
// metrics for Prometheus. It writes no agent's name into metrics.
package headless

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"wallboard/alert"
	"wallboard/alert/alertfile"
	"wallboard/config"
	"wallboard/hub"
	"wallboard/model"
	"wallboard/situation"
)

// Every is how often a viewer without a screen evaluates its alerts.
const Every = time.Second

// Viewer is a viewer without a screen of a hub. It belongs to one goroutine at a time.
type Viewer struct {
	*hub.Viewer
	// Platform is what the platform is called, of several; "": there is one.
	Platform string
	hub      *hub.Hub
	ascii    bool            // of the status line
	Last     *model.Snapshot // nil before the first
	At       time.Time       // of the last evaluation, on the server's clock
	said     *situation.View // of the last evaluation; nil before the first

	snoozes atomic.Pointer[alertfile.Snoozes] // of the boards of this user; nil: they are the hub's
}

// Of makes a viewer of the hub of a platform that others look at, too.
func Of(h *hub.Hub, platform string, ascii bool) (*Viewer, error) {
	v := &Viewer{Platform: platform, hub: h, ascii: ascii}
	return v, v.look()
}

func (v *Viewer) look() (err error) {
	v.Viewer, err = v.hub.Viewer(hub.Sight{Names: model.NamesFull}, 0, 0)
	return err //nolint:wrapcheck // it says so
}

// New makes a viewer that has a feed to itself, and goes by what the boards of this user
// have snoozed. recalled are alerts that were kept.
func New(c *config.Config, feed hub.Source, ascii bool, log *slog.Logger, recalled []alert.Alert) (*Viewer, error) {
	v := &Viewer{Platform: c.Platform, ascii: ascii}
	v.snoozes.Store(alertfile.NewSnoozes(alertfile.Path(c.RTD.URL), log))
	var err error
	v.hub, err = hub.New(hub.Options{
		Source: feed, Engine: engines(c), Names: c.Names(),
		Begin: func(e *alert.Engine) {
			e.Silencer().Share(v.snoozes.Load().Snoozes)
			e.Recall(recalled)
		},
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // it says so
	}
	return v, v.look()
}

func engines(c *config.Config) func(model.Part) (*alert.Engine, error) {
	return func(model.Part) (*alert.Engine, error) {
		e, err := alert.New(c.AlertOptions(c.Names()))
		if err != nil {
			return nil, fmt.Errorf("figures and alerts: %w", err) // a configuration that loaded has none
		}
		return e, nil
	}
}

// Follow has a viewer that has a feed to itself go by a changed configuration; elsewhere: it
// is that of another platform. It may be called from another goroutine.
func (v *Viewer) Follow(c *config.Config, elsewhere bool, log *slog.Logger) error {
	if elsewhere {
		v.snoozes.Store(alertfile.NewSnoozes(alertfile.Path(c.RTD.URL), log))
	}
	return v.hub.Follow(hub.Change{Engine: engines(c), Names: c.Names(), Elsewhere: elsewhere}) //nolint:wrapcheck // it says so
}

// Situations is what is to be said of the floor; nil before the first evaluation.
func (v *Viewer) Situations() *situation.View { return v.said }

// Evaluate judges the newest picture.
func (v *Viewer) Evaluate() {
	s := v.Latest()
	if s == nil {
		return
	}
	v.Last, v.At = s, time.Now().Add(s.Health.ClockOffset)
	if own := v.snoozes.Load(); own != nil {
		own.Refresh()
	}
	v.Viewer.Evaluate(s, v.At)
	v.said = v.Viewer.Situations().Look(s, nil, nil, v.At)
}

// Needs counts what needs a person, as a board does on which nobody has taken anything
// over: critical and warning are what goes on, today what figures of the day say, which
// is never critical.
func (v *Viewer) Needs() (critical, warning, today int) {
	if v.said == nil {
		return 0, 0, 0
	}
	critical, warning = v.said.Open()
	return critical, warning, len(v.said.Today)
}

// Live reports whether everything that was subscribed to is live.
func (v *Viewer) Live() bool { return v.Last != nil && v.Last.Health.Live() }

// keys returns the records whose figures are the platform's present ones: those
// of a subscription that is not live are old. Users are left out.
func (v *Viewer) keys() []alert.Key {
	if v.Last == nil {
		return nil
	}
	fresh := func(scope alert.Scope) bool {
		for _, name := range scope.Subscriptions() {
			if s := v.Last.Health.Subscription(name); s == nil || !s.State.Current() {
				return false
			}
		}
		return v.Last.Health.Link.State == model.LinkUp
	}
	var keys []alert.Key
	p := v.Last
	if fresh(alert.Floor) {
		seen := make(map[model.Channel]bool)
		for _, r := range p.Services.Sorted() {
			if !seen[r.Channel] {
				seen[r.Channel] = true
				keys = append(keys, alert.Key{Scope: alert.Floor, Channel: r.Channel})
			}
		}
	}
	if fresh(alert.Service) {
		for _, r := range p.Services.Sorted() {
			keys = append(keys, alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel})
		}
	}
	if fresh(alert.Group) {
		for _, r := range p.Groups.Sorted() {
			keys = append(keys, alert.Key{Scope: alert.Group, Code: r.Key().Code, Channel: r.Channel})
		}
	}
	if fresh(alert.Campaign) {
		for _, r := range p.Campaigns.Sorted() {
			keys = append(keys, alert.Key{Scope: alert.Campaign, Code: fmt.Sprint(r.Key())})
		}
	}
	return keys
}

// name returns what people call a record, "" where it has no name.
func (v *Viewer) name(k alert.Key) string {
	kinds := map[alert.Scope]model.NameKind{
		alert.Service: model.NameService, alert.Group: model.NameGroup, alert.Campaign: model.NameCampaign,
	}
	if name := v.Names().Of(kinds[k.Scope], k.Code); name != k.Code {
		return name
	}
	return ""
}

// Count counts the active alerts by level. What is silent does not count.
func Count(alerts []alert.Alert) (critical, warning int) {
	for i := range alerts {
		switch {
		case !alerts[i].Silent.IsZero():
		case alerts[i].Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}

// LookOn evaluates the floor for a while.
func (v *Viewer) LookOn(ctx context.Context, span time.Duration) {
	v.Evaluate()
	over := time.NewTimer(span)
	defer over.Stop()
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for span > 0 {
		select {
		case <-ctx.Done():
			return
		case <-over.C:
			return
		case <-tick.C:
			v.Evaluate()
		}
	}
}

// AwaitLive waits until everything is live, or the time is over.
func (v *Viewer) AwaitLive(ctx context.Context, within time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for seq := uint64(0); ; {
		s, err := v.Wait(waiting, seq)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		case err != nil || s.Health.Live():
			return nil
		}
		seq = s.Seq
	}
}
