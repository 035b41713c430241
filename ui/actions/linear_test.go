package actions

import (
	"slices"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
)

// TestArticlesTakeTimeInProportion checks that the time to draw an article is linear in its length.
func TestArticlesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, slices.Concat(testkit.HTMLPatterns(), testkit.TextPatterns()), func(s string) { dialog.WrapLines(htmlText(resource.CleanBody(s)), 80) })
}
