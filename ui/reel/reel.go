// Package reel is a recording that a board shows: where in it the viewer is, how fast it is
// played, and what was wrong then, which is worked out from what was before. It knows no page.
package reel

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
	"wallboard/situation"
	"wallboard/ui/alerts"
	"wallboard/ui/floor"
	"wallboard/ui/look"
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

// Film is a recording of the floor that is shown from any instant on and at any pace.
// Instants are on the server's clock. It must be safe for concurrent use.
type Film interface {
	// Latest returns the picture that is shown.
	Latest() *model.Snapshot
	// At is the instant that is shown.
	At() time.Time
	// Span is from when to when it goes; Empty reports whether nothing was recorded
	// at an instant.
	Span() (from, to time.Time)
	Empty(at time.Time) bool
	// Marks are what happened, in the order of time.
	Marks() []model.Mark
	// Go goes to an instant, whose picture is the latest then.
	Go(at time.Time) error
	// Pace sets how many times as fast as it was it is shown; 0: it stands still.
	Pace(times float64)
	// Through returns the pictures from one instant to another, in the order of time and
	// about a step apart: those that cost least, where that is a minute. Only the tables
	// that are named need be in them; of none, all are.
	Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
}

// Board is what a reel needs of the board that shows it.
type Board interface {
	Look() *look.Look
	Names() model.Names
	// Context ends with the board.
	Context() context.Context
	Say(text string) tea.Cmd
	// Relive goes on by an engine: that of another instant. Where it is not to look at the
	// picture itself, somebody does so beside.
	Relive(e alerts.Engine, look bool) tea.Cmd
	// Refresh has the board draw another picture.
	Refresh()
	// Remember has the board know what the floor did before.
	Remember(past *situation.Watch)
}

// Options are what a reel is made of.
type Options struct {
	Film  Film
	Board Board
	// Engine returns an engine that has seen nothing yet.
	Engine func() (alerts.Engine, error)
	// Queue is of those who go through the recording on a server; nil: nobody waits for another.
	Queue *rewind.Queue
	// Asked is the instant that somebody asked to be shown first; the zero time: nobody did.
	Asked time.Time
}

// Reel is the recording that a board shows, and where in it the viewer is. A nil one is of a
// board that shows what is. It belongs to the board's goroutine.
type Reel struct {
	Options
	live      func() time.Time // our clock now; nil: nothing is live beside the recording
	known     []alert.Alert    // there, when it was rewound
	from, to  time.Time        // of the recording, when its marks were looked at
	marks     []model.Mark     // that the viewer can go to, in the order of time
	missed    time.Time        // where they wanted to be before it begins; zero: they are where they wanted
	pace      float64          // 0: it stands still
	before    float64          // the pace before it stood still
	takeOvers []takeOver       // in the order of time
	going     going            // what the steps come to that were not made yet

	warm   context.CancelFunc // ends what is being made of the pictures before; nil: nothing is
	blind  bool               // the board's engine has seen nothing yet, and is not to
	gap    bool               // nothing was recorded then: nothing was wrong that anybody knows of
	leaped int                // how often the viewer has gone elsewhere
	warmed *told              // that has seen what was before the instant; nil: none has
}

// New returns a reel that stands at what its film shows.
func New(o Options) *Reel {
	r := &Reel{Options: o, pace: 1, before: 1}
	r.mark()
	return r
}

// Beside has it know what is live beside the recording: our clock now, and the alerts that are
// known there, of which those that are critical began at marks that it may not have, and those
// that were taken over are so on the board of then.
func (r *Reel) Beside(live func() time.Time, known []alert.Alert) {
	r.live, r.known = live, known
	r.mark()
}

// At is the instant that is shown.
func (r *Reel) At() time.Time { return r.Film.At() }

// warmedMsg brings an engine that has seen what was before an instant.
type warmedMsg struct {
	of     *Reel
	ctx    context.Context //nolint:containedctx // until the viewer goes elsewhere
	leaped int
	at     time.Time // the instant
	engine alerts.Engine
	glance bool // it has seen the picture of that instant only; more follows
	err    error
}

