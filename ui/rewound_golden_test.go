package ui

import (
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
	"wallboard/ui/replay"
)

// Periods of the recorded floor, as times before the end of the recording.
const (
	recordedFor = 90 * time.Minute
	inDoubtFrom = 50 * time.Minute // the figures are stale from inDoubtFrom to inDoubtTo
	inDoubtTo   = 45 * time.Minute
	nothingFrom = 30 * time.Minute // nothing is recorded from nothingFrom to nothingTo
	nothingTo   = 20 * time.Minute
)

// recordedFloor records a changing floor of a dozen services, with a period of stale data
// and a gap.
func recordedFloor(t *testing.T) (dir string, last *model.Snapshot) {
	t.Helper()
	dir = filepath.Join(testkit.PrivateDir(t), "recorded")
	about := record.Metadata{Board: "test", Platform: "floor", Names: string(model.NamesFull)}
	f := newTestFloor(60)
	var tape *record.BatchWriter
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	step := 0
	for ago := recordedFor; ago >= 0; ago -= 10 * time.Second {
		step++
		f.Time = startTime().Add(-ago)
		f.Health = liveHealth(f.Time)
		if ago <= inDoubtFrom && ago > inDoubtTo {
			s := &f.Health.Subscriptions[0]
			s.State, s.Reason, s.Since = model.SubStale, "no answer", startTime().Add(-inDoubtFrom)
			s.VerifiedAt, s.LastData = s.Since, s.Since
		}
		f.goesOn(step)
		s := f.publish()
		if last = s; ago < nothingFrom && ago > nothingTo {
			if tape != nil {
				check(tape.Close())
			}
			tape = nil
			continue
		}
		if tape == nil {
			var err error
			tape, err = record.NewBatchWriter(dir, about)
			check(err)
		}
		check(tape.Add(s))
		if ago == 70*time.Minute {
			check(tape.WriteMark(record.Mark{At: f.Time, Kind: record.MarkCritical, Text: "Support Gold: 7 wait, the longest 2:40"}))
		}
		if ago == 55*time.Minute {
			check(tape.WriteMark(record.Mark{At: f.Time, Kind: record.MarkAction, Text: "stopped Spring renewals"}))
		}
	}
	check(tape.Close())
	return dir, last
}

// goesOn changes the floor as in the next ten seconds.
func (f *testFloor) goesOn(step int) {
	for i := range serviceNames() {
		if (step+i)%6 == 0 {
			f.putService(i, model.Call, in(i+step/6, 9))
			if i%4 == 0 {
				f.putService(i, model.Chat, in(i+step/6, 4))
			}
		}
	}
	for i := range 60 {
		if (step+i)%20 == 0 {
			f.putAgent(i, step/20)
		}
	}
	late := agentName(7) // this agent logs in later
	if u := f.Users.Get(late); step < 180 && u != nil {
		f.Users.Delete(late)
		f.UserStats.Delete(model.UserStatKey{Username: late, Channel: model.Call})
	}
	for _, g := range []string{"GRP1", "GRP3"} {
		old := f.Groups.Get(model.GroupKey{Code: g, Channel: model.Call})
		own := *old
		own.ChannelStats.ReceivedCalls = known(300 + int64(step))
		own.UserStats.ReadyUsers = heads(int64(step/30) % 5)
		f.Groups.Put(&own)
	}
	for i := range 3 {
		old := *f.Campaigns.Get(int64(7001 + i))
		old.TriedContacts, old.ToDoContacts = known(int64(1000+step*(i+1))), known(int64(4000-step*(i+1)))
		f.Campaigns.Put(&old)
	}
}

// rewoundTheatre returns a board with the recorded floor.
func rewoundTheatre(t *testing.T, dir string, last *model.Snapshot) *theatre {
	t.Helper()
	time.Sleep(time.Until(startTime())) //nolint:forbidigo // of a clock that is not real
	th := newTheatre(t, func(o *Options) {
		o.History = &fakeHistory{}
		o.Archive.Open = func() (replay.Recording, error) {
			r, err := record.Open(dir)
			if err != nil {
				return nil, err
			}
			return r.Replay(r.Info().Last, 0, nil), nil
		}
	})
	th.floor.Time = last.At
	th.live.Put(last)
	return th
}

// TestGapKnowsNothing replays into and out of a gap: there are no alerts in the gap, and the right alerts
// after it.
func TestGapKnowsNothing(t *testing.T) {
	t.Parallel()
	dir, last := recordedFloor(t)
	synctest.Test(t, func(t *testing.T) {
		th := rewoundTheatre(t, dir, last)
		th.types("at " + startTime().Add(-nothingFrom-20*time.Second).Format(time.TimeOnly))
		th.pass(5 * time.Second)
		th.shows("need action", "long wait")
		th.hides("NOT RECORDED")
		th.press("+", "+", "+", "+") // sets the speed to 30
		th.pass(5 * time.Second)
		th.shows("NOT RECORDED", "GAP", "nothing was recorded until", "Nothing was recorded.")
		th.hides("need action", "needs action", "long wait", "STALE", "NO DATA", "The platform has sent")
		th.pass(22 * time.Second)
		th.shows("need action", "long wait")
		th.hides("NOT RECORDED", "GAP")
	})
}

// TestGoldenRewound compares replays and comparisons with golden files.
func TestGoldenRewound(t *testing.T) {
	t.Parallel()
	dir, last := recordedFloor(t)
	at := func(ago time.Duration) string { return startTime().Add(-ago).Format(time.TimeOnly) }
	for name, tt := range map[string]struct {
		at    time.Duration // time before the end of the recording; 0: the board is live
		lines []string      // lines to type into the palette
		keys  []string
	}{
		"Overview":          {at: 40 * time.Minute},
		"service":           {at: 40 * time.Minute, keys: []string{"2", "enter"}},
		"History":           {at: 40 * time.Minute, keys: []string{"8"}},
		"a gap":             {at: 25 * time.Minute},
		"a gap, Agents":     {at: 25 * time.Minute, keys: []string{"4"}},
		"in doubt":          {at: 47 * time.Minute, keys: []string{"2"}},
		"in doubt, Feed":    {at: 47 * time.Minute, keys: []string{"9"}},
		"compared, live":    {lines: []string{"compare " + at(40*time.Minute)}, keys: []string{"2"}},
		"compared/Services": {at: 40 * time.Minute, lines: []string{"compare " + at(70*time.Minute)}, keys: []string{"2"}},
		"compared/Groups":   {at: 40 * time.Minute, lines: []string{"compare " + at(70*time.Minute)}, keys: []string{"3"}},
		"compared/Agents":   {at: 40 * time.Minute, lines: []string{"compare " + at(70*time.Minute)}, keys: []string{"4"}},
		"compared/Campaigns": {
			at: 40 * time.Minute, lines: []string{"compare " + at(70*time.Minute)}, keys: []string{"5"},
		},
		"compared/Chat": {at: 40 * time.Minute, lines: []string{"compare " + at(70*time.Minute)}, keys: []string{"2", "c"}},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					th := rewoundTheatre(t, dir, last)
					th.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					if tt.at != 0 {
						th.types("at " + at(tt.at))
						th.pass(10 * time.Second)
					}
					for _, line := range tt.lines {
						th.types(line)
					}
					th.press(tt.keys...)
					th.pass(10 * time.Second)
					golden.RequireEqual(t, th.text())
				})
			})
		}
	}
}
