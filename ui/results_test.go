package ui

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/pages"
)

// startMsg starts a command on the floor on the screen.
type startMsg struct{ cmd func() tea.Cmd }

// Apply implements history.Msg.
func (msg startMsg) Apply() tea.Cmd { return msg.cmd() }

// sayLater returns a message that starts a command which sends a notice after a second.
func (th *theatre) sayLater(text string) startMsg {
	return startMsg{func() tea.Cmd { return dialog.DelayMsg(th.ctx, time.Second, dialog.NoticeMsg{Text: text}) }}
}

// TestPanicInCommandOfReplay checks that a panic in a command of a replay, or of a dialog of a replay,
// ends the replay but not the board.
func TestPanicInCommandOfReplay(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(th *theatre){
		"comparison": func(th *theatre) { th.types("compare 6m") },
		"dialog": func(th *theatre) {
			th.send(startMsg{func() tea.Cmd {
				return th.v.shownFloor.dialogs.RouteAnswer(nil, func() tea.Msg { panic("an index is broken") })
			}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				th := newTheatre(t)
				th.press("Z")
				th.pass(2 * time.Second)
				th.film.mu.Lock()
				th.film.panics = true
				th.film.mu.Unlock()
				begin(th)
				th.pass(time.Second)
				th.shows("LIVE", "The recording cannot be shown: the board panicked: an index is broken")
				if th.quit {
					t.Error("the whole board has ended")
				}
			})
		})
	}
}

// TestNoticeOfOtherFloor starts a command and shows another floor before the command sends its
// notice, which then begins with the name of its floor.
func TestNoticeOfOtherFloor(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{`\`: "Milan: It is saved.", "Z": "Now: It is saved."} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				th, _ := newSites(t)
				th.send(th.sayLater("It is saved."))
				th.press(key)
				th.pass(2 * time.Second)
				th.shows(want)
			})
		})
	}
}

// TestResultsOfEndedReplay ends a replay before its commands send their results. The replay does not
// get them, but a notice is shown.
func TestResultsOfEndedReplay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("Z")
		th.send(th.sayLater("It is saved."))
		arrived := false
		th.send(startMsg{func() tea.Cmd {
			return dialog.DelayMsg(th.ctx, time.Second, startMsg{func() tea.Cmd { arrived = true; return nil }})
		}})
		th.press("Z")
		th.pass(2 * time.Second)
		th.shows("LIVE", "It is saved.")
		if arrived {
			t.Error("an ended replay got a result")
		}
	})
}

// TestPausedReplayTicksOnceASecond pauses a replay just before a full second of the recording. The
// next clock tick comes at the next full second of the live clock, or after a second if there is only a recording.
func TestPausedReplayTicksOnceASecond(t *testing.T) {
	t.Parallel()
	for name, onlyRecording := range map[string]bool{"rewound": false, "only a recording": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				th := newTheatre(t, func(o *Options) {
					if onlyRecording {
						o.Archive.Replayed, _ = o.Archive.Open()
					}
				})
				if !onlyRecording {
					th.press("Z")
				}
				th.press("space")
				th.film.mu.Lock()
				th.film.at = th.film.at.Truncate(time.Second).Add(999 * time.Millisecond)
				th.film.mu.Unlock()
				begun := time.Now()
				if th.v.waitForNextSecond()(); time.Since(begun) < time.Second/2 {
					t.Errorf("the tick comes after %v", time.Since(begun))
				}
			})
		})
	}
}

// TestEmptyQuestionClosesOnTheScreen empties a question about the work of all floors by a message that
// no dialog handles. The question closes.
func TestEmptyQuestionClosesOnTheScreen(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 100, 40)
	work := []string{"Milan: hang up"}
	b.run(b.dialogs.OpenQuestionDialog(dialog.Question{Topic: quitTopic, Text: "Quit?", YesLabel: "Quit", LiveLines: func() []string { return work }}))
	b.send(clockMsg{})
	b.shows("Milan: hang up")
	work = nil
	b.send(clockMsg{})
	b.hides("Quit?")
}

// TestNoticeOnWallNamesItsPlatform shows a notice on a kiosk with two platforms just before the next
// platform appears.
func TestNoticeOnWallNamesItsPlatform(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, _ := newTour(t)
		th.pass(39 * time.Second)
		th.on("Milan", "Agents", "Rome")
		th.start(th.v.shownFloor.showMessage("The rules have changed."))
		th.pass(2 * time.Second)
		th.shows("R O M E", "Milan: The rules have changed.")
	})
}

// TestHiddenPlatformLeavesTheFocus makes a hidden platform critical while the viewer works on another
// one. The hidden platform keeps its selection.
func TestHiddenPlatformLeavesTheFocus(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, rome := newSites(t)
		th.press(`\`, "2", "tab", `\`)
		th.pass(2 * notifyDelay)
		hidden := th.v.platforms.floors[1]
		hidden.pages.Show(pages.Overview)
		before := hidden.pages.CurrentPage().Focused()
		rome.show(th, 754)
		th.shows("Rome ▲ 1")
		if hidden.pages.CurrentPage().Focused() != before {
			t.Error("the focus has moved on the hidden platform")
		}
	})
}

// TestDesktopNotificationsOfPlatforms announces a situation on two platforms at once. The desktop
// shows one notification.
func TestDesktopNotificationsOfPlatforms(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, _ := newSites(t, func(milan, rome *Options) { milan.Alarm.Desktop, rome.Alarm.Desktop = true, true })
		th.send(tea.EnvMsg{"TERM=xterm"})
		sent := 0
		for _, f := range th.v.floors() {
			if f.alertHandler.notifyDesktop(&alerts.Announcements{BecameCritical: true, Text: "▲ Sales"}) != nil {
				sent++
			}
		}
		if sent != 1 {
			t.Errorf("%d notifications, want 1", sent)
		}
	})
}

// TestJumpKeepsTheLiveLook checks that a jump of a replay does not discard what is drawn of the live
// floor.
func TestJumpKeepsTheLiveLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("Z", "space")
		live, past := th.v.liveFloor.scene.look, th.v.shownFloor.scene.look
		th.press("<")
		th.pass(2 * time.Second)
		if th.v.liveFloor.scene.look != live || th.v.shownFloor.scene.look == past {
			t.Error("the live floor has a new look, or the replay has none")
		}
	})
}
