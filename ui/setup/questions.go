package setup

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// step is a question of the guide.
type step int

const (
	stepProblem  step = iota // the directory of the configuration is not safe
	stepExisting             // a configuration exists
	stepStart                // the choice between the demo and a platform
	stepAddress
	stepMethod
	stepUser
	stepSecret
	stepCA
	stepTest // tests the connection to the real-time service
	stepREST
	stepRESTCA
	stepTestREST
	stepHistory
	stepKey
	stepHistoryCA
	stepTestHistory
	stepFound
	stepNames
	stepTarget
	stepWait
	stepStorage
	stepWrite
	stepDone
)

// isTest reports whether the step is the connection test of a service.
func (s step) isTest() bool { return s == stepTest || s == stepTestREST || s == stepTestHistory }

// service returns the service that a step asks about or tests.
func (s step) service() Service {
	switch {
	case s >= stepHistory:
		return Statistics
	case s >= stepREST:
		return Configuration
	}
	return RealTime
}

func (s Service) testStep() step {
	return [serviceCount]step{stepTest, stepTestREST, stepTestHistory}[s]
}

// certificatesStep returns the step that asks for the certificates of the service.
func (s Service) certificatesStep() step {
	return [serviceCount]step{stepCA, stepRESTCA, stepHistoryCA}[s]
}

// addressStart begins the suggested addresses. It is added to an address without a scheme.
const addressStart = "https://"

// defaultTarget is the share of calls to answer in time that most centers aim at.
const defaultTarget = 0.8

// UsualLimits returns the levels of the built-in rule for the longest wait.
func UsualLimits() WaitLimits { return WaitLimits{30 * time.Second, time.Minute} }

// newScreen returns the screen of a question. It shows the earlier answer, if there is one.
func (g *Guide) newScreen(s step) screen {
	switch s {
	case stepProblem, stepExisting, stepStart, stepMethod:
		return g.beforeLoginScreen(s)
	case stepAddress:
		return g.addressScreen("Address of the real-time service", RealTime, g.answers.URL, stepMethod,
			paragraph{plain, "The platform's administrator knows it. It begins with https:// and is the address that queries are posted to."})
	case stepUser:
		sc := newEntry("User name", g.answers.User, false)
		sc.text = []paragraph{{plain, "An account of a supervisor that no one else uses is best: some platforms end the session of an account that logs in twice."}}
		sc.submit = func() tea.Cmd {
			if g.answers.User = strings.TrimSpace(g.screen.value()); g.answers.User == "" {
				g.screen.problem = "Type the user name."
				return nil
			}
			return g.askNext(stepSecret)
		}
		return sc
	case stepSecret:
		noun := g.answers.SecretNoun()
		return g.secretScreen(strings.ToUpper(noun[:1])+noun[1:], "It is tried at once. Where it is kept is asked at the end.", &g.answers.Secret, stepTest)
	case stepKey:
		return g.secretScreen("API key of the statistical data service",
			"It is in the platform's administration console, under Advanced, data model.", &g.answers.APIKey, stepTestHistory)
	case stepCA, stepRESTCA, stepHistoryCA:
		return g.certificatesScreen(s.service())
	case stepREST:
		return g.optionalAddress("Configuration service (optional)", Configuration, "platform", stepTestREST,
			"It lists the campaigns by name, dials, hangs up and records. Without it the board only shows.")
	case stepHistory:
		return g.optionalAddress("Statistical data service (optional)", Statistics, "datamodel", stepKey,
			"It has past days and hours, for the page History. It needs an API key.")
	case stepTest, stepTestREST, stepTestHistory:
		return screen{title: "Connecting"}
	case stepFound, stepNames, stepTarget, stepWait, stepStorage, stepWrite, stepDone:
		return g.afterLoginScreen(s)
	}
	return screen{}
}

