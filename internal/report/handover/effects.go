package handover

import (
	"context"
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
)

// MeasureEffects sets the effects of actions and acknowledgements, that is, how long contacts
// waited before and after them. measure reads these times from a recording. If measure is nil,
// MeasureEffects does nothing.
func (r *Report) MeasureEffects(ctx context.Context, measure analysis.EffectsFunc) error {
	if measure == nil {
		return nil
	}
	var actions []analysis.Action
	var tell []func(text string)
	for i := range r.Actions {
		d := &r.Actions[i]
		if d.AffectsWaits {
			actions = append(actions, analysis.Action{At: d.At, Scope: analysis.Scope{Channel: model.Call}, Description: d.actionAndTarget().In(r.input.Words)})
			tell = append(tell, func(text string) { d.Effect = text })
		}
	}
	r.Effects = make(map[string]string)
	all := slices.Clone(r.Alerts)
	for _, list := range [][]situation.Situation{r.Situations.Live, r.Situations.Today} {
		for i := range list {
			all = append(all, list[i].Alerts...)
		}
	}
	for i := range all {
		a := &all[i]
		scope, ok := waitScope(a.Key)
		if a.Ack.At.IsZero() || !ok {
			continue
		}
		actions = append(actions, analysis.Action{At: a.Ack.At, Scope: scope, Description: words.HandoverTakeOver(a.Ack.By).In(r.input.Words)})
		tell = append(tell, func(text string) { r.Effects[a.ID] = text })
	}
	found, err := measure(ctx, actions)
	for i, text := range found {
		tell[i](text)
	}
	return err
}

// waitScope returns the services whose waiting times matter for an alert about the record k.
// ok is false if no contacts wait for such a record.
func waitScope(k alert.Key) (scope analysis.Scope, ok bool) {
	scope.Channel = k.Channel
	if scope.Channel == "" {
		scope.Channel = model.Call
	}
	switch k.Scope {
	case alert.Service:
		scope.Service = k.Code
		return scope, true
	case alert.Floor, alert.Group:
		return scope, true
	case alert.User, alert.Campaign, alert.Feed:
	}
	return scope, false
}
