package analysis_test

import (
	"slices"
	"testing"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/model"
)

// minute returns the minute of the day.
func minute(at time.Time) int { return int(at.Sub(day) / time.Minute) }

// TestShiftOf checks the states of an agent, to the second, and unknown periods.
func TestShiftOf(t *testing.T) {
	t.Parallel()
	turn := day.Add(20*time.Minute + 37*time.Second)
	p := lived(day, day.Add(2*time.Hour), func(at time.Time, _ *model.Service, agents []*model.UserStat) bool {
		anna := agents[0]
		anna.TimeInState = model.InstantOf(day)
		switch m := minute(at); {
		case m >= 40 && m < 60:
			return false // these minutes are not recorded
		case m >= 90:
			anna.Username = model.TextOf("somebody") // she has logged out
		case !at.Before(turn):
			anna.Status, anna.ActivityCode, anna.TimeInState = model.NotReady, model.TextOf("BREAK"), model.InstantOf(turn)
		}
		return true
	})
	list, err := analysis.ReadShift(t.Context(), p, day, day.Add(3*time.Hour), "anna")
	if err != nil || len(list) != 1 || list[0].Channel != model.Call {
		t.Fatal(list, err)
	}
	s := list[0]
	type stretch struct {
		from, to int
		state    model.UserStatus
		out      bool
	}
	var got []stretch
	for _, b := range s.Periods {
		got = append(got, stretch{int(b.From.Sub(day).Seconds()), int(b.To.Sub(day).Round(10 * time.Second).Seconds()), b.State, b.LoggedOut})
	}
	want := []stretch{
		{0, 1240, model.Ready, false}, {1237, 2340, model.NotReady, false}, // one snapshot per minute
		{3600, 5400, model.NotReady, false}, {5400, 7200, "", true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if s.Periods[1].Code != "BREAK" {
		t.Errorf("a break of %q", s.Periods[1].Code)
	}
	if n := s.Contacts(); n != 44 { // one contact in two minutes until the agent logged out
		t.Errorf("%d contacts", n)
	}
	if ready := s.TimeInState(model.Ready); ready != turn.Sub(day) {
		t.Errorf("ready for %v", ready)
	}
	if list, err := analysis.ReadShift(t.Context(), p, day, day.Add(time.Hour), "nobody"); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
}

// waits makes contacts of a service wait as a function specifies.
func waits(of func(m int) (waiting, seconds, ready int64)) func(time.Time, *model.Service, []*model.UserStat) bool {
	return func(at time.Time, s *model.Service, agents []*model.UserStat) bool {
		n, longest, ready := of(minute(at))
		s.ChannelStats.QueuedCalls, s.ChannelStats.MaxTimeCallOnQueue = model.IntOf(n), model.IntOf(longest)
		s.UserStats.ReadyUsers.Count = model.IntOf(ready)
		if ready > 1 {
			agents[1].Status = model.Ready
		}
		return true
	}
}

func TestEffectOf(t *testing.T) {
	t.Parallel()
	service := analysis.Scope{Channel: model.Call, Service: "S1"}
	stop := analysis.Action{At: day.Add(20 * time.Minute), Scope: service, Description: "stop campaign Win-back"}
	for name, tt := range map[string]struct {
		of     func(m int) (waiting, seconds, ready int64)
		lacks  [2]int // unrecorded minutes
		others []analysis.Action
		want   string // "": no text
	}{
		"it helped": {of: func(m int) (int64, int64, int64) {
			if m < 26 {
				return 5, 70, 1
			}
			return 2, 18, 1
		}, want: "wait went from 1:10 to 0:18 in 6 min"},
		"somebody came": {of: func(m int) (int64, int64, int64) {
			if m < 24 {
				return 5, 70, 1
			}
			return 2, 18, 2
		}, want: "wait went from 1:10 to 0:18 in 4 min; meanwhile one more was ready"},
		"somebody else acted": {
			of: func(m int) (int64, int64, int64) {
				if m < 26 {
					return 5, 70, 1
				}
				return 2, 18, 1
			}, others: []analysis.Action{stop, {At: day.Add(22 * time.Minute), Description: "stop campaign Survey"}, {At: day.Add(50 * time.Minute), Description: "too late"}},
			want: "wait went from 1:10 to 0:18 in 6 min; meanwhile also: stop campaign Survey",
		},
		"nothing came of it": {of: func(int) (int64, int64, int64) { return 5, 70, 1 }, want: "wait went from 1:10 to 1:10 in 10 min"},
		"it got worse": {of: func(m int) (int64, int64, int64) {
			if m < 25 {
				return 1, 30, 1
			}
			return 9, 95, 1
		}, want: "wait went from 0:30 to 1:35 in 5 min"},
		"too soon":             {of: func(int) (int64, int64, int64) { return 5, 70, 1 }, lacks: [2]int{24, 90}, want: "wait went from 1:10 to 1:10 in 3 min so far"},
		"not known before":     {of: func(int) (int64, int64, int64) { return 5, 70, 1 }, lacks: [2]int{15, 22}},
		"not known afterwards": {of: func(int) (int64, int64, int64) { return 5, 70, 1 }, lacks: [2]int{21, 90}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fill := waits(tt.of)
			p := lived(day, day.Add(time.Hour), func(at time.Time, s *model.Service, agents []*model.UserStat) bool {
				fill(at, s, agents)
				return minute(at) < tt.lacks[0] || minute(at) >= tt.lacks[1]
			})
			e, ok, err := analysis.MeasureEffect(t.Context(), p, stop, tt.others)
			if err != nil || ok != (tt.want != "") {
				t.Fatalf("%+v, %v, %v", e, ok, err)
			}
			if ok && e.Describe() != tt.want {
				t.Errorf("%q, want %q", e.Describe(), tt.want)
			}
		})
	}
}

// TestAlike finds a similar surge of the morning and how it ended.
func TestAlike(t *testing.T) {
	t.Parallel()
	p := lived(day, day.Add(4*time.Hour), waits(func(m int) (int64, int64, int64) {
		switch {
		case m >= 60 && m < 75, m >= 220:
			return 8, int64(30 + m%60), 0
		case m == 75:
			return 3, 80, 3
		}
		return 0, 0, 4
	}))
	service := analysis.Scope{Channel: model.Call, Service: "S1"}
	now, list, err := analysis.FindSimilarMoments(t.Context(), p, day.Add(4*time.Hour), service, time.UTC, 5)
	if err != nil || now.Waiting != 8 || now.Ready != 0 || now.Arrived != 10 {
		t.Fatal(now, list, err)
	}
	if len(list) != 1 || minute(list[0].At) < 60 || minute(list[0].At) >= 75 || list[0].ReadyAtEnd != 4 || list[0].QueueEmptyAfter <= 0 {
		t.Fatalf("%+v", list)
	}
	if text := list[0].Outcome().In(nil); text != "resolved after 2 min, with 4 ready, longest wait 1:20" {
		t.Error(text)
	}
	if text := list[0].Text().In(nil); text != "8 waiting, 0 ready, 10 arrived in 10 min" {
		t.Error(text)
	}
	if _, _, err := analysis.FindSimilarMoments(t.Context(), p, day.Add(5*time.Hour), service, time.UTC, 5); err == nil {
		t.Error("the current moment is unknown")
	}
	if _, _, err := analysis.FindSimilarMoments(t.Context(), &tape{}, day, service, time.UTC, 5); err == nil {
		t.Error("there is no recording")
	}
	other := analysis.Scope{Channel: model.Call, Service: "S9"}
	if _, _, err := analysis.FindSimilarMoments(t.Context(), p, day.Add(4*time.Hour), other, time.UTC, 5); err == nil {
		t.Error("there is no such service")
	}
}

// TestComparedEffects compares an action with the queues of earlier hours, in which nothing was done, and says
// so if there are too few of them.
func TestComparedEffects(t *testing.T) {
	t.Parallel()
	service := analysis.Scope{Channel: model.Call, Service: "S1"}
	stop := analysis.Action{At: day.Add(4*time.Hour + 10*time.Minute), Scope: service, Description: "stop campaign Win-back"}
	queues := func(m int) (int64, int64, int64) { // a queue of 15 minutes an hour; the last one ends after 4 minutes
		if m%60 < 10 || m%60 >= 25 || m >= 4*60+14 {
			return 0, 0, 4
		}
		return 5, 70, 0
	}
	for name, tt := range map[string]struct {
		from int // hour in which the recording begins
		also []analysis.Action
		want string
	}{
		"similar moments": {0, nil, "wait went from 1:10 to 0:00 in 4 min; meanwhile 4 more were ready; in 8 similar moments without an action it went from 1:10 to 1:10"},
		"too few":         {3, nil, "wait went from 1:10 to 0:00 in 4 min; meanwhile 4 more were ready; too few similar moments to compare with"},
		"others acted": {
			0,
			[]analysis.Action{{At: day.Add(12 * time.Minute), Scope: service}, {At: day.Add(72 * time.Minute), Scope: service}, {At: day.Add(132 * time.Minute), Scope: service}},
			"wait went from 1:10 to 0:00 in 4 min; meanwhile 4 more were ready; too few similar moments to compare with",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := lived(day.Add(time.Duration(tt.from)*time.Hour), day.Add(5*time.Hour), waits(queues))
			got, err := analysis.ComparedEffectTexts(t.Context(), p, append([]analysis.Action{stop}, tt.also...))
			if err != nil || got[0] != tt.want {
				t.Errorf("%q, %v, want %q", got[0], err, tt.want)
			}
		})
	}
}
