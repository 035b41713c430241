package history_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/handover"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui"
	"wallboard/ui/kiosk"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
)

// newHistoryBoard opens the page History.
func newHistoryBoard(t testing.TB, f *uitest.History, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	b := boardtest.New(t, w, h, append([]func(*ui.Options){func(o *ui.Options) { o.History = f }}, change...)...)
	b.Press("8")
	return b
}

func TestGoldenHistory(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	searched := func(b *uitest.Board) {
		b.Press("v", "v", "v", "/", "ctrl+s")
	}
	for name, do := range map[string]func(*uitest.Board){
		"day":    func(*uitest.Board) {},
		"weeks":  func(b *uitest.Board) { b.Press("v") },
		"groups": func(b *uitest.Board) { b.Press("v", "v") },
		"search": searched,
		"steps":  func(b *uitest.Board) { searched(b); b.Press("enter") },
		"people": func(b *uitest.Board) { b.Press("{", "/", "ctrl+s") },
		"usual":  func(b *uitest.Board) { b.Press("1", "u") },
		"tiles":  func(b *uitest.Board) { b.Press("1"); b.AdvanceClock(time.Second); b.AdvanceClock(time.Second) },
		"shift":  func(b *uitest.Board) { b.Press("1", "h") },
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {40, 12}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				b := newHistoryBoard(t, &uitest.History{}, size[0], size[1])
				do(b)
				golden.RequireEqual(t, b.Text())
			})
		}
	}
}

func TestGoldenHistoryASCII(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	b := newHistoryBoard(t, &uitest.History{}, 100, 30, func(o *ui.Options) { o.Display.ASCII = true })
	b.Send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	for range 5 {
		form := strings.Contains(b.Text(), "Press / to search.")
		if form {
			b.Press("enter")
		}
		out.WriteString(b.Text() + "\n")
		if form {
			b.Press("esc")
		}
		b.Press("v")
	}
	b.Press("1", "h")
	out.WriteString(b.Text() + "\n")
	for _, r := range out.String() {
		if r > '~' && !strings.ContainsRune("üä", r) {
			t.Fatalf("%q is not ASCII in\n%s", r, out.String())
		}
	}
	golden.RequireEqual(t, out.String())
}

// TestADayIsTypedOverTheProposedOne selects a day by name and compares it with another. The
// first key replaces the proposed value.
func TestADayIsTypedOverTheProposedOne(t *testing.T) {
	t.Parallel()
	f := &uitest.History{}
	b := boardtest.New(t, 140, 45, func(o *ui.Options) { o.History = f })
	b.Press("8", "/")
	b.Type("yesterday")
	b.Press("tab")
	b.Type("-7d")
	b.Press("ctrl+s")
	yesterday, week := contact.StartOfDay(uitest.StartTime().In(f.Location()), -1), contact.StartOfDay(uitest.StartTime().In(f.Location()), -7)
	b.CheckShows(yesterday.Format("Monday, 2 January 2006") + ", against " + week.Format("Mon 2 Jan 2006"))
	b.CheckShows(week.Format("Mon 2 Jan") + ": 77")
	b.CheckHides("typical")
	b.Press("/", "tab", "end")
	b.Type("9") // after a key that moves the cursor, typing no longer replaces the date
	b.Press("ctrl+s")
	b.CheckShows("a date such as 2026-01-31")
}

// TestDayIsGoneToByEnter checks that enter in the first field submits the form.
func TestDayIsGoneToByEnter(t *testing.T) {
	t.Parallel()
	f := &uitest.History{}
	b := newHistoryBoard(t, f, 120, 40)
	b.Press("/")
	b.Type("yesterday")
	b.Press("enter")
	b.CheckHides("Go to a day")
	b.CheckShows(contact.StartOfDay(uitest.StartTime().In(f.Location()), -1).Format("Monday, 2 January 2006"))
}

func TestHistoryWithoutConfiguration(t *testing.T) {
	t.Parallel()
	b := boardtest.New(t, 80, 24)
	b.Press("8")
	b.CheckShows("[history] is not configured")
	b.Press("]") // opens the next page
	b.CheckShows("─ 9 Feed")
	b.Press("1", "u")
	b.CheckShows("[history] is not configured")
}

