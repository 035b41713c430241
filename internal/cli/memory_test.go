package cli

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/replay"
)

// sitting is a recording board on a rig's platform, without a terminal.
type sitting struct {
	*rig
	config *config.Config
	board  *commandSetup
	log    bytes.Buffer
	engine *hub.Viewer
	acts   func(*ui.Options) // adds actions to the options of the board; nil: the board has none
}

// newSitting returns a sitting on a platform that has run for a minute. The caller stops
// it.
func newSitting(t *testing.T, o world.Options) *sitting {
	t.Helper()
	r := newRig(t, simulator.Options{World: o}, nil)
	r.live(time.Minute)
	c := config.Default()
	c.RTD.URL = r.srv.HTTPURL()
	c.Record.Enabled, c.Record.Dir = true, filepath.Join(testkit.PrivateDir(t), "recordings")
	return &sitting{rig: r, config: &c, board: &commandSetup{Setup: &cmdutil.Setup{}, env: app.Environment{Simulated: true}}}
}

// sits runs the board for a while.
func (s *sitting) sits(d time.Duration) { s.t.Helper(); s.sitsBeside(d, nil) }

// sitsBeside runs the board while beside uses it; beside may be nil.
func (s *sitting) sitsBeside(d time.Duration, beside func(x *seated)) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	shared, err := s.board.env.OpenWithSource(ctx, s.config, s.feed, slog.New(slog.NewTextHandler(&s.log, nil)), app.PlatformOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	s.engine, err = shared.Hub.NewViewer(app.LocalVisibility(s.config), 0, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	o, err := app.UIOptions(s.config, s.engine)
	if err != nil {
		s.t.Fatal(err)
	}
	o.Source, o.Context, o.Process.RecordEvent, o.Process.ProblemText, o.Archive.IsPreparing = s.engine, ctx, shared.Recorder.AddMark, shared.Recorder.Problem, shared.Recorder.StillRecording
	if s.acts != nil {
		s.acts(&o)
	}
	var judged sync.WaitGroup
	judged.Go(func() { shared.Hub.Run(ctx) })
	defer func() { judged.Wait(); shared.Close() }()
	v, msgs := ui.New(o), make(chan tea.Msg)
	var start func(cmd tea.Cmd)
	start = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		go func() {
			switch msg := cmd().(type) {
			case nil:
			case tea.BatchMsg:
				for _, cmd := range msg {
					start(cmd)
				}
			default:
				select {
				case msgs <- msg:
				case <-ctx.Done():
				}
			}
		}()
	}
	pass := func(d time.Duration) {
		for over := time.After(d); ; {
			select {
			case msg := <-msgs:
				_, cmd := v.Update(msg)
				start(cmd)
			case <-over:
				return
			}
		}
	}
	start(v.Init())
	if beside != nil {
		v.Update(tea.WindowSizeMsg{Width: 160, Height: 40})
		beside(&seated{s, v, start, pass})
	}
	pass(d)
	cancel()
	synctest.Wait()
}

// now returns the current time of the platform.
func (s *sitting) now() time.Time { return time.Now().Add(s.feed.Latest().Health.ClockOffset) }

// known returns the number of samples of the floor within span, in total and before a time.
func (s *sitting) known(span time.Duration, before time.Time) (n, earlier int) {
	trend := s.engine.Trend(nil, "queuedCalls", alert.Key{Scope: alert.Floor, Channel: model.Call}, span)
	for i, v := range trend.Samples {
		if math.IsNaN(v) {
			continue
		}
		n++
		if trend.End.Add(-time.Duration(len(trend.Samples)-1-i) * trend.Step).Before(before) {
			earlier++
		}
	}
	return n, earlier
}

// TestBoardKnowsWhatItRecorded checks that a restarted board continues its charts from the recording,
// with a gap.
func TestBoardKnowsWhatItRecorded(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		s := newSitting(t, world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 12})
		defer s.stop()
		s.sits(90 * time.Minute)
		if n, _ := s.known(time.Hour, s.now()); n < 350 {
			t.Fatalf("%d samples of an hour", n)
		}
		pass(10 * time.Minute)
		again := s.now()
		s.sits(30 * time.Second)
		if n, before := s.known(time.Hour, again); before < 290 || before > 300 || n-before < 2 {
			t.Errorf("%d samples of an hour, %d from before the start", n, before)
		}
		if n, before := s.known(8*time.Hour, again); before < 88 || before > 92 {
			t.Errorf("%d samples of eight hours, %d from before the start", n, before)
		}
		if log := s.log.String(); !strings.Contains(log, "read the time before the start") || strings.Contains(log, "WARN") {
			t.Errorf("the log says\n%s", log)
		}
	})
}

