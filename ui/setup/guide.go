package setup

import (
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/term"
)

// Outcome tells how the guide has ended.
type Outcome int

// The outcomes.
const (
	Quit      Outcome = iota // nothing was written
	Demo                     // the viewer wants the demo
	OpenBoard                // the configuration exists and the viewer wants the board
	Written                  // the configuration was written; the viewer wants no board now
)

// Options configures the guide.
type Options struct {
	Path    string // configuration file to write
	Exists  bool   // the file exists
	Problem string // why a configuration at Path would be refused, and the remedy; "": it would be accepted
	Display Display
	Backend Backend

	In  io.Reader // nil: the standard input
	Out io.Writer // nil: the standard output
}

// Display describes how the guide is drawn.
type Display struct {
	Theme, LightTheme themes.Theme // LightTheme is for terminals with a light background
	ASCII             bool
}

// Run shows the guide until the viewer has finished or quits, or ctx ends.
func Run(ctx context.Context, o Options) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := New(ctx, o)
	err := term.Run(ctx, g, term.Terminal{In: o.In, Out: o.Out}, tea.WithoutSignalHandler())
	if err != nil {
		return Quit, fmt.Errorf("show the guide: %w", err)
	}
	return g.outcome, nil
}

// Guide is the model of the guided start.
type Guide struct {
	options Options
	ctx     context.Context //nolint:containedctx // context of the connection tests
	themer  style.Themer
	look    *style.Look

	width, height int
	frame         []byte // lines of the terminal as drawn last
	answers       Answers
	found         Result                     // combined results of all connection tests
	steps         []step                     // the questions so far; the last one is on the screen
	typed         map[step]map[string]string // text in the input lines of questions that the viewer left with esc, by label
	screen        screen
	stopTry       context.CancelFunc                                   // cancels the running connection test; nil: none is running
	news          chan string                                          // lines of progress of the running connection test
	after         func(time.Duration, func(time.Time) tea.Msg) tea.Cmd // returns a command that sends a message after a duration
	writing       bool                                                 // the configuration is being written
	tries         int                                                  // number of connection tests so far; identifies the results of earlier tests, which are dropped
	outcome       Outcome
}

// New returns a guide.
func New(ctx context.Context, o Options) *Guide {
	g := &Guide{
		options: o, ctx: ctx, after: tea.Tick, themer: style.NewThemer(style.ThemeSet{Theme: o.Display.Theme, Light: o.Display.LightTheme, Selectable: nil}),
		answers: Answers{Method: methodLogin, Names: make(map[string]string), Target: defaultTarget, URL: addressStart},
		typed:   make(map[step]map[string]string),
	}
	g.setLook(style.Options{Theme: o.Display.Theme, ASCII: o.Display.ASCII})
	first := stepStart
	if o.Exists {
		first = stepExisting
	}
	if o.Problem != "" {
		first = stepProblem
	}
	g.enter(first)
	return g
}

func (g *Guide) setLook(o style.Options) { g.look = style.New(o, render.Options{}) }

// Outcome returns the outcome after the guide has ended.
func (g *Guide) Outcome() Outcome { return g.outcome }

// Init implements [tea.Model].
func (g *Guide) Init() tea.Cmd { return g.themer.QueryBackground() }

// Messages of a connection test, and the message that the configuration was written.
type (
	progressMsg struct {
		try  int
		text string
	}
	resultMsg struct {
		try     int
		service Service
		result  Result
	}
	tickMsg    struct{ try int }
	writtenMsg struct {
		then  Outcome
		files []string
		err   error
	}
)

// Update implements [tea.Model].
func (g *Guide) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if o, changed := g.themer.HandleReport(msg, g.look.Options); changed {
		g.setLook(o)
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		g.width, g.height = msg.Width, msg.Height
		return g, nil
	case tea.KeyPressMsg:
		return g, g.press(msg)
	case tea.PasteMsg:
		return g, g.screen.typeInto(msg)
	case progressMsg:
		if msg.try != g.tries || g.stopTry == nil {
			return g, nil
		}
		g.screen.progress = msg.text
		return g, awaitNews(msg.try, g.news)
	case tickMsg:
		if msg.try != g.tries || g.stopTry == nil {
			return g, nil
		}
		g.screen.seconds++
		return g, g.tick()
	case writtenMsg:
		return g, g.finish(msg)
	case resultMsg:
		if msg.try != g.tries || g.stopTry == nil {
			return g, nil
		}
		g.endTry()
		return g, g.conclude(msg.service, msg.result)
	}
	return g, nil
}

// press handles a key.
func (g *Guide) press(msg tea.KeyPressMsg) tea.Cmd {
	if g.writing {
		return nil
	}
	switch msg.String() {
	case "ctrl+c":
		return g.end(outcomeOfQuit(g.steps))
	case "esc":
		return g.back()
	}
	return g.screen.press(msg)
}

