package proof_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/ui/render"
)

// TestOneStateEverywhere compares the states of agents in all outputs on every
// channel, for platforms that report NOT_READY and NOT_READY_BUSY for agents who are
// busy on another channel.
func TestOneStateEverywhere(t *testing.T) {
	t.Parallel()
	for _, notReady := range []bool{false, true} {
		t.Run(fmt.Sprintf("not ready elsewhere: %v", notReady), func(t *testing.T) {
			t.Parallel()
			c := newComparison(world.New(world.Options{Seed: 3, Agents: 30, Channels: 3, NotReadyElsewhere: notReady}))
			for range 3 * 60 {
				c.runSecond(t)
			}
			if seen := c.elsewhere > 0; seen != notReady {
				t.Errorf("only %d cases of an agent who is busy elsewhere", c.elsewhere)
			}
		})
	}
}

// comparison holds the outputs for one floor.
type comparison struct {
	floor     *directFeed
	engine    *alert.Engine
	track     *diagnosis.History
	tally     map[model.Channel]*model.Tally
	rows      map[model.Channel]*render.Agents
	plain     *headless.Speaker
	elsewhere int
}

func newComparison(w *world.World) *comparison {
	c := &comparison{
		floor: newDirectFeed(w), track: diagnosis.NewHistory(),
		tally: make(map[model.Channel]*model.Tally), rows: make(map[model.Channel]*render.Agents),
	}
	engine, err := alert.New(alert.Options{Rules: []alert.Rule{{
		Name: "away", Scope: alert.User, When: `status == "NOT_READY"`, Severity: alert.Warning,
	}}})
	if err != nil {
		panic(err)
	}
	c.engine, c.plain = engine, headless.NewSpeaker(headless.SpeakerOptions{Alerts: engine, Situations: situation.New(situation.Options{}), Location: time.UTC})
	for _, ch := range model.Channels() {
		c.tally[ch], c.rows[ch] = &model.Tally{}, render.NewAgents()
	}
	return c
}

// runSecond runs the world for a second and compares the outputs.
func (c *comparison) runSecond(t *testing.T) {
	t.Helper()
	s := c.floor.runSecond()
	now := c.floor.world.Now()
	c.track.Update(s, now)
	c.plain.Update(s, now)
	away := make(map[alert.Key]bool)
	for _, a := range c.engine.Active() {
		away[a.Key] = true
	}
	for _, ch := range model.Channels() {
		states := c.tally[ch].Floor(s, ch).States
		rows := c.rows[ch]
		rows.Update(s, &render.View{Options: &render.Options{}, Scope: render.Scope{Channel: ch}, Now: now})
		if in := rows.States(); !maps.Equal(states, in) {
			t.Fatalf("%s %s: the overview has %v, the rows %v", now.Format(time.TimeOnly), ch, states, in)
		}
		c.elsewhere += states[model.BusyElsewhere]
	}
	for r := range s.UserStats.All() {
		c.compareAgent(t, s, r, away, now)
	}
	if now.Second() == 0 {
		c.details(t, s, now)
	}
}

// details looks for agents of whom the details of a service or group know no state,
// although all of them are known.
func (c *comparison) details(t *testing.T, s *model.Snapshot, now time.Time) {
	t.Helper()
	view := func(ch model.Channel) *render.View {
		return &render.View{
			Options: &render.Options{}, Scope: render.Scope{Channel: ch}, Now: now,
			Alerts: render.NewAlerts(nil, nil, nil), Figures: c.engine,
		}
	}
	for r := range s.Services.All() {
		if text := ansi.Strip(strings.Join(render.ServiceDetail(s, view(r.Channel), r.Key().Code, 100), "\n")); strings.Contains(text, "? Other") {
			t.Fatalf("%s: a state of an agent of %v is not told:\n%s", now.Format(time.TimeOnly), r.Key(), text)
		}
	}
	for r := range s.Groups.All() {
		if text := ansi.Strip(strings.Join(render.GroupDetail(s, view(r.Channel), r.Key().Code, 100), "\n")); strings.Contains(text, "? Other") {
			t.Fatalf("%s: a state of an agent of %v is not told:\n%s", now.Format(time.TimeOnly), r.Key(), text)
		}
	}
}

// compareAgent compares the outputs for an agent on a channel.
func (c *comparison) compareAgent(t *testing.T, s *model.Snapshot, r *model.UserStat, away map[alert.Key]bool, now time.Time) {
	t.Helper()
	k := r.Key()
	if busy := busyOn(s, k); r.Status == model.NotReady && busy != "" {
		t.Fatalf("%s is not ready on %s and busy on %s", k.Username, k.Channel, busy)
	}
	states := c.track.Hour(k, now).States
	if last := states[len(states)-1]; last != r.Status {
		t.Fatalf("%s on %s: the last hour ends in %s, the state is %s", k.Username, k.Channel, last, r.Status)
	}
	if is := away[alert.Key{Scope: alert.User, Code: k.Username, Channel: k.Channel}]; is != (r.Status == model.NotReady) {
		t.Fatalf("%s on %s: alert %v, the state is %s", k.Username, k.Channel, is, r.Status)
	}
	if u := s.Users.Get(k.Username); u.Statuses.On(k.Channel) != "" && u.StateOn(k.Channel) != r.Status {
		t.Fatalf("%s on %s: %s by the user, %s by the figures", k.Username, k.Channel, u.StateOn(k.Channel), r.Status)
	}
	if now.Second() == 0 && r.Status == model.BusyElsewhere {
		lines, _ := c.plain.Answer("agent " + k.Username)
		if said := strings.Join(lines, "\n"); k.Channel == model.Call && !strings.Contains(said, "busy elsewhere") {
			t.Errorf("%s is %s, text mode says %q", k.Username, r.Status, said)
		}
	}
}

// busyOn returns another channel on which an agent has a contact, or "" if there is
// none.
func busyOn(s *model.Snapshot, k model.UserStatKey) model.Channel {
	for _, ch := range model.Channels() {
		o := s.UserStats.Get(model.UserStatKey{Username: k.Username, Channel: ch})
		if ch != k.Channel && o != nil && (o.Status == model.Busy || o.Status == model.Booked || o.Status == model.WNR) {
			return ch
		}
	}
	return ""
}
