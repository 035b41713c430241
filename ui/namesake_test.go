package ui

import (
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/pages"
)

// TestNamesakesAreToldApart checks that actions tell agents with the same name apart.
func TestNamesakesAreToldApart(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Agents)
	b.pages.CurrentPage().Focused().Table.Select(agentName(0))
	b.press("d")
	b.lacks("(" + agentName(0) + ")")
	b.press("esc")

	me, other := b.floor.Users.Get(agentName(0)), *b.floor.Users.Get(agentName(1))
	other.Surname, other.Name = me.Surname, me.Name
	other.Version++
	b.floor.Users.Put(&other)
	b.publish()
	b.pass(time.Second)
	for _, key := range []string{"d", "x", "a"} {
		b.press(key)
		b.shows(me.Surname.String() + " " + me.Name.String() + " (" + agentName(0) + ")")
		b.press("esc")
	}
	b.press(":")
	b.words("hang up")
	b.shows("(" + agentName(0) + "): hang up")
}

// TestActingUnderAFilterKeepsTheAgent checks that after an action under a filter the agent stays
// selected.
func TestActingUnderAFilterKeepsTheAgent(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Agents)
	b.floor.agentOn(0, model.Ready, b.Now)
	b.publish()
	b.pass(time.Second)
	b.press("/")
	b.words("ready")
	b.press("enter")
	b.pages.CurrentPage().Focused().Table.Select(agentName(0))
	b.floor.agentOn(0, model.BusyDNCallOut, b.Now)
	b.publish()
	b.pass(time.Second)
	if got := b.selected(); got != agentName(0) {
		t.Errorf("the cursor went on to %s", got)
	}
	b.shows("this one left the filter")
}
