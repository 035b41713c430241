package hub

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/model"
)

// AlertBoard gives access to the alerts of this node's viewers with a common name mode, which
// determines how the names of agents are masked.
type AlertBoard interface {
	Active() []alert.Alert
	Acknowledge(id, who, note string, now time.Time) (alert.Alert, error)
	Silencer() *alert.Silencer
}

// NoteExchange exchanges notes between nodes. Type SharedData of package internal/serve/cluster
// implements it.
type NoteExchange interface {
	SendNote(ctx context.Context, name string, value []byte) error
	FollowNotes(ctx context.Context, handle func(value []byte))
}

// alertMessage is a message to the other nodes about a take-over, snoozes of alerts or a note
// about the floor.
type alertMessage struct {
	NameMode string        `json:"names"` // name mode of the viewers who see these alerts
	TakeOver *sharedAck    `json:"ack,omitempty"`
	Snooze   *alert.Snooze `json:"snooze,omitempty"`
	Note     *model.Note   `json:"note,omitempty"`
}

// sharedAck is the part of a message that describes the acknowledgement of an alert.
type sharedAck struct {
	Subject string    `json:"about"` // rule and record of the alert
	By      string    `json:"by"`
	Note    string    `json:"note"`
	At      time.Time `json:"at"` // on the platform's clock
}

// shareInterval is how often a node checks for new acknowledgements and snoozes of its viewers.
const shareInterval = 200 * time.Millisecond

// AlertSharer sends the acknowledgements, snoozes and notes of this node's viewers to the other
// nodes, and applies the messages of the other nodes. The clocks of all nodes must be synchronized.
type AlertSharer struct {
	notes       NoteExchange
	boards      map[string]AlertBoard // boards by name mode
	book        *statefile.NoteBook   // notes about the floor
	log         *slog.Logger
	noteArrived chan struct{} // receives a value when a take-over or a snooze has arrived

	mu        sync.Mutex
	takeOvers map[string]sharedAck    // latest acknowledgement, by name mode and subject
	snoozes   map[string]alert.Snooze // latest snooze that was sent or received, by name mode and ID
	noteEnds  map[string]time.Time    // end of each note that was sent or received, by the ID of the note
}

// maxRememberedNotes limits the number of remembered acknowledgements, snoozes and notes,
// separately for each of these kinds.
const maxRememberedNotes = 5000

// Run exchanges acknowledgements, snoozes and notes until ctx ends.
func (s *AlertSharer) Run(ctx context.Context) {
	var tasks sync.WaitGroup
	defer tasks.Wait()
	tasks.Go(func() { s.notes.FollowNotes(ctx, s.handleMessage) })
	tick := time.NewTicker(shareInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.noteArrived: // exchange at once, to apply a take-over
		}
		s.exchange(ctx, time.Now())
	}
}

// NewAlertSharer returns an AlertSharer for the alerts of boards and the notes in book. The keys of
// boards are name modes.
func NewAlertSharer(store NoteExchange, boards map[string]AlertBoard, book *statefile.NoteBook, log *slog.Logger) *AlertSharer {
	return &AlertSharer{notes: store, boards: boards, book: book, log: log, noteEnds: make(map[string]time.Time), noteArrived: make(chan struct{}, 1), takeOvers: make(map[string]sharedAck), snoozes: make(map[string]alert.Snooze)}
}

// handleMessage processes a message of another node. It applies a snooze or a note about the floor
// at once, and stores an acknowledgement for [AlertSharer.exchange].
func (s *AlertSharer) handleMessage(value []byte) {
	var n alertMessage
	if err := json.Unmarshal(value, &n); err != nil {
		s.log.Info("invalid note from another node", "error", err)
		return
	}
	if n.Note != nil {
		s.storeFloorNote(*n.Note)
		return
	}
	board := s.boards[n.NameMode]
	if board == nil {
		return // no viewer of this node has this name mode
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := n.TakeOver; a != nil && len(s.takeOvers) < maxRememberedNotes && a.At.After(s.takeOvers[n.NameMode+a.Subject].At) {
		s.takeOvers[n.NameMode+a.Subject] = *a
	}
	if z := n.Snooze; z != nil && z.Valid() && len(s.snoozes) < maxRememberedNotes {
		z.Title, z.By = model.CleanText(z.Title, model.MaxName), model.CleanText(z.By, model.MaxName)
		s.snoozes[n.NameMode+z.ID] = *z
		board.Silencer().Snoozes().Merge([]alert.Snooze{*z})
	}
	select {
	case s.noteArrived <- struct{}{}:
	default:
	}
}

// storeFloorNote writes a note about the floor from another node into the book.
func (s *AlertSharer) storeFloorNote(n model.Note) {
	n, ok := statefile.CheckNote(n)
	if !ok {
		s.log.Info("invalid note about the floor from another node", "id", n.ID)
		return
	}
	for _, known := range s.book.All() {
		if known.ID == n.ID && !n.Until.Before(known.Until) {
			s.setEnd(n) // if the note ends earlier here, this end is sent to the other nodes
			return
		}
	}
	if err := s.book.Write(n); err != nil {
		s.log.Warn("a note of another node cannot be stored", "error", err)
		return
	}
	s.setEnd(n)
}

// setEnd stores the current end of a note as the end that the other nodes know.
func (s *AlertSharer) setEnd(n model.Note) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteEnds[n.ID] = n.Until
}

