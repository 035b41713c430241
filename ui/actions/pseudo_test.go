package actions_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/actions"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/uitest"
)

// pseudoHost is a board in the pseudo-language, without pages. It collects what its dialogs show.
type pseudoHost struct {
	look    *style.Look
	dialogs *dialog.Stack
	shown   []string
}

func (h *pseudoHost) Look() *style.Look               { return h.look }
func (h *pseudoHost) Platform() string                { return "" }
func (h *pseudoHost) Width() int                      { return 200 }
func (h *pseudoHost) Now() time.Time                  { return uitest.StartTime() }
func (h *pseudoHost) Context() context.Context        { return uitest.EndedContext() }
func (h *pseudoHost) ShowMessage(text string) tea.Cmd { h.shown = append(h.shown, text); return nil }

// run runs a command and all commands that result from it.
func (h *pseudoHost) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			h.run(c)
		}
	case dialog.AnswerMsg:
		next, _ := h.dialogs.DeliverAnswer(msg)
		h.run(next)
	case interface{ Apply() tea.Cmd }:
		h.run(msg.Apply())
	}
}

// draw collects the title and the lines of the dialog on top.
func (h *pseudoHost) draw() {
	d := h.dialogs.Top()
	h.shown = append(h.shown, d.Title())
	for _, line := range d.View(d.Size(140, 60)) {
		h.shown = append(h.shown, ansi.Strip(line))
	}
}

// explore draws the dialog on top and the dialogs that its keys open, down to the given depth. Then it
// closes all of them.
func (h *pseudoHost) explore(depth int) {
	top := h.dialogs.Top()
	if top == nil || depth == 0 {
		return
	}
	keys := []string{"e", "i", "d", "n", "enter"}
	switch top.(type) {
	case *dialog.Form:
		keys = append(slices.Repeat([]string{"tab"}, 30), "1", "ctrl+s")
	case *dialog.QuestionDialog:
		keys = []string{"y"}
	}
	h.draw()
	for _, k := range keys {
		h.run(h.dialogs.Press(uitest.KeyPress(k)))
		if h.dialogs.Top() == top {
			h.draw()
			continue
		}
		h.explore(depth - 1)
		for h.dialogs.Top() != nil && h.dialogs.Top() != top {
			h.dialogs.Close(h.dialogs.Top())
		}
		if h.dialogs.Top() == nil {
			return
		}
	}
	h.dialogs.Close(top)
}

// newPseudo returns the actions of a board in the pseudo-language, on which every order has the
// report r, and an agent and a campaign of its floor.
func newPseudo(t *testing.T, r words.ActionReport) (h *pseudoHost, a *actions.Actions, targets []floorview.Target) {
	t.Helper()
	h = &pseudoHost{look: style.New(style.Options{Theme: uitest.Theme(t, "dark"), Location: time.UTC}, render.Options{Names: uitest.Names()})}
	h.look.Format.Words = words.PseudoLanguage()
	h.dialogs = dialog.NewStack(h)
	view := &floorview.View{Names: uitest.Names(), LocalNow: h.Now()}
	view.SetNewest(uitest.NewFloor(20).Snapshot())
	bind := func(k, does string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, does)) }
	keys := &actions.Keys{
		Actions: bind("A", ""), Dial: bind("D", ""), Stop: bind("X", ""), Record: bind("V", ""),
		CallsOrSettings: bind("L", ""), Edit: bind("E", ""), Log: bind("I", ""), Mark: bind("space", ""),
	}
	a = actions.New(h.dialogs, view, keys)
	a.SetController(uitest.ControllerOf(uitest.NewController(r)))
	agent, _ := view.TargetOf(floorview.Agent, uitest.AgentName(0))
	campaign, _ := view.TargetOf(floorview.Campaign, "7002")
	return h, a, []floorview.Target{agent, campaign}
}

// notInCatalogue returns names and values of the floor and of the fake platform, names of keys, and texts
// of packages dialog, snapshot and style.
func notInCatalogue() []string {
	return []string{
		"Now: ", "Running,", "Empty,", "Ready for", " talking,", " ringing,", " of 30 lines",
		"Type [", "] to continue:", "Cancel", "+ more fields", "! needed", "not set", "[no] yes", "yes  no", "yes [no]", "[yes] no", "no  yes",
		"enter open", "enter I have read this", "enter [", "r read again", "! enter a phone number, as in", "! enter a whole number", "a [", "e [", "i [", "tab", "campaign 7003",
		"Yes. Please send me the invoice, all of its pages, and the letter that came with it.", "Hello?", "Is anybody there?",
		"Invoice 2026/17 is wrong", "Called her back.", "Ada Verdi", "ada@example", "anna@acme.example", "rita@acme.example", "acme.example",
		"prefers e-mail", "never before noon", "since 2019", "invoice.pdf", "application/pdf", "scan.png", "image/png", "order 4711", "ivr", "call-1",
		"type=VENDOR4YOU; language=IT;", "item=1;", "id=x1", "id x11", "id x1", "1, item", "item number 1", "value +39", "item contact", "contact type VENDOR4YOU", "type VENDOR4YOU",
		"template language IT", "Dear all,", "the total is not the sum:", "Customer, email", "sales, support", "help@", ".org", "rita", "Spring renewals", "Support Gold", "Sales Italy", "Italian", "Bolzano", "Acme", "gold", "north",
		"Rossi Mario", "Anna Rossi", "Neri Ugo", "Blu Rita", "Rita Blu", "Rossi", "Anna", "Ada", "Survey", "Summer", "Spring", "April", "hello", "soon", "op1", "u1", "u2",
	}
}

// TestAllTextsAreInTheCatalogue opens the menus and dialogs of actions in the pseudo-language. Words without
// accents must be names or values.
func TestAllTextsAreInTheCatalogue(t *testing.T) {
	t.Parallel()
	h, a, targets := newPseudo(t, words.ActionReport{Outcome: resource.OutcomeUnknown, Text: words.Name("XYZ.")})
	for _, target := range targets {
		h.run(a.OpenMenu(target))
		h.explore(1)
		onTarget, anywhere := a.Commands(target)
		for _, c := range slices.Concat(onTarget, anywhere) {
			h.shown = append(h.shown, c.Name)
			h.run(c.Run())
			h.explore(4)
		}
		h.shown = append(h.shown, a.NoEffectReason(uitest.KeyPress("V"), target), a.NoEffectReason(uitest.KeyPress("V"), floorview.Target{}))
		marked := actions.MarkedRecords{Targets: []floorview.Target{target}, MissingNames: []string{"Anna"}}
		for _, k := range []string{"A", "D", "X", "V"} {
			cmd, _ := a.PressMarked(uitest.KeyPress(k), marked)
			h.run(cmd)
			h.explore(4)
		}
	}
	cmd, _ := a.Press(uitest.KeyPress("I"), floorview.Target{})
	h.run(cmd)
	h.explore(1)
	slices.Sort(h.shown)
	var replaced []string
	for _, text := range notInCatalogue() {
		replaced = append(replaced, text, "")
	}
	word, names := regexp.MustCompile(`\p{L}+`), strings.NewReplacer(replaced...)
	for _, text := range slices.Compact(h.shown) {
		for _, w := range word.FindAllString(names.Replace(text), -1) {
			if strings.ContainsAny(w, "aeiou") && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
				t.Errorf("%s is not in the catalogue: %s", w, text)
			}
		}
	}
	if len(h.shown) < 500 {
		t.Errorf("only %d lines are shown", len(h.shown))
	}
}
