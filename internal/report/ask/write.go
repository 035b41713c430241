package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/report/figureproof"
	"wallboard/internal/report/headless"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// Sources of statements.
const (
	fromSituation = "situation: alerts, queue and history of the floor"
	fromDiagnosis = "diagnosis: changes of calls, agents and handling time within the last hour"
	fromAlert     = "alert rule"
	fromRelease   = "release plan"
	fromForecast  = "end-of-day forecast"
	fromFeed      = "state of the connection"
	fromPlatform  = "figures of the platform"
	fromConfig    = "configuration"
)

// addReceipt adds the title in the language l, the unit, the formula and the fields of a figure. For a custom
// figure of the configuration it adds nothing, because the catalogue does not contain it.
func (m *Moment) addReceipt(out *Figure, k alert.Key, l *words.Language) {
	if r, ok := figureproof.Of(m.Snapshot, figureproof.Rules{Goal: m.Engine.Goal}, k, out.Figure); ok {
		out.Title, out.Fields = cmp.Or(words.FigureTitle(out.Figure, k.Scope).In(l), r.Title), r.Fields
		out.Unit, out.Formula = cmp.Or(r.Unit, out.Unit), cmp.Or(r.Formula, out.Formula) // a count has no formula
	}
}

// boardTitle returns the title of a built-in figure on the board.
func boardTitle(name string) string { return words.FigureTitle(name, "").In(nil) }

// figureTitle returns the title of a figure in the middle of a sentence, or the name of a figure of the
// configuration.
func figureTitle(name string) string {
	title := boardTitle(name)
	if title == "" {
		return name
	}
	return strings.ToLower(title[:1]) + title[1:]
}

// write writes the answer.
func (w *writer) write(ctx context.Context) {
	if h := &w.moment.Snapshot.Health; !h.Live() && !w.moment.IsRecorded {
		text := words.AskNotLive()
		if h.Link.Reason != "" {
			text = words.AskNotLiveBecause(h.Link.Reason)
		}
		w.sayUnknown(fromFeed, text)
	}
	switch w.query.Kind {
	case KindFloor:
		w.writeFloor()
	case KindRecord:
		w.writeRecord()
	case KindWhy:
		w.eachSituation(w.writeWhy)
	case KindWhatHelps:
		w.eachSituation(w.writeHelp)
	case KindWhoCanGo:
		w.writeRelease()
	case KindCompare:
		w.writeComparison(ctx)
	case KindForecast:
		w.writeForecast()
	case KindIncidents:
		w.writeIncidents()
	case KindRules: // the answer about rules does not depend on the moment
	}
}

// places returns the records of the query or, without one, the floor on each channel with services.
func (w *writer) places() []Place {
	if w.found.Keys != nil {
		return w.Records
	}
	var out []Place
	for _, ch := range model.Channels() {
		for r := range w.moment.Snapshot.Services.All() {
			if r.Channel == ch {
				out = append(out, Place{model.ScopeFloor, "", ch, w.tell(words.AskFloor(words.ChannelInSentence(ch)))})
				break
			}
		}
	}
	return out
}

// addFigures adds the figures of the query, or the usual ones, for all places of the query. It leaves
// out figures that the platform does not send, unless the query names them.
func (w *writer) addFigures() {
	for _, p := range w.places() {
		names := headless.MainFigures(p.Scope)
		for _, own := range w.moment.Engine.KPIs(p.Scope) {
			if !own.BuiltIn {
				names = append(names, own.Name)
			}
		}
		if w.query.Figure != "" {
			names = []string{w.query.Figure}
		}
		for _, name := range names {
			f := w.moment.Figure(name, p, w.format)
			if f.IsUnknown && w.query.Figure == "" {
				continue
			}
			w.Figures = append(w.Figures, f)
		}
	}
	if len(w.Figures) == 0 && (w.found.Keys == nil || w.found.Keys[0].Scope != alert.User) {
		w.sayUnknown(fromPlatform, words.AskNoFigures())
	}
}

func (w *writer) writeFloor() {
	w.writeSituations(maxListed)
	w.addFigures()
}

// maxListed limits the number of situations in an answer about all of them.
const maxListed = 8

