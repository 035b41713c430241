package ui

import (
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/rewind"
	"wallboard/ui/task"
)

// ErrNothingYet is why there is no recording where nothing has been recorded yet.
var ErrNothingYet = errors.New("nothing is recorded yet")

const (
	// wantedEvery is how often the board looks whether an instant that somebody wants to be
	// shown is recorded by now.
	wantedEvery = 500 * time.Millisecond
	// wantedFor is how long it looks. Nobody is taken elsewhere who has long forgotten why.
	wantedFor = time.Minute
)

// wanted is an instant that somebody wants to be shown, and that is about to be recorded.
type wanted struct {
	to    time.Time // zero: whatever is recorded first
	until time.Time // on our clock: nobody waits longer
}

// wantedMsg has the board look whether it is recorded by now.
type wantedMsg struct{ *wanted }

// notYet reports whether what there is of a recording will soon go back to an instant, and does
// not yet. film is nil, and err says why, where there is none.
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

// await waits for an instant, and says so for as long as nothing else is said: again and again,
// before what was said last is over, so that it does not blink.
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

// tryAgain goes to the instant that was waited for, unless nobody wants to any more.
func (v *Viewer) tryAgain(w *wanted) tea.Cmd {
	if w != v.wanted || v.past != nil {
		return nil
	}
	return v.rewind(w.to)
}

// stays takes a wait back where a key does, which then does nothing else.
func (v *Viewer) stays(msg tea.Msg) (cmd tea.Cmd, done bool) {
	press, is := msg.(tea.KeyPressMsg)
	b := v.live
	if !is || v.wanted == nil || !key.Matches(press, b.keys.Back) || b.dialogs.Top() != nil || b.filter.on || b.mode != modeBoard {
		return nil, false
	}
	v.wanted = nil
	return v.say("The board stays at now."), true
}