// Arrive has the board that is shown take it over, and returns what is to be done next.
func (msg warmedMsg) Arrive() tea.Cmd { return msg.of.warmedUp(msg) }

// warmed is an engine with the situations that it has led to.
type warmed struct {
	alerts.Engine
	situations alerts.Situations
}

// Situations has the board take over the situations, too.
func (w warmed) Situations() alerts.Situations { return w.situations }

// Behind is how long ago what is shown was; 0: nothing is live beside it.
func (r *Reel) Behind(now time.Time) time.Duration {
	if r == nil || r.live == nil {
		return 0
	}
	return max(r.live().Sub(now), time.Second)
}

// Press obeys the keys that go through a recording.
func (r *Reel) Press(msg tea.KeyPressMsg, k *Keys) (cmd tea.Cmd, done bool) {
	if r == nil {
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
		to, some := rewind.Next(r.marks, r.Film.At(), key.Matches(msg, k.PrevMark))
		if !some {
			return r.Board.Say("There is no mark there."), true
		}
		return tea.Batch(r.Leap(to.At), r.Board.Say(rewind.Words(r.Board.Look(), to))), true
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
func (r *Reel) play() tea.Cmd {
	if r.pace == 0 {
		return r.goOn(r.before)
	}
	r.before = r.pace
	return r.goOn(0)
}

// turn goes to another pace.
func (r *Reel) turn(by int) tea.Cmd {
	at, _ := slices.BinarySearch(rewind.Paces, max(r.pace, 1))
	return r.goOn(rewind.Paces[min(max(at+by, 0), len(rewind.Paces)-1)])
}

// goOn plays at a pace, or stands still at 0. Where it was so fast that pictures were further apart than those that
// alerts are made from, what led to the instant is looked at anew.
func (r *Reel) goOn(pace float64) tea.Cmd {
	const closely = float64(warmEvery / time.Second)
	before := r.pace
	r.pace = pace
	r.Film.Pace(pace)
	if before <= closely || pace > closely {
		return nil
	}
	r.warmed = nil
	return r.Leap(r.Film.At().Add(r.going.by))
}

// Leap goes to another instant. Its picture is there at once; what led to it is looked
// at beside, as soon as the viewer stays. A small step on needs no more than that: who has
// looked at what was before it looks at the next picture.
func (r *Reel) Leap(at time.Time) tea.Cmd {
	r.going.by = 0 // of steps that wait: the viewer is elsewhere
	before := r.Film.At()
	if err := r.Film.Go(at); err != nil {
		return r.Board.Say("This cannot be shown: " + err.Error())
	}
	beyond := r.beyond(at)
	if step := r.Film.At().Sub(before); r.warmed != nil && step >= 0 && step <= warmEvery && !r.Film.Empty(r.Film.At()) {
		r.Board.Refresh()
		return beyond
	}
	ctx := r.leave()
	fresh, err := r.fresh()()
	if err != nil {
		return r.Board.Say("What was wrong then is not known: " + err.Error())
	}
	r.blind, r.gap = floor.Large(r.Film.Latest()), false
	return tea.Batch(beyond, r.Board.Relive(fresh, !r.blind), r.warmUp(ctx, r.leaped, r.Film.At()))
}

// beyond says that an instant which somebody wants to go to is not in the recording, and
// where that begins or ends.
func (r *Reel) beyond(at time.Time) tea.Cmd {
	from, to := r.Film.Span()
	lk := r.Board.Look()
	r.missed = time.Time{}
	switch {
	case at.Before(from.Truncate(time.Second)):
		r.missed = at
		return r.Board.Say("The recording begins at " + rewind.When(from, to, lk) + ".")
	case !at.After(to):
		return nil
	case r.live != nil:
		return r.Board.Say("Until now it is recorded up to " + rewind.When(to, r.live(), lk) + ".")
	}
	return r.Board.Say("The recording ends at " + rewind.When(to, to, lk) + ".")
}

// leave ends what is being made of the pictures before an instant, as another is shown. It
// returns what that one has.
func (r *Reel) leave() context.Context {
	r.leaped++
	r.warmed = nil
	if r.warm != nil {
		r.warm()
	}
	ctx, cancel := context.WithCancel(r.Board.Context())
	r.warm = cancel
	return ctx
}

// Begin has a board that does nothing but play know what was before its first picture, and
// says where the recording begins to who asked for an instant before that. Who rewinds goes
// somewhere at once.
func (r *Reel) Begin() tea.Cmd {
	if r == nil || r.live != nil {
		return nil
	}
	warm := r.warmUp(r.leave(), r.leaped, r.Film.At())
	if r.Asked.IsZero() {
		return warm
	}
	return tea.Batch(r.beyond(r.Asked), warm)
}

// warmUp has an engine look at what was before an instant. Where the board does not look
// itself, one looks at that instant first.
func (r *Reel) warmUp(ctx context.Context, leap int, at time.Time) tea.Cmd {
	w := warming{r, r.fresh(), ctx, leap, at, r.Film.At, r.Board.Names()}
	warmAfter, glanceAfter := warmAfter, glanceAfter
	if r.Queue != nil { // who holds a key down has not stayed
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
		turn := r.Queue.Urgent(ctx)
		if turn == nil {
			return nil
		}
		defer turn.End()
		return w.look(false, hindsight.Readable(r.Film.Through(at.Add(-hindsight.Warm), at, warmEvery)))
	})
	if !r.blind {
		return all
	}
	latest := r.Film.Latest()
	return tea.Batch(all, wait(glanceAfter, func() tea.Msg {
		return w.look(true, func(yield func(*model.Snapshot) bool) { yield(latest) })
	}))
}

// warming is an engine that is shown what was before an instant.
type warming struct {
	of     *Reel
	engine func() (alerts.Engine, error)
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
		return warmedMsg{of: w.of, ctx: w.ctx, leaped: w.leap, at: w.at, err: err}
	}
	judge := alerts.NewJudge(engine, w.names)
	for s := range pictures {
		if w.ctx.Err() != nil || !glance && w.shown().Sub(w.at) > hindsight.Warm {
			return nil
		}
		judge.See(s)
	}
	return warmedMsg{w.of, w.ctx, w.leap, w.at, warmed{engine, judge.Situations()}, glance, nil}
}