// TestHistorySaysWhatIsWrong checks the text of every empty view.
func TestHistorySaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	const refused = "The statistical data service refused the API key."
	f := &uitest.History{Err: errors.New(refused)}
	b := newHistoryBoard(t, f, 100, 30)
	for v := range 5 {
		if v >= 3 {
			b.CheckShows("Press / to search.")
			b.Press("/", "ctrl+s")
		}
		b.CheckShows(refused, "Press r to try again.")
		b.Press("v")
	}
	asked := len(f.Requests)
	b.AdvanceClock(time.Hour) // no viewer has requested the data again
	if len(f.Requests) > asked+2 {
		t.Errorf("asked by itself after a failure: %q", f.Requests[asked:])
	}
	f.Err = nil
	b.Press("r")
	b.CheckShows("Inbound calls")
	b.CheckHides(refused)

	b = newHistoryBoard(t, &uitest.History{Change: func(c *contact.Comparison) { // a day without data
		for i := range c.Day.Hours {
			c.Day.Hours[i].Count = 0
		}
		c.Baseline.Hours, c.SoFar = [24]contact.TypicalRange{}, contact.TypicalRange{Days: 4}
	}}, 100, 30)
	b.CheckShows("No contacts on this day, nor on the same weekdays")
	b.CheckShows("that time. Press , or . for other days.")

	b = newHistoryBoard(t, &uitest.History{IsEmpty: true}, 100, 30)
	b.CheckShows("The platform has no data for this day.")
	b.Press("v")
	b.CheckShows("The platform has no data for these weeks.")
	b.Press("v")
	b.CheckShows("No inbound calls on this day.")
	b.Press("+")
	b.CheckShows("No inbound calls in this month.")
	b.Press("v", "/", "ctrl+s")
	b.CheckShows("No inbound calls in this time.")
	b.Press("v", "/", "ctrl+s")
	b.CheckShows("No one found.")
}

// TestHistorySaysWhatIsMissing checks that incomplete lists and their exports are marked.
func TestHistorySaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	f := &uitest.History{IncompleteReason: &model.Incomplete{Got: 2, Total: 250, Changed: true}}
	b := newHistoryBoard(t, f, 120, 30)
	const words = "2 of 250; the list changed while it was read, one may be missing: press / for more"
	b.Press("v", "v", "v", "/", "ctrl+s")
	b.CheckShows(words)
	b.Press("v", "/", "ctrl+s")
	b.CheckShows(words)
}

// TestHistoryKindThatTheServerLacks checks that an error of one kind leaves the others.
func TestHistoryKindThatTheServerLacks(t *testing.T) {
	t.Parallel()
	f := &lacking{History: &uitest.History{}}
	b := boardtest.New(t, 100, 30, func(o *ui.Options) { o.History = f })
	b.Press("8")
	b.CheckShows("Inbound calls", "below typical")
	b.CheckShows("Chats", "no data: This is not known on this server")
	b.Press("C") // selects chats
	b.CheckShows("This is not known on this server: inboundChatsCount.")
}

type lacking struct{ *uitest.History }

func (l *lacking) CompareDay(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	if kind == contact.Chat {
		return contact.Comparison{}, errors.New("This is not known on this server: inboundChatsCount.") //nolint:revive // a sentence for people
	}
	return l.History.CompareDay(ctx, date, kind)
}

func TestHistoryNavigation(t *testing.T) {
	t.Parallel()
	f := &uitest.History{}
	b := newHistoryBoard(t, f, 100, 30)
	b.CheckShows("Today, Monday, 2 March 2026")
	b.Press(".")
	b.CheckShows("Today, Monday, 2 March 2026") // a day in the future cannot be selected
	b.Press(",")
	b.CheckShows("Sunday, 1 March 2026")
	f.CheckRequests(t, "day 2026-03-01 inbound calls", "day 2026-03-01 outbound calls", "day 2026-03-01 video calls", "day 2026-03-01 chats")
	b.Press("n")
	b.CheckShows("Today")
	b.Press("/")
	b.Send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	b.Type("2026-02-15")
	b.Press("ctrl+s")
	b.CheckShows("Sunday, 15 February 2026")
	b.Press("v", "c", "+", ",")
	f.CheckRequests(t, "heat 2026-02-15 4 outbound calls", "heat 2026-02-15 8 outbound calls", "heat 2025-12-21 8 outbound calls")
	b.Press("v", "+", "b")
	f.CheckRequests(t, "bys", "groups SERVICE 2025-12-01 2026-01-01")
	b.Press(",")
	f.CheckRequests(t, "bys", "groups SERVICE 2025-11-01 2025-12-01")
}

