package history

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/uitest"
)

// recordedDay has a complete interval and one with every kind of note.
type recordedDay struct{}

func (recordedDay) Intervals(_ context.Context, from, _ time.Time, length time.Duration, _ analysis.Scope, _ analysis.Progress) ([]analysis.Interval, error) {
	to := from.Add(length)
	return []analysis.Interval{
		{From: from, To: to, First: from, Last: to, RecordedTime: length},
		{From: to, To: to.Add(length), First: to, Last: to.Add(length / 2), RecordedTime: length / 2, RestartedAt: to.Add(time.Minute), CountersFell: true},
	}, nil
}

func (recordedDay) ServiceLevelFormula(string) model.ServiceLevelFormula { return model.SLAllAbandons }

func (recordedDay) ServiceLevelTarget(string) model.Float { return model.FloatOf(0.8) }

// pseudoPage returns a page in the pseudo-language.
func pseudoPage(t *testing.T, f *uitest.History) (*Page, *Board) {
	t.Helper()
	lk := style.New(style.Options{Location: time.UTC}, render.Options{})
	lk.Format.Words = words.PseudoLanguage()
	now := uitest.StartTime()
	b := Board{Dialogs: dialog.NewStack(&host{lk, now, t.Context()}), Floor: &floorview.View{LocalNow: now, Channel: model.Call}}
	if f != nil {
		b.Reader, b.Recording = f, recordedDay{}
	}
	keys := DefaultKeys(lk.Format.Words)
	return New(b, &keys, SharedKeys{}), &b
}

// answer requests the data of the current view and awaits it.
func answer(t *testing.T, p *Page) {
	t.Helper()
	batch, ok := p.UpdateRequests(true)().(tea.BatchMsg)
	if !ok {
		t.Fatal("no request")
	}
	arrive(t, batch[0]())
}

// words that are the same in all languages: the names of the tests.
var sameWords = []string{"Acme", "Anna", "Rossi", "rossi", "anna", "acme", "example", "calc", "Ugo", "Verdi"}

// checkPseudo fails the test if lines contain English words or, if whole is set, something that is cut.
func checkPseudo(t *testing.T, what string, lines []string, whole bool) {
	t.Helper()
	text := ansi.Strip(strings.Join(lines, "\n"))
	if left := testkit.Untranslated(text, sameWords...); len(left) > 0 {
		t.Errorf("%s: %q is not in the catalogue:\n%s", what, left, text)
	}
	if whole && strings.Contains(text, "…") {
		t.Errorf("%s: something is cut:\n%s", what, text)
	}
}

// TestPagesInPseudo draws all views in the pseudo-language. Texts are in the catalogue, and nothing is cut where there is
// room.
func TestPagesInPseudo(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]*uitest.History{"data": {}, "empty": {IsEmpty: true}, "incomplete": {IncompleteReason: &model.Incomplete{Got: 2, Total: -1, Changed: true}}} {
		p, b := pseudoPage(t, f)
		for i := range p.views {
			p.selectView(i)
			what := fmt.Sprintf("%s, view %d", name, i)
			checkPseudo(t, what+" before", p.View(nil, 0, 0, 140, 40), true)
			switch v := p.currentView().view.(type) {
			case *callsView:
				v.lastSearch = &callQuery{from: b.Floor.LocalNow.Add(-time.Hour), to: b.Floor.LocalNow, limit: 5}
			case *peopleView:
				v.lastSearch = &peopleQuery{mail: "@acme.example", organization: "Acme", limit: 5}
			}
			answer(t, p)
			for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}} {
				checkPseudo(t, what, p.View(nil, 0, 0, size[0], size[1]), size[0] == 200)
			}
			for _, k := range p.Help() {
				checkPseudo(t, what+", keys", []string{k.Help().Desc}, true)
			}
			if cmd := p.currentView().search(p.requestAgain); cmd != nil {
				checkPseudo(t, what+", form", []string{b.Dialogs.Top().Title()}, true)
			}
		}
	}
}

// TestStatesInPseudo draws a page without a service and after failures in the pseudo-language.
func TestStatesInPseudo(t *testing.T) {
	t.Parallel()
	p, _ := pseudoPage(t, nil)
	checkPseudo(t, "no source", p.View(nil, 0, 0, 120, 40), true)
	f := &uitest.History{Err: words.NewError(words.DialogReading(), errors.New("refused"))}
	p, _ = pseudoPage(t, f)
	answer(t, p)
	checkPseudo(t, "failed", p.View(nil, 0, 0, 120, 40), true)
	p.currentView().requester.phase = phaseCanceled
	checkPseudo(t, "canceled", p.View(nil, 0, 0, 120, 40), true)
	p.currentView().requester.phase = phaseRequesting
	p.currentView().requester.progress = contact.Progress{Read: 1200, Total: 3400, Wait: 12 * time.Second}
	checkPseudo(t, "asking", p.View(nil, 0, 0, 160, 40), true)
	for _, budget := range []contact.Budget{{Used: 90, Limit: 100}, {Limit: 100, LoweredUntil: time.Unix(1, 0)}} {
		p.budget = budget
		checkPseudo(t, "budget", []string{p.Status(nil).Text}, true)
	}
}

// TestBaselineInPseudo draws the comparison with a typical day in the pseudo-language.
func TestBaselineInPseudo(t *testing.T) {
	t.Parallel()
	_, board := pseudoPage(t, nil)
	f := &uitest.History{}
	b := NewBaseline(board.Floor)
	b.SetReader(f, words.Text{})
	d := &baselineDialog{Baseline: b, dialogs: board.Dialogs, restOfDay: func() ([]string, *forecast.RestOfDay) { return nil, nil }}
	board.Floor.SetNewest(model.NewStore().Publish(board.Floor.LocalNow, model.Health{}))
	checkPseudo(t, "asking", d.lines(100), true)
	day, err := f.CompareDay(t.Context(), board.Floor.LocalNow, contact.Inbound)
	baselineMsg{b, f, contact.Inbound, day, err}.Apply()
	checkPseudo(t, "compared", append(d.lines(100), d.Title()), false)
	checkPseudo(t, "rest of the day", func() []string {
		p := &dialog.TextBuilder{Look: board.look(), Width: 100}
		writeRestOfDay(p, nil, &forecast.RestOfDay{})
		return p.Lines[:1]
	}(), true)
}
