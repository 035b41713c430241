package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/hub"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/replay"
)

// ReadActions returns the actions on a platform since a time on the local clock, from the audit log
// at path. A missing audit log counts as empty. After an error, the actions that could be read are returned.
func ReadActions(path, platform string, since time.Time) ([]handover.Action, error) {
	var out []handover.Action
	var broken []error
	for e, err := range audit.Read(path, audit.Filter{Since: since, Platform: platform}) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			broken = append(broken, err)
		case isBoardAction(e.Action):
		default:
			out = append(out, handover.Action{
				At: e.Time, UserName: cmp.Or(e.Person, e.User, e.OSUser), Action: words.OperationName(resource.Operation(e.Action)).In(nil), Target: e.Target,
				Outcome: e.Outcome, OutcomeText: e.Sentence, WarningText: e.Warning,
				AffectsWaits: resource.Operation(e.Action).AffectsWaits() && e.Outcome == resource.OutcomeConfirmed.String(),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b handover.Action) int { return a.At.Compare(b.At) })
	return out, errors.Join(broken...)
}

// NewActionReader returns a function that reads the actions on the platform since a time from the
// audit log.
func NewActionReader(c *config.Config, log *slog.Logger) func(time.Time) ([]handover.Action, error) {
	path, platform := c.Audit.Path(), c.RTD.URL
	return func(since time.Time) ([]handover.Action, error) {
		list, err := ReadActions(path, platform, since)
		if err != nil {
			log.Warn("the audit log cannot be read completely", "error", err)
			err = errors.New("some of its lines cannot be read; `wallboard audit` says which")
		}
		return list, err
	}
}

// NewMarkReader returns a function that reads the marks of the recording. If recording is off, it
// returns nil.
func NewMarkReader(c *config.Config) handover.RecordingReader {
	return (&replay.BoardArchive{Archive: new(NewArchive(c, hub.Visibility{}))}).MarkReader()
}

// NewEffectMeasure returns a function that measures the effects of actions in the recording. If
// recording is off, it returns nil.
func NewEffectMeasure(c *config.Config) analysis.EffectsFunc {
	open := NewArchive(c, hub.Visibility{}).Open
	if open == nil {
		return nil
	}
	return func(ctx context.Context, acts []analysis.Action) ([]string, error) {
		if len(acts) == 0 {
			return nil, nil
		}
		recording, err := open()
		if err != nil {
			return nil, err
		}
		defer recording.Close() //nolint:errcheck // read-only: closing cannot lose data
		return analysis.ComparedEffectTexts(ctx, recording, acts)
	}
}
