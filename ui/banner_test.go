package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

func TestBannerNamesTheKeyAndTheWholeReasonOnce(t *testing.T) {
	t.Parallel()
	const reason = "handshake: HTTP 403: the proxy of the branch office does not know the user wallboard"
	b := newBoard(t, 80, 40, func(o *Options) { o.Actions.Reconnect = func() {} })
	b.floor.Health.Notice = "rtd.example.org/rtd refuses the connection: " + reason
	b.link(func(l *model.Link) {
		l.State, l.Reason, l.NextTry = model.LinkRefused, reason, b.Now.Add(5*time.Minute)
	})
	b.shows("STALE 0:00 · next try in 5:00, ctrl+r tries now · rtd.example.org/rtd refuses")
	text := strings.Join(strings.Fields(b.text()), " ")
	if n := strings.Count(text, reason); n != 1 {
		t.Errorf("the reason is there %d times, want once:\n%s", n, b.text())
	}
	if n := strings.Count(text, "next try in"); n != 1 {
		t.Errorf("the next try is announced %d times:\n%s", n, b.text())
	}
	b.pass(5 * time.Minute)
	b.shows("trying, ctrl+r tries now")
	b.link(func(l *model.Link) { l.State = model.LinkUp })
	b.shows("▲ rtd.example.org/rtd refuses the connection")
	b.hides("ctrl+r tries now")
}

func TestBannerKeepsAReasonThatTheNoticeLacks(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.floor.Health.Notice = "Change the password"
	b.link(func(l *model.Link) { l.State, l.Reason = model.LinkBackoff, "connection reset" })
	b.shows("STALE 0:00 · Change the password · connection reset")
	b.hides("tries now") // the board has no function to reconnect
}

func TestBannerLeavesRoomForThePage(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 40, 12)
	b.link(func(l *model.Link) {
		l.State, l.Reason = model.LinkBackoff, strings.Repeat("a long story ", 50)
	})
	banner := 0
	for _, l := range b.trimmed() {
		if strings.Contains(l, "long") {
			banner++
		}
	}
	if banner != 2 {
		t.Errorf("the banner has %d lines, want 2:\n%s", banner, b.text())
	}
	b.shows("…")
	b.shows("─ 1 Overview")
}

func TestFeedPageKeepsTheLastFrame(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("9")
	b.Now = b.Now.Add(42 * time.Second)
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	b.shows("Last heard", "0:42")
}

// TestFrozenAgeIsThePictures checks the age of a snapshot that was old when it was frozen.
func TestFrozenAgeIsThePictures(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4")
	b.Now = b.Now.Add(time.Minute)
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	before, _ := b.row("Bianchi Anna")
	b.press("p")
	b.shows("▲ RETRYING", "FROZEN 1:00")
	b.Now = b.Now.Add(59 * time.Minute)
	b.link(func(l *model.Link) { l.State, l.LastFrame = model.LinkUp, b.Now })
	b.shows("FROZEN 1:00:00", "feed live")
	b.hides("data 0:00")
	if after, _ := b.row("Bianchi Anna"); !slices.Equal(strings.Fields(after), strings.Fields(before)) {
		t.Errorf("the frozen picture moved:\n%s\n%s", before, after)
	}
}
