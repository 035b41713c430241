package pages

import (
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestPressChangesTheNumberOut checks that the keys skip the current number of agents on a break and stay
// within the plan.
func TestPressChangesTheNumberOut(t *testing.T) {
	t.Parallel()
	in := &diagnosis.ReleaseInput{Now: time.Unix(0, 0), Demand: []diagnosis.ServiceDemand{{Code: "A", PerSecond: 0.01, SecondsPerContact: 100}}, Spare: &diagnosis.FloorSpare{}}
	for i := range 4 {
		in.Agents = append(in.Agents, diagnosis.PlannedAgent{Services: []string{"A"}, IsOnBreak: i == 0})
	}
	r := releasePlanner{plan: diagnosis.PlanRelease(in)}
	for i, want := range []int{2, 2, 1, -1, -1, 1, 2} {
		if pressed := []string{"+", "+", "-", "-", "-", "+", "+"}[i]; !r.press(pressed) || r.breakCountChange != want {
			t.Errorf("key %d changes the number out by %d, want %d", i+1, r.breakCountChange, want)
		}
	}
	if r.press("x") {
		t.Error("it takes another key")
	}
}

// TestPlannerShowsTheEffect checks that a key that changes the number of agents on a break also changes
// the screen, however many half hours the plan has, and that the planner names the keys only if they have
// an effect.
func TestPlannerShowsTheEffect(t *testing.T) {
	t.Parallel()
	in := &diagnosis.ReleaseInput{Now: time.Unix(0, 0), Demand: []diagnosis.ServiceDemand{{Code: "A", PerSecond: 0.01, SecondsPerContact: 100}}, Spare: &diagnosis.FloorSpare{}}
	for range 6 {
		in.Agents = append(in.Agents, diagnosis.PlannedAgent{Services: []string{"A"}})
	}
	plan := diagnosis.PlanRelease(in)
	for i := range 8 {
		from := in.Now.Add(time.Duration(i) * 30 * time.Minute)
		plan.HalfHours = append(plan.HalfHours, diagnosis.HalfHourRelease{From: from, To: from.Add(30 * time.Minute), Releasable: 1})
	}
	sc := &panes.Scene{Look: style.New(style.Options{}, render.Options{}), Floor: &floorview.View{}}
	r := releasePlanner{plan: plan, isLive: true}
	draw := func(h int) string { return ansi.Strip(strings.Join(r.lines(sc, 80, h), "\n")) }
	for h := 1; h < 30; h++ {
		before := draw(h)
		r.press("+")
		after := draw(h)
		if r.press("-"); before == after {
			t.Errorf("%d lines: the key has no effect on:\n%s", h, after)
		}
		if text := r.position(true, nil).Text; !strings.Contains(text, "+ and -") {
			t.Errorf("%d lines: no keys in %q", h, text)
		}
	}
	draw(0)
	for _, hasKeys := range []bool{true, false} {
		if text := r.position(hasKeys, nil).Text; strings.Contains(text, "+ and -") {
			t.Errorf("keys without effect in %q", text)
		}
		draw(20)
	}
	draw(0)
	p := BreaksPage{planner: r, keys: BreaksKeys{Open: &key.Binding{}, Pane: &frame.PaneKeys{}}}
	isOffered := func() bool {
		return slices.ContainsFunc(p.Help(), func(b key.Binding) bool { return b.Help().Key == "+" })
	}
	if isOffered() {
		t.Error("the footer offers a key without effect")
	}
	if p.planner.showsEffect = true; !isOffered() {
		t.Error("the footer lacks the key")
	}
}

// TestFrozenBoardHasNoPlan checks that a board that stops showing live figures drops its plan, and
// with it the number of agents who can leave.
func TestFrozenBoardHasNoPlan(t *testing.T) {
	t.Parallel()
	in := &diagnosis.ReleaseInput{Now: time.Unix(0, 0), Spare: &diagnosis.FloorSpare{Ready: 3, IsCurrent: true}}
	for range 3 {
		in.Agents = append(in.Agents, diagnosis.PlannedAgent{Ready: true})
	}
	plan := diagnosis.PlanRelease(in)
	plan.MissingReason = words.Text{}
	newest := new(model.Snapshot)
	newest.Health.Link.State = model.LinkUp
	newest.Health.Subscriptions = []model.Subscription{{Name: model.OpUserStats, State: model.SubLive}, {Name: model.OpServices, State: model.SubLive}}
	sc := &panes.Scene{Look: style.New(style.Options{}, render.Options{}), Floor: &floorview.View{Channel: model.Call, Newest: newest}}
	p := BreaksPage{planner: releasePlanner{plan: plan, isLive: true}, observedSince: in.Now}
	p.leaveFigures.refresh(sc, in.Now, plan)
	if text := p.leaveFigures.position(nil).Text; !strings.Contains(text, "can leave") {
		t.Fatalf("with a plan: %q", text)
	}
	sc.Floor.FrozenAt = in.Now.Add(time.Second)
	now := in.Now.Add(30 * time.Minute)
	p.planner.refresh(sc, now)
	p.leaveFigures.refresh(sc, now, p.planner.plan)
	for _, text := range []string{p.leaveFigures.position(nil).Text, p.planner.position(true, nil).Text, p.Status(sc).Text} {
		if p.planner.plan != nil || strings.Contains(text, "can leave") {
			t.Errorf("the frozen board says %q", text)
		}
	}
	for _, sc.Floor.Channel = range []model.Channel{model.Chat, model.Call} {
		if p.leaveFigures.refresh(sc, now, nil); p.leaveFigures.channel != sc.Floor.Channel {
			t.Errorf("figures of channel %v on channel %v", p.leaveFigures.channel, sc.Floor.Channel)
		}
	}
}
