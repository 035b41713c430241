package history

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// host is a board with 100 columns.
type host struct {
	look *style.Look
	now  time.Time
	ctx  context.Context //nolint:containedctx // that of the test
}

func (h *host) Look() *style.Look          { return h.look }
func (h *host) Platform() string           { return "" }
func (h *host) Width() int                 { return 100 }
func (h *host) Now() time.Time             { return h.now }
func (h *host) Context() context.Context   { return h.ctx }
func (h *host) ShowMessage(string) tea.Cmd { return nil }

// slow finds two calls when told to.
type slow struct {
	Reader

	answer chan struct{}
}

func (s *slow) Insecure() bool           { return false }
func (s *slow) Location() *time.Location { return time.UTC }
func (s *slow) Budget() contact.Budget   { return contact.Budget{} }

func (s *slow) Calls(ctx context.Context, q contact.Query, progress func(contact.Progress)) (model.FetchedList[contact.Call], error) {
	if !q.Newest {
		return model.FetchedList[contact.Call]{}, errors.New("the page must request the newest contacts first")
	}
	progress(contact.Progress{Read: 1200, Total: 3400, Wait: 12 * time.Second})
	select {
	case <-s.answer:
	case <-ctx.Done():
		return model.FetchedList[contact.Call]{}, ctx.Err()
	}
	return model.FetchedList[contact.Call]{Items: []contact.Call{{ID: "1"}, {ID: "2"}}}, nil
}

// newSlowPage returns a page with a search.
func newSlowPage(t *testing.T) (*Page, *slow, *callsView) {
	t.Helper()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 2, 10, 42, 0, 0, time.UTC)
	h := &host{style.New(style.Options{Theme: theme}, render.Options{}), now, t.Context()}
	s := &slow{answer: make(chan struct{})}
	keys := DefaultKeys(nil)
	back := SharedKeys{}
	back.Back.SetKeys("esc")
	p := New(Board{Reader: s, Dialogs: dialog.NewStack(h), Floor: &floorview.View{LocalNow: now}}, &keys, back)
	p.selectView(3)
	v, ok := p.currentView().view.(*callsView)
	if !ok {
		t.Fatal("the fourth view is not the search")
	}
	v.lastSearch = &callQuery{from: now.Add(-time.Hour), to: now, limit: 5}
	return p, s, v
}

// ask sends the page's request, and returns the commands for the answer and the progress.
func ask(t *testing.T, p *Page) (work, follow tea.Cmd) {
	t.Helper()
	p.currentView().requester.stop()
	batch, ok := p.requestAgain()().(tea.BatchMsg)
	if !ok || len(batch) != 2 {
		t.Fatalf("%T is not a question and its progress", batch)
	}
	return batch[0], batch[1]
}

// start is like ask, but also starts the command that waits for the answer.
func start(t *testing.T, p *Page) (chan tea.Msg, tea.Cmd) {
	t.Helper()
	work, follow := ask(t, p)
	done := make(chan tea.Msg, 1)
	go func() { done <- work() }()
	return done, follow
}

// shows checks that the page contains a text.
func shows(t *testing.T, p *Page, want string) {
	t.Helper()
	drawn := ansi.Strip(strings.Join(p.View(nil, 0, 0, 100, 28), " "))
	if text := strings.Join(strings.Fields(drawn), " "); !strings.Contains(text, want) {
		t.Errorf("it does not say %q:\n%s", want, text)
	}
}

// arrive applies an answer.
func arrive(t *testing.T, msg tea.Msg) answerMsg {
	t.Helper()
	a, ok := msg.(answerMsg)
	if !ok {
		t.Fatalf("%T is no answer", msg)
	}
	a.Apply()
	return a
}

// TestCallsOff cancels a slow request.
func TestCallsOff(t *testing.T) {
	t.Parallel()
	p, _, _ := newSlowPage(t)
	done, follow := start(t, p)
	far, ok := follow().(progressMsg)
	if !ok {
		t.Fatal("no progress")
	}
	far.Apply()
	shows(t, p, "1200 of 3400 read · waiting 0:12 for the platform's request limit · esc cancels")
	if _, did := p.Press(nil, tea.KeyPressMsg{Code: tea.KeyEscape}); !did {
		t.Fatal("esc does not call off")
	}
	if late := arrive(t, <-done); !errors.Is(late.err, context.Canceled) {
		t.Fatalf("the request goes on: %v", late.err)
	}
	shows(t, p, "Canceled before there was an answer. Press r to try again.")
}

// broken is a service that refuses requests until it works again.
type broken struct {
	Reader

	works bool
}

func (s *broken) IsWorking() bool { return s.works }

// TestServiceWorksAgain repeats a failed request once the service works again, for example after
// the API key was renewed. Requests that fail at a service that works are not repeated.
func TestServiceWorksAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ before, after, repeats bool }{
		{false, false, false}, {false, true, true}, {true, true, false},
	} {
		s := &broken{works: tt.before}
		a := &requester{board: &Board{Reader: s, Floor: &floorview.View{}}, budget: &contact.Budget{}, jobID: 1}
		answerMsg{requester: a, job: 1, err: errors.New("refused")}.Apply()
		s.works = tt.after
		if a.isOutdated() {
			t.Errorf("%+v: repeated at once", tt)
		}
		if a.board.Floor.LocalNow = a.answeredAt.Add(recoveryDelay); a.isOutdated() != tt.repeats {
			t.Errorf("%+v: not so", tt)
		}
	}
}

// TestLateAnswer drops the answer to a superseded search.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	p, s, v := newSlowPage(t)
	close(s.answer)
	done, _ := start(t, p)
	first := <-done
	v.lastSearch = &callQuery{from: v.lastSearch.from, to: v.lastSearch.to, limit: 7}
	work, _ := ask(t, p)
	if arrive(t, first); p.currentView().requester.phase != phaseRequesting {
		t.Error("the answer to another search is shown")
	}
	arrive(t, work())
	shows(t, p, "2 found")
}

// TestTabsAreClicked checks that each tab is clickable where it is drawn, at any width. The
// current one is always visible.
func TestTabsAreClicked(t *testing.T) {
	t.Parallel()
	p, _, _ := newSlowPage(t)
	names := p.viewTitles(p.board.look())
	for _, w := range []int{40, 100} {
		for at, name := range names {
			p.selectView(at)
			line := ansi.Strip(p.View(nil, 0, 2, w, 20)[0])
			if !strings.Contains(line, name) {
				t.Fatalf("in %d cells the present view %q is not named: %q", w, name, line)
			}
			for other, name := range names {
				click := tea.MouseClickMsg{Button: tea.MouseLeft, X: strings.Index(line, name), Y: 3}
				if click.X < 0 {
					continue
				}
				p.current = at
				if p.Update(nil, click); p.current != at {
					t.Errorf("a click below %q leads to %q", name, names[p.current])
				}
				click.Y = 2
				if p.Update(nil, click); p.current != other {
					t.Errorf("in %d cells a click at %q leads to %q", w, name, names[p.current])
				}
			}
		}
	}
}
