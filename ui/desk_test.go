package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Answers of the platform.
const (
	noAnswer = "The platform does not answer. Try again."
	tooLate  = "Too late."
)

func done() resource.Report { return resource.Report{Outcome: resource.Confirmed, Text: "It is done."} }

// newDesk opens a board with a dialog of the palette.
func newDesk(t testing.TB, c *deskController, w, h int, name string, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, w, h, append([]func(*Options){func(o *Options) { o.Controller = controllerOf(c) }}, change...)...)
	b.desk(name)
	return b
}

// desk runs a command of the palette.
func (b *board) desk(name string) {
	b.t.Helper()
	_, anywhere := b.actions.Commands(snapshot.Target{})
	for _, c := range anywhere {
		if c.Name == name {
			b.run(c.Run())
			b.send(tea.WindowSizeMsg{Width: b.width, Height: b.height})
			return
		}
	}
	b.t.Fatalf("no command %q", name)
}

// submit presses the button of the form.
func (b *board) submit() { b.send(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl}) }

func did[T any](t *testing.T, c *deskController) T {
	t.Helper()
	if len(c.Did) != 1 {
		t.Fatalf("%d requests: %v", len(c.Did), c.Did)
	}
	v, ok := c.Did[0].(T)
	if !ok {
		t.Fatalf("the request is %#v", c.Did[0])
	}
	return v
}

// plainly compares resources by the fields of document 1.
func plainly() cmp.Option {
	return cmpopts.IgnoreUnexported(resource.SMS{}, resource.Contact{}, resource.TypedValue{}, resource.KeyValue{},
		resource.List{}, resource.Item{}, resource.Run{}, resource.RunContact{})
}

func TestDeskSMS(t *testing.T) {
	t.Parallel()
	c := &deskController{Report: resource.Report{Outcome: resource.Unknown, Text: "Nobody knows whether it was sent."}}
	b := newDesk(t, c, 80, 24, "send a text message")
	b.submit()
	b.shows("! needed")
	b.fill("\u202a+39\u00a0333 １\u202c", "Hello\nthere", "4")
	b.shows("11 characters")
	b.submit()
	b.shows("Send this message?")
	b.shows("+39 333 1")
	b.shows("account 4")
	b.press("enter") // the button that does nothing
	if len(c.Did) != 0 {
		t.Fatal("sent by one enter")
	}
	b.submit()
	b.press("y")
	four := 4
	want := resource.SMS{PhoneNumber: "+39 333 1", Message: "Hello\nthere", AccountID: &four}
	if d := cmp.Diff(want, did[resource.SMS](t, c), plainly()); d != "" {
		t.Error(d)
	}
	b.shows("Nobody knows whether it was sent.")
	b.press("enter", "enter", "y") // there is no way back to the form
	if len(c.Did) != 1 || b.dialogs.Top() != nil {
		t.Errorf("%d requests\n%s", len(c.Did), b.text())
	}
}

