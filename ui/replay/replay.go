package replay

import (
	"context"
	"iter"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

const (
	// precomputeDelay is how long the position must not change before the earlier snapshots are
	// evaluated.
	precomputeDelay = 150 * time.Millisecond
	// singleSnapshotDelay is how long the position must not change before a command evaluates only
	// the snapshot of the instant. It applies to large floors, where the board itself does not
	// evaluate this snapshot.
	singleSnapshotDelay = 20 * time.Millisecond
)

// Player is a recording that can be played from any instant at any speed. Instants are on the
// server's clock. A Player must be safe for concurrent use.
type Player interface {
	// Latest returns the snapshot at the current instant.
	Latest() *model.Snapshot
	// At returns the current instant of the player.
	At() time.Time
	// Span returns the first and the last recorded instant.
	Span() (from, to time.Time)
	// IsEmptyAt reports whether nothing was recorded at the instant at.
	IsEmptyAt(at time.Time) bool
	// Marks returns the marks of the recording in the order of time. The caller must not change the
	// slice.
	Marks() []model.Mark
	// SeekTo moves to the instant at. Then Latest returns the snapshot at this instant.
	SeekTo(at time.Time) error
	// SetSpeed sets the speed as a multiple of real time; 0 pauses the player.
	SetSpeed(times float64)
	// SampledSnapshots returns the snapshots between two instants, in order and about step apart. With a
	// step of a minute, it returns the snapshots that are cheapest to read. If only is not empty,
	// the snapshots may lack the tables of all other operations.
	SampledSnapshots(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
}

// Board is the part of a board that a replay uses.
type Board interface {
	Look() *style.Look
	// EngineOptions returns the options of the board's engine, except RecordedIncidents.
	EngineOptions() hub.Options
	// Context returns a context that ends with the board.
	Context() context.Context
	ShowMessage(text string) tea.Cmd
	// SetEngine replaces the alert engine after a jump or, if sameInstant is true, after a change
	// of the configuration. In the latter case the board stays frozen and keeps the marks of rows.
	// If evaluate is false, the board does not evaluate the current snapshot, because a command
	// does.
	SetEngine(e alerts.Engine, sameInstant, evaluate bool) tea.Cmd
	// Refresh redraws the board with the current snapshot.
	Refresh()
	// RereadAlerts reads the alerts and situations from the engine again.
	RereadAlerts()
}

// Options configures a replay.
type Options struct {
	Recording Player
	Board     Board
	// Queue limits the evaluations of replays on a server; nil means no limit.
	Queue *EvaluationQueue
	// StartAt is the instant at which the viewer wants to start; the zero time means none.
	StartAt time.Time
}

// Replay controls the replay on a board. A nil Replay means that the board is live. A Replay must
// be used only in the goroutine of the board.
type Replay struct {
	Options
	liveClock         func() time.Time       // local clock of the live board; nil: there is no live board
	liveAlerts        []alert.Alert          // alerts of the live board when the replay started
	liveIncidents     []model.Mark           // situations of the live board when the replay started, as marks
	recordedIncidents *hub.RecordedIncidents // what is known about alerts from the recording and the live board
	from, to          time.Time              // span when last read
	recordedMarks     []model.Mark           // marks of the recording when last read
	marks             []model.Mark           // marks to which the viewer can jump, in the order of time
	requestedStart    time.Time              // requested instant before the start of the recording; zero: none
	speed             float64                // speed as a multiple of real time; 0: paused
	speedBeforePause  float64
	pending           pendingSteps

	cancelWarmUp context.CancelFunc // cancels the evaluation of earlier snapshots; nil: none is running
	warmingUp    bool               // the board's engine has no history, so the board must not evaluate
	inGap        bool               // nothing was recorded at this instant, so no alerts are known
	sameInstant  bool               // the latest engine was created for a changed configuration, not for a jump
	jumpCount    int                // number of jumps; results for an earlier jump are ignored
	replayEngine *hub.Viewer        // engine that has evaluated the snapshots before the shown instant; nil: none
}

// New returns a replay that starts at the current position of the recording.
func New(o Options) *Replay {
	r := &Replay{Options: o, speed: 1, speedBeforePause: 1}
	r.readMarks()
	return r
}

// ConnectLive connects the replay to the clock, the alerts and the situations of a live board.
// Critical alerts of the live board become marks, because the recording may lack them. The replay
// repeats the take-overs of the live board.
func (r *Replay) ConnectLive(liveClock func() time.Time, liveAlerts []alert.Alert, liveIncidents []model.Mark) {
	r.liveClock, r.liveAlerts, r.liveIncidents = liveClock, liveAlerts, liveIncidents
	r.readMarks()
}

// At returns the instant that the replay has reached.
func (r *Replay) At() time.Time { return r.Recording.At() }

// TrackedSince returns the time since which the situations of the replay are known.
func (r *Replay) TrackedSince() time.Time {
	if from := r.recordedIncidents.Journal.Start(); !from.IsZero() && from.Before(r.At()) {
		return from
	}
	return r.At().Add(-situation.WarmUp)
}

// engineReadyMsg carries an engine that has evaluated the snapshots before an instant, or an error.
type engineReadyMsg struct {
	replay      *Replay
	ctx         context.Context //nolint:containedctx // canceled by the next jump
	jumpNumber  int
	at          time.Time
	engine      *hub.Viewer
	instantOnly bool // only the snapshot at the instant was evaluated; another message follows
	err         error
}

// Apply implements history.Msg. It passes the evaluated engine to the board.
func (msg engineReadyMsg) Apply() tea.Cmd { return msg.replay.applyWarmUp(msg) }

// engineFactory returns a function that creates engines that repeat the recorded alerts and
// take-overs.
func (r *Replay) engineFactory() func() (*hub.Viewer, error) {
	o := r.Board.EngineOptions()
	o.RecordedIncidents = r.recordedIncidents
	return func() (*hub.Viewer, error) { return hub.NewPrivateViewer(o) }
}

// DelayBehindLive returns how far now, the local time of the replay, is behind the live board, but
// at least a second. It returns 0 if there is no live board.
func (r *Replay) DelayBehindLive(now time.Time) time.Duration {
	if r == nil || r.liveClock == nil {
		return 0
	}
	return max(r.liveClock().Sub(now), time.Second)
}

// Press handles the keys of the replay. handled is false for all other keys, and always for a nil
// Replay.
func (r *Replay) Press(msg tea.KeyPressMsg, k *Keys) (cmd tea.Cmd, handled bool) {
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
			return r.moveBy(step.by), true
		}
	}
	switch {
	case key.Matches(msg, k.PrevMark, k.NextMark):
		to, known := NextMark(r.marks, r.Recording.At(), key.Matches(msg, k.PrevMark))
		if !known {
			return r.showMessage(words.ReplayNoMark()), true
		}
		return tea.Batch(r.Jump(to.At), r.Board.ShowMessage(MarkText(r.Board.Look(), to))), true
	case key.Matches(msg, k.Play):
		return r.togglePlay(), true
	case key.Matches(msg, k.Faster):
		return r.changeSpeed(1), true
	case key.Matches(msg, k.Slower):
		return r.changeSpeed(-1), true
	}
	return nil, false
}

