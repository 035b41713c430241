package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/handover"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/kiosk"
)

// fakeHistory is an artificial history.
type fakeHistory struct {
	mu     sync.Mutex
	asked  []string
	err    error
	far    contact.Progress
	loc    *time.Location
	no     bool              // nothing is known
	short  *model.Incomplete // of every list
	change func(*contact.Comparison)
}

func (f *fakeHistory) ask(format string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, fmt.Sprintf(format, args...))
	return f.err
}

func (f *fakeHistory) State() (string, bool)  { return "stat.example.org", f.err == nil }
func (f *fakeHistory) Insecure() bool         { return false }
func (f *fakeHistory) Budget() contact.Budget { return contact.Budget{Used: 12, Limit: 100} }

func (f *fakeHistory) Location() *time.Location {
	if f.loc == nil {
		return time.UTC
	}
	return f.loc
}

// usualAt returns the typical count of an hour.
func usualAt(hour int) int { return max(0, 40-(hour-13)*(hour-13)) }

func (f *fakeHistory) Day(_ context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	if err := f.ask("day %s %s", date.Format(time.DateOnly), kind); err != nil {
		return contact.Comparison{}, err
	}
	y, m, d := date.Date()
	first := time.Date(y, m, d, 0, 0, 0, 0, f.Location())
	now := startTime().In(f.Location())
	c := contact.Comparison{Day: contact.Day{Kind: kind, Date: first, At: now}, Baseline: contact.Baseline{Kind: kind, Weekday: first.Weekday()}}
	for at := first; at.Before(first.AddDate(0, 0, 1)); at = at.Add(time.Hour) {
		h := contact.Hour{Start: at, Known: !f.no && !at.After(now), Partial: now.Before(at.Add(time.Hour))}
		if h.Known {
			h.Count = usualAt(at.Hour()) * 118 / 100 / int(kind+1)
		}
		c.Day.Hours = append(c.Day.Hours, h)
	}
	if !f.no {
		for hour := range 24 {
			n := float64(usualAt(hour) / int(kind+1))
			c.Baseline.Hours[hour] = contact.Band{Median: n, Low: n * 0.9, High: n * 1.1, Days: 4}
		}
		c.SoFar = contact.Band{Median: 264 / float64(kind+1), Low: 250 / float64(kind+1), High: 281 / float64(kind+1), Days: 4}
	}
	for week := 1; week <= 4; week++ {
		c.Baseline.Dates = append(c.Baseline.Dates, first.AddDate(0, 0, -7*week))
	}
	if f.change != nil {
		f.change(&c)
	}
	return c, nil
}

func (f *fakeHistory) Heat(_ context.Context, date time.Time, weeks int, kind contact.Kind) (contact.Heat, error) {
	h := contact.Heat{Kind: kind}
	if err := f.ask("heat %s %d %s", date.Format(time.DateOnly), weeks, kind); err != nil || f.no {
		return h, err
	}
	for day := range 7 {
		for hour := range 24 {
			if day != 0 || hour > 3 {
				h.Cells[day][hour] = contact.Cell{Mean: float64(usualAt(hour) * (7 - day) / 7), Days: weeks}
			}
		}
	}
	return h, nil
}

func (f *fakeHistory) DayAgainst(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error) {
	if err := f.ask("against %s", other.Format(time.DateOnly)); err != nil {
		return contact.Comparison{}, err
	}
	c, err := f.Day(ctx, date, kind)
	for hour := range c.Baseline.Hours {
		c.Baseline.Hours[hour] = contact.Band{Median: 7, Low: 7, High: 7, Days: 1}
	}
	c.SoFar = contact.Band{Median: 77, Low: 77, High: 77, Days: 1}
	return c, err
}

func (f *fakeHistory) HeatOfMonth(ctx context.Context, date time.Time, kind contact.Kind) (contact.Heat, error) {
	return f.Heat(ctx, date, 0, kind)
}