// TestHistoryMonth shows a calendar month by weekday and hour.
func TestHistoryMonth(t *testing.T) {
	t.Parallel()
	f := &uitest.History{}
	saved := ""
	b := newHistoryBoard(t, f, 100, 30, func(o *ui.Options) {
		o.Actions.Save = func(name string, _ []byte) (string, error) { saved = name; return name, nil }
	})
	b.Press("v", "+", "+", "+", "+")
	b.CheckShows("Inbound calls · March 2026")
	f.CheckRequests(t, "heat 2026-03-01 0 inbound calls")
	b.Press(",", "e")
	b.CheckShows("Inbound calls · February 2026")
	f.CheckRequests(t, "heat 2026-02-01 0 inbound calls")
	if want := "history-inbound-calls-weekdays-2026-02.csv"; saved != want {
		t.Errorf("saved as %s, want %s", saved, want)
	}
	b.Press(".")
	b.CheckShows("March 2026")
	f.IsEmpty = true
	b.Press("r")
	b.CheckShows("The platform has no data for this month.")
}

// TestHistoryFollowsTheClock checks that data is requested again after midnight and when it
// is outdated.
func TestHistoryFollowsTheClock(t *testing.T) {
	t.Parallel()
	f := &uitest.History{}
	b := newHistoryBoard(t, f, 100, 30)
	chats := func() int { return strings.Count(strings.Join(f.Requests, "\n"), "chats") } // the overview does not request chats
	b.AdvanceClock(5*time.Minute - time.Second)
	if chats() != 1 {
		t.Errorf("asked again too soon: %q", f.Requests)
	}
	b.AdvanceClock(2 * time.Second)
	if chats() != 2 {
		t.Errorf("an old day is not asked for again: %q", f.Requests)
	}
	b.AdvanceClock(13*time.Hour + 20*time.Minute)
	b.CheckShows("Today, Tuesday, 3 March 2026")
}

func TestHistoryWhenClocksChange(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]string{"2025-10-26": "it has 25 hours", "2025-03-30": "it has 23 hours"} {
		b := newHistoryBoard(t, &uitest.History{Zone: rome}, 120, 50)
		b.Press("/")
		b.Send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
		b.Type(day)
		b.Press("ctrl+s")
		b.CheckShows(want)
	}
}

func TestHistoryExport(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	save := func(o *ui.Options) {
		o.Actions.Save = func(name string, data []byte) (string, error) {
			files[name] = string(data)
			return "/home/anna/" + name, nil
		}
	}
	b := newHistoryBoard(t, &uitest.History{}, 120, 30, save)
	b.Press("e")
	b.CheckShows("Saved as /home/anna/history-day-2026-03-02.csv")
	b.Press("v", "E", "v", "e", "v", "/", "ctrl+s", "e", "E", "enter", "e", "esc", "v", "/", "ctrl+s", "e")
	for name, want := range map[string]string{
		"history-day-2026-03-02.csv":                           "2026-03-02T09:00:00Z,inbound calls,28,false,24,21.6,26.4",
		"history-inbound-calls-4-weeks-to-2026-03-02.json":     `"days": 4`,
		"history-inbound-calls-by-organization-2026-03-02.csv": `2,41`,
		"history-inbound-calls-2026-03-02.csv":                 "1773741600.42,2,2026-03-02T10:00:42Z,2026-03-02T10:05:00Z,258",
		"history-inbound-calls-2026-03-02.json":                `"id": "1773741600.43"`,
		"history-inbound-calls-1773741600.43.csv":              "1773741600.43,3,2026-03-02T11:06:00Z,,",
		"history-contacts.csv":                                 "u-1,Anna Rossi,Acme,anna@acme.example a.rossi@acme.example",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s has no %q:\n%.600s", name, want, files[name])
		}
	}
	if csv := files["history-inbound-calls-by-organization-2026-03-02.csv"]; !strings.Contains(csv, "'=cmd") {
		t.Errorf("a name is a formula: %s", csv)
	}
	b = newHistoryBoard(t, &uitest.History{}, 120, 30)
	b.Press("e")
	b.CheckShows("Nothing can be saved from this board.")
}

func TestOverviewAgainstUsual(t *testing.T) {
	t.Parallel()
	f := &uitest.History{}
	f.Change = func(c *contact.Comparison) {
		c.SoFar.Median = float64(c.Day.Total()) / 1.18
		c.SoFar.High = c.SoFar.Median
	}
	b := boardtest.New(t, 120, 40, func(o *ui.Options) { o.History = f })
	b.AdvanceClock(time.Second)
	b.AdvanceClock(time.Second)
	b.CheckShows("Outbound vs typical")
	b.CheckShows("Received vs typical")
	b.CheckShows("+18 %")
	b.Press("u")
	b.CheckShows("Inbound calls today: +18 %, above typical")
	b.CheckShows("change: today / typical - 1", "+18 %")
	b.Press("esc", "c")
	b.AdvanceClock(time.Second)
	f.CheckRequests(t, "day 2026-03-02 chats")
	asked := len(f.Requests)
	b.AdvanceClock(time.Minute)
	if len(f.Requests) != asked {
		t.Errorf("asked again after a minute: %q", f.Requests[asked:])
	}
	b.AdvanceClock(5 * time.Minute)
	f.CheckRequests(t, "day 2026-03-02 chats")
}