func (g *Guide) beforeLoginScreen(s step) screen {
	quit := option{"Quit", "nothing is written", func() tea.Cmd { return g.end(Quit) }}
	to := func(next step) func() tea.Cmd { return func() tea.Cmd { return g.askNext(next) } }
	switch s { //nolint:exhaustive // newScreen passes these
	case stepProblem:
		return screen{
			title: "The configuration would not be safe", text: []paragraph{{failure, g.options.Problem}},
			options: []option{quit, {"Look at the demo", "it needs no configuration", func() tea.Cmd { return g.end(Demo) }}},
		}
	case stepExisting:
		return screen{
			title: "There is a configuration already", text: []paragraph{{plain, g.options.Path}},
			options: []option{
				{"Open the board with it", "", func() tea.Cmd { return g.end(OpenBoard) }},
				{"Write a new one", "the old one is kept beside it", to(stepStart)},
				quit,
			},
		}
	case stepMethod:
		use := func(method string) func() tea.Cmd {
			return func() tea.Cmd {
				if method != g.answers.Method {
					g.answers.Method, g.answers.Secret = method, ""
					delete(g.unsentText, stepSecret)
				}
				if g.answers.NeedsUser() {
					return g.askNext(stepUser)
				}
				return g.askNext(stepSecret)
			}
		}
		sc := screen{title: "How do you log in there?", options: []option{
			{"User name and password", "", use(methodLogin)},
			{"Access token", "sent when the connection opens", use(methodToken)},
			{"Access token as a cookie", "", use(methodCookie)},
			{"Access token that logs in", "the platform gives a session for it", use(methodTokenLogin)},
		}}
		for i, method := range []string{methodLogin, methodToken, methodCookie, methodTokenLogin} {
			if method == g.answers.Method {
				sc.cursor = i
			}
		}
		return sc
	}
	return screen{
		title: "What do you want to see?",
		options: []option{
			{"The demo", "a simulated contact center on this machine", func() tea.Cmd { return g.end(Demo) }},
			{"My own platform", "you need its address and a login; it takes two minutes", to(stepAddress)},
		},
	}
}

// addressScreen returns a screen that asks for the address of a service. It accepts only a valid
// address.
func (g *Guide) addressScreen(title string, service Service, value string, next step, text paragraph) screen {
	sc := newEntry(title, value, false)
	sc.text = []paragraph{text}
	sc.submit = func() tea.Cmd {
		address := strings.TrimSpace(g.screen.value())
		for _, suggested := range []string{value, addressStart} {
			if pasted, ok := strings.CutPrefix(address, suggested); ok && isWholeAddress(pasted) {
				address = pasted
			}
		}
		if address != "" && !isWholeAddress(address) {
			address = addressStart + address
		}
		g.screen.fields[0].input.SetValue(address)
		changed := g.answers
		changed.setAddress(service, address)
		if g.screen.problem = g.options.Backend.CheckAddress(service, changed); g.screen.problem != "" {
			return nil
		}
		if service == Configuration && address != g.answers.RESTURL && address != g.screen.confirmedAddress && HostOf(address) != HostOf(g.answers.URL) {
			g.screen.confirmedAddress = address
			g.screen.problem = "This is another host: the " + g.answers.SecretNoun() + " is sent to " + HostOf(address) + " too. Press enter again to agree."
			return nil
		}
		g.setAddress(service, address)
		return g.askNext(next)
	}
	return sc
}

// isWholeAddress reports whether text begins with a URL scheme.
func isWholeAddress(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && scheme != "" && !strings.ContainsAny(scheme, "/?#.:")
}

// optionalAddress returns a screen that asks for the address of an optional service. It suggests a
// path on the host of the real-time service.
func (g *Guide) optionalAddress(title string, service Service, path string, next step, why string) screen {
	value := cmp.Or(g.answers.Address(service), originOf(g.answers.URL)+"/"+path)
	sc := g.addressScreen(title, service, value, next, paragraph{plain, why + " Empty the line (ctrl+u) to go on without it."})
	submit := sc.submit
	sc.submit = func() tea.Cmd {
		if typed := strings.TrimSpace(g.screen.value()); typed == "" || typed == addressStart {
			return g.skipService(service, g.askNext)
		}
		return submit()
	}
	return sc
}

// skipService removes the address of an optional service and calls ask with the next question.
func (g *Guide) skipService(service Service, ask func(step) tea.Cmd) tea.Cmd {
	g.setAddress(service, "")
	if service == Configuration {
		return ask(stepHistory)
	}
	return ask(stepFound)
}

