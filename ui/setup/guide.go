package setup

import (
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/term"
)

// Outcome says how the guide ended.
type Outcome int

// The outcomes.
const (
	OutcomeQuit      Outcome = iota // nothing was written
	OutcomeDemo                     // the viewer wants the demo
	OutcomeOpenBoard                // the configuration exists and the viewer wants the board
	OutcomeWritten                  // the configuration was written; the viewer wants no board now
)

// Options configures the guide.
type Options struct {
	Path       string // configuration file to write
	Exists     bool   // the file exists
	Problem    string // why a configuration at Path would be refused or cannot be written, and the remedy; "": it would be accepted
	Unwritable bool   // the configuration cannot be written, as Problem says
	Display    Display
	Backend    Backend

	In  io.Reader // nil: the standard input
	Out io.Writer // nil: the standard output
}

// Display describes how the guide is drawn.
type Display struct {
	Theme, LightTheme themes.Theme // LightTheme is for terminals with a light background
	ASCII             bool
	Language          *words.Language // language of the first screen; nil: English
}

// Run shows the guide until the viewer has finished or quits, or ctx ends. It also returns the chosen
// language, as in ui.language, or "" if the viewer has kept that of the options.
func Run(ctx context.Context, o Options) (_ Outcome, language string, _ error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := New(ctx, o)
	err := term.Run(ctx, g, term.Terminal{In: o.In, Out: o.Out}, tea.WithoutSignalHandler())
	if err != nil {
		return OutcomeQuit, "", fmt.Errorf("show the guide: %w", err)
	}
	return g.outcome, g.answers.Language, nil
}

// Guide is the model of the guided start.
type Guide struct {
	options Options
	ctx     context.Context //nolint:containedctx // context of the connection tests
	themer  style.ThemeSelector
	look    *style.Look

	width, height int
	frame         []byte // lines of the terminal as drawn last
	answers       Answers
	results       Result                     // combined results of all connection tests
	steps         []step                     // the questions so far; the last one is on the screen
	unsentText    map[step]map[string]string // text in the input lines of questions that the viewer left with esc, by question and label
	screen        screen
	cancelTest    context.CancelFunc                                   // cancels the running connection test; nil: none is running
	progressTexts chan words.Text                                      // texts about the progress of the running connection test
	newTimer      func(time.Duration, func(time.Time) tea.Msg) tea.Cmd // returns a command that sends a message after a duration
	writing       bool                                                 // the configuration is being written
	testCount     int                                                  // number of connection tests so far; identifies the results of earlier tests, which are dropped
	outcome       Outcome
}

// New returns a guide.
func New(ctx context.Context, o Options) *Guide {
	g := &Guide{
		options: o, ctx: ctx, newTimer: tea.Tick, themer: style.NewThemeSelector(style.ThemeSet{Theme: o.Display.Theme, LightTheme: o.Display.LightTheme, Selectable: nil}),
		answers:    Answers{Method: methodLogin, Names: make(map[string]string), Target: defaultTarget, URL: addressPrefix},
		unsentText: make(map[step]map[string]string),
	}
	g.setLook(style.Options{Theme: o.Display.Theme, ASCII: o.Display.ASCII, Words: o.Display.Language})
	first := stepLanguage
	if o.Exists {
		first = stepExisting
	}
	if o.Problem != "" {
		first = stepProblem
	}
	g.askNext(first)
	return g
}

func (g *Guide) setLook(o style.Options) { g.look = style.New(o, render.Options{}) }

// translate returns a text in the viewer's language.
func (g *Guide) translate(t words.Text) string { return t.In(g.look.Format.Words) }

// Outcome returns the outcome after the guide has ended.
func (g *Guide) Outcome() Outcome { return g.outcome }

// Init implements [tea.Model].
func (g *Guide) Init() tea.Cmd { return g.themer.QueryBackground() }

// Messages of a connection test, and the message that the configuration was written.
type (
	progressMsg struct {
		testNumber int
		text       words.Text
	}
	resultMsg struct {
		testNumber int
		service    Service
		result     Result
	}
	tickMsg    struct{ testNumber int }
	writtenMsg struct {
		outcome Outcome
		files   []words.Text
		err     error
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
		if msg.testNumber != g.testCount || g.cancelTest == nil {
			return g, nil
		}
		g.screen.progress = msg.text
		return g, awaitProgress(msg.testNumber, g.progressTexts)
	case tickMsg:
		if msg.testNumber != g.testCount || g.cancelTest == nil {
			return g, nil
		}
		g.screen.seconds++
		return g, g.tick()
	case writtenMsg:
		return g, g.finish(msg)
	case resultMsg:
		if msg.testNumber != g.testCount || g.cancelTest == nil {
			return g, nil
		}
		g.endTest()
		return g, g.handleResult(msg.service, msg.result)
	}
	return g, nil
}

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

