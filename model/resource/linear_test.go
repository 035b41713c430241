package resource_test

import (
	"encoding/json"
	"slices"
	"testing"

	"wallboard/internal/linear"
	"wallboard/model/resource"
)

func TestReadingTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	linear.Check(t, linear.Texts(), func(s string) { resource.CleanBody(s) })
	texts := slices.Concat(linear.JSON("articles"), linear.JSON("article"), linear.JSON("unknown"), linear.JSON("body"))
	linear.Check(t, texts, func(s string) {
		var (
			tickets resource.Ticket
			article resource.Article
		)
		_ = json.Unmarshal([]byte(s), &tickets)
		_ = json.Unmarshal([]byte(s), &article)
		_, _ = json.Marshal(article)
	})
}