// certificatesScreen returns a screen that asks for the certificates to trust for a service.
func (g *Guide) certificatesScreen(service Service) screen {
	sc := newEntry("File of the certificates to trust", cmp.Or(g.answers.CAFile(service), g.answers.Trust[RealTime].CAFile), false)
	sc.text = []paragraph{{plain, "For the " + service.String() + ": a file in PEM format with the certificate of the authority that has signed the server's. It replaces the system's list."}}
	sc.submit = func() tea.Cmd {
		g.answers.Trust[service] = Trust{CAFile: strings.TrimSpace(g.screen.value())}
		return g.askNext(service.testStep())
	}
	return sc
}

// secretScreen returns a screen that asks for a secret and hides the input.
func (g *Guide) secretScreen(title, text string, at *string, next step) screen {
	sc := newEntry(title, *at, true)
	sc.text = []paragraph{{plain, text}}
	sc.submit = func() tea.Cmd {
		if *at = g.screen.secretValue(); *at == "" {
			g.screen.problem = "Type it; it is not shown."
			return nil
		}
		return g.askNext(next)
	}
	return sc
}

// failureScreen returns a screen that shows why a service cannot be used, and offers remedies.
func (g *Guide) failureScreen(service Service, r *Result) screen {
	sc := screen{title: "The service cannot be used", text: findingTexts(r.Findings)}
	switch {
	case r.Refused:
		sc.title = "The login was refused"
	case service == RealTime:
		sc.title = "No connection"
	}
	sc.text = append(sc.text, paragraph{failure, r.Reason})
	if r.Remedy != "" {
		sc.text = append(sc.text, paragraph{remark, r.Remedy})
	}
	add := func(label, detail string, s step) {
		sc.options = append(sc.options, option{label, detail, func() tea.Cmd { return g.askAgain(s) }})
	}
	if !r.Refused && strings.Contains(r.Reason, "certificate") {
		add("Name the certificates to trust", "for an authority of your own", service.certificatesStep())
		sc.options = append(sc.options, option{"Accept any certificate", "not safe; the board shows a permanent warning", func() tea.Cmd {
			g.answers.Trust[service] = Trust{Insecure: true}
			return g.askAgain(service.testStep())
		}})
	}
	again := func() { add("Try again", "", g.steps[len(g.steps)-1]) }
	switch service {
	case RealTime:
		secret := "Change the " + g.answers.SecretNoun()
		if r.Refused {
			add(secret, "", stepSecret)
			if g.answers.NeedsUser() {
				add("Change the user name", g.answers.User, stepUser)
			}
			add("Log in another way", "", stepMethod)
			add("Change the address", g.answers.URL, stepAddress)
			break
		}
		add("Change the address", g.answers.URL, stepAddress)
		again()
		add("Change the login", "", stepMethod)
	case Configuration:
		add("Change the address", g.answers.RESTURL, stepREST)
		again()
		sc.options = append(sc.options, option{"Go on without it", "", func() tea.Cmd { return g.skipService(service, g.askAgain) }})
	case Statistics:
		add("Change the key", "", stepKey)
		add("Change the address", g.answers.HistoryURL, stepHistory)
		again()
		sc.options = append(sc.options, option{"Go on without it", "", func() tea.Cmd { return g.skipService(service, g.askAgain) }})
	}
	return sc
}

// askAgain asks question s again after a failed connection test. The key esc then returns to the
// question before s.
func (g *Guide) askAgain(s step) tea.Cmd {
	for i, earlier := range g.steps {
		if earlier == s {
			g.steps = g.steps[:i]
			break
		}
	}
	for len(g.steps) > 0 && g.steps[len(g.steps)-1].isTest() {
		g.steps = g.steps[:len(g.steps)-1]
	}
	return g.askNext(s)
}

func findingTexts(findings []Finding) []paragraph {
	var out []paragraph
	for i := range findings {
		f := &findings[i]
		k := notice
		if f.Failed {
			k = failure
		}
		out = append(out, paragraph{k, f.About + ": " + f.Text})
		if f.Remedy != "" {
			out = append(out, paragraph{remark, f.Remedy})
		}
	}
	return out
}

