package ui

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/hindsight"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/floor"
	"wallboard/ui/history"
	"wallboard/ui/look"
	"wallboard/ui/palette"
	"wallboard/ui/panes"
	"wallboard/ui/rewind"
	"wallboard/ui/task"
)

const (
	// warmEvery is how far apart the pictures are that the alerts and situations of an
	// instant are made from.
	warmEvery = 10 * time.Second
	// warmAfter is how long nobody has gone elsewhere before that begins, glanceAfter
	// before the picture of the instant itself is looked at, where the board does not.
	warmAfter   = 150 * time.Millisecond
	glanceAfter = 20 * time.Millisecond
)

// reel is the recording that a board shows, and where in it the viewer is. A nil one
// is of a board that shows what is.
type reel struct {
	film   Film
	board  reelBoard
	memory Memory
	live   func() time.Time // our clock now; nil: nothing is live beside the recording
	marks  []model.Mark     // that the viewer can go to, in the order of time
	pace   float64          // 0: it stands still
	before float64          // the pace before it stood still
	going  going            // what the steps come to that were not made yet

	warm   context.CancelFunc // ends what is being made of the pictures before; nil: nothing is
	blind  bool               // the board's engine has seen nothing yet, and is not to
	leaped int                // how often the viewer has gone elsewhere
	warmed *alert.Engine      // that has seen what was before the instant; nil: none has
}

// reelBoard is what a reel needs of the board that shows it.
type reelBoard interface {
	Say(text string) tea.Cmd
	// relive goes on by an engine: that of another instant. Where it is not to look at the
	// picture itself, somebody does so beside.
	relive(e Engine, look bool) tea.Cmd
	// refresh has the board draw another picture.
	refresh()
	setting() *scene
}

// warmedMsg brings an engine that has seen what was before an instant.
type warmedMsg struct {
	ctx    context.Context //nolint:containedctx // until the viewer goes elsewhere
	leaped int
	at     time.Time // the instant
	engine Engine
	glance bool // it has seen the picture of that instant only; more follows
	err    error
}

// newReel returns the reel of a board's source, nil where that is no film.
func newReel(o *Options, board reelBoard) *reel {
	film, is := o.Source.(Film)
	if !is {
		return nil
	}
	return &reel{film: film, board: board, memory: o.Memory, marks: rewind.Stops(film.Marks()), pace: 1, before: 1}
}

// warmed is an engine with the situations that it has led to.
type warmed struct {
	Engine
	situations alerts.Situations
}

// Situations has the board take over the situations, too.
func (w warmed) Situations() alerts.Situations { return w.situations }

// behind is how long ago what is shown was; 0: nothing is live beside it.
func (r *reel) behind(now time.Time) time.Duration {
	if r == nil || r.live == nil {
		return 0
	}
	return max(r.live().Sub(now), time.Second)
}

// press obeys the keys that go through a recording. The page History has days of its
// own to go through.
func (r *reel) press(msg tea.KeyPressMsg, k *RewindKeys, on panes.Page) (tea.Cmd, bool) {
	if r == nil {
		return nil, false
	}
	if _, is := on.(*history.Page); is {
		return nil, false
	}
	for _, step := range []struct {
		key key.Binding
		by  time.Duration
	}{
		{k.Earlier, -10 * time.Second},
		{k.Later, 10 * time.Second},
		{k.EarlierMin, -time.Minute},
		{k.LaterMin, time.Minute},
		{k.Earlier5Min, -5 * time.Minute},
		{k.Later5Min, 5 * time.Minute},
	} {
		if key.Matches(msg, step.key) {
			return r.step(step.by), true
		}
	}
	switch {
	case key.Matches(msg, k.PrevMark, k.NextMark):
		to, some := rewind.Next(r.marks, r.film.At(), key.Matches(msg, k.PrevMark))
		if !some {
			return r.board.Say("There is no mark there."), true
		}
		return tea.Batch(r.leap(to.At), r.board.Say(rewind.Words(r.board.setting().look, to))), true
	case key.Matches(msg, k.Play):
		return r.play(), true
	case key.Matches(msg, k.Faster):
		return r.turn(1), true
	case key.Matches(msg, k.Slower):
		return r.turn(-1), true
	}
	return nil, false
}