// writeSituations lists the situations that are open.
func (w *writer) writeSituations(limit int) {
	v := w.moment.Situations
	if v == nil || len(v.Live) == 0 {
		text := words.Name(v.QuietStatement(w.tell(words.SpeakQuiet())))
		if v == nil || v.FiguresUnknown {
			w.sayUnknown(fromSituation, text)
		} else {
			w.say(Situation, fromSituation, text)
		}
	}
	if v == nil {
		return
	}
	for i := range v.Live[:min(len(v.Live), limit)] {
		w.saySituation(&v.Live[i], v.Live[i].Line())
	}
	if more := len(v.Live) - limit; more > 0 {
		w.say(Situation, fromSituation, words.AskMoreOpen(more))
	}
	w.say(Situation, fromSituation, words.Name(v.TodaySummary()))
}

// saySituation adds sentences about a situation.
func (w *writer) saySituation(s *situation.Situation, text string) {
	n := len(w.Statements)
	level := levelLabel(s.Level)
	if w.isDaily(s) {
		level = words.SpeakTodayLabel()
	}
	w.say(Situation, fromSituation, problemText(level, s.Lasted(w.moment.At), text))
	switch {
	case s.Ack.By == "":
	case s.Ack.Note == "":
		w.say(Situation, fromSituation, words.SpeakTakenBy(s.Ack.By))
	default:
		w.say(Situation, fromSituation, words.AskTakenNote(s.Ack.By, s.Ack.Note))
	}
	w.markUnverified(n, s)
}

func levelLabel(l alert.Level) words.Text {
	if l == alert.Critical {
		return words.NotifyTitleCritical()
	}
	return words.NotifyTitleWarning()
}

// problemText describes a problem with a label and its duration. It omits a duration below a second.
func problemText(label words.Text, lasted time.Duration, text string) words.Text {
	if lasted < time.Second {
		return words.SpeakProblem(label, text)
	}
	return words.SpeakProblemFor(label, lasted, text)
}

func (w *writer) isDaily(s *situation.Situation) bool {
	return slices.ContainsFunc(w.moment.Situations.Today, func(t situation.Situation) bool { return t.ID == s.ID })
}

// markUnverified marks the statements from n on if the figures of the situation are unverified.
func (w *writer) markUnverified(n int, s *situation.Situation) {
	for i := n; i < len(w.Statements); i++ {
		w.Statements[i].IsUnverified = !s.StaleSince.IsZero()
	}
}

func (w *writer) writeRecord() {
	for _, k := range w.found.Keys {
		if k.Scope == alert.User {
			w.say(Remark, fromPlatform, headless.DescribeAgent(w.moment.Snapshot, w.floor.Names, w.found.Name, k, w.moment.At))
		}
		if s := w.moment.Situations.ByKey(k); s != nil && w.query.Figure == "" {
			w.saySituation(s, s.Line())
		}
	}
	w.addFigures()
}

// eachSituation calls do with the situations of the record or, without one, with the most urgent
// ones.
func (w *writer) eachSituation(do func(*situation.Situation)) {
	v := w.moment.Situations
	if v == nil {
		w.sayUnknown(fromSituation, words.AskNoSituations())
		return
	}
	const most = 3
	if w.found.Keys == nil {
		if len(v.Live) == 0 {
			w.writeSituations(0)
		}
		for i := range v.Live[:min(len(v.Live), most)] {
			do(&v.Live[i])
		}
		if more := len(v.Live) - most; more > 0 {
			w.say(Remark, fromSituation, words.AskMoreOpen(more))
		}
		return
	}
	hasAlert := false
	for _, k := range w.found.Keys {
		if s := v.ByKey(k); s != nil {
			hasAlert = true
			do(s)
			continue
		}
		for _, a := range w.moment.Engine.AlertsOf(k) {
			hasAlert = true
			w.say(Situation, fromAlert, problemText(levelLabel(a.Level), a.Lasted(w.moment.At), a.Text))
			w.sayLimit(a.ID)
		}
		if r := v.RecoveredAt(k); r != nil {
			at := words.ClockOf(r.Ended, w.floor.Zone)
			text := words.AskResolvedAfter(at, r.Lasted(), r.Headline)
			if r.Lasted() < time.Second {
				text = words.AskResolved(at, r.Headline)
			}
			w.say(Situation, fromSituation, text)
		}
	}
	if !hasAlert {
		w.say(Situation, fromSituation, words.AskNoAlert(w.found.Name))
		w.addFigures()
	}
}