// togglePlay pauses the replay, or continues a paused replay at its previous speed.
func (r *Replay) togglePlay() tea.Cmd {
	if r.speed == 0 {
		return r.setSpeed(r.speedBeforePause)
	}
	r.speedBeforePause = r.speed
	return r.setSpeed(0)
}

// changeSpeed selects the next speed in [Speeds], or the previous one if delta is -1.
func (r *Replay) changeSpeed(delta int) tea.Cmd {
	index, _ := slices.BinarySearch(Speeds, max(r.speed, 1))
	return r.setSpeed(Speeds[min(max(index+delta, 0), len(Speeds)-1)])
}

// setSpeed sets the speed; 0 pauses the replay. Above ten times real time, the snapshots are too far
// apart for computing alerts. When the speed falls below this limit, setSpeed evaluates the
// snapshots before the instant again.
func (r *Replay) setSpeed(pace float64) tea.Cmd {
	const closely = float64(situation.WarmUpStep / time.Second)
	previous := r.speed
	r.speed = pace
	r.Recording.SetSpeed(pace)
	if previous <= closely || pace > closely {
		return nil
	}
	r.replayEngine = nil
	return r.Jump(r.Recording.At().Add(r.pending.delta))
}

// Jump jumps to an instant. The board shows its snapshot immediately. When the position no longer
// changes, a command evaluates the snapshots before it. After a step forward of at most
// situation.WarmUpStep, the current engine only evaluates the next snapshot.
func (r *Replay) Jump(at time.Time) tea.Cmd {
	r.pending.delta = 0 // discards pending steps
	previous := r.Recording.At()
	if err := r.Recording.SeekTo(at); err != nil {
		return r.showMessage(words.ReplayNotShown(words.TextOf(err)))
	}
	beyond := r.reportOutsideRecording(at)
	if step := r.Recording.At().Sub(previous); r.replayEngine != nil && step >= 0 && step <= situation.WarmUpStep && !r.Recording.IsEmptyAt(r.Recording.At()) {
		r.Board.Refresh()
		return beyond
	}
	r.sameInstant = false
	return tea.Batch(beyond, r.restartEngine())
}

