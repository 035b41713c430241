package ui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/model"
	"wallboard/ui/replay"
	"wallboard/ui/style"
	"wallboard/ui/term"
)

// TestSaveIncident saves incidents live and on a replay.
func TestSaveIncident(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type part struct{ from, to time.Time }
		asked := make(chan part, 1)
		var fails error
		th := newTheatre(t, func(o *Options) {
			o.Archive.Save = func(_ context.Context, from, to time.Time) (string, error) {
				asked <- part{from, to}
				return "/home/maria/incident.wbr", fails
			}
		})
		saved := func() part {
			th.pass(10 * time.Millisecond)
			select {
			case p := <-asked:
				return p
			default:
				t.Fatal("nothing is saved")
			}
			return part{}
		}
		th.press("ctrl+e")
		if p := saved(); p.to.Before(time.Now()) || p.from.After(time.Now().Add(-10*time.Minute)) {
			t.Errorf("%+v at %v", p, time.Now())
		}
		th.shows("Saved from", "/home/maria/incident.wbr")
		th.press(strings.Split(": b a c k", " ")...)
		th.press(" ", "7", "m", "enter")
		th.shows("REWOUND")
		th.press(strings.Split(": s a v e", " ")...)
		th.press(" ", "i", "n", "c", "enter")
		at := th.film.At()
		if p := saved(); p.to.Sub(at) < 9*time.Minute || p.from.After(at.Add(-10*time.Minute)) {
			t.Errorf("%+v at %v", p, at)
		}
		th.shows("Saved from", "REWOUND")
		fails = errors.New("no space left on device")
		th.press("Z", "ctrl+e")
		saved()
		th.shows("could not be saved: no space left on device")
	})
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("ctrl+e")
		th.shows("Nothing is recorded")
	})
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t, func(o *Options) { o.Archive.Queue = replay.NewQueue(nil) }) // as on a server
		for _, key := range []string{"ctrl+e", "Z", "ctrl+e"} {
			th.press(key)
			if key == "ctrl+e" {
				th.shows("Nothing can be saved on the server.", "wallboard record cut")
			}
			th.pass(time.Minute)
		}
	})
}

// TestCast checks that each frame of a cast equals the board at its instant.
func TestCast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		from, _ := th.film.Span()
		var at []time.Time
		var all strings.Builder
		o := Options{
			Names: testNames(),
			Archive: replay.Archive{Replayed: th.film, Zone: "Asia/Tokyo", Engine: func() (*alert.Engine, error) {
				return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
			}},
			Display: Display{Location: time.UTC},
		}
		shot := Clip{
			Size: term.Size{Width: 100, Height: 30}, From: from.Add(10 * time.Minute), To: from.Add(13*time.Minute + 5*time.Second), Step: 30 * time.Second,
			WriteFrame: func(now time.Time, out []byte) error {
				at = append(at, now)
				all.Write(out)
				return nil
			},
		}
		if err := DrawClip(t.Context(), o, shot); err != nil {
			t.Fatal(err)
		}
		if len(at) != 8 || !at[0].Equal(shot.From) || !at[7].Equal(shot.To) {
			t.Errorf("frames at %v", at)
		}
		if s := all.String(); !strings.Contains(s, "RECORDING of 31 Dec, Asia/Tokyo") || !strings.HasPrefix(s, "\x1b[?1049h") || !strings.HasSuffix(s, "\x1b[?25h") {
			t.Errorf("%.300q", s)
		}
		ended := errors.New("the disk is full")
		shot.WriteFrame = func(time.Time, []byte) error { return ended }
		if err := DrawClip(t.Context(), o, shot); !errors.Is(err, ended) {
			t.Errorf("%v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := DrawClip(ctx, o, shot); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

// TestTryOnTheBoard backtests a rule from the palette: progress, result and cancellation.
func TestTryOnTheBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, off := make(chan string, 1), make(chan bool, 1)
		var goOn chan bool
		when := func(at time.Time) string { // formats the instant for which the backtest is requested
			if at.IsZero() {
				return ""
			}
			return at.Format(time.RFC3339) + " "
		}
		th := newTheatre(t, func(o *Options) {
			o.Archive.Backtest = func(ctx context.Context, at time.Time, rule, sweep string, say func(float64)) (backtest.Result, error) {
				asked <- when(at) + rule + "|" + sweep
				say(0.25)
				select {
				case <-ctx.Done():
					off <- true
					return backtest.Result{}, ctx.Err()
				case <-goOn:
				}
				at = time.Now()
				return backtest.Result{From: at.Add(-time.Hour), To: at, Snapshots: 3600, Recorded: time.Hour, Outcomes: []backtest.Outcome{{Set: backtest.RuleSet{
					Name: "today", Options: alert.Options{Rules: alert.DefaultRules()},
				}}}}, nil
			}
		})
		typed := func(line string) {
			th.press(":")
			for _, r := range line {
				th.press(string(r))
			}
			th.press("enter")
			th.pass(time.Second + time.Millisecond)
		}
		typed("try longest wait.for=30s..5m")
		if got := <-asked; got != "longest wait|longest wait.for=30s..5m" {
			t.Errorf("asked for %q", got)
		}
		th.shows("Tested on today: longest wait", "25 %", "esc cancels")
		th.press("esc")
		th.pass(time.Second)
		if !<-off {
			t.Error("it goes on")
		}
		th.hides("Tested on today")
		goOn = make(chan bool)
		typed("try service level.warning=0.5..1.5/3")
		if got := <-asked; got != "service level|service level.warning=0.5..1.5/3" {
			t.Errorf("asked for %q", got)
		}
		close(goOn)
		th.pass(time.Second)
		th.shows("1:00:00 recorded", "service level")
		th.hides("longest wait today")
		th.press("esc")
		th.hides("recorded, 3600")
		typed("back 10m")
		goOn = make(chan bool)
		typed("try stranded.for=1m")
		if got := <-asked; !strings.HasPrefix(got, "1999-12-31T23:50:0") || !strings.HasSuffix(got, " stranded|stranded.for=1m") {
			t.Errorf("asked for %q", got)
		}
		th.shows("Tested on 31 Dec 1999: stranded", "the recording of 31 Dec 1999: 25 %")
		close(goOn)
		th.pass(time.Second)
	})
}