func TestDeskForms(t *testing.T) {
	t.Parallel()
	five, three, one, two := 5, 3, 1, 2
	for name, tt := range map[string]struct {
		fields []string
		answer []string // the keys that answer the question
		want   any
	}{
		"create a contact": {
			[]string{"Ugo", "", "", "", "", "", "", "", "", "", "", "", "", "", "FAX 1\nWORK 2", "", "", "CUSTOM_01 a b", "x\ny", "crm"},
			[]string{"y"},
			resource.Contact{
				AddressbookBackendID: "crm", Name: "Ugo", Categories: []string{"x", "y"},
				Numbers:      []resource.TypedValue{{Type: "FAX", Value: "1"}, {Type: "WORK", Value: "2"}},
				CustomFields: []resource.KeyValue{{Key: "CUSTOM_01", Value: "a b"}},
			},
		},
		"create a list": {[]string{"Autumn", "", "3"}, []string{"y"}, resource.List{Name: "Autumn", NoAnswerAttempts: &three}},
		"add items to a list": {
			[]string{"5", "3", "0471 １;Anna\n\u200e0471 2"},
			[]string{"y"},
			[]resource.Item{
				{ListID: &five, CampaignID: &three, PhoneNumber: "0471 1", Data: []string{"Anna"}},
				{ListID: &five, CampaignID: &three, PhoneNumber: "0471 2", Data: []string{}},
			},
		},
		"delete items of a list": {
			[]string{"5", "1, 2"},
			[]string{"d", "e", "l", "e", "t", "e", "enter", "enter"},
			[]resource.Item{{ListID: &five, ID: &one}, {ListID: &five, ID: &two}},
		},
		"add a run": {
			[]string{"3", "", "May", "", "", "DISABLE", "", "", "2026-05-01 10:00"},
			[]string{"y"},
			resource.Run{
				CampaignID: &three, Name: "May", RunStatus: "DISABLE",
				StartDate: resource.TimeOf(time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &deskController{Report: done()}
			b := newDesk(t, c, 80, 24, name, func(o *Options) { o.Location = time.FixedZone("here", 7200) })
			b.fill(tt.fields...)
			b.submit()
			b.press(tt.answer...)
			if len(c.Did) != 1 {
				t.Fatalf("%d requests\n%s", len(c.Did), b.text())
			}
			if d := cmp.Diff(tt.want, c.Did[0], plainly(), cmpopts.EquateComparable(resource.Time{})); d != "" {
				t.Error(d)
			}
			if name == "delete items of a list" && !slices.Equal(c.Reset, []bool{false}) {
				t.Error("statistics were reset")
			}
		})
	}
}

func TestDeskContact(t *testing.T) {
	t.Parallel()
	c := &deskController{Report: resource.Report{Outcome: resource.Rejected, Text: "Too long."}}
	b := newDesk(t, c, 100, 40, "open a contact")
	b.fill("c-17")
	b.press("enter", "enter")
	b.shows("company", "Acme")
	b.press("e")
	b.submit()
	b.shows("Nothing was changed.")
	b.press("tab", "tab", "tab", "2")
	b.submit()
	b.shows("Acme → Acme2")
	b.press("y")
	want := []resource.FieldChange{{Field: "company", Label: "company", Old: "Acme", New: "Acme2"}}
	if d := cmp.Diff(want, did[[]resource.FieldChange](t, c)); d != "" {
		t.Error(d)
	}
	b.shows("Too long.")
	c.Report, c.Did = done(), nil
	b.press("enter") // back to what was filled in
	b.shows("Acme2")
	b.submit()
	b.press("y")
	b.shows("Contact c-17") // the sheet under the form, read anew
	if want := []string{"contact c-17", "contact c-17"}; !slices.Equal(c.Asked, want) {
		t.Errorf("asked %q", c.Asked)
	}
	c.Did = nil
	b.press("d")
	b.words("Anna")
	b.press("enter", "enter")
	if len(c.Did) != 0 {
		t.Fatal("deleted by a part of the name")
	}
	b.words(" Rossi")
	b.press("enter", "enter")
	if got := did[string](t, c); got != "c-17" {
		t.Errorf("deleted %q", got)
	}
}

func TestDeskReset(t *testing.T) {
	t.Parallel()
	c := &deskController{Report: done()}
	b := newDesk(t, c, 80, 24, "reset ALL items of all lists")
	b.shows("ALL lists")
	b.press("enter", "enter", "y", "enter", "esc")
	b.desk("reset ALL items of all lists")
	b.words("reset all")
	b.press("enter", "enter")
	if got := did[string](t, c); got != "reset" {
		t.Errorf("did %q", got)
	}
	b.shows("It is done.")
}

func TestDeskReads(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fields []string
		keys   []string
		asked  string
		shows  []string
	}{
		"search agents of tickets":        {[]string{"rita"}, nil, "agents rita ", []string{"Rita Blu"}},
		"search customers of tickets":     {nil, nil, "customers ", []string{"nobody of that name"}},
		"read a chat":                     {[]string{"s1"}, nil, "chat s1", []string{"Agent Blu Rita"}},
		"search lists":                    {[]string{"S"}, []string{"enter"}, "lists S", []string{"3 attempts, timeout 600"}},
		"open a run by its id":            {[]string{"9"}, nil, "run 9", []string{"messaging status", "DISABLE"}},
		"open a run by campaign and name": {[]string{"3", "April"}, nil, "run 3 April", []string{"April"}},
		"search tickets": {
			[]string{"sales, support", "1", "", "", "", "IVR"},
			[]string{"enter"},
			`tickets {"context":"IVR","serviceCode":["sales","support"],"stateId":["1"],"pageNumber":1,"pageSize":50}`,
			[]string{"- 1 × 20"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &deskController{Failing: errors.New(noAnswer)}
			b := newDesk(t, c, 80, 24, name)
			b.fill(tt.fields...)
			b.submit()
			b.shows("The platform does not answer.")
			c.Failing = nil
			b.press("r")
			b.press(tt.keys...)
			b.shows(tt.shows...)
			if want := []string{tt.asked, tt.asked}; !slices.Equal(c.Asked, want) {
				t.Errorf("asked %q", c.Asked)
			}
		})
	}
}

