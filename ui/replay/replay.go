package replay

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

const (
	// warmEvery is the interval of the snapshots from which the alerts of an instant are
	// derived.
	warmEvery = 10 * time.Second
	// warmAfter is how long the position has to be stable before that starts; glanceAfter
	// is the same for evaluating only the snapshot at the instant, if the board does not.
	warmAfter   = 150 * time.Millisecond
	glanceAfter = 20 * time.Millisecond
)

// Film is a recording that can be played from any instant at any speed. Instants are on the
// server's clock. It must be safe for concurrent use.
type Film interface {
	// Latest returns the current snapshot.
	Latest() *model.Snapshot
	// At returns the current instant.
	At() time.Time
	// Span returns the first and the last instant. Empty reports whether nothing was
	// recorded at an instant.
	Span() (from, to time.Time)
	Empty(at time.Time) bool
	// Marks returns the marks in order of time.
	Marks() []model.Mark
	// Go moves to an instant; Latest then returns its snapshot.
	Go(at time.Time) error
	// Pace sets the speed as a multiple of real time; 0 pauses.
	Pace(times float64)
	// Through returns the snapshots between two instants, in order and about a step apart.
	// With steps of a minute it returns those that are cheapest to read. If tables are
	// named, the others may be missing.
	Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
}

// Board is the part of the board that a replay uses.
type Board interface {
	Look() *style.Look
	Names() model.Names
	// Context ends with the board.
	Context() context.Context
	Say(text string) tea.Cmd
	// SetEngine replaces the engine after a change of the instant. If look is false, the board
	// does not evaluate the current snapshot, because a command does.
	SetEngine(e alerts.Engine, look bool) tea.Cmd
	// Refresh redraws the board with the current snapshot.
	Refresh()
	// SetHistory sets the floor's history.
	SetHistory(past *situation.Tracker)
}

// Options configure a replay.
type Options struct {
	Film  Film
	Board Board
	// Engine returns a new engine that has evaluated no snapshot yet.
	Engine func() (alerts.Engine, error)
	// Queue limits the replays on a server; nil: no limit.
	Queue *Queue
	// Asked is the instant that the viewer asked to start at; zero: none.
	Asked time.Time
}

// Replay is the replay of a board. A nil Replay belongs to a live board. It must be used only
// from the board's goroutine.
type Replay struct {
	Options
	live      func() time.Time // local clock of the live board; nil: there is no live board
	known     []alert.Alert    // alerts of the live board when the replay began
	from, to  time.Time        // span when the marks were read
	marks     []model.Mark     // that the viewer can jump to, in order of time
	requested time.Time        // requested instant before the recording's start; zero: none
	pace      float64          // speed; 0: paused
	before    float64          // speed before the pause
	takeOvers []takeOver       // in order of time
	pending   pendingSteps     // pending steps

	warm      context.CancelFunc // cancels the evaluation of the past; nil: none is running
	warmingUp bool               // the board's engine has no history and must not evaluate
	gap       bool               // nothing was recorded at this instant: no alerts are known
	jumps     int                // counts jumps, so that late results are dropped
	warmed    *takeOverEngine    // engine with the history of the instant; nil: none
}

// New returns a replay at the current position of its recording.
func New(o Options) *Replay {
	r := &Replay{Options: o, pace: 1, before: 1}
	r.mark()
	return r
}

// ConnectLive connects the replay with a live board: its clock, and its known alerts. Critical
// ones become marks that the recording may lack, and take-overs are repeated in the replay.
func (r *Replay) ConnectLive(live func() time.Time, known []alert.Alert) {
	r.live, r.known = live, known
	r.mark()
}

// At returns the current instant.
func (r *Replay) At() time.Time { return r.Film.At() }

// warmedMsg carries an engine that has evaluated the time before an instant.
type warmedMsg struct {
	of     *Replay
	ctx    context.Context //nolint:containedctx // canceled by the next jump
	leaped int
	at     time.Time // the instant
	engine alerts.Engine
	glance bool // only the snapshot of the instant was evaluated; more follows
	err    error
}

// Arrive implements history.Msg: it hands the engine to the board.
func (msg warmedMsg) Arrive() tea.Cmd { return msg.of.warmedUp(msg) }

// warmEngine is an engine with its situations.
type warmEngine struct {
	alerts.Engine
	situations alerts.Situations
}

