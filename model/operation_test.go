package model_test

import (
	"strings"
	"testing"

	"wallboard/model"
)

func TestEveryOperationHasANoun(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, o := range model.Operations() {
		if o.Name == "" || seen[o.Name] {
			t.Errorf("operation %q is empty, or listed twice", o.Name)
		}
		seen[o.Name] = true
		if o.Noun == "" || strings.Contains(o.Noun, "Stats") || model.NounOf(o.Name) != o.Noun {
			t.Errorf("%s: %q is no noun", o.Name, o.Noun)
		}
	}
	if got := model.NounOf("chatbotStats"); got != "figures" {
		t.Errorf("an unknown operation is called %q", got)
	}
}
