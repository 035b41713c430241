package doctor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/feeds"
	"wallboard/internal/history"
)

// TestUnknownNameIsOneFinding uses a name server that does not answer. After two seconds the report has one
// line about the name, and no lines about the services that cannot be reached for this reason.
func TestUnknownNameIsOneFinding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := Options{
			Feed:             feeds.Options{URL: "https://pbx.invalid/rtd"},
			ConfigurationURL: "https://pbx.invalid/rest",
			Configuration: func(context.Context) (string, string, error) {
				return "", "", errors.New("asked although there is no name")
			},
			Statistics: &history.Options{URL: "https://pbx.invalid/datamodel"},
			Lookup: func(ctx context.Context, _ string) ([]string, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
		}
		began := time.Now()
		r, err := Examine(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Verdict != VerdictFail || time.Since(began) != resolveTimeout {
			t.Errorf("after %v: %v", time.Since(began), said(r))
		}
	})
}
