// Package headless looks at a platform without a screen: in one line, as JSON, and as
// metrics for Prometheus. It writes no agent's name into metrics.
package headless

import (
	"context"
	"fmt"
	"time"

	"wallboard/alert"
	"wallboard/alert/alertfile"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
	"wallboard/situation"
)

// Every is how often a viewer without a screen evaluates its alerts.
const Every = time.Second

// Viewer is a viewer without a screen: the feed's newest picture, judged by an
// engine of its own. It belongs to one goroutine at a time.
type Viewer struct {
	feed    *feeds.Feed
	Engine  *alert.Engine
	Names   model.Names
	snoozes *alertfile.Snoozes // of the boards of this user; nil: of none
	ascii   bool               // of the status line
	Last    *model.Snapshot    // nil before the first
	At      time.Time          // of the last evaluation, on the server's clock
	watch   *situation.Watch
	said    *situation.View // of the last evaluation; nil before the first
}

// hold is how long warnings are held back that may be over by themselves, as on a board.
const hold = time.Minute

// New makes a viewer of a feed.
func New(c *config.Config, feed *feeds.Feed, ascii bool) (*Viewer, error) {
	names := c.Names()
	engine, err := alert.New(c.AlertOptions(names))
	if err != nil {
		return nil, fmt.Errorf("figures and alerts: %w", err) // a configuration that loaded has none
	}
	return &Viewer{
		feed: feed, Engine: engine, Names: names, ascii: ascii,
		watch: situation.New(situation.Options{Names: names, Hold: hold, Goal: engine.Goal}),
	}, nil
}

// Situations is what is to be said of the floor; nil before the first evaluation.
func (v *Viewer) Situations() *situation.View { return v.said }

// Heed has the viewer go by what the boards of this user have snoozed.
func (v *Viewer) Heed(s *alertfile.Snoozes) {
	v.snoozes = s
	v.Engine.Silencer().Share(s.Snoozes)
}

// Inherit goes on where the viewer of another configuration was, which must not be
// used afterwards.
func (v *Viewer) Inherit(before *Viewer) {
	v.Engine.Adopt(before.Engine)
	v.Last, v.At = before.Last, before.At
	v.watch, v.said = before.watch, before.said
	v.snoozes = before.snoozes // the engine has them from the one before
}

// Evaluate judges the newest picture and returns what changed.
func (v *Viewer) Evaluate() []alert.Change {
	s := v.feed.Latest()
	if s == nil {
		return nil
	}
	v.Last, v.At = s, time.Now().Add(s.Health.ClockOffset)
	if v.snoozes != nil {
		v.snoozes.Refresh()
	}
	changes := v.Engine.Evaluate(s, v.At)
	v.said = v.watch.Look(s, v.Engine.Active(), changes, v.At)
	return changes
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
	if name := v.Names.Of(kinds[k.Scope], k.Code); name != k.Code {
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
		s, err := v.feed.Wait(waiting, seq)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		case err != nil || s.Health.Live():
			return nil
		}
		seq = s.Seq
	}
}