// sharedNoteAge is how long a mark, or a note that has ended, is still sent to nodes that start.
const sharedNoteAge = 24 * time.Hour

// exchangeFloorNotes sends new notes about the floor, and changed ends of notes, to the other
// nodes. It leaves out the time at which a surge followed a note, because each node detects
// surges itself.
func (s *AlertSharer) exchangeFloorNotes(ctx context.Context, now time.Time) {
	for _, n := range s.book.All() {
		s.mu.Lock()
		end, isSent := s.noteEnds[n.ID]
		s.mu.Unlock()
		if !isSent && now.Sub(n.At) > sharedNoteAge && now.Sub(n.Until) > sharedNoteAge {
			continue
		}
		if isSent && !n.Until.Before(end) {
			continue
		}
		n.Surge = time.Time{}
		if s.sendMessage(ctx, "note "+n.ID, &alertMessage{Note: &n}) {
			s.setEnd(n)
		}
	}
}

// exchange applies the acknowledgements of other nodes to the boards. It sends new acknowledgements
// and snoozes of the boards, and new notes, to the other nodes.
func (s *AlertSharer) exchange(ctx context.Context, now time.Time) {
	for names, board := range s.boards {
		s.exchangeTakeOvers(ctx, names, board)
		for _, z := range board.Silencer().Snoozes().List() {
			s.mu.Lock()
			sent, isSent := s.snoozes[names+z.ID]
			s.mu.Unlock()
			if isSent && !z.Until.Before(sent.Until) {
				continue
			}
			if s.sendMessage(ctx, names+" snooze "+z.ID, &alertMessage{NameMode: names, Snooze: &z}) {
				s.mu.Lock()
				s.snoozes[names+z.ID] = z
				s.mu.Unlock()
			}
		}
	}
	s.exchangeFloorNotes(ctx, now)
	s.dropOutdated(now)
}

func (s *AlertSharer) exchangeTakeOvers(ctx context.Context, names string, board AlertBoard) {
	for _, a := range board.Active() {
		subject := a.Rule + " " + a.Key.String()
		s.mu.Lock()
		latest := s.takeOvers[names+subject]
		s.mu.Unlock()
		switch {
		case a.Ack.At.After(latest.At):
			t := sharedAck{subject, a.Ack.By, a.Ack.Note, a.Ack.At}
			if s.sendMessage(ctx, names+" ack "+subject, &alertMessage{NameMode: names, TakeOver: &t}) {
				s.mu.Lock()
				s.takeOvers[names+subject] = t
				s.mu.Unlock()
			}
		case latest.At.After(a.Ack.At) && !latest.At.Before(a.LevelSince): // the alert has not become critical since it was acknowledged
			if _, err := board.Acknowledge(a.ID, latest.By, latest.Note, latest.At); err != nil {
				s.log.Debug("a take-over of another node cannot be applied", "error", err)
			}
		}
	}
}

// sendMessage sends a message to the other nodes under the given name, and reports whether it
// succeeded.
func (s *AlertSharer) sendMessage(ctx context.Context, name string, n *alertMessage) bool {
	text, err := json.Marshal(n)
	if err == nil {
		err = s.notes.SendNote(ctx, name, text)
	}
	if err != nil {
		s.log.Debug("a note for the other nodes cannot be sent", "error", err) // exchange tries again later
	}
	return err == nil
}

// dropOutdated drops acknowledgements and snoozes that expired long ago. If it knows too many ends of
// notes, it drops them all.
func (s *AlertSharer) dropOutdated(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, a := range s.takeOvers {
		if now.Sub(a.At) > 2*alert.AckLifetime {
			delete(s.takeOvers, id)
		}
	}
	if len(s.noteEnds) > maxRememberedNotes { // notes that are still in the book are sent again
		clear(s.noteEnds)
	}
	for id := range s.snoozes {
		if z := s.snoozes[id]; now.Sub(z.Until) > 2*alert.LongestSnooze {
			delete(s.snoozes, id)
		}
	}
}