func (f *fakeHistory) GroupBys(context.Context, contact.Kind) ([]string, error) {
	return []string{"ORGANIZATION", "SERVICE"}, f.ask("bys")
}

func (f *fakeHistory) Groups(_ context.Context, q contact.GroupQuery) ([]contact.Group, error) {
	if err := f.ask("groups %s %s %s", q.By, q.From.Format(time.DateOnly), q.To.Format(time.DateOnly)); err != nil || f.no {
		return nil, err
	}
	return []contact.Group{{ID: "1", Name: "Acme", Count: 120}, {ID: "2", Name: "=cmd|'/C calc'!A0", Count: 41}, {Count: 17}}, nil
}

func pastCall(id string, start time.Time) contact.Call {
	return contact.Call{ID: id, Steps: []contact.Step{
		{ID: id, Number: 1, Start: start, End: start.Add(42 * time.Second)},
		{ID: id, Number: 2, Start: start.Add(42 * time.Second), End: start.Add(5 * time.Minute)},
		{ID: id, Number: 3, Start: start.Add(6 * time.Minute)},
	}}
}

func (f *fakeHistory) Calls(_ context.Context, q contact.Query, progress func(contact.Progress)) (model.Found[contact.Call], error) {
	if err := f.ask("calls %s %s %s %d", q.Kind, q.From.Format(time.DateTime), q.To.Format(time.DateTime), q.Limit); err != nil || f.no {
		return model.Found[contact.Call]{}, err
	}
	progress(f.far)
	calls := []contact.Call{pastCall("1773741600.42", q.From.Add(10*time.Hour)), pastCall("1773741600.43", q.From.Add(11*time.Hour))}
	calls[0].Steps = calls[0].Steps[:2]
	return model.Found[contact.Call]{Items: calls, Short: f.short}, nil
}

func (f *fakeHistory) Call(_ context.Context, kind contact.Kind, id string) (contact.Call, error) {
	return pastCall(id, startTime()), f.ask("call %s %s", kind, id)
}

func (f *fakeHistory) Contacts(_ context.Context, q contact.AddressQuery, _ func(contact.Progress)) (model.Found[contact.Contact], error) {
	if err := f.ask("contacts %s %s %d", q.MailEnd, q.Organization, q.Limit); err != nil || f.no {
		return model.Found[contact.Contact]{}, err
	}
	return model.Found[contact.Contact]{Short: f.short, Items: []contact.Contact{
		{UUID: "u-1", FullName: "Anna Rossi", Mail: []string{"anna@acme.example", "a.rossi@acme.example"}, Organization: "Acme"},
		{UUID: "u-2", Name: "Ugo", Surname: "Verdi"},
	}}, nil
}

func (f *fakeHistory) Contact(_ context.Context, uuid string) (contact.Contact, error) {
	return contact.Contact{UUID: uuid, FullName: "Anna Rossi"}, f.ask("contact %s", uuid)
}

// asks checks the last requests.
func (f *fakeHistory) asks(t *testing.T, want ...string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if got := f.asked[max(len(f.asked)-len(want), 0):]; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked %q, want %q", got, want)
	}
}

// newHistoryBoard opens the page History.
func newHistoryBoard(t testing.TB, f *fakeHistory, w, h int, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, w, h, append([]func(*Options){func(o *Options) { o.History = f }}, change...)...)
	b.press("8")
	return b
}

func TestGoldenHistory(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	searched := func(b *board) {
		b.press("v", "v", "v", "/", "ctrl+s")
	}
	for name, do := range map[string]func(*board){
		"day":    func(*board) {},
		"weeks":  func(b *board) { b.press("v") },
		"groups": func(b *board) { b.press("v", "v") },
		"search": searched,
		"steps":  func(b *board) { searched(b); b.press("enter") },
		"people": func(b *board) { b.press("{", "/", "ctrl+s") },
		"usual":  func(b *board) { b.press("1", "u") },
		"tiles":  func(b *board) { b.press("1"); b.pass(time.Second); b.pass(time.Second) },
		"shift":  func(b *board) { b.press("1", "h") },
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {40, 12}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				b := newHistoryBoard(t, &fakeHistory{}, size[0], size[1])
				do(b)
				golden.RequireEqual(t, b.text())
			})
		}
	}
}

