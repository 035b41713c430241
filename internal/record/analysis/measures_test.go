package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/model"
)

// stagedSteps are the steps of the playbook of a staged run.
func stagedSteps() []string {
	return []string{"Call the team back", "Change the greeting", "Tell the manager"}
}

// stagedRun simulates the queue of a service, second by second, with sixteen shortages of agents in which
// viewers take some of the steps at some time. The step with the index helps brings agents to the queue; -1:
// none does. It returns the recording and the marks of the ticks.
func stagedRun(seed uint64, helps int) (*tape, []model.Mark) {
	const (
		handling, patience = 100.0, 240.0 // seconds
		perSecond          = 0.12
		usual, short, help = 15, 9, 5 // agents
	)
	dice := rand.New(rand.NewPCG(seed, 7))
	t := &tape{}
	var marks []model.Mark
	received, number := int64(0), 0
	var waiting []time.Time // when each caller hangs up
	var busy []time.Time    // until when each agent is busy
	for at, incident := day, 0; incident < 16; incident++ {
		begins, ends := at.Add(20*time.Minute), at.Add(time.Duration(40+dice.IntN(20))*time.Minute)
		var helpAt time.Time
		for i, step := range stagedSteps() {
			if dice.IntN(2) == 0 {
				continue
			}
			tick := begins.Add(time.Duration(3*60+dice.IntN(12*60)) * time.Second)
			if i == helps {
				helpAt = tick
			}
			number++
			n := model.Note{ID: strconv.Itoa(number), At: tick, Until: tick.Add(24 * time.Hour), Text: step, Tick: model.PlaybookTick{Scope: "service", Code: "S1", Channel: model.Call, Item: step}}
			marks = append(marks, model.Mark{At: tick, Kind: model.MarkNote, Text: "Done: " + step, Note: &n})
		}
		for until := ends.Add(15 * time.Minute); at.Before(until); at = at.Add(time.Second) {
			agents := usual
			if !at.Before(begins) && at.Before(ends) {
				if agents = short; !helpAt.IsZero() && at.After(helpAt) {
					agents += help
				}
			}
			if dice.Float64() < perSecond {
				received++
				waiting = append(waiting, at.Add(time.Duration(dice.ExpFloat64()*patience*float64(time.Second))))
			}
			keep := busy[:0]
			for _, b := range busy {
				if b.After(at) {
					keep = append(keep, b)
				}
			}
			busy = keep
			left := waiting[:0]
			for _, gone := range waiting {
				switch {
				case gone.Before(at):
				case len(busy) < agents:
					busy = append(busy, at.Add(time.Duration(dice.ExpFloat64()*handling*float64(time.Second))))
				default:
					left = append(left, gone)
				}
			}
			waiting = left
			if at.Second() == 0 {
				s := &model.Service{Channel: model.Call}
				s.Code = model.TextOf("S1")
				s.ChannelStats.ReceivedCalls, s.ChannelStats.QueuedCalls, s.ChannelStats.MaxTimeCallOnQueue = model.IntOf(received), model.IntOf(int64(len(waiting))), model.IntOf(int64(10*len(waiting)))
				s.UserStats.LoggedUsers.Count = model.IntOf(int64(agents))
				store := model.NewStore()
				store.Services.Put(s)
				t.pictures = append(t.pictures, store.Publish(at, model.Health{Link: model.Link{State: model.LinkUp}}))
			}
		}
	}
	return t, marks
}