// Reevaluate sets a new engine with the board's current options. It returns a command that
// evaluates the snapshots before the current instant. The board stays frozen.
func (r *Replay) Reevaluate() tea.Cmd {
	r.sameInstant = !r.warmingUp || r.sameInstant // an unfinished jump still has to set its engine, so it stays a jump
	return r.restartEngine()
}

// restartEngine sets a new engine. It returns a command that evaluates the snapshots before the
// current instant.
func (r *Replay) restartEngine() tea.Cmd {
	ctx := r.abortWarmUp()
	newEngine, err := r.engineFactory()()
	if err != nil {
		return r.showMessage(words.ReplayAlertsUnknown(words.TextOf(err)))
	}
	r.warmingUp, r.inGap = floorview.HasManyAgents(r.Recording.Latest()), false
	return tea.Batch(r.Board.SetEngine(newEngine, r.sameInstant, !r.warmingUp), r.warmUp(ctx, r.jumpCount, r.Recording.At()))
}

// reportOutsideRecording returns a command that tells the viewer when the recording begins or ends, or nil if
// the instant at is within the recording. It stores an instant before the start, because earlier
// hours may still be added to the recording.
func (r *Replay) reportOutsideRecording(at time.Time) tea.Cmd {
	from, to := r.Recording.Span()
	zone := r.Board.Look().Zone()
	r.requestedStart = time.Time{}
	switch {
	case at.Before(from.Truncate(time.Second)):
		r.requestedStart = at
		return r.showMessage(words.ReplayBegins(instantText(from, to, zone)))
	case !at.After(to):
		return nil
	case r.liveClock != nil:
		return r.showMessage(words.ReplayUntilNow(instantText(to, r.liveClock(), zone)))
	}
	return r.showMessage(words.ReplayEnds(instantText(to, to, zone)))
}

// showMessage returns a command that shows a message to the viewer.
func (r *Replay) showMessage(t words.Text) tea.Cmd {
	return r.Board.ShowMessage(r.Board.Look().Translate(t))
}

// abortWarmUp cancels the running evaluation of earlier snapshots and returns a context for the
// next evaluation.
func (r *Replay) abortWarmUp() context.Context {
	r.jumpCount++
	r.replayEngine = nil
	if r.cancelWarmUp != nil {
		r.cancelWarmUp()
	}
	ctx, cancel := context.WithCancel(r.Board.Context())
	r.cancelWarmUp = cancel
	return ctx
}

// Begin returns a command that evaluates the snapshots before the first position. The command also
// tells the viewer if the requested start is outside the recording. Begin returns nil for a nil
// Replay, and on a rewound board, which calls Jump instead.
func (r *Replay) Begin() tea.Cmd {
	if r == nil || r.liveClock != nil {
		return nil
	}
	warm := r.warmUp(r.abortWarmUp(), r.jumpCount, r.Recording.At())
	if r.StartAt.IsZero() {
		return warm
	}
	return tea.Batch(r.reportOutsideRecording(r.StartAt), warm)
}

// warmUp returns a command that evaluates the snapshots before an instant. On a large floor, a
// second command first evaluates only the snapshot at the instant, which is faster.
func (r *Replay) warmUp(ctx context.Context, jump int, at time.Time) tea.Cmd {
	w := warmUpJob{r, r.engineFactory(), ctx, jump, at, r.Recording.At}
	warmAfter, glanceAfter := precomputeDelay, singleSnapshotDelay
	if r.Queue != nil { // waits longer because a key may be held down
		warmAfter, glanceAfter = settleDelay, settleDelay/2
	}
	wait := func(d time.Duration, look func() tea.Msg) tea.Cmd {
		return dialog.RecoverPanic(func() tea.Msg {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(d):
			}
			return look()
		})
	}
	all := wait(warmAfter, func() tea.Msg {
		turn := r.Queue.WaitUrgent(ctx)
		if turn == nil {
			return nil
		}
		defer turn.Release()
		return w.evaluate(false, situation.UntilError(r.Recording.SampledSnapshots(at.Add(-situation.WarmUp), at, situation.WarmUpStep)))
	})
	if !r.warmingUp {
		return all
	}
	latest := r.Recording.Latest()
	return tea.Batch(all, wait(glanceAfter, func() tea.Msg {
		return w.evaluate(true, func(yield func(*model.Snapshot) bool) { yield(latest) })
	}))
}

