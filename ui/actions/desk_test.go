package actions_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
)

// Answers of the platform.
const (
	noAnswer = "The platform does not answer. Try again."
	tooLate  = "Too late."
)

func done() words.ActionReport {
	return words.ActionReport{Outcome: resource.OutcomeConfirmed, Text: words.Name("It is done.")}
}

// newDesk opens a board with a dialog of the palette.
func newDesk(t testing.TB, c *uitest.FakePlatform, w, h int, name string, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	b := boardtest.New(t, w, h, append([]func(*ui.Options){func(o *ui.Options) { o.Actions.Controller = uitest.ControllerOf(c) }}, change...)...)
	desk(b, name)
	return b
}

// desk runs a command of the palette.
func desk(b *uitest.Board, name string) {
	b.T.Helper()
	b.Press(":")
	b.Type(name)
	b.Press("enter")
}

// submit presses the button of the form.
func submit(b *uitest.Board) { b.Send(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl}) }

func did[T any](t *testing.T, c *uitest.FakePlatform) T {
	t.Helper()
	if len(c.Changes) != 1 {
		t.Fatalf("%d requests: %v", len(c.Changes), c.Changes)
	}
	v, ok := c.Changes[0].(T)
	if !ok {
		t.Fatalf("the request is %#v", c.Changes[0])
	}
	return v
}

// plainly returns the option for comparing resources by the fields of document 1 only.
func plainly() cmp.Option {
	return cmpopts.IgnoreUnexported(resource.SMS{}, resource.Contact{}, resource.TypedValue{}, resource.KeyValue{},
		resource.List{}, resource.Item{}, resource.Run{}, resource.RunContact{})
}

func TestDeskSMS(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{Report: words.ActionReport{Outcome: resource.OutcomeUnknown, Text: words.Name("Nobody knows whether it was sent.")}}
	b := newDesk(t, c, 80, 24, "send a text message")
	submit(b)
	b.CheckShows("! needed")
	b.Fill("\u202a+39\u00a0333 １\u202c", "Hello\nthere", "4")
	b.CheckShows("11 characters")
	submit(b)
	b.CheckShows("Send this message?")
	b.CheckShows("+39 333 1")
	b.CheckShows("account 4")
	b.Press("enter") // presses the button for no
	if len(c.Changes) != 0 {
		t.Fatal("sent by one enter")
	}
	submit(b)
	b.Press("y")
	four := 4
	want := resource.SMS{PhoneNumber: "+39 333 1", Message: "Hello\nthere", AccountID: &four}
	if d := cmp.Diff(want, did[resource.SMS](t, c), plainly()); d != "" {
		t.Error(d)
	}
	b.CheckShows("Nobody knows whether it was sent.")
	b.Press("enter", "enter", "y") // the form cannot be opened again
	if len(c.Changes) != 1 || b.Dialog() != nil {
		t.Errorf("%d requests\n%s", len(c.Changes), b.Text())
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
		"delete items from a list": {
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
			c := &uitest.FakePlatform{Report: done()}
			b := newDesk(t, c, 80, 24, name, func(o *ui.Options) { o.Display.Location = time.FixedZone("here", 7200) })
			b.Fill(tt.fields...)
			submit(b)
			b.Press(tt.answer...)
			if len(c.Changes) != 1 {
				t.Fatalf("%d requests\n%s", len(c.Changes), b.Text())
			}
			if d := cmp.Diff(tt.want, c.Changes[0], plainly(), cmpopts.EquateComparable(resource.Time{})); d != "" {
				t.Error(d)
			}
			if name == "delete items from a list" && !slices.Equal(c.ResetFlags, []bool{false}) {
				t.Error("statistics were reset")
			}
		})
	}
}

