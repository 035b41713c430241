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
	"wallboard/internal/hub"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// TestOneStateEverywhere compares the states of agents in all outputs on every
// channel, for platforms that report NOT_READY and NOT_READY_BUSY for agents who are
// busy on another channel. It compares the outputs again while it replays a recording,
// and each replayed state with that of the same instant.
func TestOneStateEverywhere(t *testing.T) {
	t.Parallel()
	for _, notReady := range []bool{false, true} {
		t.Run(fmt.Sprintf("not ready elsewhere: %v", notReady), func(t *testing.T) {
			t.Parallel()
			c := newComparison()
			c.floor = newDirectFeed(world.New(world.Options{Seed: 3, Agents: 30, Channels: 3, NotReadyElsewhere: notReady}))
			shift := newRecordedShift(t)
			for range 3 * 60 {
				shift.add(t, c.runSecond(t))
			}
			shift.replay(t)
			if seen := c.elsewhere > 0; seen != notReady {
				t.Errorf("only %d cases of an agent who is busy elsewhere", c.elsewhere)
			}
		})
	}
}

// recordedShift is a recording of a floor with the states of its agents.
type recordedShift struct {
	dir    string
	writer *record.BatchWriter
	states map[int64]map[model.UserStatKey]model.UserStatus // by instant, in Unix time
}

func newRecordedShift(t *testing.T) *recordedShift {
	t.Helper()
	dir := testkit.PrivateDir(t)
	w, err := record.NewBatchWriter(dir, record.Metadata{Board: "test", Names: string(model.NamesFull)})
	if err != nil {
		t.Fatal(err)
	}
	return &recordedShift{dir, w, make(map[int64]map[model.UserStatKey]model.UserStatus)}
}

// add records a snapshot.
func (f *recordedShift) add(t *testing.T, s *model.Snapshot) {
	t.Helper()
	if err := f.writer.Add(s); err != nil {
		t.Fatal(err)
	}
	f.states[s.At.UnixMilli()] = statesOf(s)
}

// replay compares the outputs of the recorded snapshots, and their states with those that
// were recorded.
func (f *recordedShift) replay(t *testing.T) {
	t.Helper()
	if err := f.writer.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := record.Open(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // opened for reading
	c := newComparison()
	for s, err := range whole(r) {
		if err != nil {
			t.Fatal(err)
		}
		at := s.At.UnixMilli()
		if live := f.states[at]; !maps.Equal(live, statesOf(s)) {
			t.Fatalf("%s: the states were %v, replayed they are %v", s.At.Format(time.TimeOnly), live, statesOf(s))
		}
		delete(f.states, at)
		c.compare(t, s, s.At)
	}
	if len(f.states) > 0 {
		t.Errorf("%d snapshots were not replayed", len(f.states))
	}
}

func statesOf(s *model.Snapshot) map[model.UserStatKey]model.UserStatus {
	states := make(map[model.UserStatKey]model.UserStatus)
	for r := range s.UserStats.All() {
		states[r.Key()] = r.Status
	}
	return states
}

// comparison holds the outputs for one floor.
type comparison struct {
	floor     *directFeed // nil: the floor is played from a recording
	engine    *hub.Viewer
	track     *diagnosis.History
	tally     map[model.Channel]*model.FloorTally
	rows      map[model.Channel]*render.Agents
	maps      map[model.Channel]*widgets.AgentMap
	look      *style.Look
	plain     *headless.Speaker
	elsewhere int
}

func newComparison() *comparison {
	c := &comparison{
		track: diagnosis.NewHistory(),
		tally: make(map[model.Channel]*model.FloorTally), rows: make(map[model.Channel]*render.Agents),
		maps: make(map[model.Channel]*widgets.AgentMap), look: style.New(style.Options{Theme: themes.Theme{}}, render.Options{}),
	}
	engine, err := hub.NewPrivateViewer(hub.Options{Engine: func(model.FloorPart) (*alert.Engine, error) {
		return alert.New(alert.Options{Rules: []alert.Rule{{
			Name: "away", Scope: alert.User, When: `status == "NOT_READY"`, Severity: alert.Warning,
		}}})
	}})
	if err != nil {
		panic(err)
	}
	c.engine, c.plain = engine, headless.NewSpeaker(headless.SpeakerOptions{Alerts: engine, Location: time.UTC})
	for _, ch := range model.Channels() {
		c.tally[ch], c.rows[ch] = &model.FloorTally{}, render.NewAgents()
		c.maps[ch] = widgets.NewAgentMap(c.rows[ch], "")
	}
	return c
}

// runSecond runs the world for a second and compares the outputs.
func (c *comparison) runSecond(t *testing.T) *model.Snapshot {
	t.Helper()
	s := c.floor.runSecond()
	c.compare(t, s, c.floor.world.Now())
	return s
}

// compare compares the outputs for a snapshot.
func (c *comparison) compare(t *testing.T, s *model.Snapshot, now time.Time) {
	t.Helper()
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
		if in := rows.CountStates(); !maps.Equal(states, in) {
			t.Fatalf("%s %s: the overview has %v, the rows %v", now.Format(time.TimeOnly), ch, states, in)
		}
		c.compareMap(t, s, ch, now)
		c.elsewhere += states[model.BusyElsewhere]
	}
	for r := range s.UserStats.All() {
		c.compareAgent(t, s, r, away, now)
	}
	if now.Second() == 0 {
		c.details(t, s, now)
	}
}