// warmedUp takes over what was wrong at the instant that is shown.
func (r *Reel) warmedUp(msg warmedMsg) tea.Cmd {
	switch {
	case msg.leaped != r.leaped:
		return nil
	case msg.err != nil:
		r.blind = false
		return r.Board.Say("What was wrong then is not known: " + msg.err.Error())
	}
	if w, is := msg.engine.(warmed); is && !msg.glance {
		r.warmed, _ = w.Engine.(*told)
	}
	r.blind = false
	if msg.glance {
		return r.Board.Relive(msg.engine, true)
	}
	return tea.Batch(r.Board.Relive(msg.engine, true), r.lookBack(msg, false))
}

// Looks reports whether the board is to look at pictures itself: not as long as an engine
// that has seen none is being shown one beside, and not in a gap. A nil reel has it look.
func (r *Reel) Looks() bool { return r == nil || !r.blind && !r.gap }

// Gap has the board know of nothing that was wrong where nothing was recorded, as its picture
// is, and look at what led to the instant behind that. It reports whether the board is not to
// look at its picture.
func (r *Reel) Gap(unrecorded bool) (cmd tea.Cmd, is bool) {
	if r == nil || r.gap == unrecorded {
		return nil, r != nil && r.gap
	}
	if !unrecorded {
		return r.Leap(r.Film.At()), true
	}
	fresh, err := r.fresh()()
	if err != nil {
		return r.Board.Say("What was wrong then is not known: " + err.Error()), true
	}
	r.leave()
	r.gap, r.blind = true, false
	return r.Board.Relive(fresh, false), true
}

// DrawsFirst reports whether a picture is drawn before it is looked at: who goes through a
// recording of a large floor is not to wait for why.
func (r *Reel) DrawsFirst() bool { return r != nil && floor.Large(r.Film.Latest()) }