// writeWhy explains a situation.
func (w *writer) writeWhy(s *situation.Situation) {
	w.saySituation(s, s.Text())
	n := len(w.Statements)
	if s.UnexplainedReason != "" && len(s.Causes) == 0 {
		w.sayUnknown(fromDiagnosis, words.Sentences(words.Names(s.CauseLines())...))
	} else {
		w.say(Cause, fromDiagnosis, words.Names(s.CauseLines())...)
	}
	w.sayHelp(s)
	for i := range s.Alerts {
		w.sayLimit(s.Alerts[i].ID)
	}
	w.markUnverified(n, s)
}

// sayLimit explains the figure of an alert and its thresholds.
func (w *writer) sayLimit(id string) {
	x, err := w.moment.Engine.ExplainAlert(id)
	if err != nil {
		return // the alert has just ended
	}
	name, basis := textformat.Capital(x.Name), words.Formula(x.Formula)
	parts := []words.Text{words.AskFigure(name, basis)}
	if x.ConditionResult == "" {
		parts[0] = words.AskFigureValue(name, figureText(x.Result, x.Format.Unit(), w.format), basis)
	}
	parts = append(parts, thresholdTexts(x.Thresholds, x.Direction, func(v float64) words.Text {
		return words.Name(figureText(model.FigureOf(v), x.Format.Unit(), w.format))
	})...)
	w.say(AlertLimit, fromAlert, words.SpeakSentence(parts))
}

// thresholdTexts returns phrases about the thresholds of a rule. value formats a threshold.
func thresholdTexts(t alert.Thresholds, better alert.Direction, value func(float64) words.Text) (out []words.Text) {
	warning, critical := words.AskWarningFrom, words.AskCriticalFrom
	if better == alert.Higher {
		warning, critical = words.AskWarningBelow, words.AskCriticalBelow
	}
	if v, ok := t.Warning.Get(); ok {
		out = append(out, warning(value(v)))
	}
	if v, ok := t.Critical.Get(); ok {
		out = append(out, critical(value(v)))
	}
	return out
}

// sayHelp says what would help, like the board.
func (w *writer) sayHelp(s *situation.Situation) {
	if label, lines := s.HelpPhrases(); len(lines) > 0 {
		w.say(Help, fromDiagnosis, words.AskOfPlace(textformat.Capital(label), words.Clauses(words.Names(lines)...)))
	}
}

// writeHelp says what would help in a situation, and what this assumes.
func (w *writer) writeHelp(s *situation.Situation) {
	w.saySituation(s, s.Text())
	n := len(w.Statements)
	label, lines := s.HelpPhrases()
	for i, line := range lines {
		text := words.Name(line)
		if i == 0 {
			text = words.AskOfPlace(textformat.Capital(label), text)
		}
		w.say(Help, fromDiagnosis, text)
	}
	if len(lines) == 0 {
		w.sayUnknown(fromDiagnosis, words.AskNoHelp())
	}
	for i := range s.Help.Helpers {
		if h := s.Help.Helpers[i].Description(); !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, h) }) {
			w.say(Help, fromDiagnosis, words.Name(h))
		}
	}
	if text := s.Help.Estimate.Text(); !text.IsZero() && !slices.Contains(lines, w.tell(text)) {
		w.say(Prediction, fromDiagnosis, text)
	}
	w.say(Assumption, fromDiagnosis, words.Names(s.Help.Assumptions)...)
	w.markUnverified(n, s)
}

// writeRelease says how many agents can leave.
func (w *writer) writeRelease() {
	plan := w.moment.Engine.Observations().ReleasePlan(w.moment.At, model.Call)
	switch {
	case plan == nil:
		w.sayUnknown(fromRelease, words.AskPlanPending())
		return
	case !plan.MissingReason.IsZero():
		w.sayUnknown(fromRelease, words.AskPlanUnknown(plan.MissingReason))
		return
	}
	isNow := w.query.At.IsZero() || !w.query.At.After(w.moment.At)
	if isNow {
		w.say(Help, fromRelease, words.AskCanLeave(plan.CanGoNow), plan.OutText(), plan.Verdict())
		if !plan.NoHalfHours.IsZero() {
			w.sayUnknown(fromRelease, words.AskHalfHoursUnknown(plan.NoHalfHours))
		}
		if len(w.found.Keys) > 0 && w.found.Keys[0].Scope == alert.Service {
			w.say(Help, fromRelease, words.AskCanLeaveService(plan.CanGoFrom[w.found.Keys[0].Code], w.found.Name))
		}
	} else {
		w.writeHalfHour(plan)
	}
	w.writeLongestWorking()
	for _, line := range plan.Assumptions() {
		if !line.Equal(words.ReleaseHalfHoursUnknown(plan.NoHalfHours)) {
			w.say(Assumption, fromRelease, line)
		}
	}
}

