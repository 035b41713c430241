package actions

import (
	"testing"

	"wallboard/ui/form"
)

func TestCampaignMustNotEndBeforeItStarts(t *testing.T) {
	t.Parallel()
	for end, wrong := range map[string]bool{"2026-01-01": true, "2026-03-01": false, "": false} {
		f := form.New([]form.Field{
			{ID: "start", Kind: form.Date, Value: "2026-02-01"}, {ID: "end", Kind: form.Date, Value: end},
		}, form.Options{})
		if got := periodError(f); (got != "") != wrong {
			t.Errorf("until %q: %q", end, got)
		}
	}
}
