package setup

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
)

// step is a question of the guide.
type step int

const (
	stepProblem        step = iota // the directory of the configuration is not safe, or nothing can be written there
	stepExisting                   // a configuration exists
	stepLanguage                   // the language of the guide and the board
	stepDemoOrPlatform             // the choice between the demo and a platform
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
	stepAPIKey
	stepHistoryCA
	stepTestHistory
	stepFindings
	stepNames
	stepTarget
	stepWaitLimits
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

// addressPrefix begins the suggested addresses. It is added to an address without a scheme.
const addressPrefix = "https://"

// defaultTarget is the share of calls to answer in time that most centers aim at.
const defaultTarget = 0.8

// DefaultWaitLimits returns the levels of the built-in rule for the longest wait.
func DefaultWaitLimits() WaitLimits { return WaitLimits{30 * time.Second, time.Minute} }

// newScreen returns the screen of a question. It shows the earlier answer, if there is one.
func (g *Guide) newScreen(s step) screen {
	switch s {
	case stepProblem, stepExisting, stepLanguage, stepDemoOrPlatform, stepMethod:
		return g.beforeLoginScreen(s)
	case stepAddress:
		return g.addressScreen(words.SetupAddress(), RealTime, g.answers.URL, stepMethod, words.SetupAddressHelp())
	case stepUser:
		sc := newInputScreen(g.translate(words.SetupUser()), g.answers.User, false)
		sc.text = []paragraph{{paragraphPlain, g.translate(words.SetupUserHelp())}}
		sc.submit = func() tea.Cmd {
			if g.answers.User = strings.TrimSpace(g.screen.value()); g.answers.User == "" {
				g.screen.problem = g.translate(words.SetupTypeUser())
				return nil
			}
			return g.askNext(stepSecret)
		}
		return sc
	case stepSecret:
		return g.secretScreen(g.answers.secretText(words.SetupPassword(), words.SetupByToken()), words.SetupSecretHelp(), &g.answers.Secret, stepTest)
	case stepAPIKey:
		return g.secretScreen(words.SetupKey(), words.SetupKeyHelp(), &g.answers.APIKey, stepTestHistory)
	case stepCA, stepRESTCA, stepHistoryCA:
		return g.certificatesScreen(s.service())
	case stepREST:
		return g.optionalAddress(words.SetupRest(), Configuration, "platform", stepTestREST, words.SetupRestHelp())
	case stepHistory:
		return g.optionalAddress(words.SetupHistory(), Statistics, "datamodel", stepAPIKey, words.SetupHistoryHelp())
	case stepTest, stepTestREST, stepTestHistory:
		return screen{title: g.translate(words.SetupConnecting())}
	case stepFindings, stepNames, stepTarget, stepWaitLimits, stepStorage, stepWrite, stepDone:
		return g.afterLoginScreen(s)
	}
	return screen{}
}

func (g *Guide) beforeLoginScreen(s step) screen {
	quit := g.option(words.SetupQuit(), words.SetupNothingWritten(), func() tea.Cmd { return g.end(OutcomeQuit) })
	demo := func() tea.Cmd { return g.end(OutcomeDemo) }
	to := func(next step) func() tea.Cmd { return func() tea.Cmd { return g.askNext(next) } }
	switch s { //nolint:exhaustive // newScreen passes these
	case stepProblem:
		title := words.SetupUnsafe()
		if g.options.Unwritable {
			title = words.SetupUnwritable()
		}
		return screen{
			title: g.translate(title), text: []paragraph{{paragraphFailure, g.options.Problem}},
			options: []option{quit, g.option(words.SetupSeeDemo(), words.SetupDemoNeedsNothing(), demo)},
		}
	case stepExisting:
		return screen{
			title: g.translate(words.SetupExists()), text: []paragraph{{paragraphPlain, g.options.Path}},
			options: []option{
				g.option(words.SetupOpenWithIt(), words.Text{}, func() tea.Cmd { return g.end(OutcomeOpenBoard) }),
				g.option(words.SetupWriteNew(), words.SetupOldKept(), to(stepLanguage)),
				quit,
			},
		}
	case stepLanguage:
		return g.languageScreen()
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
		sc := screen{title: g.translate(words.SetupMethod()), options: []option{
			g.option(words.SetupByPassword(), words.Text{}, use(methodLogin)),
			g.option(words.SetupByToken(), words.SetupByTokenDetail(), use(methodToken)),
			g.option(words.SetupByCookie(), words.Text{}, use(methodCookie)),
			g.option(words.SetupByTokenLogin(), words.SetupByTokenLoginDetail(), use(methodTokenLogin)),
		}}
		for i, method := range []string{methodLogin, methodToken, methodCookie, methodTokenLogin} {
			if method == g.answers.Method {
				sc.cursor = i
			}
		}
		return sc
	}
	return screen{
		title: g.translate(words.SetupStart()),
		options: []option{
			g.option(words.SetupDemo(), words.SetupDemoDetail(), demo),
			g.option(words.SetupOwn(), words.SetupOwnDetail(), to(stepAddress)),
		},
	}
}

// option returns an option with a label and a detail, which may be empty.
func (g *Guide) option(label, detail words.Text, choose func() tea.Cmd) option {
	return option{g.translate(label), g.translate(detail), choose}
}

// languageScreen returns a screen that asks for the language. It shows itself in the selected language.
func (g *Guide) languageScreen() screen {
	sc := screen{title: g.translate(words.SetupLanguage()), text: []paragraph{{paragraphPlain, g.translate(words.SetupLanguageHelp())}}}
	tags := words.AvailableLanguages.Tags()
	use := func(tag string) {
		o := g.look.Options
		o.Words, _ = words.AvailableLanguages.Lookup(tag)
		g.setLook(o)
		if g.answers.Language = tag; tag == g.options.Display.Language.Tag() {
			g.answers.Language = "" // leave the choice to the locale of each viewer
		}
	}
	for i, tag := range tags {
		name, review := words.AvailableLanguages.Describe(tag)
		if tag == "en" {
			review = "" // English is not a translation
		}
		sc.options = append(sc.options, option{name, review, func() tea.Cmd {
			use(tag)
			return g.askNext(stepDemoOrPlatform)
		}})
		if tag == g.look.Words.Tag() {
			sc.cursor = i
		}
	}
	sc.preview = func(i int) {
		use(tags[i])
		offset := g.screen.offset
		g.screen = g.languageScreen()
		g.screen.offset = offset
	}
	return sc
}

// addressScreen returns a screen that asks for the address of a service. It accepts only a valid
// address.
func (g *Guide) addressScreen(title words.Text, service Service, value string, next step, help words.Text) screen {
	sc := newInputScreen(g.translate(title), value, false)
	sc.text = []paragraph{{paragraphPlain, g.translate(help)}}
	sc.submit = func() tea.Cmd {
		address := strings.TrimSpace(g.screen.value())
		for _, suggested := range []string{value, addressPrefix} {
			if pasted, ok := strings.CutPrefix(address, suggested); ok && hasURLScheme(pasted) {
				address = pasted
			}
		}
		if address != "" && !hasURLScheme(address) {
			address = addressPrefix + address
		}
		g.screen.fields[0].input.SetValue(address)
		changed := g.answers
		changed.setAddress(service, address)
		if g.screen.problem = g.options.Backend.CheckAddress(service, changed); g.screen.problem != "" {
			return nil
		}
		if service == Configuration && address != g.answers.RESTURL && address != g.screen.confirmedAddress && HostOf(address) != HostOf(g.answers.URL) {
			g.screen.confirmedAddress = address
			g.screen.problem = g.translate(words.SetupOtherHost(HostOf(address)))
			return nil
		}
		g.setAddress(service, address)
		return g.askNext(next)
	}
	return sc
}

// hasURLScheme reports whether text begins with a URL scheme.
func hasURLScheme(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && scheme != "" && !strings.ContainsAny(scheme, "/?#.:")
}

// optionalAddress returns a screen that asks for the address of an optional service. It suggests a
// path on the host of the real-time service.
func (g *Guide) optionalAddress(title words.Text, service Service, path string, next step, help words.Text) screen {
	value := cmp.Or(g.answers.Address(service), originOf(g.answers.URL)+"/"+path)
	sc := g.addressScreen(title, service, value, next, words.Paragraph(help, words.SetupOptional()))
	submit := sc.submit
	sc.submit = func() tea.Cmd {
		if typed := strings.TrimSpace(g.screen.value()); typed == "" || typed == addressPrefix {
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
	return ask(stepFindings)
}

// certificatesScreen returns a screen that asks for the certificates to trust for a service.
func (g *Guide) certificatesScreen(service Service) screen {
	sc := newInputScreen(g.translate(words.SetupCertificates()), cmp.Or(g.answers.CAFile(service), g.answers.Trust[RealTime].CAFile), false)
	sc.text = []paragraph{{paragraphPlain, g.translate(words.SetupCertificatesHelp(g.answers.Address(service)))}}
	sc.submit = func() tea.Cmd {
		g.answers.Trust[service] = Trust{CAFile: strings.TrimSpace(g.screen.value())}
		return g.askNext(service.testStep())
	}
	return sc
}

// secretScreen returns a screen that asks for a secret and hides the input.
func (g *Guide) secretScreen(title, help words.Text, at *string, next step) screen {
	sc := newInputScreen(g.translate(title), *at, true)
	sc.text = []paragraph{{paragraphPlain, g.translate(help)}}
	sc.submit = func() tea.Cmd {
		if *at = textnorm.DecodeSecret([]byte(g.screen.value())); *at == "" {
			g.screen.problem = g.translate(words.SetupTypeSecret())
			return nil
		}
		return g.askNext(next)
	}
	return sc
}

// failureScreen returns a screen that shows why a service cannot be used, and offers remedies.
func (g *Guide) failureScreen(service Service, r *Result) screen {
	title := words.SetupUnusable()
	switch {
	case r.Refused:
		title = words.SetupRefused()
	case service == RealTime:
		title = words.SetupNoConnection()
	}
	sc := screen{title: g.translate(title), text: findingTexts(r.Findings)}
	sc.text = append(sc.text, paragraph{paragraphFailure, r.Reason})
	if r.Remedy != "" {
		sc.text = append(sc.text, paragraph{paragraphRemark, r.Remedy})
	}
	add := func(label words.Text, detail string, s step) {
		sc.options = append(sc.options, option{g.translate(label), detail, func() tea.Cmd { return g.askAgain(s) }})
	}
	if !r.Refused && strings.Contains(r.Reason, "certificate") {
		add(words.SetupNameCertificates(), g.translate(words.SetupNameCertificatesDetail()), service.certificatesStep())
		sc.options = append(sc.options, g.option(words.SetupAcceptAny(), words.SetupAcceptAnyDetail(), func() tea.Cmd {
			g.answers.Trust[service] = Trust{Insecure: true}
			return g.askAgain(service.testStep())
		}))
	}
	again := func() { add(words.SetupTryAgain(), "", g.steps[len(g.steps)-1]) }
	switch service {
	case RealTime:
		secret := g.answers.secretText(words.SetupChangePassword(), words.SetupChangeToken())
		if r.Refused {
			add(secret, "", stepSecret)
			if g.answers.NeedsUser() {
				add(words.SetupChangeUser(), g.answers.User, stepUser)
			}
			add(words.SetupOtherMethod(), "", stepMethod)
			add(words.SetupChangeAddress(), g.answers.URL, stepAddress)
			break
		}
		add(words.SetupChangeAddress(), g.answers.URL, stepAddress)
		again()
		add(words.SetupChangeLogin(), "", stepMethod)
	case Configuration:
		add(words.SetupChangeAddress(), g.answers.RESTURL, stepREST)
		again()
		sc.options = append(sc.options, g.option(words.SetupWithout(), words.Text{}, func() tea.Cmd { return g.skipService(service, g.askAgain) }))
	case Statistics:
		add(words.SetupChangeKey(), "", stepAPIKey)
		add(words.SetupChangeAddress(), g.answers.HistoryURL, stepHistory)
		again()
		sc.options = append(sc.options, g.option(words.SetupWithout(), words.Text{}, func() tea.Cmd { return g.skipService(service, g.askAgain) }))
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
		k := paragraphNotice
		if f.Failed {
			k = paragraphFailure
		}
		out = append(out, paragraph{k, f.Subject + ": " + f.Text})
		if f.Remedy != "" {
			out = append(out, paragraph{paragraphRemark, f.Remedy})
		}
	}
	return out
}

func (g *Guide) afterLoginScreen(s step) screen {
	switch s { //nolint:exhaustive // newScreen passes these
	case stepFindings:
		return g.foundScreen()
	case stepNames:
		return g.namesScreen()
	case stepTarget:
		return g.targetScreen()
	case stepWaitLimits:
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
	sc := screen{title: g.translate(words.SetupFoundTitle()), text: findingTexts(f.Findings)}
	counts := []words.Text{words.CountServices(len(f.Services)), words.SetupGroups(len(f.Groups)), words.CountAgents(f.Agents)}
	if g.answers.RESTURL != "" {
		counts = append(counts, words.SetupCampaigns(len(f.Campaigns)))
	}
	sc.text = append(sc.text, paragraph{paragraphGood, g.translate(words.SetupFound(counts))})
	if len(f.Services) == 0 {
		sc.text = append(sc.text, paragraph{paragraphNotice, g.translate(words.SetupNoServices())})
	}
	next := stepNames
	if len(f.Services) == 0 {
		next = stepTarget
	}
	sc.options = []option{g.option(words.SetupContinue(), words.Text{}, func() tea.Cmd { return g.askNext(next) })}
	return sc
}

func (g *Guide) namesScreen() screen {
	sc := screen{title: g.translate(words.SetupNames()), text: []paragraph{{paragraphPlain, g.translate(words.SetupNamesHelp())}}}
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
	sc := screen{title: g.translate(words.SetupTarget()), text: []paragraph{{paragraphPlain, g.translate(words.SetupTargetHelp())}}}
	if v, ok := g.results.ServiceLevel.Get(); ok {
		sc.text = append(sc.text, paragraph{paragraphRemark, g.translate(words.SetupToday(v))})
	}
	for i, target := range []float64{0.7, 0.8, 0.85, 0.9} {
		detail := words.Text{}
		if target == defaultTarget {
			detail = words.SetupDefault()
		}
		sc.options = append(sc.options, option{fmt.Sprintf("%.0f %%", 100*target), g.translate(detail), func() tea.Cmd {
			g.answers.Target = target
			return g.askNext(stepWaitLimits)
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
	sc := screen{title: g.translate(words.SetupWait()), text: []paragraph{{paragraphPlain, g.translate(words.SetupWaitHelp())}}}
	suggested := DefaultWaitLimits()
	if v, ok := g.results.AverageAnswerSeconds.Get(); ok {
		sc.text = append(sc.text, paragraph{paragraphRemark, g.translate(words.SetupAsa(time.Duration(v * float64(time.Second))))})
		suggested = suggestedLimits(v)
	}
	if g.answers.Wait != (WaitLimits{}) {
		suggested = g.answers.Wait
	}
	for i, limits := range waitChoices() {
		detail := words.Text{}
		if limits == DefaultWaitLimits() {
			detail = words.SetupDefault()
		}
		sc.options = append(sc.options, g.option(words.SetupLimits(limits.Warning, limits.Critical), detail, func() tea.Cmd {
			g.answers.Wait = limits
			return g.askNext(stepStorage)
		}))
		if limits == suggested {
			sc.cursor = i
		}
	}
	return sc
}

// waitChoices returns the limits to choose from, from strict to lenient.
func waitChoices() []WaitLimits {
	return []WaitLimits{{20 * time.Second, 40 * time.Second}, DefaultWaitLimits(), {time.Minute, 2 * time.Minute}, {2 * time.Minute, 5 * time.Minute}}
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
	use := func(s Storage) func() tea.Cmd {
		return func() tea.Cmd {
			g.answers.Storage = s
			return g.askNext(stepWrite)
		}
	}
	return screen{
		title: g.translate(g.answers.secretText(words.SetupKeepPassword(), words.SetupKeepToken())), cursor: int(g.answers.Storage),
		options: []option{
			g.option(words.SetupInFile(), words.SetupInFileDetail(), use(InFile)),
			g.option(words.SetupInKeyring(), words.SetupInKeyringDetail(), use(InKeyring)),
			g.option(words.SetupInVariable(), words.SetupInVariableDetail(), use(InEnvironment)),
			g.option(words.SetupInConfiguration(), words.SetupInConfigurationDetail(), use(InConfiguration)),
		},
	}
}

func (g *Guide) writeScreen() screen {
	sc := screen{title: g.translate(words.SetupWrite()), text: []paragraph{{paragraphPlain, g.options.Path}}}
	if g.options.Exists {
		sc.text = append(sc.text, paragraph{paragraphRemark, g.translate(words.SetupFileKept())})
	}
	for s, trust := range g.answers.Trust {
		if trust.Insecure {
			sc.text = append(sc.text, paragraph{paragraphNotice, g.translate(words.SetupUnchecked(g.answers.Address(Service(s))))})
		}
	}
	sc.options = []option{
		g.option(words.SetupWriteOpen(), words.Text{}, func() tea.Cmd { return g.write(OutcomeOpenBoard) }),
		g.option(words.SetupWriteOnly(), words.SetupWriteOnlyDetail(), func() tea.Cmd { return g.write(OutcomeWritten) }),
	}
	if g.answers.Storage == InEnvironment { // the variables are not set in this process
		sc.text = append(sc.text, paragraph{paragraphNotice, g.translate(words.SetupSetVariables(words.NameTexts(g.answers.Variables())))})
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

// finish handles the result of writing the configuration. It opens the board if the viewer wants that,
// and otherwise lists the written files. After an error it shows the error, and the viewer can go back.
func (g *Guide) finish(msg writtenMsg) tea.Cmd {
	g.writing = false
	if msg.err != nil {
		g.screen.text = []paragraph{{paragraphFailure, model.CleanText(msg.err.Error(), model.MaxBody)}, {paragraphRemark, g.translate(words.SetupNotWritten())}}
		return nil
	}
	if msg.outcome == OutcomeOpenBoard {
		return g.end(OutcomeOpenBoard)
	}
	g.steps = []step{stepDone}
	g.screen = screen{title: g.translate(words.SetupWritten()), options: []option{g.option(words.SetupFinish(), words.Text{}, func() tea.Cmd { return g.end(OutcomeWritten) })}}
	for _, f := range msg.files {
		g.screen.text = append(g.screen.text, paragraph{paragraphGood, g.translate(f)})
	}
	return nil
}

// progressText returns the last text about the progress and the duration of a connection test.
func (g *Guide) progressText() string {
	text := g.screen.progress
	if text.IsZero() {
		text = words.SetupAsking()
	}
	return g.translate(words.SetupProgress(text, time.Duration(g.screen.seconds)*time.Second))
}