// play goes on, or stands still.
func (r *reel) play() tea.Cmd {
	if r.pace == 0 {
		return r.goOn(r.before)
	}
	r.before = r.pace
	return r.goOn(0)
}

// turn goes to another pace.
func (r *reel) turn(by int) tea.Cmd {
	at, _ := slices.BinarySearch(rewind.Paces, max(r.pace, 1))
	return r.goOn(rewind.Paces[min(max(at+by, 0), len(rewind.Paces)-1)])
}

// goOn plays at a pace, or stands still at 0. Where it was so fast that pictures were further apart than those that
// alerts are made from, what led to the instant is looked at anew.
func (r *reel) goOn(pace float64) tea.Cmd {
	const closely = float64(warmEvery / time.Second)
	before := r.pace
	r.pace = pace
	r.film.Pace(pace)
	if before <= closely || pace > closely {
		return nil
	}
	r.warmed = nil
	return r.leap(r.film.At().Add(r.going.by))
}

// leap goes to another instant. Its picture is there at once; what led to it is looked
// at beside, as soon as the viewer stays. A small step on needs no more than that: who has
// looked at what was before it looks at the next picture.
func (r *reel) leap(at time.Time) tea.Cmd {
	r.going.by = 0 // of steps that wait: the viewer is elsewhere
	before := r.film.At()
	if err := r.film.Go(at); err != nil {
		return r.board.Say("This cannot be shown: " + err.Error())
	}
	beyond := r.beyond(at)
	if step := r.film.At().Sub(before); r.warmed != nil && step >= 0 && step <= warmEvery && !r.film.Empty(r.film.At()) {
		r.board.refresh()
		return beyond
	}
	ctx := r.leave()
	fresh, err := r.engine()
	if err != nil {
		return r.board.Say("What was wrong then is not known: " + err.Error())
	}
	r.blind = floor.Large(r.film.Latest())
	return tea.Batch(beyond, r.board.relive(fresh, !r.blind), r.warmUp(ctx, r.leaped, r.film.At()))
}

// beyond says that an instant which somebody wants to go to is not in the recording, and
// where that begins or ends.
func (r *reel) beyond(at time.Time) tea.Cmd {
	from, to := r.film.Span()
	lk := r.board.setting().look
	switch {
	case at.Before(from.Truncate(time.Second)):
		return r.board.Say("The recording begins at " + rewind.When(from, to, lk) + ".")
	case !at.After(to):
		return nil
	case r.live != nil:
		return r.board.Say("The recording was opened at " + rewind.When(to, r.live(), lk) + ", and ends there.")
	}
	return r.board.Say("The recording ends at " + rewind.When(to, to, lk) + ".")
}

// leave ends what is being made of the pictures before an instant, as another is shown. It
// returns what that one has.
func (r *reel) leave() context.Context {
	r.leaped++
	r.warmed = nil
	if r.warm != nil {
		r.warm()
	}
	ctx, cancel := context.WithCancel(r.board.setting().Context)
	r.warm = cancel
	return ctx
}

// begin has a board that does nothing but play know what was before its first picture, and
// says where the recording begins to who asked for an instant before that. Who rewinds goes
// somewhere at once.
func (r *reel) begin() tea.Cmd {
	if r == nil || r.live != nil {
		return nil
	}
	warm := r.warmUp(r.leave(), r.leaped, r.film.At())
	if r.memory.Asked.IsZero() {
		return warm
	}
	return tea.Batch(r.beyond(r.memory.Asked), warm)
}

func (r *reel) engine() (Engine, error) {
	if r.memory.Engine == nil {
		return defaultEngine(Options{}), nil
	}
	return r.memory.Engine()
}

