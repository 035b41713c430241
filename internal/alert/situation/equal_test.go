package situation

import (
	"testing"

	"wallboard/internal/alert/diagnosis"
)

// TestAnotherCauseIsAnotherView checks that a view with another cause is redrawn.
func TestAnotherCauseIsAnotherView(t *testing.T) {
	t.Parallel()
	view := func(text string) *View {
		return &View{Live: []Situation{{ID: "1", Causes: []diagnosis.Cause{{Kind: diagnosis.FewerAgents, Text: text}}}}}
	}
	if !view("4 agents went.").EqualContent(view("4 agents went.")) {
		t.Error("equal views are not the same")
	}
	if view("4 agents went.").EqualContent(view("5 agents went.")) {
		t.Error("another cause is the same")
	}
}