func (g *Guide) afterLoginScreen(s step) screen {
	switch s { //nolint:exhaustive // newScreen passes these
	case stepFound:
		return g.foundScreen()
	case stepNames:
		return g.namesScreen()
	case stepTarget:
		return g.targetScreen()
	case stepWait:
		return g.waitScreen()
	case stepStorage:
		return g.storageScreen()
	case stepDone:
		return screen{}
	}
	return g.writeScreen()
}

// foundScreen returns a screen that lists the services, groups and campaigns of the platform.
func (g *Guide) foundScreen() screen {
	f := &g.results
	sc := screen{title: "Connected", text: findingTexts(f.Findings)}
	count := func(n int, one, more string) string {
		if n == 1 {
			return "1 " + one
		}
		return g.look.Count(n) + " " + more
	}
	text := "Found: " + count(len(f.Services), "service", "services") + ", " + count(len(f.Groups), "group", "groups") + ", " +
		count(f.Agents, "agent", "agents")
	if g.answers.RESTURL != "" {
		text += ", " + count(len(f.Campaigns), "campaign", "campaigns")
	}
	sc.text = append(sc.text, paragraph{good, text + "."})
	if len(f.Services) == 0 {
		sc.text = append(sc.text, paragraph{notice, "There are no services: no one is logged in, or this account may not see them. The board shows them as soon as they appear."})
	}
	next := stepNames
	if len(f.Services) == 0 {
		next = stepTarget
	}
	sc.options = []option{{"Continue", "", func() tea.Cmd { return g.askNext(next) }}}
	return sc
}

func (g *Guide) namesScreen() screen {
	sc := screen{title: "Names of the services", text: []paragraph{{plain, "The platform sends codes. Type the names that your supervisors use, or leave a line empty."}}}
	for _, code := range g.results.Services {
		sc.fields = append(sc.fields, newField(code, g.answers.Names[code], false))
	}
	sc.fields[0].input.Focus()
	sc.submit = func() tea.Cmd {
		for i := range g.screen.fields {
			g.answers.Names[g.screen.fields[i].label] = strings.TrimSpace(g.screen.fields[i].input.Value())
		}
		return g.askNext(stepTarget)
	}
	return sc
}

func (g *Guide) targetScreen() screen {
	sc := screen{title: "Target of the service level", text: []paragraph{
		{plain, "The share of calls to answer in time. The platform decides how many seconds that is."},
	}}
	if v, ok := g.results.ServiceLevel.Get(); ok {
		sc.text = append(sc.text, paragraph{remark, "Today so far: " + g.look.PercentText(v) + "."})
	}
	for i, target := range []float64{0.7, 0.8, 0.85, 0.9} {
		detail := ""
		if target == defaultTarget {
			detail = "default"
		}
		sc.options = append(sc.options, option{fmt.Sprintf("%.0f %%", 100*target), detail, func() tea.Cmd {
			g.answers.Target = target
			return g.askNext(stepWait)
		}})
		if target == g.answers.Target {
			sc.cursor = i
		}
	}
	return sc
}

// waitScreen returns a screen that asks for the limits of the longest wait. It suggests limits that
// fit the average time to answer, so that the board does not warn all day.
func (g *Guide) waitScreen() screen {
	sc := screen{title: "Longest wait of a caller", text: []paragraph{{plain, "When the board warns, and when it is critical."}}}
	suggested := UsualLimits()
	if v, ok := g.results.AverageAnswerSeconds.Get(); ok {
		sc.text = append(sc.text, paragraph{remark, "Average time to answer today: " + g.look.Duration(time.Duration(v*float64(time.Second))) + "."})
		suggested = suggestedLimits(v)
	}
	if g.answers.Wait != (WaitLimits{}) {
		suggested = g.answers.Wait
	}
	for i, limits := range waitChoices() {
		detail := ""
		if limits == UsualLimits() {
			detail = "default"
		}
		label := "warn at " + g.look.Duration(limits.Warning) + ", critical at " + g.look.Duration(limits.Critical)
		sc.options = append(sc.options, option{label, detail, func() tea.Cmd {
			g.answers.Wait = limits
			return g.askNext(stepStorage)
		}})
		if limits == suggested {
			sc.cursor = i
		}
	}
	return sc
}

