package setup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/style"
)

// platform is a fake of the platform: it accepts one password.
type platform struct {
	tries     []Service
	asked     []Answers        // answers with which each test was made
	untrusted map[Service]bool // services whose certificate the system does not trust
	written   *Answers
	found     Result // found as passed to Write
	writeErr  error
}

const password = "correct horse"

func (p *platform) CheckAddress(_ Service, a Answers) string {
	if strings.HasPrefix(a.URL, "ftp:") {
		return "The address must begin with https://."
	}
	return ""
}

func (p *platform) TestConnection(_ context.Context, s Service, a Answers, _ func(words.Text)) Result {
	p.tries, p.asked = append(p.tries, s), append(p.asked, a)
	switch {
	case p.untrusted[s] && !a.Trust[s].Insecure && a.CAFile(s) == "":
		return Result{Reason: "failed to verify certificate: signed by unknown authority"}
	case a.Secret != password:
		return Result{Reason: "login refused: UNAUTHORIZED", Refused: true}
	case s == Configuration:
		return Result{Campaigns: []Campaign{{"301", "Renewals"}}}
	case s == Statistics && a.APIKey != "key":
		return Result{Reason: "API key rejected", Remedy: "check the key"}
	}
	return Result{
		Services: []string{"SRV01", "SRV02"}, Groups: []string{"GRP01"}, Agents: 12,
		ServiceLevel: model.FigureOf(0.84), AverageAnswerSeconds: model.FigureOf(25),
		Findings: []Finding{{Text: "differs by 4s", Subject: "Clock", Remedy: "set both clocks by NTP"}},
	}
}

func (p *platform) Write(a Answers, found Result) ([]words.Text, error) {
	if p.writeErr != nil {
		return nil, p.writeErr
	}
	p.written, p.found = &a, found
	return []words.Text{words.SetupFileNew("config.toml")}, nil
}

// session is a guide with a viewer, who has kept the language.
type session struct {
	t     *testing.T
	guide *Guide
	ended bool
}

func newSession(t *testing.T, w, h int, p *platform, change ...func(*Options)) *session {
	t.Helper()
	lib, problems := themes.OpenLibrary("")
	if problems != nil {
		t.Fatal(problems)
	}
	dark, err := lib.Load(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Path: "/home/anna/.config/wallboard/config.toml", Backend: p, Display: Display{Theme: dark}}
	for _, c := range change {
		c(&o)
	}
	s := &session{t: t, guide: New(t.Context(), o)}
	s.guide.newTimer = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil } // the clock stands still
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	if s.guide.steps[0] == stepLanguage {
		s.press("<enter>")
	}
	return s
}

// send passes a message to the guide, and the messages of its commands, except the clock.
func (s *session) send(msg tea.Msg) {
	s.t.Helper()
	_, cmd := s.guide.Update(msg)
	s.run(cmd)
}

func (s *session) run(cmd tea.Cmd) {
	s.t.Helper()
	if cmd == nil || s.ended {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tea.QuitMsg:
		s.ended = true
	case nil:
	default:
		s.send(msg)
	}
}

