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
	sourceSituation = "situation: alerts, queue and history of the floor"
	sourceDiagnosis = "diagnosis: changes of calls, agents and handling time within the last hour"
	sourceAlert     = "alert rule"
	sourceRelease   = "release plan"
	sourceForecast  = "end-of-day forecast"
	sourceFeed      = "state of the connection"
	sourcePlatform  = "figures of the platform"
	sourceConfig    = "configuration"
)

// addReceipt adds the title in the language l, the unit, the formula and the fields of a figure. For a custom
// figure of the configuration it adds nothing, because the catalogue does not contain it.
func (m *Moment) addReceipt(out *Figure, k alert.Key, l *words.Language) {
	if r, ok := figureproof.NewReceipt(m.Snapshot, figureproof.Rules{Goal: m.Engine.Goal}, k, out.Figure); ok {
		out.Title, out.Fields = cmp.Or(words.FigureTitle(out.Figure, k.Scope).In(l), r.Title), r.Fields
		out.Unit, out.Formula = cmp.Or(r.Unit, out.Unit), cmp.Or(r.Formula, out.Formula) // a count has no formula
	}
}

// boardTitle returns the English title of a built-in figure on the board, or "" for other figures.
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
		w.addUnknown(sourceFeed, text)
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
	if w.match.Keys != nil {
		return w.Records
	}
	var out []Place
	for _, ch := range model.Channels() {
		for r := range w.moment.Snapshot.Services.All() {
			if r.Channel == ch {
				out = append(out, Place{model.ScopeFloor, "", ch, w.translate(words.AskFloor(words.ChannelInSentence(ch)))})
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
	if len(w.Figures) == 0 && (w.match.Keys == nil || w.match.Keys[0].Scope != alert.User) {
		w.addUnknown(sourcePlatform, words.AskNoFigures())
	}
}

func (w *writer) writeFloor() {
	w.writeSituations(maxListed)
	w.addFigures()
}

// maxListed limits the number of situations in an answer about all of them.
const maxListed = 8

// writeSituations lists at most limit open situations, counts the others, and summarizes those of the day.
func (w *writer) writeSituations(limit int) {
	v := w.moment.Situations
	if v == nil || len(v.Live) == 0 {
		text := words.Name(v.QuietStatement(w.translate(words.SpeakQuiet())))
		if v == nil || v.FiguresUnknown {
			w.addUnknown(sourceSituation, text)
		} else {
			w.addStatement(StatementSituation, sourceSituation, text)
		}
	}
	if v == nil {
		return
	}
	for i := range v.Live[:min(len(v.Live), limit)] {
		w.addSituation(&v.Live[i], v.Live[i].SummaryLine())
	}
	if more := len(v.Live) - limit; more > 0 {
		w.addStatement(StatementSituation, sourceSituation, words.AskMoreOpen(more))
	}
	w.addStatement(StatementSituation, sourceSituation, words.Name(v.TodaySummary()))
}

// addSituation adds sentences about a situation.
func (w *writer) addSituation(s *situation.Situation, text string) {
	n := len(w.Statements)
	level := levelLabel(s.Level)
	if w.isDaily(s) {
		level = words.SpeakTodayLabel()
	}
	w.addStatement(StatementSituation, sourceSituation, problemText(level, s.Lasted(w.moment.At), text))
	switch {
	case s.Ack.By == "":
	case s.Ack.Note == "":
		w.addStatement(StatementSituation, sourceSituation, words.SpeakTakenBy(s.Ack.By))
	default:
		w.addStatement(StatementSituation, sourceSituation, words.AskTakenNote(s.Ack.By, s.Ack.Note))
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
	for _, k := range w.match.Keys {
		if k.Scope == alert.User {
			w.addStatement(StatementRemark, sourcePlatform, headless.DescribeAgent(w.moment.Snapshot, w.floor.Names, w.match.Name, k, w.moment.At))
		}
		if s := w.moment.Situations.ByKey(k); s != nil && w.query.Figure == "" {
			w.addSituation(s, s.SummaryLine())
		}
	}
	w.addFigures()
}

// eachSituation calls do with the situations of the record or, without a record, with the most urgent ones.
// For a record without a situation, it writes the alerts, the resolved situation or the figures.
func (w *writer) eachSituation(do func(*situation.Situation)) {
	v := w.moment.Situations
	if v == nil {
		w.addUnknown(sourceSituation, words.AskNoSituations())
		return
	}
	const most = 3
	if w.match.Keys == nil {
		if len(v.Live) == 0 {
			w.writeSituations(0)
		}
		for i := range v.Live[:min(len(v.Live), most)] {
			do(&v.Live[i])
		}
		if more := len(v.Live) - most; more > 0 {
			w.addStatement(StatementRemark, sourceSituation, words.AskMoreOpen(more))
		}
		return
	}
	hasAlert := false
	for _, k := range w.match.Keys {
		if s := v.ByKey(k); s != nil {
			hasAlert = true
			do(s)
			continue
		}
		for _, a := range w.moment.Engine.AlertsOf(k) {
			hasAlert = true
			w.addStatement(StatementSituation, sourceAlert, problemText(levelLabel(a.Level), a.Lasted(w.moment.At), a.Text))
			w.addLimit(a.ID)
		}
		if r := v.RecoveredAt(k); r != nil {
			at := words.ClockOf(r.Ended, w.floor.Zone)
			text := words.AskResolvedAfter(at, r.Lasted(), r.Headline)
			if r.Lasted() < time.Second {
				text = words.AskResolved(at, r.Headline)
			}
			w.addStatement(StatementSituation, sourceSituation, text)
		}
	}
	if !hasAlert {
		w.addStatement(StatementSituation, sourceSituation, words.AskNoAlert(w.match.Name))
		w.addFigures()
	}
}

// writeWhy explains a situation.
func (w *writer) writeWhy(s *situation.Situation) {
	w.addSituation(s, s.Text())
	n := len(w.Statements)
	if s.UnexplainedReason != "" && len(s.Causes) == 0 {
		w.addUnknown(sourceDiagnosis, words.JoinSentences(words.NameTexts(s.CauseLines())...))
	} else {
		w.addStatement(StatementCause, sourceDiagnosis, words.NameTexts(s.CauseLines())...)
	}
	w.addHelp(s)
	for i := range s.Alerts {
		w.addLimit(s.Alerts[i].ID)
	}
	w.markUnverified(n, s)
}

// addLimit explains the figure of an alert and its thresholds.
func (w *writer) addLimit(id string) {
	x, err := w.moment.Engine.ExplainAlert(id)
	if err != nil {
		return // the alert has just ended
	}
	name, basis := textformat.Capitalize(x.Name), words.Formula(x.Formula)
	parts := []words.Text{words.AskFigure(name, basis)}
	if x.ConditionResult == "" {
		parts[0] = words.AskFigureValue(name, figureText(x.Result, x.Format.Unit(), w.format), basis)
	}
	parts = append(parts, thresholdTexts(x.Thresholds, x.Direction, func(v float64) words.Text {
		return words.Name(figureText(model.FigureOf(v), x.Format.Unit(), w.format))
	})...)
	w.addStatement(StatementAlertLimit, sourceAlert, words.SpeakSentence(parts))
}

// thresholdTexts returns phrases about the thresholds of a rule. value formats a threshold.
func thresholdTexts(t alert.Thresholds, better alert.Direction, value func(float64) words.Text) (out []words.Text) {
	warning, critical := words.AskWarningFrom, words.AskCriticalFrom
	if better == alert.HigherIsBetter {
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

// addHelp says what would help, like the board.
func (w *writer) addHelp(s *situation.Situation) {
	if label, lines := s.HelpPhrases(); len(lines) > 0 {
		w.addStatement(StatementHelp, sourceDiagnosis, words.AskOfPlace(textformat.Capitalize(label), words.JoinClauses(words.NameTexts(lines)...)))
	}
}

// writeHelp says what would help in a situation, and what this assumes.
func (w *writer) writeHelp(s *situation.Situation) {
	w.addSituation(s, s.Text())
	n := len(w.Statements)
	label, lines := s.HelpPhrases()
	for i, line := range lines {
		text := words.Name(line)
		if i == 0 {
			text = words.AskOfPlace(textformat.Capitalize(label), text)
		}
		w.addStatement(StatementHelp, sourceDiagnosis, text)
	}
	if len(lines) == 0 {
		w.addUnknown(sourceDiagnosis, words.AskNoHelp())
	}
	for i := range s.Help.Helpers {
		if h := s.Help.Helpers[i].Description(); !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, h) }) {
			w.addStatement(StatementHelp, sourceDiagnosis, words.Name(h))
		}
	}
	if text := s.Help.Estimate.Text(); !text.IsZero() && !slices.Contains(lines, w.translate(text)) {
		w.addStatement(StatementForecast, sourceDiagnosis, text)
	}
	w.addStatement(StatementAssumption, sourceDiagnosis, words.NameTexts(s.Help.Assumptions)...)
	w.markUnverified(n, s)
}

// writeRelease says how many agents can leave.
func (w *writer) writeRelease() {
	plan := w.moment.Engine.Observations().ReleasePlan(w.moment.At, model.Call)
	switch {
	case plan == nil:
		w.addUnknown(sourceRelease, words.AskPlanPending())
		return
	case !plan.MissingReason.IsZero():
		w.addUnknown(sourceRelease, words.AskPlanUnknown(plan.MissingReason))
		return
	}
	isNow := w.query.At.IsZero() || !w.query.At.After(w.moment.At)
	if isNow {
		w.addStatement(StatementHelp, sourceRelease, words.AskCanLeave(plan.ReleasableNow), plan.AwayText(), plan.Verdict())
		if !plan.HalfHoursMissing.IsZero() {
			w.addUnknown(sourceRelease, words.AskHalfHoursUnknown(plan.HalfHoursMissing))
		}
		if len(w.match.Keys) > 0 && w.match.Keys[0].Scope == alert.Service {
			w.addStatement(StatementHelp, sourceRelease, words.AskCanLeaveService(plan.ReleasableByService[w.match.Keys[0].Code], w.match.Name))
		}
	} else {
		w.writeHalfHour(plan)
	}
	w.writeLongestWorking()
	for _, line := range plan.Assumptions() {
		if !line.Equal(words.ReleaseHalfHoursUnknown(plan.HalfHoursMissing)) {
			w.addStatement(StatementAssumption, sourceRelease, line)
		}
	}
}

// writeHalfHour says how many agents can leave in the half hour of the query.
func (w *writer) writeHalfHour(plan *diagnosis.ReleasePlan) {
	if !plan.HalfHoursMissing.IsZero() {
		w.addUnknown(sourceRelease, words.AskHalfHoursUnknown(plan.HalfHoursMissing))
		return
	}
	clock := func(t time.Time) words.Clock { return words.ClockOf(t, w.floor.Zone) }
	for i := range plan.HalfHours {
		h := &plan.HalfHours[i]
		if w.query.At.Before(h.From) || !w.query.At.Before(h.To) {
			continue
		}
		w.addStatement(StatementForecast, sourceRelease, words.AskHalfHour(words.AskFromTo(clock(h.From), clock(h.To)), h.Releasable, h.Cost.Text()))
		if best := plan.BestHalfHour(); best != nil && !best.From.Equal(h.From) {
			w.addStatement(StatementForecast, sourceRelease, words.AskCheapest(clock(best.From)))
		}
		return
	}
	w.addUnknown(sourceRelease, words.AskBeyondPlan(clock(w.query.At)))
}

func (w *writer) writeLongestWorking() {
	const shown = 5
	agents, unknown := w.moment.Engine.Observations().LongestWorking(model.Call, shown)
	for i := range agents {
		a := &agents[i]
		name, since := textformat.PersonName(w.moment.Snapshot, w.floor.Names, a.Username, model.Call), words.ClockOf(a.Since, w.floor.Zone)
		text := words.AskNoBreakSince(name, since)
		if advice := a.Text(); !advice.IsZero() {
			text = words.AskNoBreakSinceLeave(name, since, advice)
		}
		w.addStatement(StatementHelp, sourceRelease, text)
	}
	if unknown > 0 {
		w.addUnknown(sourceRelease, words.AskBreaksUnknown(words.CountAgents(unknown)))
	}
}

// writeComparison compares figures with those of another time, and lists the floor's situations of that time.
func (w *writer) writeComparison(ctx context.Context) {
	before, err := w.floor.pastMoment(ctx, w.query.At)
	if err != nil {
		w.setProblem(err)
		return
	}
	w.addFigures()
	for i := range w.Figures {
		f := &w.Figures[i]
		b := before.Figure(f.Figure, f.Place, w.format)
		f.Before = &ComparedValue{At: before.At.UTC(), Value: b.Value, Text: b.Text, IsUnknown: b.IsUnknown}
		if f.Value != nil && b.Value != nil {
			f.Before.Change = new(*f.Value - *b.Value)
		}
	}
	if w.match.Keys == nil && before.Situations != nil {
		then := words.DayClock(before.At.In(w.floor.Zone), w.moment.At.In(w.floor.Zone))
		for i := range before.Situations.Live[:min(len(before.Situations.Live), maxListed)] {
			w.addStatement(StatementSituation, sourceSituation, words.AskOpenThen(then, before.Situations.Live[i].Text()))
		}
	}
}

// writeForecast says how the day will end.
func (w *writer) writeForecast() {
	for _, p := range w.places() {
		if p.Scope != model.ScopeService && p.Scope != model.ScopeFloor {
			w.addUnknown(sourceForecast, words.AskForecastScope())
			return
		}
		f := w.dayForecast(&p)
		n := len(w.Statements)
		for _, line := range f.Lines() {
			w.addStatement(StatementForecast, sourceForecast, words.AskOfPlace(p.Name, line))
		}
		for i := n; i < len(w.Statements); i++ {
			w.Statements[i].IsUnknown = !f.ContactsKnown && !f.LevelKnown
		}
		if !f.Basis.IsZero() && (f.ContactsKnown || f.LevelKnown) {
			w.addStatement(StatementAssumption, sourceForecast, words.AskBasedOn(p.Name, f.Basis))
		}
	}
}

// dayForecast returns the forecast of the board or, without a board or for the past, that of the hub.
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
		w.addUnknown(sourceSituation, words.AskNoSituations())
		return
	}
	concerns := func(k alert.Key) bool { return w.match.Keys == nil || slices.Contains(w.match.Keys, k) }
	n := 0
	for _, list := range [][]situation.Situation{v.Live, v.Today} {
		for i := range list {
			if concerns(list[i].Place.Key) {
				n++
				w.addSituation(&list[i], list[i].Text())
			}
		}
	}
	past := situation.SummarizeEndedAlerts(w.moment.Snapshot, w.floor.Names, w.moment.Engine.History(), v)
	clock := func(t time.Time) string {
		return w.translate(words.DayClock(t.In(w.floor.Zone), w.moment.At.In(w.floor.Zone)))
	}
	for i := range past {
		p := &past[i]
		if !concerns(p.Place.Key) {
			continue
		}
		n++
		level := words.HandoverWarning()
		if p.HighestLevel == alert.Critical {
			level = words.HandoverCritical()
		}
		w.addStatement(StatementSituation, sourceSituation, words.AskWasResolved(level, p.Place.Title, p.Headline), words.AskPlaceWhen(p.Place.Title, p.Description(clock)))
		w.addStatement(StatementCause, sourceDiagnosis, words.NameTexts(p.WorstEpisode.Causes)...)
	}
	if n == 0 {
		w.addStatement(StatementSituation, sourceSituation, words.AskNoIncident())
	}
}

// answerRules lists the alert rules whose names contain a text.
func (f *Responder) answerRules(a *Answer, name string) {
	if f.Rules == nil {
		a.Problem = a.translate(words.AskNoRules())
		return
	}
	rules := f.Rules()
	mask := f.MaskText
	if mask == nil {
		mask = func(text string) string { return text }
	}
	for i := range rules {
		if strings.Contains(textnorm.Fold(rules[i].Name), textnorm.Fold(name)) {
			a.addStatement(StatementRule, sourceConfig, words.Name(mask(ruleText(&rules[i], textformat.Format{Location: f.Zone, Words: f.Words}))))
		}
	}
	if len(a.Statements) > 0 {
		return
	}
	a.Problem = a.translate(words.AskNoSuchRule())
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
	head := words.AskRule(textformat.Capitalize(r.Name), scope)
	if r.KPI != "" {
		head = words.AskFigure(head.In(format.Words), words.Formula(r.KPI))
	}
	unit := kpi.Number
	if f := kpi.FigureNamed(r.KPI); f != nil {
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