// writeHalfHour says how many agents can leave in the half hour of the query.
func (w *writer) writeHalfHour(plan *diagnosis.ReleasePlan) {
	if !plan.NoHalfHours.IsZero() {
		w.sayUnknown(fromRelease, words.AskHalfHoursUnknown(plan.NoHalfHours))
		return
	}
	clock := func(t time.Time) words.Clock { return words.ClockOf(t, w.floor.Zone) }
	for i := range plan.HalfHours {
		h := &plan.HalfHours[i]
		if w.query.At.Before(h.From) || !w.query.At.Before(h.To) {
			continue
		}
		w.say(Prediction, fromRelease, words.AskHalfHour(words.AskFromTo(clock(h.From), clock(h.To)), h.CanGo, h.Cost.Text()))
		if best := plan.BestHalfHour(); best != nil && !best.From.Equal(h.From) {
			w.say(Prediction, fromRelease, words.AskCheapest(clock(best.From)))
		}
		return
	}
	w.sayUnknown(fromRelease, words.AskBeyondPlan(clock(w.query.At)))
}

func (w *writer) writeLongestWorking() {
	const shown = 5
	agents, unknown := w.moment.Engine.Observations().LongestWorking(model.Call, shown)
	for i := range agents {
		a := &agents[i]
		name, since := textformat.Person(w.moment.Snapshot, w.floor.Names, a.Username, model.Call), words.ClockOf(a.Since, w.floor.Zone)
		text := words.AskNoBreakSince(name, since)
		if advice := a.Text(); !advice.IsZero() {
			text = words.AskNoBreakSinceLeave(name, since, advice)
		}
		w.say(Help, fromRelease, text)
	}
	if unknown > 0 {
		w.sayUnknown(fromRelease, words.AskBreaksUnknown(words.CountAgents(unknown)))
	}
}

// writeComparison compares the figures with those of another time.
func (w *writer) writeComparison(ctx context.Context) {
	before, err := w.floor.past(ctx, w.query.At)
	if err != nil {
		w.fail(err)
		return
	}
	w.addFigures()
	for i := range w.Figures {
		f := &w.Figures[i]
		b := before.Figure(f.Figure, f.Place, w.format)
		f.Before = &Before{At: before.At.UTC(), Value: b.Value, Text: b.Text, IsUnknown: b.IsUnknown}
		if f.Value != nil && b.Value != nil {
			f.Before.Change = new(*f.Value - *b.Value)
		}
	}
	if w.found.Keys == nil && before.Situations != nil {
		then := words.DayClock(before.At.In(w.floor.Zone), w.moment.At.In(w.floor.Zone))
		for i := range before.Situations.Live[:min(len(before.Situations.Live), maxListed)] {
			w.say(Situation, fromSituation, words.AskOpenThen(then, before.Situations.Live[i].Text()))
		}
	}
}

// writeForecast says how the day will end.
func (w *writer) writeForecast() {
	for _, p := range w.places() {
		if p.Scope != model.ScopeService && p.Scope != model.ScopeFloor {
			w.sayUnknown(fromForecast, words.AskForecastScope())
			return
		}
		f := w.dayForecast(&p)
		n := len(w.Statements)
		for _, line := range f.Lines() {
			w.say(Prediction, fromForecast, words.AskOfPlace(p.Name, line))
		}
		for i := n; i < len(w.Statements); i++ {
			w.Statements[i].IsUnknown = !f.ContactsKnown && !f.LevelKnown
		}
		if !f.Basis.IsZero() && (f.ContactsKnown || f.LevelKnown) {
			w.say(Assumption, fromForecast, words.AskBasedOn(p.Name, f.Basis))
		}
	}
}

// dayForecast returns the forecast of the board or, without one, that of the hub.
func (w *writer) dayForecast(p *Place) forecast.Forecast {
	s, m := w.moment.Snapshot, w.moment
	k := model.ServiceKey{Code: p.Code, Channel: p.Channel}
	var calls *model.ServiceCalls
	var services []string
	var isUnstaffed bool
	if r := s.Services.Get(k); r != nil {
		calls, services, isUnstaffed = &r.ChannelStats, []string{p.Code}, r.IsUnstaffed()
	} else {
		floor := model.FloorOf(s, p.Channel, nil, nil)
		calls = &floor.Calls
		for r := range s.Services.All() {
			if r.Channel == p.Channel {
				services = append(services, r.Key().Code)
			}
		}
	}
	if w.floor.DayForecast != nil && !m.IsRecorded {
		return w.floor.DayForecast(p.Code, p.Channel, calls)
	}
	in := forecast.InputOf(m.At.In(w.floor.Zone), nil, m.Engine.Goal(p.Code), calls)
	in.Unstaffed = isUnstaffed
	return m.Engine.Observations().Forecast(in, k, services, false)
}