// Situations implements [alerts.Shared].
func (w warmEngine) Situations() alerts.Situations { return w.situations }

// Behind returns how far the replay is behind the live board; 0: there is no live board.
func (r *Replay) Behind(now time.Time) time.Duration {
	if r == nil || r.live == nil {
		return 0
	}
	return max(r.live().Sub(now), time.Second)
}

// Press handles the keys of the replay.
func (r *Replay) Press(msg tea.KeyPressMsg, k *Keys) (cmd tea.Cmd, done bool) {
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
		to, some := Next(r.marks, r.Film.At(), key.Matches(msg, k.PrevMark))
		if !some {
			return r.Board.Say("There is no mark there."), true
		}
		return tea.Batch(r.Jump(to.At), r.Board.Say(Words(r.Board.Look(), to))), true
	case key.Matches(msg, k.Play):
		return r.play(), true
	case key.Matches(msg, k.Faster):
		return r.changePace(1), true
	case key.Matches(msg, k.Slower):
		return r.changePace(-1), true
	}
	return nil, false
}

// play toggles between playing and pause.
func (r *Replay) play() tea.Cmd {
	if r.pace == 0 {
		return r.setPace(r.before)
	}
	r.before = r.pace
	return r.setPace(0)
}

// changePace changes the speed.
func (r *Replay) changePace(by int) tea.Cmd {
	at, _ := slices.BinarySearch(Speeds, max(r.pace, 1))
	return r.setPace(Speeds[min(max(at+by, 0), len(Speeds)-1)])
}

// setPace sets the speed; 0 pauses. At high speed the snapshots were too far apart for alerts,
// so slowing down evaluates the past again.
func (r *Replay) setPace(pace float64) tea.Cmd {
	const closely = float64(warmEvery / time.Second)
	before := r.pace
	r.pace = pace
	r.Film.Pace(pace)
	if before <= closely || pace > closely {
		return nil
	}
	r.warmed = nil
	return r.Jump(r.Film.At().Add(r.pending.by))
}

// Jump jumps to an instant. Its snapshot is on the screen at once; a command evaluates the
// time before it once the position is stable. After a small step forward the engine just
// evaluates the next snapshot.
func (r *Replay) Jump(at time.Time) tea.Cmd {
	r.pending.by = 0 // discard pending steps
	before := r.Film.At()
	if err := r.Film.Go(at); err != nil {
		return r.Board.Say("This cannot be shown: " + err.Error())
	}
	beyond := r.beyond(at)
	if step := r.Film.At().Sub(before); r.warmed != nil && step >= 0 && step <= warmEvery && !r.Film.Empty(r.Film.At()) {
		r.Board.Refresh()
		return beyond
	}
	ctx := r.cancelWarming()
	fresh, err := r.newEngine()()
	if err != nil {
		return r.Board.Say("What was wrong then is not known: " + err.Error())
	}
	r.warmingUp, r.gap = snapshot.Large(r.Film.Latest()), false
	return tea.Batch(beyond, r.Board.SetEngine(fresh, !r.warmingUp), r.warmUp(ctx, r.jumps, r.Film.At()))
}

// beyond says that an instant is outside the recording, and where that begins or ends.
func (r *Replay) beyond(at time.Time) tea.Cmd {
	from, to := r.Film.Span()
	lk := r.Board.Look()
	r.requested = time.Time{}
	switch {
	case at.Before(from.Truncate(time.Second)):
		r.requested = at
		return r.Board.Say("The recording begins at " + FormatInstant(from, to, lk) + ".")
	case !at.After(to):
		return nil
	case r.live != nil:
		return r.Board.Say("Until now it is recorded up to " + FormatInstant(to, r.live(), lk) + ".")
	}
	return r.Board.Say("The recording ends at " + FormatInstant(to, to, lk) + ".")
}

// cancelWarming cancels the evaluation of the previous instant and returns the context for the
// next.
func (r *Replay) cancelWarming() context.Context {
	r.jumps++
	r.warmed = nil
	if r.warm != nil {
		r.warm()
	}
	ctx, cancel := context.WithCancel(r.Board.Context())
	r.warm = cancel
	return ctx
}

