package cli

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"wallboard/alert"
	"wallboard/alert/alertfile"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
)

// newEngine makes the alert engine of one viewer.
func newEngine(c *config.Config, names model.Names) (*alert.Engine, error) {
	return engineOf(c.AlertOptions(names))
}

func engineOf(o alert.Options) (*alert.Engine, error) {
	e, err := alert.New(o)
	if err != nil { // a configuration that loaded has none
		return nil, usageError{fmt.Errorf("figures and alerts: %w", err)}
	}
	return e, nil
}

// namesOf returns what people call the platform's codes.
func namesOf(c *config.Config) model.Names {
	names := make(model.Names)
	for _, n := range c.RTD.Names {
		names.Add(model.NameKind(n.Kind), model.CleanText(n.Code, model.MaxName), model.CleanText(n.Name, model.MaxName))
	}
	return names
}

// runFeed runs a feed beside the caller. The context that it returns ends with
// the feed, with the feed's end as its cause; stop ends both and waits.
func runFeed(ctx context.Context, feed *feeds.Feed) (running context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancel(feed.Run(ctx)) // it ends with the context, or because of a panic
	}()
	return ctx, func() { cancel(nil); <-done }
}

// watchEvery is how often a viewer without a screen evaluates its alerts.
const watchEvery = time.Second

// viewer is a viewer without a screen: the feed's newest picture, judged by an
// engine of its own. It belongs to one goroutine at a time.
type viewer struct {
	feed   *feeds.Feed
	engine *alert.Engine
	names  model.Names
	last   *model.Snapshot // nil before the first
	at     time.Time       // of the last evaluation, on the server's clock
}

// newViewer makes a viewer of a feed.
func newViewer(c *config.Config, feed *feeds.Feed) (*viewer, error) {
	names := namesOf(c)
	engine, err := newEngine(c, names)
	if err != nil {
		return nil, err
	}
	return &viewer{feed: feed, engine: engine, names: names}, nil
}

// inherit goes on where the viewer of another configuration was, which must not be
// used afterwards.
func (v *viewer) inherit(before *viewer) {
	v.engine.Adopt(before.engine)
	v.last, v.at = before.last, before.at
}

// look evaluates the newest picture and returns what changed.
func (v *viewer) look() []alert.Change {
	s := v.feed.Latest()
	if s == nil {
		return nil
	}
	v.last, v.at = s, time.Now().Add(s.Health.ClockOffset)
	return v.engine.Evaluate(s, v.at)
}

// live reports whether everything that was subscribed to is live.
func (v *viewer) live() bool { return v.last != nil && v.last.Health.Live() }

// keys returns the records whose figures are the platform's present ones: those
// of a subscription that is not live are old. Users are left out.
func (v *viewer) keys() []alert.Key {
	if v.last == nil {
		return nil
	}
	fresh := func(names ...string) bool {
		for _, name := range names {
			if s := v.last.Health.Subscription(name); s == nil || !s.State.Current() {
				return false
			}
		}
		return v.last.Health.Link.State == model.LinkUp
	}
	var keys []alert.Key
	p := dumpOf(v.last) // in a stable order
	if fresh("serviceStats", "userStats") {
		seen := make(map[model.Channel]bool)
		for _, r := range p.Services {
			if !seen[r.Channel] {
				seen[r.Channel] = true
				keys = append(keys, alert.Key{Scope: alert.Floor, Channel: r.Channel})
			}
		}
	}
	if fresh("serviceStats") {
		for _, r := range p.Services {
			keys = append(keys, alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel})
		}
	}
	if fresh("groupStats") {
		for _, r := range p.Groups {
			keys = append(keys, alert.Key{Scope: alert.Group, Code: r.Key().Code, Channel: r.Channel})
		}
	}
	if fresh("pdCampaignStats") {
		for _, r := range p.Campaigns {
			keys = append(keys, alert.Key{Scope: alert.Campaign, Code: fmt.Sprint(r.Key())})
		}
	}
	return keys
}

// name returns what people call a record, "" where it has no name.
func (v *viewer) name(k alert.Key) string {
	kinds := map[alert.Scope]model.NameKind{
		alert.Service: model.NameService, alert.Group: model.NameGroup, alert.Campaign: model.NameCampaign,
	}
	if name := v.names.Of(kinds[k.Scope], k.Code); name != k.Code {
		return name
	}
	return ""
}

// count counts the active alerts by level.
func count(alerts []alert.Alert) (critical, warning int) {
	for i := range alerts {
		if alerts[i].Level == alert.Critical {
			critical++
		} else {
			warning++
		}
	}
	return critical, warning
}

// openAlerts reads the alerts of a platform that were kept, and keeps others until
// they are stopped. A kiosk, where nobody takes anything over, only reads.
func (b *board) openAlerts(c *config.Config, log *slog.Logger) *alertfile.Kept {
	if b.played {
		return alertfile.None()
	}
	f := alertfile.New(alertfile.Path(c.RTD.URL), log)
	if c.Kiosk.Enabled {
		return f.OpenReadOnly()
	}
	return f.Open()
}