// press types keys: a name in angle brackets, or text.
func (s *session) press(keys ...string) {
	s.t.Helper()
	codes := map[string]tea.KeyPressMsg{
		"<enter>": {Code: tea.KeyEnter}, "<esc>": {Code: tea.KeyEscape}, "<up>": {Code: tea.KeyUp}, "<down>": {Code: tea.KeyDown},
		"<clear>": {Code: 'u', Mod: tea.ModCtrl}, "<ctrl+c>": {Code: 'c', Mod: tea.ModCtrl}, "<pgup>": {Code: tea.KeyPgUp},
	}
	for _, k := range keys {
		if msg, ok := codes[k]; ok {
			s.send(msg)
			continue
		}
		for _, r := range k {
			s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// text returns the screen as plain text.
func (s *session) text() string {
	s.guide.View()
	lines := strings.Split(ansi.Strip(string(s.guide.Frame())), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func (s *session) want(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if got := s.text(); !strings.Contains(got, text) {
			s.t.Fatalf("the screen lacks %q:\n%s", text, got)
		}
	}
}

// login answers up to the password.
func (s *session) login(secret string) {
	s.t.Helper()
	s.press("2", "<clear>", "host.example/rtd", "<enter>", "<enter>", "anna", "<enter>", secret, "<enter>")
}

// TestFromNothingToAConfiguration answers all questions and checks the written configuration.
func TestFromNothingToAConfiguration(t *testing.T) {
	t.Parallel()
	p := &platform{}
	s := newSession(t, 80, 24, p)
	s.login("wrong")
	s.want("The login was refused", "UNAUTHORIZED", "1 Change the password")
	if strings.Contains(s.text(), "wrong") {
		t.Error("the password is on the screen")
	}
	s.press("1", "<clear>", password, "<enter>")
	s.want("Configuration service (optional)", "https://host.example/platform")
	s.press("<enter>")
	s.want("Statistical data service", "https://host.example/datamodel")
	s.press("<enter>", "wrong key", "<enter>")
	s.want("API key rejected", "check the key")
	s.press("1", "<clear>", "key", "<enter>")
	s.want("2 services, 1 group, 12 agents, 1 campaign", "Clock: differs by 4s", "set both clocks")
	s.press("<enter>", "Sales", "<down>", "Support", "<enter>")
	s.want("Today so far: 84.0 %", "80 %")
	s.press("4")
	s.want("Average time to answer today: 0:25")
	s.press("<enter>") // accepts the suggestion
	s.want("Where to keep the password?")
	s.press("<enter>", "<enter>")
	if !s.ended || s.guide.Outcome() != OutcomeOpenBoard || p.written == nil {
		t.Fatalf("the guide ended %v with %v: %s", s.ended, s.guide.Outcome(), s.text())
	}
	a := p.written
	if a.URL != "https://host.example/rtd" || a.User != "anna" || a.Secret != password || a.Names["SRV01"] != "Sales" || a.Names["SRV02"] != "Support" ||
		a.Target != 0.9 || a.Wait != (WaitLimits{time.Minute, 2 * time.Minute}) || a.Storage != InFile || a.APIKey != "key" {
		t.Errorf("the answers are %+v", a)
	}
}

// TestEscGoesBack goes back over every question: answers are kept, a failed connection test is skipped,
// and esc on the first question ends the guide.
func TestEscGoesBack(t *testing.T) {
	t.Parallel()
	p := &platform{}
	s := newSession(t, 80, 24, p)
	s.login("wrong")
	for _, title := range []string{"Password", "User name", "How do you log in", "Address of the real-time", "What do you want", "Language"} {
		s.press("<esc>")
		s.want(title)
	}
	s.press("<enter>", "2")
	s.want("https://host.example/rtd")
	s.press("<esc>", "<esc>", "<esc>")
	if !s.ended || s.guide.Outcome() != OutcomeQuit || p.written != nil || len(p.tries) != 1 {
		t.Errorf("ended %v, written %v, tried %v", s.ended, p.written, p.tries)
	}
}

// TestOptionalServices skips the optional services.
func TestOptionalServices(t *testing.T) {
	t.Parallel()
	p := &platform{}
	s := newSession(t, 80, 24, p)
	s.login(password)
	s.press("<clear>", "<enter>", "<clear>", "<enter>")
	s.want("2 services, 1 group, 12 agents.")
	s.press("<enter>", "<enter>", "<enter>", "<enter>", "3")
	s.want("set WALLBOARD_PASSWORD.", "1 Write it")
	s.press("1")
	s.want("Written", "config.toml is the configuration.")
	s.press("<enter>")
	if a := p.written; a == nil || a.RESTURL+a.HistoryURL != "" || a.Storage != InEnvironment || s.guide.Outcome() != OutcomeWritten {
		t.Errorf("written %+v, outcome %v", a, s.guide.Outcome())
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	t.Run("address", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, 80, 24, &platform{})
		s.press("2", "<clear>", "ftp://host", "<enter>")
		s.want("Address of the real-time", "must begin with https://")
	})
	t.Run("nothing typed", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, 80, 24, &platform{})
		s.press("2", "<clear>", "host", "<enter>", "<enter>", "<enter>")
		s.want("Type the user name.")
	})
	t.Run("write", func(t *testing.T) {
		t.Parallel()
		p := &platform{writeErr: errors.New("no space left")}
		s := newSession(t, 80, 24, p)
		s.login(password)
		s.press("<clear>", "<enter>", "<clear>", "<enter>", "<enter>", "<enter>", "<enter>", "<enter>", "<enter>", "<enter>")
		s.want("no space left", "No configuration was written")
		s.press("<esc>")
		s.want("Where to keep the password?")
	})
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, 80, 24, &platform{}, func(o *Options) { o.Problem = "can be changed by others" })
		s.want("would not be safe", "can be changed by others")
		s.press("<enter>")
		if !s.ended {
			t.Error("the guide goes on")
		}
	})
	t.Run("read-only", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, 80, 24, &platform{}, func(o *Options) { o.Problem, o.Unwritable = "read-only file system", true })
		s.want("The configuration cannot be written", "read-only file system")
		s.press("2")
		if !s.ended || s.guide.Outcome() != OutcomeDemo {
			t.Error("the demo does not begin")
		}
	})
	t.Run("existing", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, 80, 24, &platform{}, func(o *Options) { o.Exists = true })
		s.want("There is a configuration already")
		s.press("<ctrl+c>")
		if !s.ended || s.guide.Outcome() != OutcomeQuit {
			t.Error("ctrl+c does not end the guide")
		}
	})
}

