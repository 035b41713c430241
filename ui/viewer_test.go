package ui

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/config/usercommand"
	"wallboard/internal/hub"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/alerts"
	"wallboard/ui/replay"
)

// memoryFilm is a recording that consists of prepared snapshots.
type memoryFilm struct {
	model.SnapshotHolder
	mu       sync.Mutex
	pictures []*model.Snapshot // in the order of time
	at       time.Time
	pace     float64
	gone     int // number of jumps to an instant
	seq      uint64
	closed   atomic.Bool
	broken   error // error of Play; nil: none
	panics   bool  // Through panics
	marks    []model.Mark
}

func (f *memoryFilm) BoardTime() time.Time { return f.At() }
func (f *memoryFilm) Marks() []model.Mark  { return f.marks }
func (f *memoryFilm) IsEmptyAt(at time.Time) bool {
	from, to := f.Span()
	return at.Before(from) || at.After(to)
}

func (f *memoryFilm) Span() (from, to time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.span()
}

func (f *memoryFilm) span() (from, to time.Time) {
	return f.pictures[0].At, f.pictures[len(f.pictures)-1].At
}

func (f *memoryFilm) At() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at
}

func (f *memoryFilm) SetSpeed(times float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pace = times
}

func (f *memoryFilm) SeekTo(at time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone++
	f.show(at)
	return nil
}

func (f *memoryFilm) show(at time.Time) {
	from, to := f.span()
	if at.Before(from) {
		at = from
	}
	if at.After(to) {
		at = to
	}
	f.at = at
	for i, s := range f.pictures {
		if i+1 == len(f.pictures) || f.pictures[i+1].At.After(at) {
			own := *s
			f.seq++
			own.Seq = f.seq
			f.Put(&own)
			return
		}
	}
}

func (f *memoryFilm) SampledSnapshots(from, to time.Time, step time.Duration, _ ...model.Op) iter.Seq2[*model.Snapshot, error] {
	f.mu.Lock()
	pictures, panics := f.pictures, f.panics
	f.mu.Unlock()
	if panics {
		panic("an index is broken")
	}
	return func(yield func(*model.Snapshot, error) bool) {
		for _, s := range pictures {
			if from.Equal(to) && s.At.After(from.Add(-10*time.Second)) && !s.At.After(to) {
				yield(s, nil)
				return
			}
			if s.At.Before(from) || s.At.After(to) {
				continue
			}
			if from = s.At.Add(step); !yield(s, nil) {
				return
			}
		}
	}
}

func (f *memoryFilm) Play(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for f.broken == nil {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			f.mu.Lock()
			f.show(f.at.Add(time.Duration(f.pace * float64(time.Second))))
			f.mu.Unlock()
		}
	}
	return f.broken
}

func (f *memoryFilm) Close() error { f.closed.Store(true); return nil }

// theatre is a viewer with a terminal and a fake clock.
type theatre struct {
	t     *testing.T
	v     *Model
	live  *model.SnapshotHolder
	floor *testFloor
	film  *memoryFilm
	msgs  chan tea.Msg
	ctx   context.Context //nolint:containedctx // of the test
	bells int
	quit  bool
}

// newTheatre returns a theatre with a quiet floor on which a caller waited from ten to five
// minutes ago.
func newTheatre(t *testing.T, change ...func(*Options)) *theatre {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	th := &theatre{t: t, live: &model.SnapshotHolder{}, floor: quietFloor(), film: &memoryFilm{pace: 1}, msgs: make(chan tea.Msg), ctx: ctx}
	now := time.Now()
	for ago := 20 * time.Minute; ago >= 0; ago -= 10 * time.Second {
		th.floor.Time = now.Add(-ago)
		th.floor.Health = liveHealth(th.floor.Time)
		waits := int64(0)
		if ago <= 10*time.Minute && ago >= 5*time.Minute {
			waits = int64((10*time.Minute - ago) / time.Second)
		}
		th.floor.wait(model.Call, waits)
		th.film.pictures = append(th.film.pictures, th.floor.publish())
	}
	th.live.Put(th.floor.publish())
	fresh := func() (*alert.Engine, error) {
		return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	}
	o := Options{
		Names:   testNames(),
		Title:   "Bolzano",
		Context: ctx,
		Source:  th.live,
		Archive: replay.Archive{Open: func() (replay.Recording, error) { return th.film, nil }, Engine: fresh},
		Display: Display{Location: time.UTC},
	}
	for _, c := range change {
		c(&o)
	}
	th.v = New(o)
	t.Cleanup(cancel)
	th.start(th.v.Init())
	th.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	th.pass(time.Second)
	return th
}

