package clustering

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// Board is what some viewers of a node share: the alerts of a picture that names people
// in one way.
type Board interface {
	Active() []alert.Alert
	Acknowledge(id, who, note string, now time.Time) (alert.Alert, error)
	Silencer() *alert.Silencer
}

// notebook is how nodes tell each other; cluster.Common is one.
type notebook interface {
	Note(ctx context.Context, name string, value []byte) error
	Notes(ctx context.Context, take func(value []byte))
}

// noted is what a node tells the others about alerts.
type noted struct {
	Names  string        `json:"names"` // how people are named in the picture
	Ack    *taken        `json:"ack,omitempty"`
	Snooze *alert.Snooze `json:"snooze,omitempty"`
}

// taken says who has taken an alert over.
type taken struct {
	About string    `json:"about"` // the rule and the record
	By    string    `json:"by"`
	Note  string    `json:"note"`
	At    time.Time `json:"at"` // on the platform's clock
}

// shareEvery is how often is looked at what viewers did.
const shareEvery = 200 * time.Millisecond

// sharer tells the other nodes who took alerts over and what was snoozed here, and has
// it be so here what was done there.
type sharer struct {
	book   notebook
	boards map[string]Board // by how people are named
	log    *slog.Logger
	came   chan struct{} // another node has told something

	mu      sync.Mutex
	acks    map[string]taken        // by names and what they are about: the latest
	snoozes map[string]alert.Snooze // by names and ID: as they were told last
}

// mostKept bounds what is remembered of alerts.
const mostKept = 5000

// Share shares what viewers do about alerts with the other nodes until the context ends.
func (f *Feed) Share(ctx context.Context, boards map[string]Board) {
	newSharer(f.Node.Common, boards, f.log).run(ctx)
}

func (s *sharer) run(ctx context.Context) {
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { s.book.Notes(ctx, s.take) })
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.came: // it is on the boards here at once
		}
		s.look(ctx, time.Now())
	}
}

func newSharer(book notebook, boards map[string]Board, log *slog.Logger) *sharer {
	return &sharer{book: book, boards: boards, log: log, came: make(chan struct{}, 1), acks: make(map[string]taken), snoozes: make(map[string]alert.Snooze)}
}

// take takes over what a node has told.
func (s *sharer) take(value []byte) {
	var n noted
	if err := json.Unmarshal(value, &n); err != nil {
		s.log.Info("a note of another node makes no sense", "error", err)
		return
	}
	board := s.boards[n.Names]
	if board == nil {
		return // nobody here sees that picture
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

// look brings to every board what was told, and tells what is new there.
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
			if s.tell(ctx, names+" snooze "+z.ID, &noted{Names: names, Snooze: &z}) {
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
			t := taken{about, a.Ack.By, a.Ack.Note, a.Ack.At}
			if s.tell(ctx, names+" ack "+about, &noted{Names: names, Ack: &t}) {
				s.mu.Lock()
				s.acks[names+about] = t
				s.mu.Unlock()
			}
		case told.At.After(a.Ack.At) && !told.At.Before(a.LevelSince): // it has become no worse since
			if _, err := board.Acknowledge(a.ID, told.By, told.Note, told.At); err != nil {
				s.log.Debug("what was taken over elsewhere is over here", "error", err)
			}
		}
	}
}

// tell tells the others, and reports whether they know.
func (s *sharer) tell(ctx context.Context, name string, n *noted) bool {
	text, err := json.Marshal(n)
	if err == nil {
		err = s.book.Note(ctx, name, text)
	}
	if err != nil {
		s.log.Debug("the other nodes do not know yet", "error", err) // it is tried again
	}
	return err == nil
}

// forget lets go of what is over.
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