func TestGoldenHistoryASCII(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	b := newHistoryBoard(t, &fakeHistory{}, 100, 30, func(o *Options) { o.ASCII = true })
	b.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	for range 5 {
		form := strings.Contains(b.text(), "/ searches.")
		if form {
			b.press("enter")
		}
		out.WriteString(b.text() + "\n")
		if form {
			b.press("esc")
		}
		b.press("v")
	}
	b.press("1", "h")
	out.WriteString(b.text() + "\n")
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
	f := &fakeHistory{}
	b := newBoard(t, 140, 45, func(o *Options) { o.History = f })
	b.press("8", "/")
	b.words("yesterday")
	b.press("tab")
	b.words("-7d")
	b.press("ctrl+s")
	yesterday, week := contact.StartOfDay(startTime().In(f.Location()), -1), contact.StartOfDay(startTime().In(f.Location()), -7)
	b.shows(yesterday.Format("Monday, 2 January 2006") + ", against " + week.Format("Mon 2 Jan 2006"))
	b.shows(week.Format("Mon 2 Jan") + ": 77")
	b.hides("usual")
	b.press("/", "tab", "end")
	b.words("9") // a key that moves comes first: this one edits
	b.press("ctrl+s")
	b.shows("a day like 2026-01-31")
}

// TestDayIsGoneToByEnter checks that enter in the first field submits the form.
func TestDayIsGoneToByEnter(t *testing.T) {
	t.Parallel()
	f := &fakeHistory{}
	b := newHistoryBoard(t, f, 120, 40)
	b.press("/")
	b.words("yesterday")
	b.press("enter")
	b.hides("Go to a day")
	b.shows(contact.StartOfDay(startTime().In(f.Location()), -1).Format("Monday, 2 January 2006"))
}

func TestHistoryWithoutConfiguration(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	b.press("8")
	b.shows("[history] is not configured")
	b.press("]") // leads on to the next page
	b.shows("─ Feed")
	b.press("1", "u")
	b.shows("[history] is not configured")
}

// TestHistorySaysWhatIsWrong checks the text of every empty view.
func TestHistorySaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	const refused = "The statistical data service refused the API key."
	f := &fakeHistory{err: errors.New(refused)}
	b := newHistoryBoard(t, f, 100, 30)
	for v := range 5 {
		if v >= 3 {
			b.shows("/ searches.")
			b.press("/", "ctrl+s")
		}
		b.shows(refused, "r refreshes")
		b.press("v")
	}
	asked := len(f.asked)
	b.pass(time.Hour) // nobody has asked again
	if len(f.asked) > asked+2 {
		t.Errorf("asked by itself after a failure: %q", f.asked[asked:])
	}
	f.err = nil
	b.press("r")
	b.shows("Inbound calls")
	b.hides(refused)

	b = newHistoryBoard(t, &fakeHistory{change: func(c *contact.Comparison) { // a month without data
		for i := range c.Day.Hours {
			c.Day.Hours[i].Count = 0
		}
		c.Baseline.Hours, c.SoFar = [24]contact.Band{}, contact.Band{Days: 4}
	}}, 100, 30)
	b.shows("has counted no contacts on this day")
	b.shows("keep no figures of that time. , and . go to other days.")

	b = newHistoryBoard(t, &fakeHistory{no: true}, 100, 30)
	b.shows("The platform knows no number for this day.")
	b.press("v")
	b.shows("The platform knows no number for these weeks.")
	b.press("v")
	b.shows("There were no inbound calls on this day.")
	b.press("+")
	b.shows("There were no inbound calls in this month.")
	b.press("v", "/", "ctrl+s")
	b.shows("Nothing was found: there were no inbound calls in this time.")
	b.press("v", "/", "ctrl+s")
	b.shows("Nobody was found.")
}

