package alert

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wallboard/model"
)

// eachSecond makes an engine judge time-dependent rules each second and compute every
// text at once.
func eachSecond(e *Engine) {
	for _, p := range e.rowsByScope {
		for _, r := range p.rules {
			r.message.usesSamples = true
			if r.dependsOnTime {
				r.everySecond, p.everySecond = true, true
			}
		}
	}
}

// anew makes an engine judge everything at the next evaluation.
func anew(e *Engine) {
	for _, p := range e.rowsByScope {
		for _, r := range p.rows {
			r.dirty = true
		}
	}
}

// drawNumber draws a numeric expression about a user.
func drawNumber(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom([]string{
			"timeInState", "timeInState", "own", "numberCallFromService", "timeInStateReady", "userSite",
			"0", "30", "45.5", "90", "1000",
		}).Draw(t, "leaf")
	}
	a, b := drawNumber(t, depth-1), drawNumber(t, depth-1)
	switch rapid.IntRange(0, 8).Draw(t, "number") {
	case 0:
		return "(" + a + " + " + b + ")"
	case 1:
		return "(" + a + " - " + b + ")"
	case 2:
		return "(" + a + " * " + b + ")"
	case 3:
		return "(" + a + " / " + b + ")"
	case 4:
		return "max(" + a + ", " + b + ")"
	case 5:
		return "min(" + a + ", " + b + ")"
	case 6:
		return "(-" + a + ")"
	case 7:
		return "avg(timeInStateReady + timeInState, \"2m\")"
	}
	return "(" + drawTruth(t, depth-1) + " ? " + a + " : " + b + ")"
}

// drawTruth draws a condition about a user.
func drawTruth(t *rapid.T, depth int) string {
	switch rapid.IntRange(0, 8).Draw(t, "truth") {
	case 0:
		return `status in ["WNR", "NOT_READY"]`
	case 1:
		return "known(" + drawNumber(t, depth) + ")"
	case 2, 3:
		if depth > 0 {
			op := rapid.SampledFrom([]string{"and", "or"}).Draw(t, "junction")
			return "(" + drawTruth(t, depth-1) + " " + op + " " + drawTruth(t, depth-1) + ")"
		}
	case 4:
		if depth > 0 {
			return "not (" + drawTruth(t, depth-1) + ")"
		}
	}
	op := rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "!="}).Draw(t, "order")
	return "(" + drawNumber(t, depth) + " " + op + " " + drawNumber(t, depth) + ")"
}

// drawRules draws rules about users; some give way to the first one.
func drawRules(t *rapid.T) Options {
	o := Options{
		MaxGap: rapid.SampledFrom([]time.Duration{5 * time.Second, 30 * time.Second}).Draw(t, "gap"),
		KPIs:   []KPI{{Name: "own", Scope: User, Expr: rapid.SampledFrom([]string{"timeInState / 2", "timeInState - 60", "userSite + 1"}).Draw(t, "own")}},
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "rules") {
		r := Rule{
			Name: fmt.Sprint("rule", i), Scope: User, Severity: Warning,
			For:     time.Duration(rapid.SampledFrom([]int{0, 0, 3, 40}).Draw(t, "for")) * time.Second,
			Message: "{title}: {code}, " + rapid.SampledFrom([]string{"{timeInState}", "{userSite}", "{own|duration} {status}"}).Draw(t, "message"),
		}
		if rapid.Bool().Draw(t, "levels") {
			r.Severity, r.KPI = Normal, drawNumber(t, rapid.IntRange(0, 2).Draw(t, "depth"))
			r.Thresholds, r.Direction = thresholds(40, 80, 30), LowerIsBetter
			if rapid.Bool().Draw(t, "higher is better") {
				r.Thresholds, r.Direction = thresholds(80, 40, 95), HigherIsBetter
			}
			if rapid.Bool().Draw(t, "base") {
				r.Base = drawNumber(t, 0)
			}
			if rapid.IntRange(0, 3).Draw(t, "calls") == 0 {
				r.Calls, r.MinCalls, r.MinExcessMisses = drawNumber(t, 0), 2, 30
			}
			r.Message += " {value}"
		} else {
			r.When = drawTruth(t, rapid.IntRange(0, 2).Draw(t, "depth"))
			if rapid.Bool().Draw(t, "recover") {
				r.Recover = drawTruth(t, 1)
			}
		}
		if i > 0 && rapid.IntRange(0, 2).Draw(t, "gives way") == 0 {
			r.SuppressedBy = "rule0"
		}
		o.Rules = append(o.Rules, r)
	}
	return o
}