// TestWhatHelped stages runs in which one step of a playbook helps, or none, and the others do nothing.
// HELP_RUNS is their number; by default it is small. HELP_SEED is the seed of the first one: minHelpRatio was
// chosen with the seeds 1 to 300. In at least 90 % of the runs the report must name exactly the step that helped.
func TestWhatHelped(t *testing.T) {
	t.Parallel()
	runs, seed := 24, 1
	for name, n := range map[string]*int{"HELP_RUNS": &runs, "HELP_SEED": &seed} {
		if text := os.Getenv(name); text != "" {
			var err error
			if *n, err = strconv.Atoi(text); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	right, wrong := 0, make(map[string]int)
	for i := range runs {
		helps := i%(len(stagedSteps())+1) - 1
		p, marks := stagedRun(uint64(seed+i), helps)
		from, to := p.Span()
		found, err := analysis.EvaluateCountermeasures(t.Context(), p, analysis.CountermeasuresOf(marks), from, to)
		if err != nil {
			t.Fatal(err)
		}
		verdict := "right"
		for k := range found {
			isHelp := helps >= 0 && found[k].Name == stagedSteps()[helps]
			if isHelp != (found[k].Verdict == analysis.HelpShown) {
				verdict = fmt.Sprintf("useful step %v: %s", isHelp, found[k].Verdict)
			}
		}
		if wrong[verdict]++; verdict == "right" {
			right++
		}
	}
	t.Logf("%d of %d runs right (%.0f %%): %v", right, runs, 100*float64(right)/float64(runs), wrong)
	if 10*right < 9*runs {
		t.Errorf("%d of %d runs are right", right, runs)
	}
}

// TestTimesOfMeasures checks in how many queues a measure counts, and how often: only in the queue in which
// it was taken, or shortly before it.
func TestTimesOfMeasures(t *testing.T) {
	t.Parallel()
	p := &tape{}
	for minute := range 60 {
		s := &model.Service{Channel: model.Call}
		s.Code = model.TextOf("S1")
		waiting := int64(0)
		if minute%10 < 5 && minute < 40 { // queues from 08:00, 08:10, 08:20 and 08:30
			waiting = 6
		}
		s.ChannelStats.ReceivedCalls, s.ChannelStats.QueuedCalls, s.ChannelStats.MaxTimeCallOnQueue = model.IntOf(int64(10*minute)), model.IntOf(waiting), model.IntOf(10*waiting)
		s.UserStats.LoggedUsers.Count = model.IntOf(5)
		store := model.NewStore()
		store.Services.Put(s)
		p.pictures = append(p.pictures, store.Publish(day.Add(time.Duration(minute)*time.Minute), model.Health{Link: model.Link{State: model.LinkUp}}))
	}
	from, to := p.Span()
	for name, tt := range map[string]struct {
		at   []float64 // minutes
		want string
	}{
		"once, before three queues": {[]float64{1}, "too few cases: 1 time"},
		"three times in one queue":  {[]float64{1, 2, 3}, "too few cases: 3 times in 1 queue"},
		"before a queue":            {[]float64{8.5, 11}, "too few cases: 2 times in 1 queue"},
		"between queues":            {[]float64{7}, "too few cases: 0 times"},
		"in two queues":             {[]float64{1, 11}, "too few cases: 2 times"},
	} {
		var measures []analysis.Countermeasure
		for _, minute := range tt.at {
			measures = append(measures, analysis.Countermeasure{Name: analysis.TakeOverName, At: day.Add(time.Duration(minute * float64(time.Minute))), Scope: analysis.Scope{Channel: model.Call, Service: "S1"}})
		}
		found, err := analysis.EvaluateCountermeasures(t.Context(), p, measures, from, to)
		if err != nil || len(found) != 1 || found[0].Phrase() != tt.want {
			t.Errorf("%s: %+v, %v; want %q", name, found, err, tt.want)
		}
	}
}

// TestMeasuresOf checks which marks are measures, and what similar moments say about them.
func TestMeasuresOf(t *testing.T) {
	t.Parallel()
	note := func(id, item string, at, until time.Duration) model.Mark {
		return model.Mark{At: day.Add(at), Kind: model.MarkNote, Note: &model.Note{
			ID: id, At: day.Add(at), Until: day.Add(until), Text: item, Tick: model.PlaybookTick{Scope: "service", Code: "S1", Channel: model.Call, Item: item},
		}}
	}
	took := model.Mark{At: day.Add(3 * time.Minute), Kind: model.MarkNote, Taken: model.TakenAlert{Rule: "longest wait", Scope: "service", Code: "S1", Channel: model.Call}}
	also := took
	also.Taken.Rule = "queue"
	marks := []model.Mark{
		note("1", "Call the team back", time.Minute, 24*time.Hour), note("2", "By mistake", time.Minute, 24*time.Hour),
		note("2", "By mistake", time.Minute, 2*time.Minute), took, also,
		{At: day.Add(4 * time.Minute), Kind: model.MarkAction, Text: "Stop campaign: Win-back, confirmed"},
		{At: day.Add(4 * time.Minute), Kind: model.MarkAction, Text: "Stop campaign: Spring, rejected"},
		{At: day.Add(5 * time.Minute), Kind: model.MarkNote, Taken: model.TakenAlert{Rule: "break too long", Scope: "user", Code: "anna"}},
	}
	similar := []analysis.SimilarMoment{{Moment: analysis.Moment{At: day.Add(2 * time.Minute)}, ExaminedTime: 2 * time.Minute}}
	analysis.AddCountermeasures(similar, analysis.Scope{Channel: model.Call, Service: "S1"}, marks)
	if got, want := similar[0].CountermeasuresText(time.UTC).In(nil), "done then: 08:01 Call the team back, 08:03 take-over"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	similar[0].Countermeasures = nil
	analysis.AddCountermeasures(similar, analysis.Scope{Channel: model.Call, Service: "S2"}, marks)
	if got := similar[0].CountermeasuresText(time.UTC).In(nil); got != "" {
		t.Errorf("at another service: %q", got)
	}
	if all := analysis.CountermeasuresOf(marks); len(all) != 3 || all[2].Name != "Stop campaign: Win-back" || all[2].Scope.Service != "" {
		t.Errorf("%+v", all)
	}
}