func TestDeskContact(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{Report: words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name("Too long.")}}
	b := newDesk(t, c, 100, 40, "open a contact")
	b.Fill("c-17")
	b.Press("enter", "enter")
	b.CheckShows("Company", "Acme")
	b.Press("e")
	submit(b)
	b.CheckShows("Nothing was changed.")
	b.Press("tab", "tab", "tab", "2")
	submit(b)
	b.CheckShows("Acme → Acme2")
	b.Press("y")
	want := []resource.FieldChange{{Field: "company", Label: "company", Old: "Acme", New: "Acme2"}}
	if d := cmp.Diff(want, did[[]resource.FieldChange](t, c)); d != "" {
		t.Error(d)
	}
	b.CheckShows("Too long.")
	c.Report, c.Changes = done(), nil
	b.Press("enter") // returns to the form with its input
	b.CheckShows("Acme2")
	submit(b)
	b.Press("y")
	b.CheckShows("Contact c-17") // the sheet below the form has been read again
	if want := []string{"contact c-17", "contact c-17"}; !slices.Equal(c.Requests, want) {
		t.Errorf("asked %q", c.Requests)
	}
	c.Changes = nil
	b.Press("d")
	b.Type("Anna")
	b.Press("enter", "enter")
	if len(c.Changes) != 0 {
		t.Fatal("deleted by a part of the name")
	}
	b.Type(" Rossi")
	b.Press("enter", "enter")
	if got := did[string](t, c); got != "c-17" {
		t.Errorf("deleted %q", got)
	}
}

func TestDeskReset(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{Report: done()}
	b := newDesk(t, c, 80, 24, "reset ALL items of all lists")
	b.CheckShows("ALL lists")
	b.Press("enter", "enter", "y", "enter", "esc")
	desk(b, "reset ALL items of all lists")
	b.Type("reset all")
	b.Press("enter", "enter")
	if got := did[string](t, c); got != "reset" {
		t.Errorf("did %q", got)
	}
	b.CheckShows("It is done.")
}

func TestDeskReads(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fields []string
		keys   []string
		asked  string
		shows  []string
	}{
		"search ticket agents":            {[]string{"rita"}, nil, "agents rita ", []string{"Rita Blu"}},
		"search ticket customers":         {nil, nil, "customers ", []string{"The platform has no one with that name."}},
		"read a chat":                     {[]string{"s1"}, nil, "chat s1", []string{"Agent Blu Rita"}},
		"search lists":                    {[]string{"S"}, []string{"enter"}, "lists S", []string{"3 attempts, timeout 600"}},
		"open a run by its id":            {[]string{"9"}, nil, "run 9", []string{"Messaging status", "DISABLE"}},
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
			c := &uitest.FakePlatform{ReadError: errors.New(noAnswer)}
			b := newDesk(t, c, 80, 24, name)
			b.Fill(tt.fields...)
			submit(b)
			b.CheckShows("The platform does not answer.")
			c.ReadError = nil
			b.Press("r")
			b.Press(tt.keys...)
			b.CheckShows(tt.shows...)
			if want := []string{tt.asked, tt.asked}; !slices.Equal(c.Requests, want) {
				t.Errorf("asked %q", c.Requests)
			}
		})
	}
}

func TestDeskTurnsPages(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{}
	b := newDesk(t, c, 80, 24, "search tickets")
	submit(b)
	b.Press("p", "n", "n", "p")
	var pages []string
	for _, asked := range c.Requests {
		_, page, _ := strings.Cut(asked, `"pageNumber":`)
		pages = append(pages, page[:1])
	}
	if want := []string{"1", "2", "3", "2"}; !slices.Equal(pages, want) {
		t.Errorf("pages %q", pages)
	}
	b.CheckShows("Tickets, page 2")
}

// TestDeskSaysWhatIsMissing checks that an incomplete list says that it is incomplete, whatever it
// contains.
func TestDeskSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fields []string
		keys   []string // keys that request the rest
		want   string   // request that these keys cause
	}{
		"search tickets":          {nil, []string{"a"}, `tickets {}`},
		"search ticket agents":    {nil, []string{"a"}, "agents  "},
		"search ticket customers": {nil, []string{"a"}, "customers "},
		"search lists":            {nil, []string{"r"}, "lists "},
		"read a chat":             {[]string{"s1"}, []string{"r"}, "chat s1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &uitest.FakePlatform{IncompleteReason: &model.Incomplete{Got: 10, Total: 12}}
			b := newDesk(t, c, 80, 24, name)
			b.Fill(tt.fields...)
			submit(b)
			b.CheckShows("10 of 12. Press " + tt.keys[0] + " ")
			c.IncompleteReason = nil
			b.Press(tt.keys...)
			b.CheckHides("10 of 12")
			if got := c.Requests[len(c.Requests)-1]; got != tt.want {
				t.Errorf("asked %q, want %q", got, tt.want)
			}
		})
	}
}