// start runs a command in the background.
func (th *theatre) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if msg := cmd(); msg != nil {
			select {
			case th.msgs <- msg:
			case <-th.ctx.Done():
			}
		}
	}()
}

func (th *theatre) send(msg tea.Msg) {
	th.t.Helper()
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			th.start(cmd)
		}
		return
	case tea.RawMsg:
		th.bells++
		return
	case tea.QuitMsg:
		th.quit = true
		return
	}
	_, cmd := th.v.Update(msg)
	if err := th.v.failure; err != nil {
		th.t.Fatal(err)
	}
	if err := terminal.CheckFrame(string(th.v.Frame())); err != nil {
		th.t.Fatal(err)
	}
	th.start(cmd)
}

// pass advances the clock and delivers messages. When it returns, all commands have ended or wait
// for the clock, so a test may read and write what they use.
func (th *theatre) pass(d time.Duration) {
	th.t.Helper()
	over := time.After(d)
	for {
		select {
		case msg := <-th.msgs:
			th.send(msg)
		case <-over:
			synctest.Wait()
			return
		}
	}
}

func (th *theatre) press(keys ...string) {
	th.t.Helper()
	for _, k := range keys {
		th.send(keyPress(k))
		th.pass(time.Millisecond)
	}
}

func (th *theatre) text() string { return ansi.Strip(string(th.v.Frame())) }

func (th *theatre) shows(words ...string) {
	th.t.Helper()
	for _, w := range words {
		if !strings.Contains(th.text(), w) {
			th.t.Errorf("no %q in:\n%s", w, th.text())
		}
	}
}

func (th *theatre) hides(words ...string) {
	th.t.Helper()
	for _, w := range words {
		if strings.Contains(th.text(), w) {
			th.t.Errorf("%q in:\n%s", w, th.text())
		}
	}
}

// TestRewind rewinds to a wait, asks why, and returns.
func TestRewind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t, func(o *Options) { o.Actions.Controller = nil })
		th.press("2")
		th.shows("LIVE")
		th.press(":")
		for _, r := range "back 6m" {
			th.press(string(r))
		}
		th.press("enter")
		th.shows("REWOUND", "6:00 ago", "10 s", "back to now")
		th.hides("LIVE")
		if row := th.v.shownFloor.pages.Current; row != th.v.liveFloor.pages.Current {
			t.Error("the past begins on another page")
		}
		th.pass(500 * time.Millisecond) // until the snapshots before the instant have been evaluated
		th.press("7")
		th.shows("1 waiting")
		th.press("m")
		th.shows("You are viewing the past")
		th.press("p", "Z")
		th.shows("LIVE")
		th.hides("REWOUND")
		th.pass(time.Second)
		if !th.film.closed.Load() {
			t.Error("the recording is still open")
		}
		if th.bells != 0 {
			t.Errorf("%d bells for past situations", th.bells)
		}
		th.press("Z")
		th.shows("REWOUND", "1:0")
	})
}

// TestKeysTypedAhead types keys before the previous key's result can arrive.
func TestKeysTypedAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		ahead := func(keys ...string) {
			for _, k := range keys {
				th.send(keyPress(k))
			}
		}
		ahead("Z", "5")
		th.shows("REWOUND", "Campaigns")
		if th.v.shownFloor.pages.Current != 4 || th.v.liveFloor.pages.Current != 0 {
			t.Error("the live board obeyed a key that was meant for the past")
		}
		ahead("Z", "2")
		if th.v.shownFloor.replay != nil || th.v.liveFloor.pages.Current != 1 {
			t.Error("the past obeyed a key that was meant for the live board")
		}
		ahead("enter")
		if th.v.liveFloor.pages.TopDetail() == nil {
			t.Error("the dialog opens after the keys that are meant for it")
		}
		ahead("esc", "7", "enter", "esc")
		if th.v.liveFloor.pages.TopDetail() != nil {
			t.Error("esc closes nothing")
		}
	})
}