// change changes an agent as during a shift, sometimes with missing values.
func (f *floor) change(rnd *rand.Rand, name string) {
	f.agent(name, func(r *model.UserStat) {
		switch rnd.IntN(7) {
		case 0, 1, 2:
			r.Status = []model.UserStatus{model.Ready, model.WNR, model.NotReady, model.Busy}[rnd.IntN(4)]
			r.TimeInState = model.InstantOf(f.now.Add(time.Duration(rnd.IntN(123_000)-120_000) * time.Millisecond))
			r.NumberCallFromService, r.TimeInStateReady = model.IntOf(rnd.Int64N(4)), model.IntOf(rnd.Int64N(200))
		case 3:
			r.TimeInStateReady = model.IntOf(rnd.Int64N(200))
		case 4:
			r.UserSite = model.IntOf(rnd.Int64N(3) - 1)
		case 5:
			r.TimeInState = model.Instant{}
		case 6:
			r.UserSite, r.TimeInStateReady = model.Int{}, model.Int{}
		}
	})
}

// TestWhatHasNotChangedIsTheSame compares an engine with one that judges time-dependent
// rules each second (all results) and with one that judges everything each time (raised
// and cleared alerts).
func TestWhatHasNotChangedIsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := drawRules(t)
		f := newFloor(t, o)
		seconds, every := newFloor(t, o).engine, newFloor(t, o).engine
		eachSecond(seconds)
		figures := cmpopts.EquateComparable(model.Figure{})
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "shift"), 1))
		fine, often := rnd.IntN(4) == 0, 3+rnd.IntN(60)
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			f.now = f.now.Add(step(rnd, fine))
			for _, name := range []string{"anna", "bert", "carl"} {
				switch n := rnd.IntN(often); {
				case n == 0 || f.store.UserStats.Len() == 0:
					f.change(rnd, name)
				case n == 1 && rnd.IntN(3) == 0:
					f.store.UserStats.Delete(model.UserStatKey{Username: name, Channel: model.Call})
				}
			}
			f.health.Link.State = model.LinkUp
			if rnd.IntN(30) == 0 {
				f.health.Link.State = model.LinkBackoff
			}
			s := f.store.Publish(f.now, f.health)
			anew(every)
			is, want := f.engine.Evaluate(s, f.now), seconds.Evaluate(s, f.now)
			if diff := cmp.Diff(want, is, figures); diff != "" {
				t.Fatalf("at %v of %+v: %s", f.now, o, diff)
			}
			if all := every.Evaluate(s, f.now); !fine && kindsOf(all) != kindsOf(is) {
				t.Fatalf("at %v of %+v: %s, evaluated completely %s", f.now, o, kindsOf(is), kindsOf(all))
			}
			if rnd.IntN(5) == 0 {
				if diff := cmp.Diff(seconds.Active(), f.engine.Active(), figures); diff != "" {
					t.Fatalf("at %v of %+v the alerts: %s", f.now, o, diff)
				}
			}
		}
		if diff := cmp.Diff(byID(seconds.History()), byID(f.engine.History()), figures); diff != "" {
			t.Fatalf("of %+v ended: %s", o, diff)
		}
	})
}

// byID sorts alerts, because alerts that vanish together end in any order. After the clock was set
// back, two alerts can have the same ID.
func byID(all []Alert) []Alert {
	slices.SortFunc(all, func(a, b Alert) int {
		if a.ID == b.ID {
			return a.Ended.Compare(b.Ended)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

// step returns the time until the next evaluation.
func step(rnd *rand.Rand, fine bool) time.Duration {
	switch {
	case fine:
		return time.Duration(50+rnd.IntN(1450)) * time.Millisecond
	case rnd.IntN(50) == 0: // the clock is set back
		return -time.Duration(1+rnd.IntN(100)) * time.Second
	case rnd.IntN(20) == 0:
		return time.Duration(2+rnd.IntN(90)) * time.Second
	}
	return time.Second
}

// kindsOf formats changes with their records.
func kindsOf(all []Change) string {
	text := ""
	for i := range all {
		c := &all[i]
		text += fmt.Sprintf("%s %s %s since %v; ", c.Alert.ID, c.Kind, c.Alert.Level, c.Alert.Since)
	}
	return text
}
