package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/model"
)

// book is a store of notes in memory.
type book struct {
	notes   [][]byte
	down    bool
	readers []func(value []byte)
}

func (b *book) SendNote(_ context.Context, _ string, value []byte) error {
	if b.down {
		return errors.New("no majority")
	}
	for _, take := range b.readers {
		take(value)
	}
	b.notes = append(b.notes, value)
	return nil
}

func (b *book) FollowNotes(context.Context, func([]byte)) {}

// node is a hub with one board and a rule that is true while the connection is down.
type node struct {
	*AlertSharer
	hub   *Hub
	acted chan struct{} // receives after boards were told
	board *Viewer
	notes *statefile.NoteBook
	store *model.Store
	shown model.SnapshotHolder
}

func newNode(t *testing.T, b *book) *node {
	t.Helper()
	n := &node{store: model.NewStore(), acted: make(chan struct{}, 100)}
	var err error
	n.hub, err = New(Options{Source: &n.shown, Salt: "s", OnAction: func() { n.acted <- struct{}{} }, Engine: func(model.FloorPart) (*alert.Engine, error) {
		return alert.New(alert.Options{Rules: []alert.Rule{{Name: "cut", Scope: alert.Feed, When: "stale", Severity: alert.Critical, Bell: true}}})
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n.board, err = n.hub.NewViewer(Visibility{Names: model.NamesFull}, 0, 0); err != nil {
		t.Fatal(err)
	}
	n.notes = statefile.OpenNotes(filepath.Join(t.TempDir(), "notes.jsonl"), slog.New(slog.DiscardHandler))
	n.AlertSharer = NewAlertSharer(b, map[string]AlertBoard{"full": n.board}, n.notes, slog.New(slog.DiscardHandler))
	n.link(model.LinkBackoff, noon)
	return n
}

func (n *node) link(state model.LinkState, at time.Time) []alert.Alert {
	n.shown.Put(n.store.Publish(at, model.Health{Link: model.Link{State: state, Since: noon}, Subscriptions: []model.Subscription{{Name: model.OpUsers, State: model.SubLive}}}))
	n.board.Evaluate(n.board.Latest(), at)
	return n.board.Active()
}

// TestShare checks that other nodes learn of a take-over, also a node that joins later, unless the alert
// has ended or the note is invalid.
func TestShare(t *testing.T) {
	t.Parallel()
	b := &book{}
	one, two := newNode(t, b), newNode(t, b)
	open := one.board.Active()
	if len(open) != 1 {
		t.Fatalf("%d alerts", len(open))
	}
	if _, err := one.board.Acknowledge(open[0].ID, "anna", "on it", noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	b.down = true
	one.exchange(t.Context(), noon)
	b.down = false
	one.exchange(t.Context(), noon)
	one.exchange(t.Context(), noon)
	if len(b.notes) != 1 {
		t.Fatalf("%d notes", len(b.notes))
	}
	for range 2 { // a repeated note changes nothing
		two.handleMessage(b.notes[0])
		two.exchange(t.Context(), noon)
	}
	if got := two.board.Active()[0].Ack; got.By != "anna" || got.Note != "on it" || !got.At.Equal(noon.Add(time.Minute)) || len(b.notes) != 1 {
		t.Errorf("%+v, %d notes", got, len(b.notes))
	}
	if _, err := two.board.Acknowledge(two.board.Active()[0].ID, "marco", "", noon.Add(2*time.Minute)); err != nil {
		t.Fatal(err)
	}
	two.exchange(t.Context(), noon)
	one.handleMessage(b.notes[1])
	one.handleMessage([]byte("{"))
	one.exchange(t.Context(), noon)
	if got := one.board.Active()[0].Ack.By; got != "marco" {
		t.Errorf("%q has it", got)
	}
	if left := one.link(model.LinkUp, noon.Add(3*time.Minute)); len(left) > 0 {
		t.Fatalf("still %v", left)
	}
	one.link(model.LinkBackoff, noon.Add(10*time.Minute))
	one.exchange(t.Context(), noon)
	if again := one.board.Active(); len(again) != 1 || again[0].Ack.By != "" {
		t.Errorf("another alert of the same is taken over: %+v", again)
	}
}

// TestSharedSoon checks that a take-over appears on other nodes within a fifth of a second.
func TestSharedSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &book{}
		one, two := newNode(t, b), newNode(t, b)
		b.readers = []func([]byte){two.handleMessage}
		ctx, stop := context.WithCancel(t.Context())
		var both sync.WaitGroup
		both.Go(func() { one.Run(ctx) })
		<-time.After(shareInterval / 3) // the nodes exchange notes at different times
		both.Go(func() { two.Run(ctx) })
		both.Go(func() { two.hub.Run(ctx) })
		for i := range 5 {
			<-time.After(shareInterval + 70*time.Millisecond)
			at := noon.Add(time.Duration(i+1) * time.Minute)
			a := one.board.Active()[0]
			if _, err := one.board.Acknowledge(a.ID, "anna", at.String(), at); err != nil {
				t.Fatal(err)
			}
			<-time.After(shareInterval)
			synctest.Wait()
			if got := two.board.Active()[0].Ack.Note; got != at.String() {
				t.Errorf("the other board has %q, not %q", got, at)
			}
			if len(two.acted) != i+1 {
				t.Errorf("the boards of the other are told %d times of %d", len(two.acted), i+1)
			}
		}
		stop()
		both.Wait()
	})
}

// TestShareSnoozes checks that snoozes and their ends are shared.
func TestShareSnoozes(t *testing.T) {
	t.Parallel()
	b := &book{}
	one, two := newNode(t, b), newNode(t, b)
	one.board.Silencer().Snooze(alert.NewSnooze(one.board.Active(), "the\x1b[2J feed", "anna", time.Hour, noon))
	one.exchange(t.Context(), noon)
	one.exchange(t.Context(), noon)
	if len(b.notes) != 1 {
		t.Fatalf("%d notes", len(b.notes))
	}
	two.handleMessage(b.notes[0])
	two.exchange(t.Context(), noon)
	if a := two.link(model.LinkBackoff, noon.Add(time.Minute)); a[0].SilentUntil.IsZero() || len(b.notes) != 1 {
		t.Errorf("not silent, or told back: %d notes", len(b.notes))
	}
	if two.board.Silencer().EndSnoozes(nil, noon.Add(2*time.Minute)) != 1 {
		t.Fatal("it does not end")
	}
	two.exchange(t.Context(), noon)
	one.handleMessage(b.notes[1])
	if a := one.link(model.LinkBackoff, noon.Add(3*time.Minute)); !a[0].SilentUntil.IsZero() {
		t.Error("still silent")
	}
}

// TestShareNotes checks that notes about the floor, marks and the ends of notes are shared, also with
// a node that joins later, and that nodes do not send them back and forth.
func TestShareNotes(t *testing.T) {
	t.Parallel()
	b := &book{}
	one, two := newNode(t, b), newNode(t, b)
	write := func(n *node, text string, at, until time.Time) model.Note {
		note, err := statefile.NewNote(text, "anna", at, until)
		if err == nil {
			err = n.notes.Write(note)
		}
		if err != nil {
			t.Fatal(err)
		}
		return note
	}
	sent := 0
	exchange := func(now time.Time) { // repeats until no node sends a new note
		for more := true; more; {
			one.exchange(t.Context(), now)
			two.exchange(t.Context(), now)
			more = len(b.notes) > sent
			for ; sent < len(b.notes); sent++ {
				one.handleMessage(b.notes[sent])
				two.handleMessage(b.notes[sent])
			}
			if sent > 20 {
				t.Fatal("the nodes do not stop sending")
			}
		}
	}
	texts := func(n *node) (out string) {
		for _, note := range n.notes.All() {
			out += fmt.Sprint(note.Text, " ", note.By, " ", note.At.Format("15:04"), "-", note.Until.Format("15:04"), ";")
		}
		return out
	}
	write(one, "IVR down", noon, noon.Add(3*time.Hour))
	newsletter := write(two, "newsletter", noon.Add(-time.Minute), time.Time{})
	write(one, "an old mark", noon.Add(-48*time.Hour), time.Time{})
	b.down = true
	exchange(noon)
	b.down = false
	exchange(noon)
	if got := texts(two); got != "newsletter anna 11:59-00:00;IVR down anna 12:00-15:00;" || sent != 2 {
		t.Fatalf("the other node has %q, %d notes were sent", got, sent)
	}
	if _, err := two.notes.EndNotes("IVR", noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for n, delay := range map[*node]time.Duration{one: time.Minute, two: 2 * time.Minute} { // both nodes have recognized the same surge, at different times
		followed := newsletter
		followed.Surge = newsletter.At.Add(delay)
		if err := n.notes.Write(followed); err != nil {
			t.Fatal(err)
		}
	}
	exchange(noon.Add(time.Hour))
	if got := texts(one); got != "an old mark anna 12:00-00:00;newsletter anna 11:59-00:00;IVR down anna 12:00-13:00;" || sent != 3 {
		t.Errorf("the first node has %q, %d notes were sent", got, sent)
	}
	later := newNode(t, b)
	for _, value := range append(b.notes, []byte(`{"note":{"id":"x","text":"no time"}}`), []byte(`{"note":{"id":"y","at":"2026-03-02T12:00:00Z","text":"a\u001b[2Jb"}}`)) {
		later.handleMessage(value)
	}
	if got := texts(later); got != "newsletter anna 11:59-00:00;IVR down anna 12:00-13:00;a␛[2Jb  12:00-00:00;" {
		t.Errorf("a node that joins has %q", got)
	}
}