func TestBoardHandsTheShiftOver(t *testing.T) {
	t.Parallel()
	saved := ""
	b := boardtest.New(t, 120, 40, func(o *ui.Options) {
		o.History = &uitest.History{}
		o.Actions.PastActions = func(since time.Time) ([]handover.Action, error) {
			return []handover.Action{{At: since.Add(time.Hour), UserName: "anna", Action: "stop-campaign", Target: "7001", Outcome: "confirmed"}}, nil
		}
		o.Actions.Save = func(name string, data []byte) (string, error) { saved = name + "\n" + string(data); return name, nil }
	})
	b.AdvanceClock(time.Second)
	b.Press("h")
	b.CheckShows("Shift handover, Bolzano")
	b.CheckShows("What is open: 22 situations, 17 of them critical, 22 not taken over; the most severe is")
	b.CheckHides("**")
	for range 6 {
		if strings.Contains(b.Text(), "- Orders: 8.7 %") {
			break
		}
		b.Press("pgdown")
	}
	b.CheckShows("- Orders: 8.7 % abandoned (29 of 332). Service level 72.8 %, target 80.0 %")
	b.CheckHides("| Orders", "**")
	b.Press("e")
	b.CheckShows("Saved as handover-2026-03-02-1042.md")
	for _, want := range []string{
		"Monday, 2 March 2026, 02:42 to 10:42", "- Orders: 8.7 % abandoned (29 of 332)", "All others are on target", "- Inbound calls: ", "stop-campaign 7001, **confirmed**",
		"| Spring renewals | 5000 of 5000 | 100.0 % |", "Live. Reconnects: 1;", "Incidents before 10:42 are not available.",
	} {
		if !strings.Contains(saved, want) {
			t.Errorf("no %q in\n%s", want, saved)
		}
	}
}

// TestKioskShowsTheHistory checks that a kiosk includes the history if there is one, and
// cannot save.
func TestKioskShowsTheHistory(t *testing.T) {
	t.Parallel()
	b := boardtest.New(t, 100, 30, func(o *ui.Options) {
		o.History = &uitest.History{}
		o.Actions.Save = func(string, []byte) (string, error) { t.Error("saved"); return "", nil }
		o.Kiosk = &kiosk.Options{Pages: []string{"history"}}
	})
	b.AdvanceClock(time.Second)
	b.CheckShows("Inbound calls", "typical")
	b.Press("e", "E", "h", "v", "/")
	b.CheckHides("esc")
	b.CheckHides("refreshes")
}

// TestWeeksFillThePage checks that on a large screen the bars of the weekdays fill the page.
func TestWeeksFillThePage(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {160, 45}, {200, 60}, {300, 80}} {
		b := newHistoryBoard(t, &uitest.History{}, size[0], size[1])
		b.Press("v")
		lines := strings.Split(b.Text(), "\n")
		sunday := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, " Sun ") })
		if room := size[1] - sunday; room > 14 { // a seventh of the lines, the sentences below them, and the key hints
			t.Errorf("at %dx%d there are %d lines from Sunday on:\n%s", size[0], size[1], room, b.Text())
		}
	}
}

// TestStepsBesideTheContacts checks that a wide screen shows the steps of a contact beside the list.
func TestStepsBesideTheContacts(t *testing.T) {
	t.Parallel()
	b := newHistoryBoard(t, &uitest.History{}, 160, 45)
	b.Press("v", "v", "v", "/", "ctrl+s")
	b.CheckShows("Took", "Steps", "  inbound call ")
	was, _ := b.Row("  inbound call ")
	b.Press("down")
	if now, _ := b.Row("  inbound call "); now == was {
		t.Errorf("they do not follow the selection:\n%s", b.Text())
	}
}

