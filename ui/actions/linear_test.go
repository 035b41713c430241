package actions

import (
	"slices"
	"testing"

	"wallboard/internal/linear"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
)

// The time to draw an article is linear in its length.
func TestArticlesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	linear.Check(t, slices.Concat(linear.Pages(), linear.Texts()), func(s string) { dialog.Wrapped(htmlText(resource.CleanBody(s)), 80) })
}