// warmUp has an engine look at what was before an instant. Where the board does not look
// itself, one looks at that instant first.
func (r *reel) warmUp(ctx context.Context, leap int, at time.Time) tea.Cmd {
	w := warming{r.engine, ctx, leap, at, r.film.At, r.board.setting().Names}
	warmAfter, glanceAfter := warmAfter, glanceAfter
	if r.memory.Queue != nil { // who holds a key down has not stayed
		warmAfter, glanceAfter = stayed, stayed/2
	}
	wait := func(d time.Duration, look func() tea.Msg) tea.Cmd {
		return task.Guard(func() tea.Msg {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(d):
			}
			return look()
		})
	}
	all := wait(warmAfter, func() tea.Msg {
		done := r.memory.Queue.Enter(ctx)
		if done == nil {
			return nil
		}
		defer done()
		return w.look(false, hindsight.Readable(r.film.Through(at.Add(-hindsight.Warm), at, warmEvery)))
	})
	if !r.blind {
		return all
	}
	latest := r.film.Latest()
	return tea.Batch(all, wait(glanceAfter, func() tea.Msg {
		return w.look(true, func(yield func(*model.Snapshot) bool) { yield(latest) })
	}))
}

// warming is an engine that is shown what was before an instant.
type warming struct {
	engine func() (Engine, error)
	ctx    context.Context //nolint:containedctx // until the viewer goes elsewhere
	leap   int
	at     time.Time
	shown  func() time.Time // where the film is by now
	names  model.Names
}

// look shows pictures to an engine. It returns nothing where the viewer has gone elsewhere, or
// the film has played so far that nothing of it would be known there.
func (w *warming) look(glance bool, pictures iter.Seq[*model.Snapshot]) tea.Msg {
	engine, err := w.engine()
	if err != nil {
		return warmedMsg{ctx: w.ctx, leaped: w.leap, at: w.at, err: err}
	}
	judge := alerts.NewJudge(engine, w.names)
	for s := range pictures {
		if w.ctx.Err() != nil || !glance && w.shown().Sub(w.at) > hindsight.Warm {
			return nil
		}
		judge.See(s)
	}
	return warmedMsg{w.ctx, w.leap, w.at, warmed{engine, judge.Situations()}, glance, nil}
}

// warmedUp takes over what was wrong at the instant that is shown.
func (r *reel) warmedUp(msg warmedMsg) tea.Cmd {
	switch {
	case r == nil || msg.leaped != r.leaped:
		return nil
	case msg.err != nil:
		r.blind = false
		return r.board.Say("What was wrong then is not known: " + msg.err.Error())
	}
	if w, is := msg.engine.(warmed); is && !msg.glance {
		r.warmed, _ = w.Engine.(*alert.Engine)
	}
	r.blind = false
	if msg.glance {
		return r.board.relive(msg.engine, true)
	}
	return tea.Batch(r.board.relive(msg.engine, true), r.lookBack(msg, false))
}

// looks reports whether the board is to look at pictures itself: not as long as an engine
// that has seen none is being shown one beside. A nil reel has it look.
func (r *reel) looks() bool { return r == nil || !r.blind }

// drawsFirst reports whether a picture is drawn before it is looked at: who goes through a
// recording of a large floor is not to wait for why.
func (r *reel) drawsFirst() bool { return r != nil && floor.Large(r.film.Latest()) }

// lookBack has charts show the hours before an instant: what is wrong is known without.
func (r *reel) lookBack(msg warmedMsg, old bool) tea.Cmd {
	names, memory, film := r.board.setting().Names, r.memory, r.film
	if memory.Engine == nil {
		return nil
	}
	from := msg.at.Add(-hindsight.Warm)
	p := hindsight.Late(msg.at, from, msg.at)
	if old {
		p = hindsight.Old(msg.at)
	}
	return task.Guard(func() tea.Msg {
		done := memory.Queue.Enter(msg.ctx)
		if done == nil {
			return nil
		}
		defer done()
		fresh, err := memory.Engine()
		engine, is := fresh.(*alert.Engine)
		if err != nil || !is {
			return nil // what was wrong is known all the same
		}
		seen, all := hindsight.Look(msg.ctx, engine, names, p, hindsight.Readable(film.Through(p.From, p.To, p.Step)))
		if !all {
			return nil
		}
		return recalledMsg{msg, p, seen}
	})
}

