package actions

import (
	"slices"
	"testing"

	"wallboard/internal/linear"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
)

// An article that a customer has written takes time in proportion to be shown.
func TestArticlesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	linear.Check(t, slices.Concat(linear.Pages(), linear.Texts()), func(s string) { dialog.Wrapped(htmlText(resource.CleanBody(s)), 80) })
}