// TestHeldKeyBesideOthers holds a key on a server. The replay moves as far as on a local board, in fewer
// steps, and stops moving when it ends.
func TestHeldKeyBesideOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t, func(o *Options) { o.Archive.Queue = replay.NewQueue(nil) })
		th.press("Z", "space")
		th.pass(time.Second)
		begin, gone := th.film.At(), th.film.gone
		for range 20 {
			th.press(",")
			th.pass(32 * time.Millisecond)
		}
		th.pass(time.Second)
		if got := th.film.At().Sub(begin); got != -200*time.Second {
			t.Errorf("%v, want 200 s back", got)
		}
		if n := th.film.gone - gone; n < 2 || n > 15 {
			t.Errorf("%d steps", n)
		}
		th.press(",", ",", "Z")
		th.pass(time.Second)
		th.shows("LIVE")
	})
}

// TestNothingIsDoneFromThePast presses every key on a replay and on a live board. Only the live board
// acts on the platform.
func TestNothingIsDoneFromThePast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, r := newFloorController(words.ActionReport{Outcome: resource.OutcomeConfirmed}), &ran{list: []usercommand.Command{
			{Name: "crm", Link: "https://crm/{user}", Key: "N"}, {Name: "rota", Link: "https://rota/", Key: "ctrl+o"},
		}}
		th := newTheatre(t, func(o *Options) { o.Actions.Controller, o.Actions.Commands = controllerOf(c), r })
		all := func() {
			for page := '1'; page <= '6'; page++ {
				th.press(string(page))
				for key := 'A'; key <= 'z'; key++ {
					if !unicode.IsLetter(key) || key == 'Z' || key == 'B' || key == 'q' {
						continue
					}
					th.press(string(key), "enter", "y", "ctrl+o")
					th.pass(time.Millisecond)
					th.press("esc", "esc", "esc")
				}
			}
		}
		th.press("Z", "space")
		all()
		th.shows("REWOUND")
		if len(c.Changes)+len(c.Requests) > 0 || r.name != "" {
			t.Errorf("asked %v, did %v, ran %q", c.Requests, c.Changes, r.name)
		}
		th.press("Z")
		all()
		if len(c.Changes) == 0 || len(c.Requests) == 0 || r.name == "" {
			t.Errorf("live: asked %v, did %v, ran %q", c.Requests, c.Changes, r.name)
		}
	})
}

// TestStopAfterFastPlay checks that pausing after fast playback evaluates the past again.
func TestStopAfterFastPlay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		since := func() time.Time {
			th.pass(time.Second)
			for _, a := range th.v.shownFloor.scene.Alerts.Active() {
				if a.Key.Scope == alert.Service && !a.Daily {
					return a.Since
				}
			}
			return time.Time{}
		}
		th.press("Z", "space", "<", "<", "<", "<", "<", "<")
		want, at := since(), th.film.At()
		th.press("{", "{", "+", "+", "+", "+", "+")
		th.shows("playing 60 times as fast")
		for range 20 {
			if !th.film.At().Before(at.Add(-30 * time.Second)) {
				break
			}
			th.pass(time.Second)
		}
		gone := th.film.gone
		th.press("space")
		if got := since(); want.IsZero() || !got.Equal(want) || th.film.gone != gone+1 {
			t.Errorf("at %v since %v, want %v", th.film.At(), got, want)
		}
	})
}