// TestHistorySaysWhatIsMissing checks that incomplete lists and their exports are marked.
func TestHistorySaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	f := &fakeHistory{short: &model.Incomplete{Got: 2, Total: 250, Changed: true}}
	b := newHistoryBoard(t, f, 120, 30)
	const words = "2 of 250; the list changed while it was read, one may be missing: / asks for more"
	b.press("v", "v", "v", "/", "ctrl+s")
	b.shows(words)
	b.press("v", "/", "ctrl+s")
	b.shows(words)
}

// TestHistoryKindThatTheServerLacks checks that an error of one kind leaves the others.
func TestHistoryKindThatTheServerLacks(t *testing.T) {
	t.Parallel()
	f := &lacking{fakeHistory: &fakeHistory{}}
	b := newBoard(t, 100, 30, func(o *Options) { o.History = f })
	b.press("8")
	b.shows("Inbound calls", "fewer than usual")
	b.shows("Chats", "not known: This is not known on this server")
	b.press("C") // to the chats
	b.shows("This is not known on this server: inboundChatsCount.")
}

type lacking struct{ *fakeHistory }

func (l *lacking) Day(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	if kind == contact.Chat {
		return contact.Comparison{}, errors.New("This is not known on this server: inboundChatsCount.") //nolint:revive // a sentence for people
	}
	return l.fakeHistory.Day(ctx, date, kind)
}

func TestHistoryNavigation(t *testing.T) {
	t.Parallel()
	f := &fakeHistory{}
	b := newHistoryBoard(t, f, 100, 30)
	b.shows("Today, Monday, 2 March 2026")
	b.press(".")
	b.shows("Today, Monday, 2 March 2026") // the future is not known
	b.press(",")
	b.shows("Sunday, 1 March 2026")
	f.asks(t, "day 2026-03-01 inbound calls", "day 2026-03-01 outbound calls", "day 2026-03-01 video calls", "day 2026-03-01 chats")
	b.press("n")
	b.shows("Today")
	b.press("/")
	b.send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	b.words("2026-02-15")
	b.press("ctrl+s")
	b.shows("Sunday, 15 February 2026")
	b.press("v", "c", "+", ",")
	f.asks(t, "heat 2026-02-15 4 outbound calls", "heat 2026-02-15 8 outbound calls", "heat 2025-12-21 8 outbound calls")
	b.press("v", "+", "b")
	f.asks(t, "bys", "groups SERVICE 2025-12-01 2026-01-01")
	b.press(",")
	f.asks(t, "bys", "groups SERVICE 2025-11-01 2025-12-01")
}

// TestHistoryMonth shows a calendar month by weekday and hour.
func TestHistoryMonth(t *testing.T) {
	t.Parallel()
	f := &fakeHistory{}
	saved := ""
	b := newHistoryBoard(t, f, 100, 30, func(o *Options) {
		o.Save = func(name string, _ []byte) (string, error) { saved = name; return name, nil }
	})
	b.press("v", "+", "+", "+", "+")
	b.shows("Inbound calls · March 2026")
	f.asks(t, "heat 2026-03-01 0 inbound calls")
	b.press(",", "e")
	b.shows("Inbound calls · February 2026")
	f.asks(t, "heat 2026-02-01 0 inbound calls")
	if want := "history-inbound-calls-weekdays-2026-02.csv"; saved != want {
		t.Errorf("saved as %s, want %s", saved, want)
	}
	b.press(".")
	b.shows("March 2026")
	f.no = true
	b.press("r")
	b.shows("The platform knows no number for this month.")
}