// compareMap compares the glyph of each agent on the map, and the state that the map names
// under the cursor, with the agent's state.
func (c *comparison) compareMap(t *testing.T, s *model.Snapshot, ch model.Channel, now time.Time) {
	t.Helper()
	m, rows := c.maps[ch], c.rows[ch]
	view := &floorview.View{Newest: s, Shown: s, LocalNow: now, Channel: ch, ShowsOutdated: true}
	m.Refresh(view, func() (all []int32) {
		for i := range int32(rows.Len()) {
			all = append(all, i)
		}
		return all
	}, false)
	sc := widgets.AgentMapScene{Look: c.look, Floor: view}
	const width, height = 40, 3
	m.Cursor = ""
	lines := m.View(sc, 0, 0, width, height)
	if len(m.AgentPositions) != rows.Len() {
		t.Fatalf("%s %s: %d of %d agents are on the map", now.Format(time.TimeOnly), ch, len(m.AgentPositions), rows.Len())
	}
	for _, at := range m.AgentPositions {
		m.Cursor = ""
		m.Click(at.X, at.Y)
		want := render.StateOf(stateOf(s, m.Cursor, ch), ch)
		cells := []rune(ansi.Strip(lines[at.Y]))[at.X:]
		if glyph := strings.TrimLeft(string(cells), " "); !strings.HasPrefix(glyph, want.Glyph(false)) {
			t.Fatalf("%s %s on %s: the map shows %.3q, want %q", now.Format(time.TimeOnly), m.Cursor, ch, glyph, want.Glyph(false))
		}
		if said := m.Status(sc); !strings.Contains(said, " "+want.Word.In(nil)) {
			t.Fatalf("%s %s on %s: the map says %q, want %q", now.Format(time.TimeOnly), m.Cursor, ch, said, want.Word.In(nil))
		}
	}
}

// stateOf returns the state of an agent by the figures, or by the user if there are none.
func stateOf(s *model.Snapshot, username string, ch model.Channel) model.UserStatus {
	if r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch}); r != nil {
		return r.Status
	}
	return s.Users.Get(username).StateOn(ch)
}

// details looks for agents of whom the details of a service or group know no state,
// although all of them are known.
func (c *comparison) details(t *testing.T, s *model.Snapshot, now time.Time) {
	t.Helper()
	view := func(ch model.Channel) *render.View {
		return &render.View{
			Options: &render.Options{}, Scope: render.Scope{Channel: ch}, Now: now,
			Alerts: render.NewAlerts(nil, nil, nil, nil), KPIValues: c.engine,
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
	states := c.track.AgentHour(k, now).States
	if last := states[len(states)-1]; last != r.Status {
		t.Fatalf("%s on %s: the last hour ends in %s, the state is %s", k.Username, k.Channel, last, r.Status)
	}
	if is := away[alert.Key{Scope: alert.User, Code: k.Username, Channel: k.Channel}]; is != (r.Status == model.NotReady) {
		t.Fatalf("%s on %s: alert %v, the state is %s", k.Username, k.Channel, is, r.Status)
	}
	if u := s.Users.Get(k.Username); u.Statuses.ForChannel(k.Channel) != "" && u.StateOn(k.Channel) != r.Status {
		t.Fatalf("%s on %s: %s by the user, %s by the figures", k.Username, k.Channel, u.StateOn(k.Channel), r.Status)
	}
	if now.Second() == 0 && r.Status == model.BusyElsewhere {
		lines, _ := c.plain.Answer("agent " + k.Username)
		if said := strings.Join(lines, "\n"); k.Channel == model.Call && !strings.Contains(said, "busy on another channel") {
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