// outcomeOfQuit returns the outcome if the viewer quits at the last step of steps.
func outcomeOfQuit(steps []step) Outcome {
	if steps[len(steps)-1] == stepDone {
		return OutcomeWritten
	}
	return OutcomeQuit
}

func (g *Guide) end(o Outcome) tea.Cmd {
	g.endTest()
	g.outcome = o
	return tea.Quit
}

// back returns to the previous question and saves the input that was not submitted. On the first
// question it ends the guide. It skips connection tests and their failures, so that the viewer can
// change the answer to the question before them. Going back from a connection test revokes the
// decision to accept any certificate.
func (g *Guide) back() tea.Cmd {
	g.endTest()
	last := outcomeOfQuit(g.steps)
	g.keepUnsentText()
	g.steps = g.steps[:len(g.steps)-1]
	for len(g.steps) > 0 && g.steps[len(g.steps)-1].isTest() {
		g.steps = g.steps[:len(g.steps)-1]
	}
	if len(g.steps) == 0 {
		return g.end(last)
	}
	for s := range Service(serviceCount) {
		if g.steps[len(g.steps)-1] < s.testStep() {
			g.answers.Trust[s].Insecure = false
		}
	}
	return g.showStep()
}

// keepUnsentText saves the input that was not submitted, to restore it when the question is asked
// again.
func (g *Guide) keepUnsentText() {
	lines := make(map[string]string)
	for i := range g.screen.fields {
		lines[g.screen.fields[i].label] = g.screen.fields[i].input.Value()
	}
	g.unsentText[g.steps[len(g.steps)-1]] = lines
}

// setAddress changes the address of a service. If the new address is on another server, setAddress
// removes the text typed for the old server and the results found on it.
func (g *Guide) setAddress(s Service, address string) {
	changed := address != g.answers.Address(s)
	isOther := g.answers.setAddress(s, address)
	switch {
	case isOther && s == RealTime:
		g.results = Result{}
		clear(g.unsentText)
	case isOther && s == Statistics:
		delete(g.unsentText, stepAPIKey)
	case changed && s == Configuration:
		g.results.Campaigns = nil
	}
}

// askNext asks question s. The caller has already stored the answer to the current question.
func (g *Guide) askNext(s step) tea.Cmd {
	if n := len(g.steps); n > 0 {
		delete(g.unsentText, g.steps[n-1])
	}
	g.steps = append(g.steps, s)
	return g.showStep()
}

// showStep shows the screen of the current step. If the step is a connection test, it starts the
// test.
func (g *Guide) showStep() tea.Cmd {
	s := g.steps[len(g.steps)-1]
	g.screen = g.newScreen(s)
	for i := range g.screen.fields {
		if text, ok := g.unsentText[s][g.screen.fields[i].label]; ok {
			g.screen.fields[i].input.SetValue(text)
			g.screen.fields[i].input.CursorEnd()
		}
	}
	if s.isTest() {
		return g.startTest(s.service())
	}
	return nil
}

// startTest returns a command that runs the connection test of a service.
func (g *Guide) startTest(service Service) tea.Cmd {
	ctx, cancel := context.WithCancel(g.ctx)
	g.cancelTest = cancel
	g.testCount++
	try, answers, backend, news := g.testCount, g.answers, g.options.Backend, make(chan words.Text)
	g.progressTexts = news
	run := func() tea.Msg {
		defer close(news)
		return resultMsg{try, service, backend.TestConnection(ctx, service, answers, func(text words.Text) {
			select {
			case news <- text:
			case <-ctx.Done():
			}
		})}
	}
	return tea.Batch(run, awaitProgress(try, news), g.tick())
}

// awaitProgress returns a command that waits for the next text about the progress of a connection
// test.
func awaitProgress(try int, news <-chan words.Text) tea.Cmd {
	return func() tea.Msg {
		text, ok := <-news
		if !ok {
			return nil
		}
		return progressMsg{try, text}
	}
}

func (g *Guide) endTest() {
	if g.cancelTest != nil {
		g.cancelTest()
		g.cancelTest = nil
	}
}

// tick returns a command that counts the next second of a connection test.
func (g *Guide) tick() tea.Cmd {
	try := g.testCount
	return g.newTimer(time.Second, func(time.Time) tea.Msg { return tickMsg{try} })
}

// handleResult handles the result of a connection test. It asks the next question, or shows the
// reason if the service cannot be used.
func (g *Guide) handleResult(service Service, r Result) tea.Cmd {
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
		g.results = r // r has no campaigns; the test of the configuration service finds them
		return g.askNext(stepREST)
	case Configuration:
		g.results.Campaigns = r.Campaigns
		return g.askNext(stepHistory)
	case Statistics:
	}
	return g.askNext(stepFindings)
}