// TestLanguage chooses a language: the guide speaks it while it is selected, and the configuration
// gets it unless it is that of the locale.
func TestLanguage(t *testing.T) {
	t.Parallel()
	italian, _ := words.AvailableLanguages.Lookup("it")
	for _, tt := range []struct{ keys, title, question, want string }{
		{"<enter>", "Lingua", "Che cosa vuoi vedere?", ""},
		{"<up>", "Langue", "Que voulez-vous voir ?", "fr"},
		{"1", "", "Was möchten Sie sehen?", "de"},
	} {
		p := &platform{}
		s := newSession(t, 80, 24, p, func(o *Options) { o.Display.Language = italian })
		s.press("<esc>")
		s.want("Lingua", "esc esci")
		if tt.keys == "<up>" {
			s.press("<up>")
			s.want(tt.title, "esc quitter")
			s.press("<enter>")
		} else {
			s.press(tt.keys)
		}
		s.want(tt.question)
		s.login(password)
		s.press("<clear>", "<enter>", "<clear>", "<enter>", "<enter>", "<enter>", "<enter>", "<enter>", "<enter>", "<enter>")
		if !s.ended || p.written == nil || p.written.Language != tt.want {
			t.Errorf("%q: ended %v, written %+v", tt.keys, s.ended, p.written)
		}
	}
}

// TestLanguagesFit walks through the guide in every language. Nothing is cut off on a small terminal.
func TestLanguagesFit(t *testing.T) {
	t.Parallel()
	for _, tag := range words.AvailableLanguages.Tags() {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			l, _ := words.AvailableLanguages.Lookup(tag)
			p := &platform{untrusted: map[Service]bool{RealTime: true}}
			s := newSession(t, minWidth, 60, p, func(o *Options) { o.Display.Language = l })
			for i, keys := range [][]string{
				{"<esc>"},
				{"<enter>"},
				{"2"},
				{"<clear>", "host.example/rtd", "<enter>"},
				{"2"},
				{"<esc>"},
				{"1"},
				{"anna", "<enter>"},
				{"wrong", "<enter>"},
				{"2"},
				{"1"},
				{"<clear>", password, "<enter>"},
				{"<enter>"},
				{"<enter>"},
				{"key", "<enter>"},
				{"<enter>"},
				{"<enter>"},
				{"<enter>"},
				{"<enter>"},
				{"3"},
				{"<esc>"},
				{"2"},
				{"2"},
			} {
				s.press(keys...)
				if text := s.text(); strings.Contains(text, "…") {
					t.Errorf("after %d keys:\n%s", i, text)
				}
			}
			if p.written == nil {
				t.Errorf("the guide did not end:\n%s", s.text())
			}
		})
	}
}

// TestLateResult checks that the result of a connection test that the viewer has left is dropped.
func TestLateResult(t *testing.T) {
	t.Parallel()
	s := newSession(t, 80, 24, &platform{})
	s.press("2", "<clear>", "host", "<enter>", "<enter>", "anna", "<enter>")
	s.press("x")
	_, cmd := s.guide.Update(tea.KeyPressMsg{Code: tea.KeyEnter}) // the command that runs the test is not run yet
	if cmd == nil {
		t.Fatal("no try")
	}
	s.press("<esc>")
	s.send(resultMsg{testNumber: s.guide.testCount, result: Result{Reason: "late"}})
	s.want("Password")
}

// TestGoldenScreens draws the first question, a failure and the names on three sizes. No line is
// wider than the terminal, and the selected line is visible.
func TestGoldenScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 12}, {30, 8}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			s := newSession(t, size[0], size[1], &platform{})
			var all []string
			show := func() {
				text := s.text()
				all = append(all, text)
				lines := strings.Split(text, "\n")
				if len(lines) != size[1] {
					t.Errorf("%d lines, want %d", len(lines), size[1])
				}
				for _, l := range lines {
					if style.Width(l) > size[0] {
						t.Errorf("%q is too wide", l)
					}
				}
			}
			s.press("<esc>")
			show()
			s.press("<enter>")
			show()
			s.login("wrong")
			show()
			s.press("1", "<clear>", password, "<enter>", "<enter>", "<clear>", "<enter>")
			show()
			s.press("<enter>")
			show()
			s.press("<enter>", "<enter>")
			show()
			golden.RequireEqual(t, []byte(strings.Join(all, "\n========\n")+"\n"))
		})
	}
}
