package model_test

import (
	"testing"

	"wallboard/model"
)

// TestSumFloors checks that the sum of two equal floors has twice their counts, the same averages
// and the same longest wait.
func TestSumFloors(t *testing.T) {
	t.Parallel()
	one := model.Floor{Services: 2, Users: 3, States: map[model.UserStatus]int{model.Ready: 2, model.Busy: 1}}
	one.Calls.AnsweredCalls, one.Calls.QueuedCalls = model.IntOf(10), model.IntOf(1)
	one.Calls.AverageTimeOnQueue, one.Calls.Wait.For = model.FloatOf(4), model.IntOf(30)
	sum := model.SumFloors([]model.Floor{one, one})
	if sum.Services != 4 || sum.Users != 6 || sum.States[model.Ready] != 4 || sum.Calls.AnsweredCalls != model.IntOf(20) || sum.Calls.QueuedCalls != model.IntOf(2) {
		t.Errorf("the counts are %+v", sum)
	}
	if sum.Calls.AverageTimeOnQueue != model.FloatOf(4) || sum.Calls.LongestWait() != one.Calls.LongestWait() {
		t.Errorf("average %v, longest wait %v, want %v", sum.Calls.AverageTimeOnQueue, sum.Calls.LongestWait(), one.Calls.LongestWait())
	}
}
