package ui

import (
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/rewind"
	"wallboard/ui/task"
)

// ErrNothingYet is the error of [Memory.Open] if nothing has been recorded yet.
var ErrNothingYet = errors.New("nothing is recorded yet")

const (
	// wantedEvery is the interval at which the board checks whether the wanted instant is
	// recorded.
	wantedEvery = 500 * time.Millisecond
	// wantedFor is how long it keeps checking. Then the viewer may have forgotten the
	// request.
	wantedFor = time.Minute
)

// wanted is an instant that the viewer wants to replay and that is about to be recorded.
type wanted struct {
	to    time.Time // zero: the first recorded instant
	until time.Time // deadline on the local clock
}

// wantedMsg makes the board check again.
type wantedMsg struct{ *wanted }

// notYet reports whether the recording does not contain an instant yet but soon will. If
// film is nil, err is the error of opening it.
func (v *Viewer) notYet(to time.Time, film Film, err error) bool {
	coming := v.live.scene.Memory.Coming
	if coming == nil || !coming() {
		return false
	}
	if err != nil {
		return errors.Is(err, ErrNothingYet)
	}
	from, _ := film.Span()
	return !to.IsZero() && to.Before(from.Truncate(time.Second))
}

// await waits for an instant and says so. It repeats the message before it disappears,
// unless another one is shown.
func (v *Viewer) await(to time.Time) tea.Cmd {
	sc, w := v.live.scene, v.wanted
	if w == nil || !w.to.Equal(to) {
		w = &wanted{to, sc.Now().Add(wantedFor)}
	}
	why := "Nothing is recorded yet: the board shows what was as soon as something is. "
	if !to.IsZero() {
		why = rewind.When(to, sc.floor.Server(sc.Now()), sc.look) + " is not recorded yet: the board goes there once it is. "
	}
	why += v.live.keys.Back.Help().Key + ": stay"
	again := v.of(v.live, task.After(sc.Context, wantedEvery, wantedMsg{w}))
	if said := v.live.notice.text; w == v.wanted && said != "" && said != why {
		return again
	}
	v.wanted = w
	return tea.Batch(again, v.say(why))
}

// tryAgain rewinds to the wanted instant, unless the request was withdrawn.
func (v *Viewer) tryAgain(w *wanted) tea.Cmd {
	if w != v.wanted || v.past != nil {
		return nil
	}
	return v.rewind(w.to)
}

// stays cancels the wait on the key Back. The key then does nothing else.
func (v *Viewer) stays(msg tea.Msg) (cmd tea.Cmd, done bool) {
	press, is := msg.(tea.KeyPressMsg)
	b := v.live
	if !is || v.wanted == nil || !key.Matches(press, b.keys.Back) || b.dialogs.Top() != nil || b.filter.on || b.mode != modeBoard {
		return nil, false
	}
	v.wanted = nil
	return v.say("The board stays at now."), true
}