// TestHistoryFollowsTheClock checks that data is requested again after midnight and when it
// is outdated.
func TestHistoryFollowsTheClock(t *testing.T) {
	t.Parallel()
	f := &fakeHistory{}
	b := newHistoryBoard(t, f, 100, 30)
	chats := func() int { return strings.Count(strings.Join(f.asked, "\n"), "chats") } // the overview asks for none
	b.pass(5*time.Minute - time.Second)
	if chats() != 1 {
		t.Errorf("asked again too soon: %q", f.asked)
	}
	b.pass(2 * time.Second)
	if chats() != 2 {
		t.Errorf("an old day is not asked for again: %q", f.asked)
	}
	b.pass(13*time.Hour + 20*time.Minute)
	b.shows("Today, Tuesday, 3 March 2026")
}

func TestHistoryWhenClocksChange(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]string{"2025-10-26": "it has 25 hours", "2025-03-30": "it has 23 hours"} {
		b := newHistoryBoard(t, &fakeHistory{loc: rome}, 120, 50)
		b.press("/")
		b.send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
		b.words(day)
		b.press("ctrl+s")
		b.shows(want)
	}
}

func TestHistoryExport(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	save := func(o *Options) {
		o.Save = func(name string, data []byte) (string, error) {
			files[name] = string(data)
			return "/home/anna/" + name, nil
		}
	}
	b := newHistoryBoard(t, &fakeHistory{}, 120, 30, save)
	b.press("e")
	b.shows("Saved as /home/anna/history-day-2026-03-02.csv")
	b.press("v", "E", "v", "e", "v", "/", "ctrl+s", "e", "E", "enter", "e", "esc", "v", "/", "ctrl+s", "e")
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
	b = newHistoryBoard(t, &fakeHistory{}, 120, 30)
	b.press("e")
	b.shows("Nothing can be saved from this board.")
}

func TestOverviewAgainstUsual(t *testing.T) {
	t.Parallel()
	f := &fakeHistory{}
	f.change = func(c *contact.Comparison) {
		c.SoFar.Median = float64(c.Day.Total()) / 1.18
		c.SoFar.High = c.SoFar.Median
	}
	b := newBoard(t, 120, 40, func(o *Options) { o.History = f })
	b.pass(time.Second)
	b.pass(time.Second)
	b.shows("Outbound vs usual")
	b.shows("Received vs usual")
	b.shows("+18 %")
	b.press("u")
	b.shows("Inbound calls today: +18 %, more than usual")
	b.shows("the change: today / usual - 1", "+18 %")
	b.press("esc", "c")
	b.pass(time.Second)
	f.asks(t, "day 2026-03-02 chats")
	asked := len(f.asked)
	b.pass(time.Minute)
	if len(f.asked) != asked {
		t.Errorf("asked again after a minute: %q", f.asked[asked:])
	}
	b.pass(5 * time.Minute)
	f.asks(t, "day 2026-03-02 chats")
}

