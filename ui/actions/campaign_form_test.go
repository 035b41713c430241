package actions

import (
	"testing"

	"wallboard/ui/dialog"
)

func TestCampaignMustNotEndBeforeItStarts(t *testing.T) {
	t.Parallel()
	for end, wrong := range map[string]bool{"2026-01-01": true, "2026-03-01": false, "": false} {
		f := dialog.NewFields([]dialog.Field{
			{ID: "start", Kind: dialog.DateField, Value: "2026-02-01"}, {ID: "end", Kind: dialog.DateField, Value: end},
		}, dialog.FieldOptions{})
		if got := periodError(f); got.IsZero() == wrong {
			t.Errorf("until %q: %q", end, got.In(nil))
		}
	}
}
