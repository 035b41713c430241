package ui

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/kiosk"
)

// TestSnoozeOfARow checks that a snoozed row is dimmed and silent until the snooze ends or
// the alert escalates.
func TestSnoozeOfARow(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 40)
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Actions.User = "anna" })
	b.press("2", "r")
	b.shows("Snooze: Sales Italy")
	b.press("enter", "enter")
	b.shows("Silent until 10:57: Sales Italy.")
	b.press("w")
	b.says("Silent until 10:57:17: no notifications unless it gets worse.")
	b.press("esc")
	b.shows("Bolzano", "silent until 10:57: Sales Italy")
	b.shows("z long wait")
	b.hides("△ long wait")
	b.press("7")
	b.shows("Silent", "Sales Italy", "1 caller waiting 0:40.")
	b.shows("Silent until 10:57")
	b.floor.wait(model.Call, 70)
	b.Now = b.Now.Add(time.Second)
	if n := b.bells(snapshotMsg{Snapshot: b.floor.publish()}); n != 1 {
		t.Errorf("%d bells for a new critical situation, want 1", n)
	}
	b.shows("Bolzano", "▲ 1")
	b.press("2", "r")
	b.press("enter", "enter")
	b.floor.wait(model.Call, 0)
	b.publish()
	b.floor.wait(model.Call, 80)
	b.Now = b.Now.Add(time.Minute)
	if n := b.bells(snapshotMsg{Snapshot: b.floor.publish()}); n != 0 {
		t.Errorf("%d bells while it is snoozed", n)
	}
	b.hides("Bolzano", "▲")
	b.Now = b.Now.Add(14 * time.Minute)
	if n := b.bells(snapshotMsg{Snapshot: b.floor.publish()}); n != 1 {
		t.Errorf("%d bells when the snooze ends while it lasts, want 1", n)
	}
	b.hides("silent until")
}

// TestSnoozeTyped checks the palette's command line.
func TestSnoozeTyped(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 40)
	for line, want := range map[string]string{
		"snooze 20m":             "silent until 11:02: Sales Italy",
		"snooze 90":              "silent until 12:12: Sales Italy",
		"snooze all 1h30m":       "silent until 12:12: everything",
		"snooze until 11:15":     "silent until 11:15: Sales Italy",
		"snooze everything 2 h":  "silent until 12:42: everything",
		"snooze all until 12:00": "silent until 12:00: everything",
	} {
		b := newBoardOn(t, f, 120, 40)
		b.press("2", ":")
		b.words(line)
		b.press("enter")
		b.shows("Bolzano", want)
	}
	for _, line := range []string{"snooze 15 apples", "snooze 13h", "snooze -5m", "snooze 9999999999999999999"} {
		b := newBoardOn(t, f, 120, 40)
		b.press("2", ":")
		b.words(line)
		b.press("enter", "esc")
		b.hides("silent until")
	}
}

// TestSnoozeOfEverythingIsNamed checks that a snooze of everything is listed first.
func TestSnoozeOfEverythingIsNamed(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 40)
	b := newBoardOn(t, f, 120, 40)
	for _, line := range []string{"snooze 20m", "snooze all 1h"} {
		b.press("2", ":")
		b.words(line)
		b.press("enter")
	}
	b.shows("silent until 11:42: everything and 1 more")
}

// TestSnoozeEnds checks ending a snooze manually.
func TestSnoozeEnds(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 40)
	b := newBoardOn(t, f, 120, 40)
	b.press("2", "r", "enter", "enter")
	b.shows("silent until")
	b.press("r")
	b.shows("End the snooze of Sales Italy now?")
	b.press("tab", "enter")
	b.pass(time.Second)
	b.hides("silent until")
	b.shows("△ long wait")
}

// TestSilentKiosk checks that a kiosk does not bring silenced situations to the front, but
// says that some exist.
func TestSilentKiosk(t *testing.T) {
	t.Parallel()
	planned := alert.Silence{Title: "closed", From: 10 * time.Hour, To: 11 * time.Hour, Zone: time.UTC}
	b := newBoardOn(t, quietFloor(), 120, 40, onWall(front(alert.Critical), func(k *kiosk.Options) { k.Pages = []string{"Agents"} }), func(o *Options) {
		o.Alerts = engine(t, alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Silences: []alert.Silence{planned}})
	})
	b.floor.wait(model.Call, 70)
	b.publish()
	b.seconds(3)
	b.shows("silent until 11:00: closed")
	if b.pages.NameOf(b.pages.Current) != "Agents" {
		t.Errorf("the kiosk shows %s", b.pages.NameOf(b.pages.Current))
	}
}

// TestRecoveryIsSaid checks the message and the bell of a recovery: no bell on a kiosk or
// for silenced alerts.
func TestRecoveryIsSaid(t *testing.T) {
	t.Parallel()
	bell := func(o *Options) { o.Alarm.RecoveryBell = true }
	for name, c := range map[string]struct {
		change []func(*Options)
		silent bool
		bells  int
		text   string
	}{
		"told":        {nil, false, 0, "✓ Sales Italy: resolved after 0:21. Peak 1 caller, longest wait 1:11."},
		"rung":        {[]func(*Options){bell}, false, 1, "✓ Sales Italy: resolved after 0:21"},
		"on a kiosk":  {[]func(*Options){bell, onWall()}, false, 0, ""},
		"was snoozed": {[]func(*Options){bell}, true, 0, ""},
	} {
		b := newBoardOn(t, quietFloor(), 120, 40, c.change...)
		b.floor.wait(model.Call, 61)
		b.publish()
		b.Now = b.Now.Add(10 * time.Second)
		b.floor.wait(model.Call, 71)
		b.publish()
		b.Now = b.Now.Add(11 * time.Second)
		if c.silent {
			b.press("2", "r", "enter", "enter")
			b.Now = b.Now.Add(10 * time.Second)
		}
		b.notice.Text = ""
		b.floor.wait(model.Call, 0)
		if n := b.bells(snapshotMsg{Snapshot: b.floor.publish()}); n != c.bells {
			t.Errorf("%s: %d bells, want %d", name, n, c.bells)
		}
		if got := b.notice.Text; c.text == "" && got != "" || !strings.HasPrefix(got, c.text) {
			t.Errorf("%s: it says %q, want %q", name, got, c.text)
		}
	}
}

// TestViewOnly checks that a board that cannot change alerts offers neither to take them over nor
// to snooze them, and says why their keys do nothing.
func TestViewOnly(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 70)
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Actions.ViewOnly = true })
	for _, page := range []string{"1", "7"} {
		b.press(page)
		b.shows("w why")
		b.hides("take over", "snooze")
		for _, key := range []string{"m", "r"} {
			b.press(key)
			b.shows("This board is read-only.")
		}
	}
	b.press("w")
	b.shows("Why: Sales Italy")
	b.hides("take over")
	b.press("esc", ":")
	b.words("take over")
	b.shows("no command matches")
}