func TestBoardHandsTheShiftOver(t *testing.T) {
	t.Parallel()
	saved := ""
	b := newBoard(t, 120, 40, func(o *Options) {
		o.History = &fakeHistory{}
		o.PastActions = func(since time.Time) ([]handover.Action, error) {
			return []handover.Action{{At: since.Add(time.Hour), Who: "anna", Action: "stop-campaign", Target: "7001", Outcome: "confirmed"}}, nil
		}
		o.Save = func(name string, data []byte) (string, error) { saved = name + "\n" + string(data); return name, nil }
	})
	b.pass(time.Second)
	b.press("h")
	b.shows("Shift handover, Bolzano")
	b.shows("things need somebody now, the gravest: Support Gold: 8 callers wait, the longest 3:04;")
	b.hides("**")
	b.shows("Orders              332       295    8.7 % !  72.8 % !")
	b.hides("| Orders", "**")
	b.press("e")
	b.shows("Saved as handover-2026-03-02-1042.md")
	for _, want := range []string{
		"Monday, 2 March 2026, 02:42 to 10:42", "| Orders |", "All others are on target", "| inbound calls |", "stop-campaign 7001, **confirmed**",
		"| Spring renewals | 5000 of 5000 | 100.0 % |", "Live. Reconnects: 1;", "Watched since 10:42",
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
	b := newBoard(t, 100, 30, func(o *Options) {
		o.History = &fakeHistory{}
		o.Save = func(string, []byte) (string, error) { t.Error("saved"); return "", nil }
		o.Kiosk = &kiosk.Options{Pages: []string{"history"}}
	})
	b.pass(time.Second)
	b.shows("Inbound calls", "usual")
	b.press("e", "E", "h", "v", "/")
	b.hides("esc")
	b.hides("refreshes")
}

// On a large screen the bars of the weekdays fill the page.
func TestWeeksFillThePage(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {160, 45}, {200, 60}, {300, 80}} {
		b := newHistoryBoard(t, &fakeHistory{}, size[0], size[1])
		b.press("v")
		lines := strings.Split(b.text(), "\n")
		sunday := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, " Sun ") })
		if room := size[1] - sunday; room > 14 { // a seventh of the rows, what is said below them, and the keys
			t.Errorf("at %dx%d there are %d lines from Sunday on:\n%s", size[0], size[1], room, b.text())
		}
	}
}

// A wide screen shows the steps of a contact beside the list.
func TestStepsBesideTheContacts(t *testing.T) {
	t.Parallel()
	b := newHistoryBoard(t, &fakeHistory{}, 160, 45)
	b.press("v", "v", "v", "/", "ctrl+s")
	b.shows("Took", "Steps", "one of the inbound calls")
	was, _ := b.row("one of the inbound calls")
	b.press("down")
	if now, _ := b.row("one of the inbound calls"); now == was {
		t.Errorf("they do not follow the selection:\n%s", b.text())
	}
}

// On a small screen the weekdays scroll.
func TestWeeksScroll(t *testing.T) {
	t.Parallel()
	b := newHistoryBoard(t, &fakeHistory{}, 40, 12)
	b.press("v")
	b.shows("1–5 of ")
	b.shows(" Mon ")
	b.hides(" Sun ")
	b.press("down", "down")
	b.shows("3–7 of ")
	b.shows(" Sun ")
	b.press("end")
	b.shows("00    06    12    18") // stays above them
	b.shows("9–13 of 13 lines")
	b.press("v", "{")
	b.shows(" Mon ")
}

// crowd finds people of whom only the last have long names.
type crowd struct{ fakeHistory }

func (f *crowd) Contacts(context.Context, contact.AddressQuery, func(contact.Progress)) (model.Found[contact.Contact], error) {
	out := make([]contact.Contact, 60)
	for i := range out {
		out[i] = contact.Contact{UUID: itoa(i), FullName: fmt.Sprintf("A%02d", i), Organization: "Acme", Mail: []string{"a@b.example"}}
	}
	for i := 40; i < len(out); i++ {
		out[i].FullName, out[i].Organization = fmt.Sprintf("Z%02d Maximiliane von und zu Hohen", i), "The Organization of Long Names"
	}
	return model.Found[contact.Contact]{Items: out}, nil
}