// TestDeskDropsOldAnswers checks that a late answer neither replaces the answer to a later request nor
// reopens a dialog.
func TestDeskDropsOldAnswers(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{}
	b := newDesk(t, c, 80, 24, "read a chat")
	b.Fill("s1")
	_, first := b.Update(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl})
	b.CheckShows("Asking the platform")
	c.ReadError = errors.New(tooLate)
	late := first() // the answer to this request arrives later
	c.ReadError = nil
	top := b.Dialog().(*dialog.Sheet[model.FetchedList[resource.ChatMessage]])
	b.Run(top.Load())
	b.CheckShows("anybody there")
	b.Run(func() tea.Msg { return late })
	b.CheckShows("anybody there")
	b.Press("esc", "esc")
	b.Run(func() tea.Msg { return late })
	b.CheckHides("Too late")
	b.CheckHides("anybody there")
}

func TestDeskRefuses(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{Refused: "You may not do that."}
	for _, name := range []string{"create a list", "reset ALL items of all lists"} {
		b := newDesk(t, c, 80, 24, name)
		b.Fill("Autumn")
		submit(b)
		b.CheckShows("You may not do that.")
	}
	b := newDesk(t, c, 80, 24, "open a run by its id")
	b.Fill("9")
	submit(b)
	b.Press("e")
	b.CheckShows("You may not do that.")
	if len(c.Changes) != 0 {
		t.Errorf("did %v", c.Changes)
	}
}

func TestDeskByMouse(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{}
	b := newDesk(t, c, 80, 24, "search lists")
	click := func(what string) {
		t.Helper()
		line, y := b.Row(what)
		if y < 0 {
			t.Fatalf("no %q in\n%s", what, b.Text())
		}
		before, _, _ := strings.Cut(line, what)
		b.Click(style.Width(before), y)
	}
	click("[ Search ]")
	click("Summer")
	b.CheckHides("List 51")
	click("Summer")
	b.CheckShows("List 51 Summer")
}

func TestDeskHostileText(t *testing.T) {
	t.Parallel()
	evil := `\u001b]0;owned\u0007\u001b[2J\u202egnp\u009b31m`
	c := &uitest.FakePlatform{
		ChatText: `[{"sender":"` + evil + `","message":"<p>` + evil + `&#27;[2J&#x9b;1m</p>","attachment":{"fileName":"` + evil + `"}}]`,
	}
	b := newDesk(t, c, 80, 24, "read a chat")
	b.Fill("s1")
	submit(b)
	b.CheckShows("[2J")
	for _, r := range b.Text() {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e') {
			t.Fatalf("%U is drawn in\n%q", r, b.View().Content)
		}
	}
}

func TestFormsSayThatControlIsOff(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	desk(b, "send a text message")
	b.CheckHidesAll("Control is off")
	c.Problem = "the login was refused"
	b.Resize(80, 24)
	b.CheckShowsAll("Control is off: the login was refused", "ctrl+s Send")
}

func TestChatsAreCountedInMessages(t *testing.T) {
	t.Parallel()
	b := newDesk(t, &uitest.FakePlatform{}, 40, 12, "read a chat")
	b.Fill("s1")
	submit(b)
	b.Press("end")
	b.CheckShows("3/3")
}

func TestDeletedContactLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	b := newDesk(t, &uitest.FakePlatform{Report: done()}, 80, 24, "open a contact")
	b.Fill("c-17")
	submit(b)
	b.Press("d")
	b.Type("Anna Rossi")
	b.Press("enter", "enter")
	b.Press("esc")
	if b.Dialog() != nil {
		t.Errorf("a dialog is open:\n%s", b.Text())
	}
}

// TestDeskLongSMS checks that a long text shows its number of SMS, and that the form rejects a text that
// needs too many.
func TestDeskLongSMS(t *testing.T) {
	t.Parallel()
	c := &uitest.FakePlatform{}
	b := newDesk(t, c, 80, 24, "send a text message")
	b.Fill("+39 333 1", strings.Repeat("ж", 71), "")
	b.CheckShows("71 characters, sent as 2 SMS")
	b = newDesk(t, c, 80, 24, "send a text message")
	b.Fill("+39 333 1", strings.Repeat("ж", 671), "")
	submit(b)
	b.CheckShows("this takes 11 SMS")
}