func TestDeskTurnsPages(t *testing.T) {
	t.Parallel()
	c := &deskController{}
	b := newDesk(t, c, 80, 24, "search tickets")
	b.submit()
	b.press("p", "n", "n", "p")
	var pages []string
	for _, asked := range c.Asked {
		_, page, _ := strings.Cut(asked, `"pageNumber":`)
		pages = append(pages, page[:1])
	}
	if want := []string{"1", "2", "3", "2"}; !slices.Equal(pages, want) {
		t.Errorf("pages %q", pages)
	}
	b.shows("Tickets, page 2")
}

// An incomplete list says so, whatever it contains.
func TestDeskSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fields []string
		keys   []string // that get the rest
		want   string   // what is asked for then
	}{
		"search tickets":              {nil, []string{"a"}, `tickets {}`},
		"search agents of tickets":    {nil, []string{"a"}, "agents  "},
		"search customers of tickets": {nil, []string{"a"}, "customers "},
		"search lists":                {nil, []string{"r"}, "lists "},
		"read a chat":                 {[]string{"s1"}, []string{"r"}, "chat s1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &deskController{Short: &model.Incomplete{Got: 10, Total: 12}}
			b := newDesk(t, c, 80, 24, name)
			b.fill(tt.fields...)
			b.submit()
			b.shows("10 of 12. Press " + tt.keys[0] + " ")
			c.Short = nil
			b.press(tt.keys...)
			b.hides("10 of 12")
			if got := c.Asked[len(c.Asked)-1]; got != tt.want {
				t.Errorf("asked %q, want %q", got, tt.want)
			}
		})
	}
}

// A late answer does not replace that of a later request, nor reopen a dialog.
func TestDeskDropsOldAnswers(t *testing.T) {
	t.Parallel()
	c := &deskController{}
	b := newDesk(t, c, 80, 24, "read a chat")
	b.fill("s1")
	_, first := b.Update(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl})
	b.shows("Asking the platform")
	c.Failing = errors.New(tooLate)
	late := first() // asked, and not yet arrived
	c.Failing = nil
	top := b.dialogs.Top().(*dialog.Sheet[model.Found[resource.ChatMessage]])
	b.run(top.Load())
	b.shows("anybody there")
	b.run(func() tea.Msg { return late })
	b.shows("anybody there")
	b.press("esc", "esc")
	b.run(func() tea.Msg { return late })
	b.hides("Too late")
	b.hides("anybody there")
}

func TestDeskRefuses(t *testing.T) {
	t.Parallel()
	c := &deskController{Refused: "You may not do that."}
	for _, name := range []string{"create a list", "reset ALL items of all lists"} {
		b := newDesk(t, c, 80, 24, name)
		b.fill("Autumn")
		b.submit()
		b.shows("You may not do that.")
	}
	b := newDesk(t, c, 80, 24, "open a run by its id")
	b.fill("9")
	b.submit()
	b.press("e")
	b.shows("You may not do that.")
	if len(c.Did) != 0 {
		t.Errorf("did %v", c.Did)
	}
}