// TestLookBackInTurn checks that evaluations wait for each other, and that a canceled evaluation passes
// its turn to the next one.
func TestLookBackInTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := replay.NewQueue(nil)
		made := 0 // number of engines: one for the board, one for each jump, and one for each evaluation of the past
		th := newTheatre(t, func(o *Options) {
			engine := o.Archive.Engine
			o.Archive.Queue, o.Archive.Engine = queue, func() (*alert.Engine, error) {
				made++
				return engine()
			}
		})
		other := queue.WaitUrgent(t.Context())
		made = 0
		th.press("Z", "space", ",")
		th.pass(time.Minute)
		if made != 3 {
			t.Errorf("two replays start at once: %d engines", made)
		}
		other.Release()
		th.pass(time.Second)
		if made <= 3 {
			t.Error("no replay has started")
		}
		other = queue.WaitUrgent(t.Context()) // the turn is free
		th.press("<")
		th.pass(time.Second)
		th.press("Z")
		th.pass(time.Second)
		other.Release()
		for _, enter := range []func(context.Context) *replay.QueueTurn{queue.WaitCharts, queue.WaitUrgent} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			turn := enter(ctx)
			if cancel(); turn == nil {
				t.Fatal("a viewer who has ended the replay is still in the queue")
			}
			turn.Release()
		}
	})
}

// TestStepsThroughARecording steps forward and back.
func TestStepsThroughARecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		mark := time.Now().Add(-8 * time.Minute)
		th.film.marks = []model.Mark{{At: mark, Kind: model.MarkCritical, Text: "Sales Italy: 3 wait"}}
		th.press("Z", "space") // pauses the replay, a minute before the live end
		begin := th.film.At()
		th.shows("▲")
		th.press("(")
		if !th.film.At().Equal(mark) {
			t.Errorf("%v, want the mark at %v", th.film.At(), mark)
		}
		th.shows("▲ " + mark.UTC().Format(time.TimeOnly) + "  Sales Italy: 3 wait")
		th.press(")")
		th.shows("There are no more marks.")
		for th.film.At().Before(begin) {
			th.press(">")
		}
		th.press("<", ".", ".", ".", ".", ".", ".")
		begin = th.film.At()
		_, end := th.film.Span()
		for _, step := range []struct {
			key  string
			want time.Duration
		}{
			{",", -10 * time.Second}, {".", 0}, {"<", -time.Minute}, {"{", -6 * time.Minute}, {"}", -time.Minute}, {">", 0},
		} {
			th.press(step.key)
			if got := th.film.At().Sub(begin); got != step.want {
				t.Errorf("after %s: %v, want %v", step.key, got, step.want)
			}
		}
		th.shows("paused")
		th.pass(5 * time.Second)
		if !th.film.At().Equal(begin) {
			t.Error("it goes on")
		}
		th.press("space", "+", "+")
		th.shows("playing 5 times as fast")
		th.pass(5 * time.Second)
		if got := th.film.At().Sub(begin); got < 20*time.Second {
			t.Errorf("%v in five seconds", got)
		}
		th.press("}", "}")
		if !th.film.At().Equal(end) {
			t.Errorf("at %v, want the end", th.film.At())
		}
		th.shows("end of the recording", "Recorded up to "+end.UTC().Format(time.TimeOnly)+" so far.")
		for range 5 {
			th.press("{")
		}
		from, _ := th.film.Span()
		th.shows("The recording begins at ", from.UTC().Format(time.TimeOnly)+".")
		th.press("}", "}", "}", "}", "}", "8", ",") // on the page History, these keys select days
		if !th.film.At().Equal(end) {
			t.Error("a key of the history leads to another time")
		}
	})
}