// outcomeOfQuit returns the outcome if the viewer quits at the last of the steps.
func outcomeOfQuit(steps []step) Outcome {
	if steps[len(steps)-1] == stepDone {
		return Written
	}
	return Quit
}

// end ends the guide.
func (g *Guide) end(o Outcome) tea.Cmd {
	g.endTry()
	g.outcome = o
	return tea.Quit
}

// back returns to the previous question and keeps the text of the input lines. On the first question
// it ends the guide. It skips connection tests and their failures, so that the viewer can change the
// answer to the question before them. Going back from a connection test revokes the decision to
// accept any certificate.
func (g *Guide) back() tea.Cmd {
	g.endTry()
	last := outcomeOfQuit(g.steps)
	g.keepTyped()
	g.steps = g.steps[:len(g.steps)-1]
	for len(g.steps) > 0 && g.steps[len(g.steps)-1].isTry() {
		g.steps = g.steps[:len(g.steps)-1]
	}
	if len(g.steps) == 0 {
		return g.end(last)
	}
	for s := range Service(serviceCount) {
		if g.steps[len(g.steps)-1] < s.try() {
			g.answers.Trust[s].Insecure = false
		}
	}
	return g.show()
}

// keepTyped keeps the text of the input lines for the next time that the question is asked. The
// text is not an answer yet.
func (g *Guide) keepTyped() {
	lines := make(map[string]string)
	for i := range g.screen.fields {
		lines[g.screen.fields[i].label] = g.screen.fields[i].input.Value()
	}
	g.typed[g.steps[len(g.steps)-1]] = lines
}

// setAddress changes the address of a service. If the server differs, setAddress removes the text
// typed for the old server and the results found there.
func (g *Guide) setAddress(s Service, address string) {
	changed := address != g.answers.Address(s)
	isOther := g.answers.setAddress(s, address)
	switch {
	case isOther && s == RealTime:
		g.found = Result{}
		clear(g.typed)
	case isOther && s == Statistics:
		delete(g.typed, stepKey)
	case changed && s == Configuration:
		g.found.Campaigns = nil
	}
}

// enter asks the next question. The caller has stored the answer to the current one.
func (g *Guide) enter(s step) tea.Cmd {
	if n := len(g.steps); n > 0 {
		delete(g.typed, g.steps[n-1])
	}
	g.steps = append(g.steps, s)
	return g.show()
}

// show shows the screen of the current step. If the step is a connection test, it starts the test.
func (g *Guide) show() tea.Cmd {
	s := g.steps[len(g.steps)-1]
	g.screen = g.newScreen(s)
	for i := range g.screen.fields {
		if text, ok := g.typed[s][g.screen.fields[i].label]; ok {
			g.screen.fields[i].input.SetValue(text)
			g.screen.fields[i].input.CursorEnd()
		}
	}
	if s.isTry() {
		return g.startTry(s.service())
	}
	return nil
}

// startTry starts the connection test of a service in a command.
func (g *Guide) startTry(service Service) tea.Cmd {
	ctx, cancel := context.WithCancel(g.ctx)
	g.stopTry = cancel
	g.tries++
	try, answers, backend, news := g.tries, g.answers, g.options.Backend, make(chan string)
	g.news = news
	run := func() tea.Msg {
		defer close(news)
		return resultMsg{try, service, backend.Try(ctx, service, answers, func(text string) {
			select {
			case news <- text:
			case <-ctx.Done():
			}
		})}
	}
	return tea.Batch(run, awaitNews(try, news), g.tick())
}

// awaitNews waits for the next line of progress of a connection test.
func awaitNews(try int, news <-chan string) tea.Cmd {
	return func() tea.Msg {
		text, ok := <-news
		if !ok {
			return nil
		}
		return progressMsg{try, text}
	}
}

func (g *Guide) endTry() {
	if g.stopTry != nil {
		g.stopTry()
		g.stopTry = nil
	}
}

// tick counts the seconds of a connection test.
func (g *Guide) tick() tea.Cmd {
	try := g.tries
	return g.after(time.Second, func(time.Time) tea.Msg { return tickMsg{try} })
}

// conclude handles the result of a connection test. It asks the next question, or shows why the
// service cannot be used.
func (g *Guide) conclude(service Service, r Result) tea.Cmd {
	if r.Reason != "" {
		g.screen = g.failureScreen(service, &r)
		return nil
	}
	if r.Method != "" {
		g.answers.Method = r.Method
	}
	g.steps = g.steps[:len(g.steps)-1] // back does not return to a connection test
	switch service {
	case RealTime:
		g.found = r // the campaigns are requested next
		return g.enter(stepREST)
	case Configuration:
		g.found.Campaigns = r.Campaigns
		return g.enter(stepHistory)
	case Statistics:
	}
	return g.enter(stepFound)
}
