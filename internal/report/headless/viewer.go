// Package headless shows the state of a platform without a board: as a status line, as JSON,
// as metrics for Prometheus, and in lines of text. Metrics contain no names of agents.
//
// A [Viewer] evaluates the newest snapshot and skips older ones. Only one goroutine may use it
// at a time. [MetricsServer] has two goroutines.
//
// A [Speaker] describes the state of a platform in lines of text, for screen readers and simple
// terminals. It begins with a summary. After that, it writes a line for each important change, and
// a summary at intervals. It also answers typed commands. It combines changes in quick succession
// into one line, and omits a change that is reversed before it is announced. The Speaker has no
// goroutine, clock or stream: the caller passes snapshots and the time, and writes the lines.
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

// Viewer evaluates the snapshots of a platform without a board. Only one goroutine may use it
// at a time.
type Viewer struct {
	*hub.Viewer
	// Platform is the name of the platform, or "" if there is only one.
	Platform     string
	ascii        bool            // the status line contains only ASCII characters
	LastSnapshot *model.Snapshot // last evaluated snapshot; nil before the first
	EvaluatedAt  time.Time       // time of the last evaluation, on the server's clock
	view         *situation.View // situations of the last evaluation; nil before the first
}

// NewViewer returns a viewer for the hub h. platform is the name of the platform, or "" if there is
// only one. If ascii is true, the status line contains only ASCII characters.
func NewViewer(h *hub.Hub, platform string, ascii bool) (*Viewer, error) {
	v, err := h.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
	return &Viewer{Viewer: v, Platform: platform, ascii: ascii}, err
}

// Situations returns the situations of the last evaluation, or nil before the first one.
func (v *Viewer) Situations() *situation.View { return v.view }

// Evaluate evaluates the alerts and situations for the newest snapshot, if there is one.
func (v *Viewer) Evaluate() {
	s := v.Latest()
	if s == nil {
		return
	}
	v.LastSnapshot, v.EvaluatedAt = s, v.Now().Add(s.Health.ClockOffset)
	v.Viewer.Evaluate(s, v.EvaluatedAt)
	view, of := v.Viewer.Situations()
	if v.view = view; of != nil && of.Seq > s.Seq {
		v.LastSnapshot = of
	}
}

// CountSituations returns the numbers of critical situations and of warnings that need action.
// today is the number of situations about figures of the day; they are not part of critical
// and warning.
func (v *Viewer) CountSituations() (critical, warning, today int) {
	if v.view == nil {
		return 0, 0, 0
	}
	critical, warning = v.view.Counts()
	return critical, warning, len(v.view.Today)
}

// IsLive reports whether the connection and all subscriptions were live in the last evaluated
// snapshot.
func (v *Viewer) IsLive() bool { return v.LastSnapshot != nil && v.LastSnapshot.Health.Live() }

// currentKeys returns the keys of the records with current figures: those whose subscriptions are current
// while the connection is up. It leaves out agents.
func (v *Viewer) currentKeys() []alert.Key {
	if v.LastSnapshot == nil {
		return nil
	}
	fresh := func(scope alert.Scope) bool {
		for _, name := range scope.Subscriptions() {
			if s := v.LastSnapshot.Health.Subscription(name); s == nil || !s.State.IsCurrent() {
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

// recordName returns the display name of a record, or "" if it has none.
func (v *Viewer) recordName(k alert.Key) string {
	kinds := map[alert.Scope]model.NameKind{
		alert.Service: model.NameService, alert.Group: model.NameGroup, alert.Campaign: model.NameCampaign,
	}
	if name := v.Names().NameInSnapshot(v.LastSnapshot, kinds[k.Scope], k.Code); name != k.Code {
		return name
	}
	return ""
}

// CountAlerts returns the numbers of critical alerts and of warnings. It does not count
// silenced alerts.
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

// EvaluateFor calls [Viewer.Evaluate] every [EvaluateInterval] until span has passed or ctx ends,
// and once more when span has passed.
func (v *Viewer) EvaluateFor(ctx context.Context, span time.Duration) {
	v.Evaluate()
	timeout := time.NewTimer(span)
	defer timeout.Stop()
	tick := time.NewTicker(EvaluateInterval)
	defer tick.Stop()
	for span > 0 {
		select {
		case <-ctx.Done():
			return
		case <-timeout.C:
			v.Evaluate()
			return
		case <-tick.C:
			v.Evaluate()
		}
	}
}

// AwaitLive waits until all data is live and the search for campaigns is answered, or the
// duration within has passed. It returns an error only if ctx ends.
func (v *Viewer) AwaitLive(ctx context.Context, within time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for seq := uint64(0); ; {
		s, err := v.Wait(waiting, seq)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		case err != nil || s.Health.Live() && !s.Health.Search.IsLate():
			return nil
		}
		seq = s.Seq
	}
}
