package model_test

import (
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

func TestCleaningTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, testkit.TextPatterns(), func(s string) { model.CleanText(s, len(s)) })
	testkit.CheckLinear(t, testkit.TextPatterns(), func(s string) { model.CleanText(s, model.MaxName) })
}
