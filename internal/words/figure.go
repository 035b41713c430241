package words

import (
	"wallboard/model"
	"wallboard/model/kpi"
)

// figureText holds the texts of a built-in figure. If label, tile or reportHeading is nil, title, label or
// heading is used instead.
type figureText struct {
	title         func() Text
	label         func() Text // in detail views
	heading       func() Text // of its column in tables
	tile          func() Text
	reportHeading func() Text // heading of its column in the handover
	formulaWord   func() Text // in formulas
	formula       func() Text // nil: the formula consists of names and operators
}

// figureTexts holds the texts by the name of the figure. Where they differ for a scope, the scope
// follows the name.
var figureTexts = map[string]figureText{
	"serviceLevel":       {title: FigureServiceLevel, heading: FigureHeadServiceLevel, formulaWord: FigureWordServiceLevel, formula: FigureFormulaServiceLevel},
	"serviceLevelTarget": {title: FigureServiceLevelTarget, formulaWord: FigureWordTarget, formula: FigureFormulaTarget},
	"missesLeft":         {title: FigureMissesLeft, formulaWord: FigureWordMissesLeft, formula: FigureFormulaMissesLeft},
	"toRecover":          {title: FigureToRecover, formulaWord: FigureWordToRecover, formula: FigureFormulaToRecover},
	"longestWait":        {title: FigureLongestWait, formulaWord: FigureWordLongestWait},
	"longestToday":       {title: FigureLongestToday, formulaWord: FigureWordLongestToday},
	"abandonRate":        {title: FigureAbandonRate, label: FigureAbandoned, heading: FigureHeadAbandon, reportHeading: FigureHeadAbandoned, formulaWord: FigureWordAbandonRate},
	"abandonRateLong":    {title: FigureAbandonRateLong, label: FigureAbandonedLong, formulaWord: FigureWordAbandonRateLong},
	"answerRate":         {title: FigureAnswerRate, label: FigureAnswered, heading: FigureHeadAnswer, formulaWord: FigureWordAnswerRate},
	"answerRate user":    {title: FigureAnswerRate, formulaWord: FigureWordAnswerRate},
	"asa":                {title: FigureAverageSpeed, label: FigureAsa, heading: FigureAsa, formulaWord: FigureWordAverageSpeed},
	"outboundAnswerRate": {title: FigureOutboundAnswerRate, label: FigureOutboundAnswered, heading: FigureHeadOutbound, formulaWord: FigureWordOutboundAnswerRate},
	"nuisanceEstimate":   {title: FigureDroppedOutbound, label: FigureDropped, formulaWord: FigureWordDropped},
	"aht":                {title: FigureAverageHandling, label: FigureHandlingTime, heading: FigureHeadHandling, tile: FigureHeadHandling, formulaWord: FigureWordAverageHandling},
	"occupancy":          {title: FigureOccupancy, heading: FigureHeadOccupancy, formulaWord: FigureWordOccupancy},
	"occupancy service":  {title: FigureOccupancyNow, heading: FigureHeadOccupancy, formulaWord: FigureWordOccupancy},
	"loggedTime":         {title: FigureLoggedTime, label: FigureLoggedTimeLabel, formulaWord: FigureWordLoggedTime},
	"shrinkage":          {title: FigureShrinkage, heading: FigureHeadShrinkage, formulaWord: FigureWordShrinkage},
	"attemptsPerContact": {title: FigureAttempts, label: FigurePerContact, formulaWord: FigureWordAttempts},
	"penetration":        {title: FigureListCalled, heading: FigureHeadList, formulaWord: FigureWordListCalled},
	"hitRate":            {title: FigureHitRate, heading: FigureHeadHit, formulaWord: FigureWordHitRate},
	"contactRate":        {title: FigureContactRate, heading: FigureHeadContact, formulaWord: FigureWordContactRate},
	"linesBusy":          {title: FigureLinesInUse, label: FigureLoad, formulaWord: FigureWordLinesShare},
	"resourcesBusy":      {title: FigureAgentsBusy, label: FigureLoad, formulaWord: FigureWordAgentsShare},

	"queuedCalls":     {title: FigureWaiting, formulaWord: FigureWordWaiting},
	"currentCalls":    {title: FigureInProgress, formulaWord: FigureWordInProgress},
	"readyUsers":      {title: FigureReady, formulaWord: FigureWordReady},
	"busyOnServUsers": {title: FigureTalking, formulaWord: FigureWordTalking},
	"postCallUsers":   {title: FigureWrapUp, formulaWord: FigureWordWrapUp},
	"notReadyUsers":   {title: FigureNotReady, formulaWord: FigureWordNotReady},
	"loggedUsers":     {title: FigureLoggedIn, formulaWord: FigureWordLoggedIn},
	"toDoContacts":    {title: FigureContactsLeft, formulaWord: FigureWordContactsLeft},
	"ringingContacts": {title: FigureRinging, formulaWord: FigureWordContactsRinging},
	"talkingContacts": {title: FigureTalking, formulaWord: FigureWordContactsTalking},
	"freeResources":   {title: FigureFreeAgents, formulaWord: FigureWordFreeAgents},
	"usedChannels":    {title: FigureLinesInUse, formulaWord: FigureWordLinesUsed},
}

func figureTextOf(name string, s model.Scope) figureText {
	if t, ok := figureTexts[name+" "+string(s)]; ok {
		return t
	}
	return figureTexts[name]
}

// firstText returns the text of the first function that is not nil. If all are nil, the result is the zero Text.
func firstText(functions ...func() Text) Text {
	for _, f := range functions {
		if f != nil {
			return f()
		}
	}
	return Text{}
}

// FigureTitle returns the title of a built-in figure of package kpi for a scope. It is the zero Text
// if there is no such figure.
func FigureTitle(name string, s model.Scope) Text { return firstText(figureTextOf(name, s).title) }

// FigureLabel returns the label of a built-in figure in detail views of records of a scope.
func FigureLabel(name string, s model.Scope) Text {
	t := figureTextOf(name, s)
	return firstText(t.label, t.title)
}

// FigureHeading returns the heading of the column of a built-in figure in tables.
func FigureHeading(name string) Text { return firstText(figureTexts[name].heading) }

// FigureTile returns the label on the tile of a floor figure. name is the name of a built-in figure.
func FigureTile(name string) Text {
	t := figureTexts[name]
	return firstText(t.tile, t.label, t.title)
}

// FigureReportHeading returns the heading of the column of a built-in figure in the handover.
func FigureReportHeading(name string) Text {
	t := figureTexts[name]
	return firstText(t.reportHeading, t.heading)
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