// Begin evaluates the time before the first position of a replay that has no live board,
// and says so if the requested start is before the recording. A rewound board calls Leap
// instead.
func (r *Replay) Begin() tea.Cmd {
	if r == nil || r.live != nil {
		return nil
	}
	warm := r.warmUp(r.cancelWarming(), r.jumps, r.Film.At())
	if r.Asked.IsZero() {
		return warm
	}
	return tea.Batch(r.beyond(r.Asked), warm)
}

// warmUp starts the evaluation of the time before an instant. If the board does not
// evaluate snapshots itself, the instant's own snapshot is evaluated first.
func (r *Replay) warmUp(ctx context.Context, leap int, at time.Time) tea.Cmd {
	w := warming{r, r.newEngine(), ctx, leap, at, r.Film.At, r.Board.Names()}
	warmAfter, glanceAfter := warmAfter, glanceAfter
	if r.Queue != nil { // wait longer while a key is held down
		warmAfter, glanceAfter = settleTime, settleTime/2
	}
	wait := func(d time.Duration, look func() tea.Msg) tea.Cmd {
		return dialog.Guard(func() tea.Msg {
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
		return w.look(false, situation.UntilError(r.Film.Through(at.Add(-situation.WarmUp), at, warmEvery)))
	})
	if !r.warmingUp {
		return all
	}
	latest := r.Film.Latest()
	return tea.Batch(all, wait(glanceAfter, func() tea.Msg {
		return w.look(true, func(yield func(*model.Snapshot) bool) { yield(latest) })
	}))
}

// warming evaluates the time before an instant with a new engine.
type warming struct {
	of     *Replay
	engine func() (alerts.Engine, error)
	ctx    context.Context //nolint:containedctx // canceled by the next jump
	leap   int
	at     time.Time
	shown  func() time.Time // current instant of the recording
	names  model.Names
}

// look evaluates snapshots. It returns nil if the viewer has jumped, or the recording has played
// so far that the result is useless.
func (w *warming) look(glance bool, pictures iter.Seq[*model.Snapshot]) tea.Msg {
	engine, err := w.engine()
	if err != nil {
		return warmedMsg{of: w.of, ctx: w.ctx, leaped: w.leap, at: w.at, err: err}
	}
	judge := alerts.NewJudge(engine, w.names)
	for s := range pictures {
		if w.ctx.Err() != nil || !glance && w.shown().Sub(w.at) > situation.WarmUp {
			return nil
		}
		judge.Evaluate(s)
	}
	return warmedMsg{w.of, w.ctx, w.leap, w.at, warmEngine{engine, judge.Situations()}, glance, nil}
}

// warmedUp applies the result of an evaluation.
func (r *Replay) warmedUp(msg warmedMsg) tea.Cmd {
	switch {
	case msg.leaped != r.jumps:
		return nil
	case msg.err != nil:
		r.warmingUp = false
		return r.Board.Say("What was wrong then is not known: " + msg.err.Error())
	}
	if w, is := msg.engine.(warmEngine); is && !msg.glance {
		r.warmed, _ = w.Engine.(*takeOverEngine)
	}
	r.warmingUp = false
	if msg.glance {
		return r.Board.SetEngine(msg.engine, true)
	}
	return tea.Batch(r.Board.SetEngine(msg.engine, true), r.lookBack(msg, false))
}

// Evaluates reports whether the board evaluates snapshots itself. It does not while a command
// evaluates the past of a new instant, nor in a gap of the recording. A nil Replay always
// does.
func (r *Replay) Evaluates() bool { return r == nil || !r.warmingUp && !r.gap }

// Gap clears the alerts when the replay enters a gap of the recording, and evaluates the
// past again behind it. It reports whether the board must not evaluate its snapshot.
func (r *Replay) Gap(unrecorded bool) (cmd tea.Cmd, is bool) {
	if r == nil || r.gap == unrecorded {
		return nil, r != nil && r.gap
	}
	if !unrecorded {
		return r.Jump(r.Film.At()), true
	}
	fresh, err := r.newEngine()()
	if err != nil {
		return r.Board.Say("What was wrong then is not known: " + err.Error()), true
	}
	r.cancelWarming()
	r.gap, r.warmingUp = true, false
	return r.Board.SetEngine(fresh, false), true
}

// DrawsBeforeEvaluating reports whether a snapshot is drawn before it is evaluated, which is faster on
// a large floor.
func (r *Replay) DrawsBeforeEvaluating() bool { return r != nil && snapshot.Large(r.Film.Latest()) }

// lookBack fills the charts with the hours before an instant. Alerts are already known.
func (r *Replay) lookBack(msg warmedMsg, old bool) tea.Cmd {
	names, own, film, queue := r.Board.Names(), r.Engine, r.Film, r.Queue
	from := msg.at.Add(-situation.WarmUp)
	p := situation.LatePart(msg.at, from, msg.at)
	if old {
		p = situation.EarlyPart(msg.at)
	}
	return dialog.Guard(func() tea.Msg {
		turn := queue.Charts(msg.ctx)
		if turn == nil {
			return nil
		}
		defer turn.End()
		fresh, err := own()
		engine, is := fresh.(*alert.Engine)
		if err != nil || !is {
			return nil // only charts are missing
		}
		seen, all := situation.Backfill(msg.ctx, engine, names, p, yieldingPictures(turn, film, p))
		if !all {
			return nil
		}
		return recalledMsg{msg, p, seen}
	})
}

// atOnce is how many snapshots for charts are evaluated before urgent requests may go
// first.
const atOnce = 30

// yieldingPictures returns the snapshots of a part of the past, up to the first that cannot be
// read. Between batches it lets urgent requests go first. It cannot do so between any two
// snapshots, because the recording may hold a lock then.
func yieldingPictures(turn *Turn, film Film, p situation.BackfillPart) iter.Seq[*model.Snapshot] {
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

// recalledMsg carries the figures for charts of a part of the past.
type recalledMsg struct {
	warmed warmedMsg // its predecessor
	part   situation.BackfillPart
	situation.BackfillResult
}

// Arrive implements history.Msg: it fills the charts.
func (msg recalledMsg) Arrive() tea.Cmd { return msg.warmed.of.recalled(msg) }

// recalled adds earlier figures to the charts.
func (r *Replay) recalled(msg recalledMsg) tea.Cmd {
	if msg.warmed.leaped != r.jumps || r.warmed == nil {
		return nil
	}
	own, is := r.warmed.Engine.(*alert.Engine)
	if !is {
		return nil
	}
	msg.Backfill.ApplyTo(own)
	r.warmed.take(r.Film.At()) // alerts that began earlier may have been taken over earlier
	r.Board.SetHistory(msg.Tracker)
	if msg.part.Early {
		return nil
	}
	return r.lookBack(msg.warmed, true)
}

// End returns the last available instant, to which times of day refer. server converts a
// local time to the server's clock.
func (r *Replay) End(server func(time.Time) time.Time) time.Time {
	if r.live != nil {
		return server(r.live())
	}
	_, to := r.Film.Span()
	return to
}

// Bar draws the header line of the replay; a live board has none.
func (r *Replay) Bar(k *Keys, lk *style.Look, width int) []string {
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
	hints := []style.KeyHint{
		{Key: k.Earlier.Help().Key + " " + k.Later.Help().Key, Does: "10 s"},
		{Key: k.EarlierMin.Help().Key + " " + k.LaterMin.Help().Key, Does: "1 min"},
		{Key: k.Play.Help().Key, Does: play},
	}
	if r.live != nil {
		hints = append([]style.KeyHint{{Key: k.Open.Help().Key, Does: "back to now"}}, hints...)
	}
	bar := Bar{
		Look: lk, From: from, To: to, At: r.Film.At(), Empty: r.Film.Empty, Marks: r.marks, State: state, Hints: hints,
	}
	return []string{bar.Text(width)}
}

// EvaluatePast evaluates the past synchronously. update receives the messages for the board.
func (r *Replay) EvaluatePast(ctx context.Context, update func(tea.Msg)) error {
	r.warmingUp = false // all of it is awaited: no glance needed
	for cmd := r.warmUp(r.cancelWarming(), r.jumps, r.Film.At()); cmd != nil; {
		msg := cmd()
		cmd = nil
		update(msg)
		switch msg := msg.(type) {
		case warmedMsg:
			cmd = r.lookBack(msg, false)
		case recalledMsg:
			if !msg.part.Early {
				cmd = r.lookBack(msg.warmed, true)
			}
		case dialog.FailedMsg:
			return msg.Err
		}
	}
	return ctx.Err()
}