// waitChoices returns the limits to choose from, from strict to lenient.
func waitChoices() []WaitLimits {
	return []WaitLimits{{20 * time.Second, 40 * time.Second}, UsualLimits(), {time.Minute, 2 * time.Minute}, {2 * time.Minute, 5 * time.Minute}}
}

// suggestedLimits returns the strictest limits that are not stricter than the usual ones and whose
// warning is at least twice answer, the average time to answer in seconds. If no warning is high
// enough, it returns the most lenient limits.
func suggestedLimits(answer float64) WaitLimits {
	choices := waitChoices()
	for _, l := range choices[1:] {
		if l.Warning.Seconds() >= 2*answer {
			return l
		}
	}
	return choices[len(choices)-1]
}

func (g *Guide) storageScreen() screen {
	noun := g.answers.SecretNoun()
	use := func(s Storage) func() tea.Cmd {
		return func() tea.Cmd {
			g.answers.Storage = s
			return g.askNext(stepWrite)
		}
	}
	return screen{
		title: "Where to keep the " + noun + "?", cursor: int(g.answers.Storage),
		options: []option{
			{"In a file beside the configuration", "others cannot read it", use(InFile)},
			{"In the keyring of the operating system", "it must be unlocked when the board starts", use(InKeyring)},
			{"In an environment variable", "you set it before each start", use(InEnvironment)},
			{"In the configuration itself", "in clear; the file has mode 0600", use(InConfiguration)},
		},
	}
}

func (g *Guide) writeScreen() screen {
	sc := screen{title: "Write the configuration", text: []paragraph{{plain, g.options.Path}}}
	if g.options.Exists {
		sc.text = append(sc.text, paragraph{remark, "The file that is there is kept beside it."})
	}
	for s, trust := range g.answers.Trust {
		if trust.Insecure {
			sc.text = append(sc.text, paragraph{notice, "The certificate of the " + Service(s).String() + " is not checked: others on the network could read " +
				"what is sent to " + HostOf(g.answers.Address(Service(s))) + ". To check it, go back and name the certificates to trust."})
		}
	}
	sc.options = []option{
		{"Write it and open the board", "", func() tea.Cmd { return g.write(OpenBoard) }},
		{"Write it", "open the board later with: wallboard", func() tea.Cmd { return g.write(Written) }},
	}
	if g.answers.Storage == InEnvironment { // the variables are not set in this process
		sc.text = append(sc.text, paragraph{notice, "Before each start, set " + strings.Join(g.answers.Variables(), " and ") + "."})
		sc.options = sc.options[1:]
	}
	return sc
}

// write returns a command that writes the configuration. The guide ignores keys until the command
// has ended, so that no file is left incomplete.
func (g *Guide) write(then Outcome) tea.Cmd {
	g.writing = true
	backend, answers, found := g.options.Backend, g.answers, g.results
	return func() tea.Msg {
		files, err := backend.Write(answers, found)
		return writtenMsg{then, files, err}
	}
}

// finish ends the guide after the configuration was written, or shows that this is done. After an
// error it shows the error, and the viewer can go back.
func (g *Guide) finish(msg writtenMsg) tea.Cmd {
	g.writing = false
	if msg.err != nil {
		g.screen.text = []paragraph{{failure, model.CleanText(msg.err.Error(), model.MaxBody)}, {remark, "No configuration was written. esc goes back to the other answers."}}
		return nil
	}
	if msg.then == OpenBoard {
		return g.end(OpenBoard)
	}
	g.steps = []step{stepDone}
	g.screen = screen{title: "Written", options: []option{{"Finish", "", func() tea.Cmd { return g.end(Written) }}}}
	for _, f := range msg.files {
		g.screen.text = append(g.screen.text, paragraph{good, f})
	}
	return nil
}

// progressText returns the last line of progress and the duration of a connection test.
func (g *Guide) progressText() string {
	text := cmp.Or(g.screen.progress, "asking the server")
	return text + ", " + phrases.ConfigDuration(time.Duration(g.screen.seconds)*time.Second)
}