// warmUpJob evaluates the snapshots before an instant with a new engine.
type warmUpJob struct {
	replay         *Replay
	engine         func() (*hub.Viewer, error)
	ctx            context.Context //nolint:containedctx // canceled by the next jump
	jumpNumber     int
	at             time.Time
	currentInstant func() time.Time // current instant of the recording
}

// evaluate evaluates snapshots and returns an [engineReadyMsg] with the engine or an error. glance
// means that snapshots contains only the snapshot at the instant. evaluate returns nil if the
// viewer has jumped, or if the replay has moved so far that the alerts would be useless.
func (w *warmUpJob) evaluate(glance bool, snapshots iter.Seq[*model.Snapshot]) tea.Msg {
	engine, err := w.engine()
	if err != nil {
		return engineReadyMsg{replay: w.replay, ctx: w.ctx, jumpNumber: w.jumpNumber, at: w.at, err: err}
	}
	for s := range snapshots {
		if w.ctx.Err() != nil || !glance && w.currentInstant().Sub(w.at) > situation.WarmUp {
			return nil
		}
		engine.Evaluate(s, s.At)
	}
	return engineReadyMsg{w.replay, w.ctx, w.jumpNumber, w.at, engine, glance, nil}
}

// applyWarmUp passes the evaluated engine to the board and starts to compute the figures of charts.
// It ignores results for an earlier position.
func (r *Replay) applyWarmUp(msg engineReadyMsg) tea.Cmd {
	switch {
	case msg.jumpNumber != r.jumpCount:
		return nil
	case msg.err != nil:
		r.warmingUp = false
		return r.showMessage(words.ReplayAlertsUnknown(words.TextOf(msg.err)))
	}
	r.warmingUp = false
	if msg.instantOnly {
		return r.Board.SetEngine(msg.engine, r.sameInstant, true)
	}
	r.replayEngine = msg.engine
	return tea.Batch(r.Board.SetEngine(msg.engine, r.sameInstant, true), r.fillCharts(msg, false))
}

// Evaluates reports whether the board itself evaluates snapshots. It returns false while a command
// evaluates the snapshots before a new instant, and in a gap of the recording. It returns true for
// a nil Replay.
func (r *Replay) Evaluates() bool { return r == nil || !r.warmingUp && !r.inGap }

// HandleGap clears the alerts when the replay enters a gap of the recording. When the replay leaves
// the gap, it evaluates the snapshots before the instant again. unrecorded means that nothing was
// recorded at the current instant. skips is true if the board must not evaluate the current
// snapshot.
func (r *Replay) HandleGap(unrecorded bool) (cmd tea.Cmd, skips bool) {
	if r == nil || r.inGap == unrecorded {
		return nil, r != nil && r.inGap
	}
	if !unrecorded {
		return r.Jump(r.Recording.At()), true
	}
	newEngine, err := r.engineFactory()()
	if err != nil {
		return r.showMessage(words.ReplayAlertsUnknown(words.TextOf(err))), true
	}
	r.abortWarmUp()
	r.inGap, r.warmingUp = true, false
	return r.Board.SetEngine(newEngine, false, false), true
}

// DrawsBeforeEvaluating reports whether the board draws a snapshot before it evaluates it. It does
// so on a large floor, where an evaluation takes long.
func (r *Replay) DrawsBeforeEvaluating() bool {
	return r != nil && floorview.HasManyAgents(r.Recording.Latest())
}

// fillCharts returns a command that computes the figures of charts for the time before an instant.
// If early is true, it computes them for the earlier part of this time, otherwise for the later
// part. The alerts at the instant are already known.
func (r *Replay) fillCharts(msg engineReadyMsg, early bool) tea.Cmd {
	own, recording, queue := r.Board.EngineOptions(), r.Recording, r.Queue
	from := msg.at.Add(-situation.WarmUp)
	p := situation.RecentPart(msg.at, from, msg.at)
	if early {
		p = situation.EarlyPart(msg.at)
	}
	return dialog.RecoverPanic(func() tea.Msg {
		turn := queue.WaitCharts(msg.ctx)
		if turn == nil {
			return nil
		}
		defer turn.Release()
		engine, err := own.Engine(model.FloorPart{})
		if err != nil {
			return nil // only charts are missing
		}
		result, all := situation.Backfill(msg.ctx, engine, own.Names, p, yieldingSnapshots(turn, recording, p))
		if !all {
			return nil
		}
		return chartsMsg{msg, p, result}
	})
}

