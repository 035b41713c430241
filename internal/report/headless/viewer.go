// Package headless observes a platform without a screen: as a status line, as JSON, as
// metrics for Prometheus, and in lines of text. Metrics contain no agent names.
//
// A [Viewer] belongs to one goroutine at a time and evaluates the newest snapshot;
// snapshots in between are skipped. [MetricsServer] has two goroutines.
//
// A [Speaker] describes a floor in lines of text, for screen readers and simple
// terminals: first a summary, then a line for every important change, and further summaries
// at intervals. It also answers typed commands. It has no goroutine, clock or stream: the
// caller passes snapshots and the time, and writes the lines. Changes that come too fast are
// combined into one line, and those that are reversed before their announcement are dropped.
package headless

import (
	"context"
	"fmt"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/model"
)

// EvaluateInterval is the interval at which alerts are evaluated.
const EvaluateInterval = time.Second

// Viewer is a viewer of a hub without a screen. It belongs to one goroutine at a time.
type Viewer struct {
	*hub.Viewer
	// Platform is the name of the platform; "" with a single one.
	Platform     string
	ascii        bool            // for the status line
	LastSnapshot *model.Snapshot // last evaluated snapshot; nil before the first
	EvaluatedAt  time.Time       // time of the last evaluation, on the server's clock
	view         *situation.View // result of the last evaluation; nil before the first
}

// NewViewer returns a viewer of a hub.
func NewViewer(h *hub.Hub, platform string, ascii bool) (*Viewer, error) {
	v, err := h.Viewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
	return &Viewer{Viewer: v, Platform: platform, ascii: ascii}, err
}

// Situations returns the situations of the last evaluation; nil before the first.
func (v *Viewer) Situations() *situation.View { return v.view }

// Evaluate evaluates the newest snapshot.
func (v *Viewer) Evaluate() {
	s := v.Latest()
	if s == nil {
		return
	}
	v.LastSnapshot, v.EvaluatedAt = s, v.Now().Add(s.Health.ClockOffset)
	v.Viewer.Evaluate(s, v.EvaluatedAt)
	view, of := v.Viewer.Situations().Last()
	if v.view = view; of != nil && of.Seq > s.Seq {
		v.LastSnapshot = of
	}
}

// CountSituations counts the situations that need action: live ones by level, and those about daily figures,
// which are never critical.
func (v *Viewer) CountSituations() (critical, warning, today int) {
	if v.view == nil {
		return 0, 0, 0
	}
	critical, warning = v.view.Counts()
	return critical, warning, len(v.view.Today)
}

// Live reports whether all subscriptions are live.
func (v *Viewer) Live() bool { return v.LastSnapshot != nil && v.LastSnapshot.Health.Live() }

// currentKeys returns the keys of the records whose figures are current: those of live subscriptions.
// Users are omitted.
func (v *Viewer) currentKeys() []alert.Key {
	if v.LastSnapshot == nil {
		return nil
	}
	fresh := func(scope alert.Scope) bool {
		for _, name := range scope.Subscriptions() {
			if s := v.LastSnapshot.Health.Subscription(name); s == nil || !s.State.Current() {
				return false
			}
		}
		return v.LastSnapshot.Health.Link.State == model.LinkUp
	}
	var keys []alert.Key
	p := v.LastSnapshot
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

// recordName returns the display name of a record, "" if it has none.
func (v *Viewer) recordName(k alert.Key) string {
	kinds := map[alert.Scope]model.NameKind{
		alert.Service: model.NameService, alert.Group: model.NameGroup, alert.Campaign: model.NameCampaign,
	}
	if name := v.Names().OfInSnapshot(v.LastSnapshot, kinds[k.Scope], k.Code); name != k.Code {
		return name
	}
	return ""
}

// CountAlerts counts the active alerts by level, without silenced ones.
func CountAlerts(alerts []alert.Alert) (critical, warning int) {
	for i := range alerts {
		switch {
		case !alerts[i].SilentUntil.IsZero():
		case alerts[i].Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}

// EvaluateFor evaluates the floor periodically for a duration.
func (v *Viewer) EvaluateFor(ctx context.Context, span time.Duration) {
	v.Evaluate()
	over := time.NewTimer(span)
	defer over.Stop()
	tick := time.NewTicker(EvaluateInterval)
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

// AwaitLive waits until everything is live or the time is over. It returns an error only if ctx
// ends.
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