// TestRecordingGrows requests an instant before a growing recording: the board goes there
// when it is recorded. New data at the end is shown, too.
func TestRecordingGrows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		all := th.film.pictures
		th.film.pictures = all[len(all)-1:]
		th.film.pace = 0
		begins := all[len(all)-1].At
		th.press("Z", "space")
		th.shows("The recording begins at ", begins.UTC().Format(time.TimeOnly), "paused")
		th.pass(5 * time.Second)
		grows := func(pictures []*model.Snapshot, marks ...model.Mark) {
			th.film.mu.Lock()
			defer th.film.mu.Unlock()
			th.film.pictures, th.film.marks = pictures, marks
		}
		wanted := th.film.At().Add(-time.Minute)
		grows(all, model.Mark{At: all[0].At.Add(time.Minute), Kind: model.MarkAction, Text: "stopped Win-back"})
		th.pass(2 * time.Second)
		if got := th.film.At(); got.Sub(wanted).Abs() > 2*time.Second {
			t.Errorf("at %v, want %v", got, wanted)
		}
		th.press("(")
		th.shows("stopped Win-back")
		th.press("{", "{")
		th.shows("The recording begins at ", all[0].At.UTC().Format(time.TimeOnly))
		th.press("}")
		elsewhere := th.film.At()
		earlier := *all[0]
		earlier.At = earlier.At.Add(-time.Hour)
		grows(append([]*model.Snapshot{&earlier}, all...))
		th.pass(2 * time.Second)
		if got := th.film.At(); !got.Equal(elsewhere) {
			t.Errorf("a viewer who has moved on is at %v, and was at %v", got, elsewhere)
		}
	})
}

// TestWhyOfThePast explains a past alert and offers no actions.
func TestWhyOfThePast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("Z")
		for range 5 {
			th.press("<")
		}
		th.pass(time.Second)
		for _, page := range []string{"1", "7"} {
			th.press(page)
			th.shows("REWOUND", "Sales Italy", "w why")
			th.hides("take over", "snooze")
			th.press("w")
			th.shows("Why: Sales Italy", "Since ", "t chart")
			th.hides("take over")
			th.press("m", "esc")
			th.hides("Why: ")
			for _, key := range []string{"m", "r"} {
				th.press(key)
				th.shows("You are viewing the past: no action is possible here.")
			}
			th.pass(10 * time.Second)
		}
		th.press(":", "s", "n", "o", "o", "z", "e")
		th.shows("Commands")
		th.hides("snooze every", "end every snooze")
	})
}

// TestLiveAlarmsReachThePast checks that live alerts are announced during a replay.
func TestLiveAlarmsReachThePast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var marked []string
		var takenOver []model.Event // take-overs of the board itself
		ring := alert.DefaultRules()
		for i := range ring {
			ring[i].Bell = true
		}
		th := newTheatre(t, func(o *Options) {
			e, err := hub.NewPrivateViewer(hub.Options{
				Engine: func(model.FloorPart) (*alert.Engine, error) {
					return alert.New(alert.Options{Rules: ring, Goal: alert.DefaultGoal()})
				},
				Names: testNames(),
				OnChange: func(changes []situation.Change, ended func() []alert.Alert) {
					for _, e := range alerts.RecordingMarks(changes, ended) {
						marked = append(marked, e.Text)
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			o.Alerts, o.Actions.User = e, "ada"
			o.Process.RecordEvent = func(e model.Event) { takenOver = append(takenOver, e) }
		})
		th.press("Z")
		for i := range 120 {
			th.floor.Time = time.Now()
			th.floor.Health = liveHealth(th.floor.Time)
			th.floor.wait(model.Call, int64(i))
			th.live.Put(th.floor.publish())
			if th.pass(time.Second); strings.Contains(th.text(), "Now: ▲") {
				break
			}
		}
		if th.bells == 0 {
			t.Error("no bell")
		}
		th.shows("Now: ▲", "REWOUND")
		// Only live alerts cause marks.
		if len(marked) == 0 || !strings.HasPrefix(marked[len(marked)-1], "Sales Italy: ") {
			t.Errorf("marked with %q", marked)
		}
		th.press("1", "m")
		if len(takenOver) > 0 {
			t.Errorf("the replay has marked %+v", takenOver)
		}
		th.press("Z", "1", "m")
		th.send(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl})
		if len(takenOver) == 0 || takenOver[0].Taken.Rule == "" || takenOver[0].Taken.By != "ada" {
			t.Errorf("the live board has marked %+v:\n%s", takenOver, th.text())
		}
	})
}