// chartBatch is the number of snapshots that are evaluated for charts before waiting urgent
// requests go first.
const chartBatch = 30

// yieldingSnapshots returns the snapshots of a part of the past, until one cannot be read. Between
// batches it lets urgent requests go first, but not within a batch, because the recording may then
// hold a lock.
func yieldingSnapshots(turn *QueueTurn, recording Player, p situation.BackfillPart) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		for from := p.From; !from.After(p.To); from = from.Add(chartBatch * p.Step) {
			if !turn.Yield() {
				return
			}
			to := from.Add(chartBatch*p.Step - 1)
			if to.After(p.To) {
				to = p.To
			}
			for s, err := range recording.SampledSnapshots(from, to, p.Step) {
				if err != nil || !yield(s) {
					return
				}
			}
		}
	}
}

// chartsMsg carries the figures of charts for a part of the past.
type chartsMsg struct {
	warmUp engineReadyMsg // the message that started the command
	part   situation.BackfillPart
	situation.BackfillResult
}

// Apply implements history.Msg. It adds the figures to the charts.
func (msg chartsMsg) Apply() tea.Cmd { return msg.warmUp.replay.addChartFigures(msg) }

// addChartFigures adds the figures in msg to the charts. After the later part of the past, it
// returns a command that computes the earlier part. It ignores figures for an earlier position.
func (r *Replay) addChartFigures(msg chartsMsg) tea.Cmd {
	if msg.warmUp.jumpNumber != r.jumpCount || r.replayEngine == nil {
		return nil
	}
	r.replayEngine.Observations().AddHistory(msg.BackfillResult)
	r.Board.RereadAlerts()
	if msg.part.Early {
		return nil
	}
	return r.fillCharts(msg.warmUp, true)
}

// LastInstant returns the latest instant that can be shown: the present if the board was rewound,
// otherwise the end of the recording. Times of day that viewers type are relative to this instant.
// server converts a local time to the server's clock.
func (r *Replay) LastInstant(server func(time.Time) time.Time) time.Time {
	if r.liveClock != nil {
		return server(r.liveClock())
	}
	_, to := r.Recording.Span()
	return to
}

// HeaderLine returns the header line about the replay. It returns nil on a live board.
func (r *Replay) HeaderLine(k *Keys, lk *style.Look, width int) []string {
	if r == nil {
		return nil
	}
	from, to := r.Recording.Span()
	state, play := words.ReplayPlaying(), words.ReplayPause()
	switch {
	case r.speed == 0:
		state, play = words.ReplayPaused(), words.ReplayPlay()
	case !r.Recording.At().Before(to):
		state = words.ReplayAtEnd()
	case r.speed != 1:
		state = words.ReplayPlayingFast(r.speed)
	}
	hints := []style.KeyHint{
		{Key: k.Earlier.Help().Key + " " + k.Later.Help().Key, Description: lk.Translate(words.TimeSeconds(10))},
		{Key: k.EarlierMin.Help().Key + " " + k.LaterMin.Help().Key, Description: lk.Translate(words.TimeMinutes(1))},
		{Key: k.Play.Help().Key, Description: lk.Translate(play)},
	}
	if r.liveClock != nil {
		hints = append([]style.KeyHint{{Key: k.Open.Help().Key, Description: lk.Translate(words.ReplayBackToNow())}}, hints...)
	}
	bar := TimeLine{
		Look: lk, From: from, To: to, At: r.Recording.At(), IsEmptyAt: r.Recording.IsEmptyAt, Marks: r.marks, State: lk.Translate(state), Hints: hints,
	}
	return []string{bar.Text(width)}
}

// EvaluatePast evaluates the snapshots before the current instant and waits for the results. It
// passes each message for the board to update. It returns the error of ctx if ctx has ended.
func (r *Replay) EvaluatePast(ctx context.Context, update func(tea.Msg)) error {
	r.warmingUp = false // no separate evaluation of the instant, because the caller waits for the whole evaluation
	for cmd := r.warmUp(r.abortWarmUp(), r.jumpCount, r.Recording.At()); cmd != nil; {
		msg := cmd()
		cmd = nil
		update(msg)
		switch msg := msg.(type) {
		case engineReadyMsg:
			cmd = r.fillCharts(msg, false)
		case chartsMsg:
			if !msg.part.Early {
				cmd = r.fillCharts(msg.warmUp, true)
			}
		}
	}
	return ctx.Err()
}