// TestColumnsStayWhereTheyAre checks that scrolling and banners do not move columns.
func TestColumnsStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	head := func(b *board, words ...string) string {
		l, _ := b.row(words...)
		return l
	}
	b := newBoard(t, 100, 20, func(o *Options) { o.History = &crowd{} })
	b.press("8", "tab")
	b.shows("There is one pane here: v goes to the next view.")
	b.press("{", "/", "ctrl+s")
	first := head(b, "Name", "Organization")
	b.press("end")
	wide := head(b, "Name", "Organization")
	if wide == first {
		t.Fatal("the columns did not widen:\n" + b.text())
	}
	b.press("home")
	if got := head(b, "Name", "Organization"); got != wide {
		t.Errorf("after scrolling back %q, want %q", got, wide)
	}

	b = newBoard(t, 100, 30)
	u, r := *b.floor.Users.Get(agentName(9)), *b.floor.UserStats.Get(model.UserStatKey{Username: agentName(9), Channel: model.Call})
	u.Surname = model.TextOf("Zimmermann von Oberstaufen")
	r.Surname = u.Surname
	b.floor.Users.Put(&u)
	b.floor.UserStats.Put(&r)
	b.publish()
	b.press("4")
	first = head(b, "State", "Agent")
	b.press("end", "home")
	if wide = head(b, "State", "Agent"); wide == first {
		t.Fatal("the columns did not widen:\n" + b.text())
	}
	b.floor.Health.Subscription(model.OpUserStats).State = model.SubUnverified
	b.publish()
	b.shows("UNVERIFIED")
	if got := head(b, "State", "Agent"); got != wide {
		t.Errorf("under a banner %q, want %q", got, wide)
	}
}

// TestWhereTheDayEnds checks the forecast on tiles and in a service's details.
func TestWhereTheDayEnds(t *testing.T) {
	t.Parallel()
	b := newHistoryBoard(t, &fakeHistory{}, 200, 60)
	b.press("1")
	b.pass(time.Second)
	b.pass(time.Second)
	b.shows("target 80.0 %, 48 late calls left") // the range of the forecast is too wide to help
	b.press("2", "enter")
	b.shows("Where the day ends")
	b.shows("Contacts by midnight: about")
	b.shows("that of the whole")
}

// TestFormOpensWhereNothingWasSearched checks that an empty view opens its form when it is
// selected by name, or on enter, but not when stepping through views.
func TestFormOpensWhereNothingWasSearched(t *testing.T) {
	t.Parallel()
	const search, book = "Search past contacts", "Search the address book"
	for keys, title := range map[string]string{"v,v,v": search, "v,v,v,v": book, "{": book} {
		b := newHistoryBoard(t, &fakeHistory{}, 120, 40)
		b.press("8")
		b.press(strings.Split(keys, ",")...)
		b.shows("/ searches.")
		b.hides(title)
		b.press("enter")
		b.shows(title)
		b.press("esc", "1", ":")
		b.words("history " + map[string]string{search: "search", book: "address book"}[title])
		b.press("enter")
		b.shows(title)
		b.press("esc")
		b.hides(title)
		b.press("enter")
		b.shows(title)
	}
}

// TestUsualRateOfAService checks each service's share of the floor's usual rate.
func TestUsualRateOfAService(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) { o.History = &fakeHistory{} })
	var keys []model.ServiceKey
	for r := range b.scene.floor.Newest.Services.All() {
		if r.Channel == model.Call {
			keys = append(keys, r.Key())
		}
	}
	if _, _, ok := b.scene.baseline.Typical.Rate(b.scene.floor.Newest, keys[0], startTime()); ok {
		t.Error("a rate before anything was asked")
	}
	b.pass(time.Second)
	sum := 0.0
	for _, k := range keys {
		rate, basis, ok := b.scene.baseline.Typical.Rate(b.scene.floor.Newest, k, startTime())
		if ok != (basis != "") {
			t.Errorf("%v: %q, %v", k, basis, ok)
		}
		sum += rate
	}
	if usual := float64(usualAt(startTime().UTC().Hour())) / 60; sum > usual+1e-9 || sum < usual/2 {
		t.Errorf("%.3f a minute of all services, the floor has %.3f", sum, usual)
	}
	for _, k := range []model.ServiceKey{{Code: "nobody", Channel: model.Call}, {Code: keys[0].Code, Channel: model.MailACD}} {
		if rate, _, ok := b.scene.baseline.Typical.Rate(b.scene.floor.Newest, k, startTime()); ok {
			t.Errorf("%v: %v", k, rate)
		}
	}
}