// TestBoardKnowsNothingOfOthers checks that a board ignores recordings of another platform, recordings
// with other names, and damaged recordings, and that damage is logged.
func TestBoardKnowsNothingOfOthers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(t *testing.T, s *sitting)
		known  bool
		log    string
	}{
		"platform": {change: func(_ *testing.T, s *sitting) { s.config.RTD.URL = "https://elsewhere.example/rtd" }},
		"names":    {change: func(_ *testing.T, s *sitting) { s.config.Record.Names = "hidden" }},
		"broken": {change: func(t *testing.T, s *sitting) {
			for _, name := range recordedFiles(t, s.config.Record.Dir) {
				if err := os.WriteFile(name, []byte("what is this?"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}, log: "level=WARN"},
		"one of them": {change: func(t *testing.T, s *sitting) {
			if err := os.WriteFile(filepath.Join(s.config.Record.Dir, "another.wbr"), []byte("what is this?"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, known: true, log: "another.wbr"},
		"none": {change: func(t *testing.T, s *sitting) {
			for _, name := range recordedFiles(t, s.config.Record.Dir) {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				s := newSitting(t, world.Options{Seed: 7, Services: 2, Groups: 2, Agents: 5})
				defer s.stop()
				s.sits(5 * time.Minute)
				tt.change(t, s)
				again := s.now()
				s.sits(20 * time.Second)
				n, before := s.known(time.Hour, again)
				if (before > 20) != tt.known || !tt.known && before > 1 || n-before < 1 { // the current interval may have begun earlier
					t.Errorf("%d samples, %d from before the start", n, before)
				}
				log := s.log.String()
				if !strings.Contains(log, tt.log) || tt.log == "" && strings.Contains(log, "WARN") {
					t.Errorf("the log says %q, want %q", log, tt.log)
				}
			})
		})
	}
}

// recordedFiles returns the files of a recording.
func recordedFiles(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.wbr"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	return names
}

// TestChartsOfTheDemoAreFull checks that the demo's charts are full from the first
// evaluated snapshot, and that its day can be replayed seconds later.
func TestChartsOfTheDemoAreFull(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		pass(time.Until(world.OpeningTime(time.Now())))
		s := newSitting(t, world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 12})
		defer s.stop()
		s.board.env.EarlierHours = app.SimulatedHours(s.srv.WorldOptions(), "")
		opened := s.now()
		s.sitsBeside(time.Second, func(x *seated) {
			x.pass(time.Second + 250*time.Millisecond) // the first snapshot is evaluated after one second
			if n, earlier := s.known(time.Hour, opened); n < 350 || earlier < 345 {
				t.Errorf("with the first snapshot %d samples of an hour, %d from before the start", n, earlier)
			}
			x.pass(5 * time.Second)
			if n, earlier := s.known(3*time.Hour, opened); earlier < 170 {
				t.Errorf("soon after %d samples of three hours, %d from before the start", n, earlier)
			}
		})
		r, err := app.OpenRecording(s.config)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // only read from
		if in := r.Info(); opened.Sub(in.First) < 3*time.Hour {
			t.Errorf("it can be rewound to %v", in.First)
		}
	})
}

// TestBackInTheFirstSecond rewinds the demo by two hours before anything is recorded: the
// board waits and goes there.
func TestBackInTheFirstSecond(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		pass(time.Until(world.OpeningTime(time.Now())))
		s := newSitting(t, world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 12})
		defer s.stop()
		s.board.env.EarlierHours = app.SimulatedHours(s.srv.WorldOptions(), "")
		s.sitsBeside(0, func(x *seated) {
			if _, err := app.OpenRecording(s.config); !errors.Is(err, replay.ErrNothingRecorded) {
				t.Fatal(err)
			}
			x.press(":back 2h\n")
			x.pass(10 * time.Second)
			if screen := x.screen(); !strings.Contains(screen, "REWOUND") || !strings.Contains(screen, "2:00:0") {
				t.Errorf("ten seconds later:\n%s", screen)
			}
		})
	})
}

// TestRecordingOfABeginning opens an unfinished file: it has a snapshot, or nothing is
// recorded yet.
func TestRecordingOfABeginning(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		s := newSitting(t, world.Options{Seed: 7, Services: 1, Groups: 1, Agents: 2})
		defer s.stop()
		s.sits(2 * time.Second)
		file := recordedFiles(t, s.config.Record.Dir)[0]
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		nothing, some := 0, 0
		for n := 0; n < len(whole); n += 1 + n/64 {
			if err := os.WriteFile(file, whole[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := app.OpenRecording(s.config)
			switch {
			case err == nil && !r.Info().Last.IsZero():
				some++
				err = r.Close()
			case errors.Is(err, replay.ErrNothingRecorded):
				nothing++
				err = nil
			}
			if err != nil {
				t.Fatalf("with %d bytes of %d: %v", n, len(whole), err)
			}
		}
		if nothing == 0 || some == 0 {
			t.Errorf("with %d beginnings there is nothing, with %d something", nothing, some)
		}
	})
}