func TestDeskByMouse(t *testing.T) {
	t.Parallel()
	c := &deskController{}
	b := newDesk(t, c, 80, 24, "search lists")
	click := func(what string) {
		t.Helper()
		line, y := b.row(what)
		if y < 0 {
			t.Fatalf("no %q in\n%s", what, b.text())
		}
		before, _, _ := strings.Cut(line, what)
		b.click(style.Width(before), y)
	}
	click("[ Search ]")
	click("Summer")
	b.hides("List 51")
	click("Summer")
	b.shows("List 51 Summer")
}

// Every frame fits and contains no control sequences, whatever the platform sends and the
// viewer types.
func TestDeskFrames(t *testing.T) {
	t.Parallel()
	names := []string{"send a text message", "search tickets", "read a chat", "open a contact", "search lists", "add a run", "add items to a list"}
	keys := []string{"enter", "tab", "shift+tab", "up", "down", "pgdown", "pgup", "home", "end", "e", "d", "n", "y", "r", "i", "esc", "space", "7"}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(40, 140).Draw(rt, "w"), rapid.IntRange(12, 40).Draw(rt, "h")
		b := newDesk(t, &deskController{Report: done()}, w, h, rapid.SampledFrom(names).Draw(rt, "name"), func(o *Options) {
			o.ASCII = rapid.Bool().Draw(rt, "ascii")
		})
		b.fill(hostileName().Draw(rt, "typed"), hostileName().Draw(rt, "typed"))
		b.submit()
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 20).Draw(rt, "keys") {
			b.press(k)
			b.checkFrame(rt, w, h)
		}
	})
}

func TestDeskHostileText(t *testing.T) {
	t.Parallel()
	evil := `\u001b]0;owned\u0007\u001b[2J\u202egnp\u009b31m`
	c := &deskController{
		ChatText: `[{"sender":"` + evil + `","message":"<p>` + evil + `&#27;[2J&#x9b;1m</p>","attachment":{"fileName":"` + evil + `"}}]`,
	}
	b := newDesk(t, c, 80, 24, "read a chat")
	b.fill("s1")
	b.submit()
	b.shows("[2J")
	for _, r := range sgr.ReplaceAllString(b.View().Content, "") {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e') {
			t.Fatalf("%U is drawn in\n%q", r, b.View().Content)
		}
	}
}

func TestFormsSayThatControlIsOff(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	b.desk("send a text message")
	b.lacks("Control is off")
	c.Problem = "the login was refused"
	b.send(windowSize(80, 24))
	b.says("Control is off: the login was refused", "ctrl+s send")
}

func TestChatsAreCountedInMessages(t *testing.T) {
	t.Parallel()
	b := newDesk(t, &deskController{}, 40, 12, "read a chat")
	b.fill("s1")
	b.submit()
	b.press("end")
	b.shows("3/3")
}

func TestDeletedContactLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	b := newDesk(t, &deskController{Report: done()}, 80, 24, "open a contact")
	b.fill("c-17")
	b.submit()
	b.press("d")
	b.words("Anna Rossi")
	b.press("enter", "enter")
	b.press("esc")
	if n := b.dialogs.Len(); n != 0 {
		t.Errorf("%d dialogs are open:\n%s", n, b.text())
	}
}

func TestDeskIsInThePalette(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, func(o *Options) { o.Controller = controllerOf(&deskController{}) })
	b.press(":")
	b.words("send a text message")
	b.press("enter")
	b.shows("To number")
	_, anywhere := b.actions.Commands(snapshot.Target{})
	for _, c := range newBoard(t, 80, 24).commands() {
		for _, d := range anywhere {
			if c.Name == d.Name {
				t.Errorf("%q is offered on a board that can only look", c.Name)
			}
		}
	}
}

// A long text shows the number of SMS; the form rejects one that needs too many.
func TestDeskLongSMS(t *testing.T) {
	t.Parallel()
	c := &deskController{}
	b := newDesk(t, c, 80, 24, "send a text message")
	b.fill("+39 333 1", strings.Repeat("ж", 71), "")
	b.shows("71 characters, sent as 2 SMS")
	b = newDesk(t, c, 80, 24, "send a text message")
	b.fill("+39 333 1", strings.Repeat("ж", 671), "")
	b.submit()
	b.shows("it takes 11 SMS")
}
