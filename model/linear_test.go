package model_test

import (
	"testing"

	"wallboard/internal/linear"
	"wallboard/model"
)

func TestCleaningTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	linear.Check(t, linear.Texts(), func(s string) { model.CleanText(s, len(s)) })
	linear.Check(t, linear.Texts(), func(s string) { model.CleanText(s, model.MaxName) })
}