// lookBack has charts show the hours before an instant: what is wrong is known without.
func (r *Reel) lookBack(msg warmedMsg, old bool) tea.Cmd {
	names, own, film, queue := r.Board.Names(), r.Engine, r.Film, r.Queue
	from := msg.at.Add(-hindsight.Warm)
	p := hindsight.Late(msg.at, from, msg.at)
	if old {
		p = hindsight.Old(msg.at)
	}
	return task.Guard(func() tea.Msg {
		turn := queue.Charts(msg.ctx)
		if turn == nil {
			return nil
		}
		defer turn.End()
		fresh, err := own()
		engine, is := fresh.(*alert.Engine)
		if err != nil || !is {
			return nil // what was wrong is known all the same
		}
		seen, all := hindsight.Look(msg.ctx, engine, names, p, givingWay(turn, film, p))
		if !all {
			return nil
		}
		return recalledMsg{msg, p, seen}
	})
}

// atOnce is how many pictures for charts are looked at before who waits for something urgent is
// let by.
const atOnce = 30

// givingWay are the pictures of a part of the time before, up to the first that cannot be read.
// Between some and the next it lets by who waits for something urgent: not between any two, as
// a film may have its own turn while a picture of it is looked at.
func givingWay(turn *rewind.Turn, film Film, p hindsight.Part) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		for from := p.From; !from.After(p.To); from = from.Add(atOnce * p.Step) {
			if !turn.GiveWay() {
				return
			}
			to := from.Add(atOnce*p.Step - 1)
			if to.After(p.To) {
				to = p.To
			}
			for s, err := range film.Through(from, to, p.Step) {
				if err != nil || !yield(s) {
					return
				}
			}
		}
	}
}

// recalledMsg brings what was seen of a part of the time before an instant.
type recalledMsg struct {
	warmed warmedMsg // what it goes on from
	part   hindsight.Part
	hindsight.Seen
}

// Arrive has charts show it, and returns what is to be done next.
func (msg recalledMsg) Arrive() tea.Cmd { return msg.warmed.of.recalled(msg) }

// recalled has charts show what was before what the engine has seen.
func (r *Reel) recalled(msg recalledMsg) tea.Cmd {
	if msg.warmed.leaped != r.leaped || r.warmed == nil {
		return nil
	}
	own, is := r.warmed.Engine.(*alert.Engine)
	if !is {
		return nil
	}
	msg.Past.Tell(own)
	r.warmed.take(r.Film.At()) // what is known to have begun earlier may have been taken over before
	r.Board.Remember(msg.Watch)
	if msg.part.Old {
		return nil
	}
	return r.lookBack(msg.warmed, true)
}

// End is the last instant that there is, on the server's clock: what a time of the day is
// reckoned from. server turns a time of ours into one of that.
func (r *Reel) End(server func(time.Time) time.Time) time.Time {
	if r.live != nil {
		return server(r.live())
	}
	_, to := r.Film.Span()
	return to
}

// Bar is where in the recording the viewer is, as lines of the header: none where the
// board shows what is.
func (r *Reel) Bar(k *Keys, lk *look.Look, width int) []string {
	if r == nil {
		return nil
	}
	from, to := r.Film.Span()
	state, play := "plays", "pause"
	switch {
	case r.pace == 0:
		state, play = "paused", "play"
	case !r.Film.At().Before(to):
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
		Look: lk, From: from, To: to, At: r.Film.At(), Empty: r.Film.Empty, Marks: r.marks, State: state, Hints: hints,
	}
	return []string{bar.Text(width)}
}

// LookBack has the board know what was before its picture, and waits for that. The board is
// handed the messages that it would be sent.
func (r *Reel) LookBack(ctx context.Context, update func(tea.Msg)) error {
	r.blind = false // it waits for all of it: nobody has to glance first
	for cmd := r.warmUp(r.leave(), r.leaped, r.Film.At()); cmd != nil; {
		msg := cmd()
		cmd = nil
		update(msg)
		switch msg := msg.(type) {
		case warmedMsg:
			cmd = r.lookBack(msg, false)
		case recalledMsg:
			if !msg.part.Old {
				cmd = r.lookBack(msg.warmed, true)
			}
		case task.FailedMsg:
			return msg.Err
		}
	}
	return ctx.Err() //nolint:wrapcheck // the documented error
}