// writeIncidents lists the open situations and those that have ended.
func (w *writer) writeIncidents() {
	v := w.moment.Situations
	if v == nil {
		w.sayUnknown(fromSituation, words.AskNoSituations())
		return
	}
	concerns := func(k alert.Key) bool { return w.found.Keys == nil || slices.Contains(w.found.Keys, k) }
	n := 0
	for _, list := range [][]situation.Situation{v.Live, v.Today} {
		for i := range list {
			if concerns(list[i].Place.Key) {
				n++
				w.saySituation(&list[i], list[i].Text())
			}
		}
	}
	past := situation.SummarizePast(w.moment.Snapshot, w.floor.Names, w.moment.Engine.History(), v)
	clock := func(t time.Time) string {
		return w.tell(words.DayClock(t.In(w.floor.Zone), w.moment.At.In(w.floor.Zone)))
	}
	for i := range past {
		p := &past[i]
		if !concerns(p.Place.Key) {
			continue
		}
		n++
		level := words.HandoverWarning()
		if p.Worst == alert.Critical {
			level = words.HandoverCritical()
		}
		w.say(Situation, fromSituation, words.AskWasResolved(level, p.Place.Title, p.Headline), words.AskPlaceWhen(p.Place.Title, p.Description(clock)))
		w.say(Cause, fromDiagnosis, words.Names(p.Gravest.Causes)...)
	}
	if n == 0 {
		w.say(Situation, fromSituation, words.AskNoIncident())
	}
}

// answerRules lists the alert rules whose names contain a text.
func (f *Floor) answerRules(a *Answer, name string) {
	if f.Rules == nil {
		a.Problem = a.tell(words.AskNoRules())
		return
	}
	rules := f.Rules()
	mask := f.MaskText
	if mask == nil {
		mask = func(text string) string { return text }
	}
	for i := range rules {
		if strings.Contains(textnorm.Fold(rules[i].Name), textnorm.Fold(name)) {
			a.say(Rule, fromConfig, words.Name(mask(ruleText(&rules[i], textformat.Format{Location: f.Zone, Words: f.Words}))))
		}
	}
	if len(a.Statements) > 0 {
		return
	}
	a.Problem = a.tell(words.AskNoSuchRule())
	for i := range rules[:min(len(rules), maxCandidates)] {
		a.Examples = append(a.Examples, KindRules.opening()+" "+mask(rules[i].Name))
	}
	a.Examples = slices.Compact(a.Examples)
}

// ruleText describes an alert rule in the language of a format.
func ruleText(r *alert.Rule, format textformat.Format) string {
	scope := string(r.Scope)
	if len(r.Codes) > 0 {
		scope += " " + strings.Join(r.Codes, ", ")
	}
	head := words.AskRule(textformat.Capital(r.Name), scope)
	if r.KPI != "" {
		head = words.AskFigure(head.In(format.Words), words.Formula(r.KPI))
	}
	unit := kpi.Number
	if f := kpi.Named(r.KPI); f != nil {
		unit = f.Unit
	}
	parts := append([]words.Text{head}, thresholdTexts(r.Thresholds, r.Direction, func(v float64) words.Text {
		limit := figureText(model.FigureOf(v), unit, format)
		if r.Base != "" {
			return words.AskBeyond(limit, words.Formula(r.Base))
		}
		return words.Name(limit)
	})...)
	if r.When != "" {
		level := words.HandoverWarning()
		if r.Severity == alert.Critical {
			level = words.HandoverCritical()
		}
		parts = append(parts, words.AskLevelWhen(level, words.Formula(r.When)))
	}
	if r.For > 0 {
		parts = append(parts, words.AskFor(textformat.ConfigDuration(r.For)))
	}
	if r.MinCalls > 0 {
		parts = append(parts, words.AskMinCalls(r.MinCalls))
	}
	if r.Disabled {
		parts = append(parts, words.AskOff())
	}
	return words.SpeakPhrases(parts).In(format.Words)
}
