package words

import (
	"regexp"
	"strings"
	"unicode"

	"wallboard/model"
)

// formulaWords maps names and operators that occur in formulas, but are not figures, to their texts.
var formulaWords = map[string]func() Text{
	"answeredCalls":                 FigureWordAnswered,
	"answeredCallsUnderSpeedLimit":  FigureWordAnsweredInTime,
	"hangupCalls":                   FigureWordAbandoned,
	"shortCalls":                    FigureWordShort,
	"receivedCalls":                 FigureWordReceived,
	"maxTimeCallOnQueue":            FigureWordLongestWait,
	"averageTimeOnQueue":            FigureWordAverageSpeed,
	"outboundAnsweredCalls":         FigureWordOutboundAnswered,
	"outboundReceivedCalls":         FigureWordOutbound,
	"outboundHangupCalls":           FigureWordOutboundDropped,
	"numberCallFromService":         FigureWordOffered,
	"numberCallFromServiceAnswered": FigureWordAnswered,
	"timeInStateBusyOnService":      FigureWordTimeTalking,
	"timeInStateWNR":                FigureWordTimeWrapUp,
	"timeInStateBooked":             FigureWordTimeReserved,
	"timeInStateBusy":               FigureWordTimeBusy,
	"timeInStateReady":              FigureWordTimeReady,
	"timeInStateNotReady":           FigureWordTimeNotReady,
	"timeInState":                   FigureWordTimeInState,
	"status":                        FigureWordState,
	"activityCode":                  FigureWordActivity,
	"breakKind":                     FigureWordBreakKind,
	"breakLimit":                    FigureWordBreakLimit,
	"breakSource":                   FigureWordBreakSource,
	"totalContacts":                 FigureWordContactsTotal,
	"triedContacts":                 FigureWordContactsTried,
	"okContacts":                    FigureWordContactsReached,
	"startedCalls":                  FigureWordCallsStarted,
	"availableResources":            FigureWordAgentsAssigned,
	"allocatedChannels":             FigureWordLines,
	"stale":                         FigureWordStale,

	"and": FigureAnd, "or": FigureOr, "not": FigureNot, "in": FigureIsOneOf,
	"==": FigureIs, "!=": FigureIsNot, ">=": FigureAtLeast, "<=": FigureAtMost,
}

// FormulaName returns the text for a name or an operator in a formula. For a name that has no text, it returns
// the words of the name, such as "parked calls" for parkedCalls.
func FormulaName(name string) Text {
	t := firstText(formulaWords[name], figureTexts[name].formulaWord)
	if t.IsZero() {
		return Name(splitCamelCase(name))
	}
	return t
}

// splitCamelCase returns the words of a name in camel case: "parked calls" for "parkedCalls".
func splitCamelCase(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// Formula returns a formula or a condition in words, such as "abandoned calls / callers".
func Formula(formula string) Text {
	if t, ok := ownFormula(formula); ok {
		return t
	}
	return choiceText(strings.Join(strings.Fields(formula), " "), maxChoiceDepth)
}

// maxChoiceDepth limits the nesting of choices (a ? b : c) that is put into words.
const maxChoiceDepth = 8

// choiceText returns a formula in words. It turns "a ? b : c" into "b if a, otherwise c", also inside
// brackets. depth limits how deeply nested choices may be.
func choiceText(s string, depth int) Text {
	if depth == 0 || !strings.Contains(s, " ? ") {
		return joinParts(termTexts(nil, s))
	}
	if cond, yes, no, ok := splitChoice(s); ok {
		return FigureChoice(choicePart(yes, depth-1), choicePart(cond, depth-1), choiceText(no, depth-1))
	}
	var parts []Text
	for {
		from := strings.IndexByte(s, '(')
		to := from + closingBracket(s[max(from, 0):])
		if from < 0 || to < from {
			return joinParts(termTexts(parts, s))
		}
		parts = append(termTexts(parts, s[:from]), Name("("), choiceText(s[from+1:to], depth-1), Name(")"))
		s = s[to+1:]
	}
}

// choicePart returns one part of a choice in words. It adds brackets if the part is itself a choice.
func choicePart(s string, depth int) Text {
	out := choiceText(s, depth)
	if _, _, _, is := splitChoice(s); is {
		return joinParts([]Text{Name("("), out, Name(")")})
	}
	return out
}

// joinParts joins parts of a formula without blanks.
func joinParts(parts []Text) Text { return joinAll(FigurePair, parts) }

// splitChoice splits a choice (cond ? yes : no) into its parts. ok is false if s is not a choice. A
// choice inside brackets does not count.
func splitChoice(s string) (cond, yes, no string, ok bool) {
	asked, open, brackets := -1, 0, 0 // index of the first choice; number of choices without their second branch
	for i := range len(s) {
		switch rest := s[i:]; {
		case s[i] == '(':
			brackets++
		case s[i] == ')':
			brackets--
		case brackets > 0:
		case strings.HasPrefix(rest, " ? "):
			if open++; asked < 0 {
				asked = i
			}
		case strings.HasPrefix(rest, " : ") && asked >= 0 && i >= asked+3:
			if open--; open == 0 {
				return s[:asked], s[asked+3 : i], s[i+3:], true
			}
		}
	}
	return "", "", "", false
}

// closingBracket returns the index of the bracket that closes the first bracket in s, or -1 if
// there is none.
func closingBracket(s string) int {
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

var (
	termPattern          = regexp.MustCompile(`known\([A-Za-z]+\)|"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|[=!<>]=`)
	singleElementPattern = regexp.MustCompile(` in \[("[^"]*")\]`)
)

// termTexts appends the parts of a formula without a choice to dst: texts for names, states and
// operators, and the rest unchanged.
func termTexts(dst []Text, formula string) []Text {
	formula = singleElementPattern.ReplaceAllString(formula, " == $1")
	rest := func(s string) {
		if s != "" {
			dst = append(dst, Name(s))
		}
	}
	end := 0
	for _, at := range termPattern.FindAllStringIndex(formula, -1) {
		rest(formula[end:at[0]])
		end = at[1]
		term := formula[at[0]:end]
		switch known, isKnown := strings.CutPrefix(term, "known("); {
		case isKnown:
			dst = append(dst, FigureKnown(FormulaName(strings.TrimSuffix(known, ")"))))
		case term[0] == '"':
			dst = append(dst, ruleState(model.UserStatus(strings.Trim(term, `"`))))
		default:
			dst = append(dst, FormulaName(term))
		}
	}
	rest(formula[end:])
	return dst
}
