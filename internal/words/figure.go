package words

import (
	"wallboard/model"
	"wallboard/model/kpi"
)

// figureText holds the texts of a built-in figure. If label, tile or report is nil, title, label or
// heading is used instead.
type figureText struct {
	title   func() Text
	label   func() Text // in detail views
	heading func() Text // of its column in tables
	tile    func() Text
	report  func() Text // heading of its column in the handover
	word    func() Text // in formulas
	formula func() Text // nil: the formula consists of names and operators
}

// figureTexts holds the texts by the name of the figure. Where they differ for a scope, the scope
// follows the name.
var figureTexts = map[string]figureText{
	"serviceLevel":       {title: FigureServiceLevel, heading: FigureHeadServiceLevel, word: FigureWordServiceLevel, formula: FigureFormulaServiceLevel},
	"serviceLevelTarget": {title: FigureServiceLevelTarget, word: FigureWordTarget, formula: FigureFormulaTarget},
	"missesLeft":         {title: FigureMissesLeft, word: FigureWordMissesLeft, formula: FigureFormulaMissesLeft},
	"toRecover":          {title: FigureToRecover, word: FigureWordToRecover, formula: FigureFormulaToRecover},
	"longestWait":        {title: FigureLongestWait, word: FigureWordLongestWait},
	"longestToday":       {title: FigureLongestToday, word: FigureWordLongestToday},
	"abandonRate":        {title: FigureAbandonRate, label: FigureAbandoned, heading: FigureHeadAbandon, report: FigureHeadAbandoned, word: FigureWordAbandonRate},
	"abandonRateLong":    {title: FigureAbandonRateLong, label: FigureAbandonedLong, word: FigureWordAbandonRateLong},
	"answerRate":         {title: FigureAnswerRate, label: FigureAnswered, heading: FigureHeadAnswer, word: FigureWordAnswerRate},
	"answerRate user":    {title: FigureAnswerRate, word: FigureWordAnswerRate},
	"asa":                {title: FigureAverageSpeed, label: FigureAsa, heading: FigureAsa, word: FigureWordAverageSpeed},
	"outboundAnswerRate": {title: FigureOutboundAnswerRate, label: FigureOutboundAnswered, heading: FigureHeadOutbound, word: FigureWordOutboundAnswerRate},
	"nuisanceEstimate":   {title: FigureDroppedOutbound, label: FigureDropped, word: FigureWordDropped},
	"aht":                {title: FigureAverageHandling, label: FigureHandlingTime, heading: FigureHeadHandling, tile: FigureHeadHandling, word: FigureWordAverageHandling},
	"occupancy":          {title: FigureOccupancy, heading: FigureHeadOccupancy, word: FigureWordOccupancy},
	"occupancy service":  {title: FigureOccupancyNow, heading: FigureHeadOccupancy, word: FigureWordOccupancy},
	"loggedTime":         {title: FigureLoggedTime, label: FigureLoggedTimeLabel, word: FigureWordLoggedTime},
	"shrinkage":          {title: FigureShrinkage, heading: FigureHeadShrinkage, word: FigureWordShrinkage},
	"attemptsPerContact": {title: FigureAttempts, label: FigurePerContact, word: FigureWordAttempts},
	"penetration":        {title: FigureListCalled, heading: FigureHeadList, word: FigureWordListCalled},
	"hitRate":            {title: FigureHitRate, heading: FigureHeadHit, word: FigureWordHitRate},
	"contactRate":        {title: FigureContactRate, heading: FigureHeadContact, word: FigureWordContactRate},
	"linesBusy":          {title: FigureLinesInUse, label: FigureLoad, word: FigureWordLinesShare},
	"resourcesBusy":      {title: FigureAgentsBusy, label: FigureLoad, word: FigureWordAgentsShare},

	"queuedCalls":     {title: FigureWaiting, word: FigureWordWaiting},
	"currentCalls":    {title: FigureInProgress, word: FigureWordInProgress},
	"readyUsers":      {title: FigureReady, word: FigureWordReady},
	"busyOnServUsers": {title: FigureTalking, word: FigureWordTalking},
	"postCallUsers":   {title: FigureWrapUp, word: FigureWordWrapUp},
	"notReadyUsers":   {title: FigureNotReady, word: FigureWordNotReady},
	"loggedUsers":     {title: FigureLoggedIn, word: FigureWordLoggedIn},
	"toDoContacts":    {title: FigureContactsLeft, word: FigureWordContactsLeft},
	"ringingContacts": {title: FigureRinging, word: FigureWordContactsRinging},
	"talkingContacts": {title: FigureTalking, word: FigureWordContactsTalking},
	"freeResources":   {title: FigureFreeAgents, word: FigureWordFreeAgents},
	"usedChannels":    {title: FigureLinesInUse, word: FigureWordLinesUsed},
}

func figureTextOf(name string, s model.Scope) figureText {
	if t, ok := figureTexts[name+" "+string(s)]; ok {
		return t
	}
	return figureTexts[name]
}

// first returns the text of the first function that is not nil. If all are nil, the result is the zero Text.
func first(functions ...func() Text) Text {
	for _, f := range functions {
		if f != nil {
			return f()
		}
	}
	return Text{}
}

// FigureTitle returns the title of a built-in figure of package kpi for a scope. It is the zero Text
// if there is no such figure.
func FigureTitle(name string, s model.Scope) Text { return first(figureTextOf(name, s).title) }

// FigureLabel returns the label of a built-in figure in detail views of records of a scope.
func FigureLabel(name string, s model.Scope) Text {
	t := figureTextOf(name, s)
	return first(t.label, t.title)
}

// FigureHeading returns the heading of the column of a built-in figure in tables.
func FigureHeading(name string) Text { return first(figureTexts[name].heading) }

// FigureTile returns the label of the tile of a built-in figure of the floor.
func FigureTile(name string) Text {
	t := figureTexts[name]
	return first(t.tile, t.label, t.title)
}

// FigureReportHeading returns the heading of the column of a built-in figure in the handover.
func FigureReportHeading(name string) Text {
	t := figureTexts[name]
	return first(t.report, t.heading)
}

// ServiceLevelFormula returns a formula of the service level in words.
func ServiceLevelFormula(f model.ServiceLevelFormula) Text {
	switch f {
	case model.SLAnsweredOnly:
		return FigureFormulaAnsweredOnly()
	case model.SLShortIgnored:
		return FigureFormulaShortIgnored()
	case model.SLAllAbandons:
	}
	return FigureFormulaAllAbandons()
}

// ownFormula returns the text of a formula of a built-in figure that does not consist of names and
// operators only. ok is false for any other formula.
func ownFormula(formula string) (t Text, ok bool) {
	for i := range kpi.Figures() {
		f := &kpi.Figures()[i]
		if own := figureTexts[f.Name].formula; own != nil && f.Forms[0].Formula == formula {
			return own(), true
		}
	}
	return Text{}, false
}
