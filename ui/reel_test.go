package ui

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// waitRule is the rule whose alert is a warning from 9:30 to 9:00 minutes before the end of the theatre's
// recording, and then critical until 4:50 before the end.
const waitRule = "longest wait"

// back rewinds to a time before the end and evaluates the past. It returns the name of the viewer who had
// taken the alert over, "-" if no viewer had, or "" if there was no alert.
func (th *theatre) back(before time.Duration) string {
	th.t.Helper()
	if th.v.shownFloor.replay == nil {
		th.press("Z", "space")
	}
	_, end := th.film.Span()
	th.start(th.v.shownFloor.replay.Jump(end.Add(-before)))
	th.pass(2 * time.Second)
	for _, a := range th.v.shownFloor.scene.Alerts.Active() {
		if a.Rule == waitRule && a.Ack.By == "" {
			return "-"
		} else if a.Rule == waitRule {
			return a.Ack.By
		}
	}
	return ""
}

// TestMarkedTakeOvers checks that recorded take-overs apply until the alert becomes
// critical or ends.
func TestMarkedTakeOvers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		_, end := th.film.Span()
		mark := func(before time.Duration, by string, level alert.Level) model.Mark {
			return model.Mark{At: end.Add(-before), Kind: model.MarkNote, Taken: model.TakenAlert{
				Rule: waitRule, Scope: string(alert.Service), Code: "SRV01", Channel: model.Call, Level: int(level), By: by,
			}}
		}
		th.film.marks = []model.Mark{
			mark(15*time.Minute, "Eve", alert.Critical), // about an earlier wait
			mark(9*time.Minute+25*time.Second, "Anna", alert.Warning),
			mark(7*time.Minute+5*time.Second, "", alert.Critical), // the mark names no viewer
			mark(6*time.Minute, "Ben", alert.Critical),
		}
		for _, want := range []struct {
			before time.Duration
			taker  string
		}{
			{9*time.Minute + 30*time.Second, "-"},
			{9*time.Minute + 20*time.Second, "Anna"},
			{9 * time.Minute, "-"}, // now the alert is critical
			{8 * time.Minute, "-"},
			{7 * time.Minute, "somebody"},
			{5 * time.Minute, "Ben"},
			{4 * time.Minute, ""},
			{9*time.Minute + 10*time.Second, "Anna"},
		} {
			if got := th.back(want.before); got != want.taker {
				t.Errorf("%v before the end: taken by %q, want %q", want.before, got, want.taker)
			}
		}
		th.back(6 * time.Minute)
		th.press("7")
		th.shows("Taken by Ben at 23:54:00", "1 taken over")
		th.hides("needs action", "▲ 1")
		th.press(".", ".")
		th.shows("Taken by Ben at 23:54:00")
		th.back(4 * time.Minute)
		th.shows("Ben")
	})
}

// TestPausedBetweenSnapshotsOfOneSecond checks that the headline of a paused replay counts the callers of
// the snapshot on the screen, even if an earlier snapshot of the same second had another number of
// callers.
func TestPausedBetweenSnapshotsOfOneSecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		start, end := th.film.Span()
		f, pictures := quietFloor(), th.film.pictures[:0:0]
		put := func(at time.Time, callers, seconds int64) {
			f.Time, f.Health = at, liveHealth(at)
			f.waitAt(1, seconds, callers)
			pictures = append(pictures, f.publish())
		}
		for at := start; at.Before(end); at = at.Add(10 * time.Second) {
			put(at, 4, 46)
		}
		second := end.Add(-time.Minute).Truncate(time.Second)
		put(second.Add(100*time.Millisecond), 4, 46)
		put(second.Add(600*time.Millisecond), 3, 33)
		put(end, 3, 33)
		slices.SortStableFunc(pictures, func(a, b *model.Snapshot) int { return a.At.Compare(b.At) })
		th.film.pictures = pictures
		th.back(end.Sub(second.Add(200 * time.Millisecond)))
		th.shows("4 callers waiting, longest 0:46")
		th.film.mu.Lock()
		th.film.show(second.Add(700 * time.Millisecond)) // as if the replay were paused there
		th.film.mu.Unlock()
		th.pass(5 * time.Second)
		th.shows("3 callers waiting, longest 0:33")
		th.hides("4 callers waiting, longest 0:46")
	})
}