// TestWeeksScroll checks that on a small screen the weekdays scroll.
func TestWeeksScroll(t *testing.T) {
	t.Parallel()
	b := newHistoryBoard(t, &uitest.History{}, 40, 12)
	b.Press("v")
	b.CheckShows("1–5 of ")
	b.CheckShows(" Mon ")
	b.CheckHides(" Sun ")
	b.Press("down", "down")
	b.CheckShows("3–7 of ")
	b.CheckShows(" Sun ")
	b.Press("end")
	b.CheckShows("00    06    12    18") // the hours stay above the lines
	b.CheckShows("8–12 of 12 lines")
	b.Press("v", "{")
	b.CheckShows(" Mon ")
}

// crowd finds people of whom only the last have long names.
type crowd struct{ uitest.History }

func (f *crowd) Contacts(context.Context, contact.AddressQuery, func(contact.Progress)) (model.FetchedList[contact.Contact], error) {
	out := make([]contact.Contact, 60)
	for i := range out {
		out[i] = contact.Contact{UUID: strconv.Itoa(i), FullName: fmt.Sprintf("A%02d", i), Organization: "Acme", Mail: []string{"a@b.example"}}
	}
	for i := 40; i < len(out); i++ {
		out[i].FullName, out[i].Organization = fmt.Sprintf("Z%02d Maximiliane von und zu Hohen", i), "The Organization of Long Names"
	}
	return model.FetchedList[contact.Contact]{Items: out}, nil
}

// TestColumnsStayWhereTheyAre checks that scrolling and banners do not move columns.
func TestColumnsStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	head := func(b *uitest.Board, words ...string) string {
		l, _ := b.Row(words...)
		return l
	}
	b := boardtest.New(t, 100, 20, func(o *ui.Options) { o.History = &crowd{} })
	b.Press("8", "tab")
	b.CheckShows("There is one pane here. Press v for the next view.")
	b.Press("{", "/", "ctrl+s")
	first := head(b, "Name", "Organization")
	b.Press("end")
	wide := head(b, "Name", "Organization")
	if wide == first {
		t.Fatal("the columns did not widen:\n" + b.Text())
	}
	b.Press("home")
	if got := head(b, "Name", "Organization"); got != wide {
		t.Errorf("after scrolling back %q, want %q", got, wide)
	}

	b = boardtest.New(t, 100, 30)
	u, r := *b.Floor.Users.Get(uitest.AgentName(9)), *b.Floor.UserStats.Get(model.UserStatKey{Username: uitest.AgentName(9), Channel: model.Call})
	u.Surname = model.TextOf("Zimmermann von Oberstaufen")
	r.Surname = u.Surname
	b.Floor.Users.Put(&u)
	b.Floor.UserStats.Put(&r)
	b.Publish()
	b.Press("4")
	first = head(b, "State", "Agent")
	b.Press("end", "home")
	if wide = head(b, "State", "Agent"); wide == first {
		t.Fatal("the columns did not widen:\n" + b.Text())
	}
	b.Floor.Health.Subscription(model.OpUserStats).State = model.SubUnverified
	b.Publish()
	b.CheckShows("UNVERIFIED")
	if got := head(b, "State", "Agent"); got != wide {
		t.Errorf("under a banner %q, want %q", got, wide)
	}
}

// TestWhereTheDayEnds checks the forecast on tiles and in a service's details.
func TestWhereTheDayEnds(t *testing.T) {
	t.Parallel()
	b := newHistoryBoard(t, &uitest.History{}, 200, 60)
	b.Press("1")
	b.AdvanceClock(time.Second)
	b.AdvanceClock(time.Second)
	b.CheckShows("target 80.0 %, 48 late calls left") // the range of the forecast is too wide to help
	b.Press("2", "enter")
	b.CheckShows("End-of-day forecast")
	b.CheckShows("Contacts by midnight: about")
	b.CheckShows("pattern taken from the")
}

// TestFormOpensWhereNothingWasSearched checks that an empty view opens its form when it is
// selected by name, or on enter, but not when stepping through views.
func TestFormOpensWhereNothingWasSearched(t *testing.T) {
	t.Parallel()
	const search, book = "Search past contacts", "Search the address book"
	for keys, title := range map[string]string{"v,v,v": search, "v,v,v,v": book, "{": book} {
		b := newHistoryBoard(t, &uitest.History{}, 120, 40)
		b.Press("8")
		b.Press(strings.Split(keys, ",")...)
		b.CheckShows("Press / to search.")
		b.CheckHides(title)
		b.Press("enter")
		b.CheckShows(title)
		b.Press("esc", "1", ":")
		b.Type("history " + map[string]string{search: "search", book: "address book"}[title])
		b.Press("enter")
		b.CheckShows(title)
		b.Press("esc")
		b.CheckHides(title)
		b.Press("enter")
		b.CheckShows(title)
	}
}
