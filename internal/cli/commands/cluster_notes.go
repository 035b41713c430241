package commands

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Board is the alerts of a node's viewers who see the same names.
type Board interface {
	Active() []alert.Alert
	Acknowledge(id, who, note string, now time.Time) (alert.Alert, error)
	Silencer() *alert.Silencer
}

// noteStore exchanges notes between nodes. cluster.SharedData implements it.
type noteStore interface {
	SendNote(ctx context.Context, name string, value []byte) error
	FollowNotes(ctx context.Context, handle func(value []byte))
}

// note is a note about alerts.
type note struct {
	Names  string        `json:"names"` // name mode of the snapshot
	Ack    *takenName    `json:"ack,omitempty"`
	Snooze *alert.Snooze `json:"snooze,omitempty"`
}

// takenName is a take-over.
type takenName struct {
	About string    `json:"about"` // rule and record
	By    string    `json:"by"`
	Note  string    `json:"note"`
	At    time.Time `json:"at"` // on the platform's clock
}

// shareEvery is the interval at which local answers are collected.
const shareEvery = 200 * time.Millisecond

// sharer sends local take-overs and snoozes to the other nodes, and applies theirs.
type sharer struct {
	store  noteStore
	boards map[string]Board // by name mode
	log    *slog.Logger
	came   chan struct{} // a note has arrived

	mu      sync.Mutex
	acks    map[string]takenName    // latest take-over, by name mode and subject
	snoozes map[string]alert.Snooze // last sent snooze, by name mode and id
}

// mostKept is the maximum number of remembered take-overs, and of snoozes.
const mostKept = 5000

// Share exchanges the viewers' answers to alerts with the other nodes until ctx ends.
func (f *Feed) Share(ctx context.Context, boards map[string]Board) {
	newSharer(f.Node.Shared, boards, f.log).run(ctx)
}

func (s *sharer) run(ctx context.Context) {
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { s.store.FollowNotes(ctx, s.take) })
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.came: // apply it at once
		}
		s.look(ctx, time.Now())
	}
}

func newSharer(book noteStore, boards map[string]Board, log *slog.Logger) *sharer {
	return &sharer{store: book, boards: boards, log: log, came: make(chan struct{}, 1), acks: make(map[string]takenName), snoozes: make(map[string]alert.Snooze)}
}

// take stores a received note.
func (s *sharer) take(value []byte) {
	var n note
	if err := json.Unmarshal(value, &n); err != nil {
		s.log.Info("invalid note from another node", "error", err)
		return
	}
	board := s.boards[n.Names]
	if board == nil {
		return // no viewer here has this name mode
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := n.Ack; a != nil && len(s.acks) < mostKept && a.At.After(s.acks[n.Names+a.About].At) {
		s.acks[n.Names+a.About] = *a
	}
	if z := n.Snooze; z != nil && z.Valid() && len(s.snoozes) < mostKept {
		z.Title, z.By = model.CleanText(z.Title, model.MaxName), model.CleanText(z.By, model.MaxName)
		s.snoozes[n.Names+z.ID] = *z
		board.Silencer().Snoozes().Merge([]alert.Snooze{*z})
	}
	select {
	case s.came <- struct{}{}:
	default:
	}
}

// look applies received notes to the boards and sends new local answers.
func (s *sharer) look(ctx context.Context, now time.Time) {
	for names, board := range s.boards {
		s.lookAtAlerts(ctx, names, board)
		for _, z := range board.Silencer().Snoozes().List() {
			s.mu.Lock()
			told, there := s.snoozes[names+z.ID]
			s.mu.Unlock()
			if there && !z.Until.Before(told.Until) {
				continue
			}
			if s.tell(ctx, names+" snooze "+z.ID, &note{Names: names, Snooze: &z}) {
				s.mu.Lock()
				s.snoozes[names+z.ID] = z
				s.mu.Unlock()
			}
		}
	}
	s.forget(now)
}

func (s *sharer) lookAtAlerts(ctx context.Context, names string, board Board) {
	for _, a := range board.Active() {
		about := a.Rule + " " + a.Key.String()
		s.mu.Lock()
		told := s.acks[names+about]
		s.mu.Unlock()
		switch {
		case a.Ack.At.After(told.At):
			t := takenName{about, a.Ack.By, a.Ack.Note, a.Ack.At}
			if s.tell(ctx, names+" ack "+about, &note{Names: names, Ack: &t}) {
				s.mu.Lock()
				s.acks[names+about] = t
				s.mu.Unlock()
			}
		case told.At.After(a.Ack.At) && !told.At.Before(a.LevelSince): // it has not become critical since
			if _, err := board.Acknowledge(a.ID, told.By, told.Note, told.At); err != nil {
				s.log.Debug("a take-over of another node cannot be applied", "error", err)
			}
		}
	}
}

// tell sends a note and reports whether it succeeded.
func (s *sharer) tell(ctx context.Context, name string, n *note) bool {
	text, err := json.Marshal(n)
	if err == nil {
		err = s.store.SendNote(ctx, name, text)
	}
	if err != nil {
		s.log.Debug("a note for the other nodes cannot be sent", "error", err) // it is sent again later
	}
	return err == nil
}

// forget drops outdated entries.
func (s *sharer) forget(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, a := range s.acks {
		if now.Sub(a.At) > 2*alert.AckLife {
			delete(s.acks, id)
		}
	}
	for id := range s.snoozes {
		if z := s.snoozes[id]; now.Sub(z.Until) > 2*alert.LongestSnooze {
			delete(s.snoozes, id)
		}
	}
}
