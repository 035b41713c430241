package ui

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// filtered types a filter and returns the number of matching rows.
func (b *board) filtered(text string) int {
	b.t.Helper()
	b.press("/")
	for range 60 {
		b.press("backspace")
	}
	b.words(text)
	_, n, _ := b.pages.CurrentPage().Focused().Table.Position()
	return n
}

// TestFilterByConditions filters agents by their times and figures.
func TestFilterByConditions(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4")
	all := b.filtered("")
	count := func(matches func(r *model.UserStat) bool) (n int) {
		for r := range b.scene.floor.Shown.UserStats.All() {
			if r.Channel == model.Call && matches(r) {
				n++
			}
		}
		return n
	}
	now := b.scene.floor.ToServerTime(b.scene.floor.LocalNow)
	long := count(func(r *model.UserStat) bool {
		since, ok := r.TimeInState.Get()
		return ok && now.Sub(since).Truncate(time.Second) > 10*time.Minute
	})
	if long == 0 || long == all {
		t.Fatalf("%d of %d agents are in a state for 10 minutes", long, all)
	}
	for text, want := range map[string]int{
		"time>10m":        long,
		"time<=10m":       all - long,
		"time > 10:00":    long,
		"time>10m time>9": long,
		"ans>=30":         count(func(r *model.UserStat) bool { return r.NumberCallFromServiceAnswered.Or(0) >= 30 }),
		"occ>0":           all,
		"tme>10m":         0,
	} {
		if got := b.filtered(text); got != want {
			t.Errorf("%q: %d rows, want %d", text, got, want)
		}
	}
	if words, both := b.filtered("ready"), b.filtered("ready time>10m"); both == 0 || both >= words {
		t.Errorf("%d of %d ready agents are so for 10 minutes", both, words)
	}
}

// TestEmptyConditionSaysWhy checks that a table names the range of the values if no row meets a
// condition.
func TestEmptyConditionSaysWhy(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4")
	b.filtered("time>100h")
	b.shows("No match for \"time>100h\": Time is ")
	b.shows(" (60 agents); esc clears the filter.")
	for _, filter := range []string{"time>100h time<1", "anna time>100h"} { // the range of all rows does not explain why these filters have no match
		b.filtered(filter)
		b.shows("No match for \"" + filter + "\" in 60 agents; esc clears the filter.")
	}
	b.filtered("nobody is called this")
	b.shows("No match for \"nobody is called this\" in 60 agents")
}

// TestFilterLineNamesTheProblem types conditions that are wrong; enter keeps the prompt open.
func TestFilterLineNamesTheProblem(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	b.press("4")
	b.filtered("tme>10m")
	b.shows("There is no column \"tme\".")
	b.press("enter")
	if !b.filter.Focused {
		t.Error("the prompt has closed")
	}
	b.filtered("time>")
	b.shows("time> needs a value")
	b.filtered("time>10m")
	b.hides("needs a value")
	b.press("enter")
	b.shows("filter \"time>10m\"")
}

// TestConditionFollowsTheClock waits until an agent meets a condition, without new data.
func TestConditionFollowsTheClock(t *testing.T) {
	t.Parallel()
	for _, grouped := range []bool{false, true} {
		b := newBoard(t, 120, 40)
		b.press("4")
		before := b.filtered("time>10m")
		b.press("enter")
		if grouped {
			b.press("b")
		}
		shown := func() int { return strings.Count(b.text(), "Wrap-up") }
		rows := shown()
		for range 600 {
			b.pass(time.Second)
		}
		_, after, total := b.pages.CurrentPage().Focused().Table.Position()
		if !grouped && (after <= before || after != total) || shown() == rows {
			t.Errorf("grouped %v: %d rows of %d, %d before", grouped, after, total, before)
		}
	}
}
