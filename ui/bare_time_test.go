package ui

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestBareTimeRewinds types times of day without "at". The clock of the test is 00:00:01.
func TestBareTimeRewinds(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{"23:50": "23:50:00", "at 23:51": "23:51:00", "23.52": "23:52:00"} {
		synctest.Test(t, func(t *testing.T) {
			th := newTheatre(t)
			th.types(line)
			th.pass(2 * time.Second)
			th.shows("REWOUND", want[:5])
		})
	}
}

// TestNoSuchTime types times that do not exist; none of them rewinds.
func TestNoSuchTime(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"14:0": "14:0", "at 14:0": "14:0", "3:05pm": "3:05pm", "25:99": "25:99", "at 25:99": "25:99",
	} {
		synctest.Test(t, func(t *testing.T) {
			th := newTheatre(t)
			th.types(line)
			th.pass(2 * time.Second)
			th.shows("There is no such time: " + want + ". Write it like 14:05.")
			th.hides("REWOUND")
		})
	}
}

func TestBareTimeNeedsARecording(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press(":")
	b.words("10:30")
	b.press("enter")
	b.shows("Nothing is recorded")
}
