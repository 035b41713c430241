package situation_test

import (
	"strings"
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// TestServiceWithoutAgents checks waiting callers of a service that has had no
// logged-in agent since the start of the board.
func TestServiceWithoutAgents(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.store.Users.Put(&model.User{Username: model.TextOf("at home"), Services: []string{"S"}, Skillsets: []string{"G"}})
	f.agent("near", model.Ready, []string{"T"}, []string{"G"})
	f.service("S", 0, 0, 0, 0)
	f.service("T", 0, 0, 1, 1)
	f.passes(300)
	if len(f.view.Live) != 0 {
		t.Fatalf("unexpected situations without waiting callers: %+v", f.view.Live)
	}
	f.service("S", 3, 40, 0, 0)
	f.passes(30)
	sit := f.view.Live[0]
	if want := "3 callers waiting, longest 0:40. No agents logged in."; sit.Headline != want {
		t.Errorf("headline %q, want %q", sit.Headline, want)
	}
	if want := "No logged-in agent has this skill; 1 agent is available for other services."; len(sit.Causes) != 1 || sit.Causes[0].Kind != diagnosis.SkillMissing || sit.Causes[0].Text != want {
		t.Errorf("causes %+v", sit.Causes)
	}
	helpsNobody(t, &sit.Help)
}

// TestSkillThatNobodyHas checks waiting callers of a service that no user serves, with
// agents in every state.
func TestSkillThatNobodyHas(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	for name, state := range map[string]model.UserStatus{"a": model.Busy, "b": model.NotReady, "c": model.WNR} {
		f.agent(name, state, []string{"T"}, []string{"G"})
	}
	f.service("S", 0, 0, 0, 0)
	f.service("T", 0, 0, 3, 0)
	f.passes(20 * 60) // after this time, agents who are not ready can be asked to come back
	f.service("S", 5, 70, 0, 0)
	f.passes(30)
	sit := f.view.ByKey(alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call})
	if sit == nil {
		t.Fatal("no situation")
	}
	if want := "5 callers waiting, longest 1:10. No agents logged in."; sit.Headline != want {
		t.Errorf("headline %q, want %q", sit.Headline, want)
	}
	if want := "No logged-in agent has this skill."; len(sit.Causes) != 1 || sit.Causes[0].Text != want {
		t.Errorf("causes %+v", sit.Causes)
	}
	helpsNobody(t, &sit.Help)
}

// TestGroupWithoutMembers checks contacts in a group without users, beside a service
// that runs well.
func TestGroupWithoutMembers(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Ready, []string{"S"}, []string{"H"})
	f.service("S", 0, 0, 1, 1)
	f.group("G", 4, 0, 0)
	f.group("H", 0, 1, 1)
	f.passes(60)
	if len(f.view.Live) != 1 || f.view.Live[0].Place.Key.Scope != alert.Group || f.view.Live[0].Place.Key.Code != "G" {
		t.Fatalf("%+v", f.view.Live)
	}
	sit := f.view.Live[0]
	if want := "4 callers waiting. No agents logged in."; sit.Headline != want {
		t.Errorf("headline %q, want %q", sit.Headline, want)
	}
	if len(sit.Causes) != 0 || !strings.Contains(sit.UnexplainedReason, "per service") {
		t.Errorf("causes %+v, %q", sit.Causes, sit.UnexplainedReason)
	}
	helpsNobody(t, &sit.Help)
}

// helpsNobody checks that the suggestions do not assume agents who serve the place.
func helpsNobody(t *testing.T, h *situation.Help) {
	t.Helper()
	for _, who := range h.Helpers {
		t.Errorf("suggests %s, who does not serve the place", who.Username)
	}
	if h.ClearTimeKnown && !h.ClearsByHangUps {
		t.Errorf("queue clears without agents in %v", h.ClearTime)
	}
}