// TestNothingToRewindTo checks the reasons why there is no replay.
func TestNothingToRewindTo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		memory replay.Archive
		want   string
	}{
		"not recorded": {replay.Archive{}, "[record] in the configuration switches"},
		"broken":       {replay.Archive{Open: func() (replay.Recording, error) { return nil, errors.New("the disk is away") }}, "the disk is away"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				th := newTheatre(t, func(o *Options) { o.Archive = tt.memory })
				th.press("Z")
				th.shows(tt.want, "LIVE")
			})
		})
	}
}

// TestRecordingThatBreaksOff checks that an unreadable recording ends the replay with a
// message.
func TestRecordingThatBreaksOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.film.broken = errors.New("a chunk is torn")
		th.press("Z")
		th.pass(time.Second)
		th.shows("LIVE", "a chunk is torn")
	})
}

// TestBrokenPastEndsTheLookBack checks that a panic of the replay ends only the replay.
func TestBrokenPastEndsTheLookBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("Z")
		th.v.shownFloor.pages.Current = -1
		th.press("2")
		th.shows("LIVE", "The recording cannot be shown")
		th.film.mu.Lock()
		th.film.panics = true
		th.film.mu.Unlock()
		th.press("Z", ":")
		th.pass(time.Second) // a command of the replay panics
		th.shows("LIVE", "The recording cannot be shown: the board panicked: an index is broken")
		th.hides("Commands")
		th.pass(2 * time.Second)
		if th.quit {
			t.Error("the whole board has ended")
		}
	})
}

// TestRulesOfThePastFail checks that a board whose rules cannot be used says why. A live board continues
// if it cannot be rewound or reloaded. A board that starts with such rules quits with the error.
func TestRulesOfThePastFail(t *testing.T) {
	t.Parallel()
	broken := func() (*alert.Engine, error) { return nil, errors.New("rule 3 is broken") }
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.v.liveFloor.scene.Archive.Engine = broken
		th.press("Z")
		th.shows("LIVE", "The recording cannot be shown: ", "rule 3 is broken")
		if th.v.shownFloor.replay != nil || !th.film.closed.Load() {
			t.Error("the replay has begun, or its recording is still open")
		}
		o := *th.v.liveFloor.scene.Options
		o.Alerts, o.Title = nil, "Rome"
		th.send(reloadMsg{reload: Reload{Options: o}})
		th.shows("LIVE", "The configuration is not used: ", "Bolzano")
	})
	v := New(Options{Source: &model.SnapshotHolder{}, Archive: replay.Archive{Engine: broken}, Context: t.Context()})
	if _, cmd := v.Update(tea.WindowSizeMsg{Width: 80, Height: 24}); cmd == nil || v.failure == nil || !strings.Contains(v.failure.Error(), "rule 3 is broken") {
		t.Errorf("a board with broken rules goes on: %v", v.failure)
	}
}

// TestHandoverOfThePast checks the handover report up to the instant of the replay.
func TestHandoverOfThePast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t, func(o *Options) {
			o.Actions.PastActions = func(time.Time) ([]handover.Action, error) {
				return []handover.Action{{At: time.Now(), UserName: "anna", Action: "hang up", Target: "call 7", Outcome: "confirmed"}}, nil
			}
		})
		begin, end := th.film.Span()
		th.film.marks = []model.Mark{
			{At: begin.Add(time.Minute), Kind: model.MarkAction, Text: "Stop campaign: Win-back, confirmed"},
			{At: end.Add(-time.Minute), Kind: model.MarkAction, Text: "Start campaign: Win-back, confirmed"},
		}
		th.types("back 10m")
		th.pass(time.Second)
		th.press("h")
		th.pass(time.Second)
		th.press("end")
		th.shows("stop campaign Win-back, confirmed", "do not name the user", "Actions before 23:40 were not", "Wait went from 0:00 to 0:00 in 9 min")
		th.hides("Start campaign", "no record of actions", "anna")
		th.press("esc", "Z", "h")
		th.pass(time.Second)
		th.press("end")
		th.shows("anna: hang up call 7, confirmed")
		th.hides("Stop campaign")
	})
}