// recalledMsg brings what was seen of a part of the time before an instant.
type recalledMsg struct {
	warmed warmedMsg // what it goes on from
	part   hindsight.Part
	hindsight.Seen
}

// recalled has charts show what was before what the engine has seen.
func (r *reel) recalled(msg recalledMsg) tea.Cmd {
	if r == nil || msg.warmed.leaped != r.leaped || r.warmed == nil {
		return nil
	}
	msg.Past.Tell(r.warmed)
	r.board.setting().alerts.Remember(msg.Watch)
	if msg.part.Old {
		return nil
	}
	return r.lookBack(msg.warmed, true)
}

// typed returns the command of a line like "at 14:05" or "back 40m"; nil: it is none,
// or nothing is recorded. A nil reel asks for the recording.
func (r *reel) typed(line string, sc *scene) []palette.Command {
	if !sc.remembers() {
		return nil
	}
	now := r.end(sc)
	at, ok := rewind.Instant(line, now, sc.look.Zone())
	if !ok {
		return nil
	}
	return []palette.Command{{Name: "rewind to " + rewind.When(at, now, sc.look), Run: func() tea.Cmd {
		if r != nil {
			return r.leap(at)
		}
		sc.asked.For(rewindMsg{at})
		return nil
	}}}
}

// end is the last instant that there is, on the server's clock: what a time of the day is
// reckoned from.
func (r *reel) end(sc *scene) time.Time {
	switch {
	case r == nil:
		return sc.floor.Server(sc.Now())
	case r.live != nil:
		return sc.floor.Server(r.live())
	}
	_, to := r.film.Span()
	return to
}

// commands are those of the palette. A nil reel asks for the recording.
func (r *reel) commands(k *RewindKeys, sc *scene) []palette.Command {
	name := "rewind: see what was (at 14:05, back 40m)"
	switch {
	case sc.Memory.Open == nil: // there is none, or nothing else is
		return nil
	case r != nil:
		name = "back to now"
	}
	return []palette.Command{{
		Name: name, Also: "replay past earlier history time", Key: k.Open.Help().Key,
		Run: func() tea.Cmd { sc.asked.For(rewindMsg{}); return nil },
	}}
}

// bar is where in the recording the viewer is, as lines of the header: none where the
// board shows what is.
func (r *reel) bar(k *RewindKeys, lk *look.Look, width int) []string {
	if r == nil {
		return nil
	}
	from, to := r.film.Span()
	state, play := "plays", "pause"
	switch {
	case r.pace == 0:
		state, play = "paused", "play"
	case !r.film.At().Before(to):
		state = "the end of the recording"
	case r.pace != 1:
		state = "plays " + strconv.FormatFloat(r.pace, 'f', -1, 64) + " times as fast"
	}
	hints := []look.Hint{
		{Key: k.Earlier.Help().Key + " " + k.Later.Help().Key, Does: "10 s"},
		{Key: k.EarlierMin.Help().Key + " " + k.LaterMin.Help().Key, Does: "1 min"},
		{Key: k.Play.Help().Key, Does: play},
	}
	if r.live != nil {
		hints = append([]look.Hint{{Key: k.Open.Help().Key, Does: "back to now"}}, hints...)
	}
	bar := rewind.Bar{
		Look: lk, From: from, To: to, At: r.film.At(), Empty: r.film.Empty, Marks: r.marks, State: state, Hints: hints,
	}
	return []string{bar.Text(width)}
}

// watch adds when critical alerts of an engine began: what it knows from before the
// recording's marks. What was before the recording begins is no place to go to.
func (r *reel) watch(e Engine) {
	marks := slices.Clone(r.marks)
	from, _ := r.film.Span()
	for _, a := range slices.Concat(e.Active(), e.History()) {
		if a.Worst == alert.Critical && !a.Since.Before(from) {
			marks = append(marks, model.Mark{At: a.Since, Kind: model.MarkCritical, Text: a.Text})
		}
	}
	r.marks = rewind.Stops(marks)
}
