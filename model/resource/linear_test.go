package resource_test

import (
	"encoding/json"
	"slices"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/model/resource"
)

func TestReadingTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, testkit.TextPatterns(), func(s string) { resource.CleanBody(s) })
	texts := slices.Concat(testkit.JSONPatterns("articles"), testkit.JSONPatterns("article"), testkit.JSONPatterns("unknown"), testkit.JSONPatterns("body"))
	testkit.CheckLinear(t, texts, func(s string) {
		var (
			tickets resource.Ticket
			article resource.Article
		)
		_ = json.Unmarshal([]byte(s), &tickets)
		_ = json.Unmarshal([]byte(s), &article)
		_, _ = json.Marshal(article)
	})
}