// TestTryOfTheRuleInView checks the backtests offered for selected alerts.
func TestTryOfTheRuleInView(t *testing.T) {
	t.Parallel()
	sc := &scene{Options: &Options{}, look: &style.Look{}}
	here := []alert.Alert{{Rule: "stranded"}, {Rule: "longest wait"}, {Rule: "stranded"}}
	if got := sc.archive(nil).BacktestCommands(nil, here); got != nil {
		t.Errorf("without a recording: %v", got)
	}
	if got := sc.archive(nil).ParseBacktest(nil, "try stranded.for=1m"); got != nil {
		t.Errorf("without a recording: %v", got)
	}
	sc.Archive.Backtest = func(context.Context, time.Time, string, string, func(float64)) (backtest.Result, error) {
		return backtest.Result{}, nil
	}
	if got := sc.archive(nil).BacktestCommands(nil, here); len(got) != 2 || got[1].Name != "test this rule on today: long wait (longest wait)" {
		t.Errorf("%v", got)
	}
	for line, is := range map[string]bool{"try stranded.for=1m": true, "Try a.b.critical=0.5..1.5": true, "try": false, "try stranded": false, "trying a.b=1": false, "try =.x": false} {
		if got := sc.archive(nil).ParseBacktest(nil, line); (len(got) == 1) != is {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestReviewOfIncident saves the recording and the review of the selected situation, while it is open
// and after it has ended, and says so if there is no recording.
func TestReviewOfIncident(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		saved := make(map[string]string)
		var fails error
		tested := 0
		th := newTheatre(t, func(o *Options) {
			o.Archive.Rules = func() alert.Options { // the backtest of the review calls it
				tested++
				return alert.Options{Rules: []alert.Rule{{Name: "longest wait", Scope: alert.Service, When: "no such figure > 0", For: time.Minute}}}
			}
			o.Archive.Save = func(context.Context, time.Time, time.Time) (string, error) {
				return "/home/maria/incident.wbr", fails
			}
			o.Actions.Save = func(name string, data []byte) (string, error) {
				mu.Lock()
				defer mu.Unlock()
				saved[name] = string(data)
				return "/home/maria/" + name, nil
			}
		})
		review := func(want ...string) {
			t.Helper()
			th.press("7", "home", "ctrl+e")
			th.pass(time.Second)
			mu.Lock()
			defer mu.Unlock()
			for _, w := range want {
				all := ""
				for _, text := range saved {
					all += text
				}
				if !strings.Contains(all, w) {
					t.Errorf("no %q in the review:\n%s", w, all)
				}
			}
			clear(saved)
		}
		for range 60 {
			th.floor.Time = time.Now()
			th.floor.Health = liveHealth(th.floor.Time)
			th.floor.wait(model.Call, 90)
			th.live.Put(th.floor.publish())
			th.pass(time.Second)
		}
		review("# Incident review: ", "still open", "## Timeline", "alert “long wait”", "`wallboard play incident.wbr`", "- Other rules could not be tested: backtest the rules: ")
		if tested != 1 {
			t.Errorf("it asked %d times for the rules", tested)
		}
		th.shows("Review: /home/maria/incident.md, recording: incident.wbr", "Timeline", "alert “long wait”")
		th.hides("r read again")
		th.press("esc")
		for range 120 {
			th.floor.Time = time.Now()
			th.floor.Health = liveHealth(th.floor.Time)
			th.floor.wait(model.Call, 0)
			th.live.Put(th.floor.publish())
			th.pass(time.Second)
		}
		fails = errors.New("no space left on device")
		review("# Incident review: ", " resolved\n", "The recording could not be saved: no space left on device", "Unknown: the recording does not cover the whole time")
	})
}
