package actions

import (
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// outcomeName returns the name of an outcome, after the name of a target or a colon. An unknown outcome
// is not called a failure, because the platform may have carried out the order.
func outcomeName(o resource.Outcome) words.Text {
	switch o {
	case resource.Confirmed:
		return words.ActConfirmed()
	case resource.Rejected:
		return words.ActRejected()
	case resource.NotSent:
		return words.ActNotSent()
	case resource.Unknown:
	}
	return words.ActUnknown()
}

// outcomeTitle returns the name of an outcome, for the beginning of a line.
func outcomeTitle(o resource.Outcome) words.Text {
	switch o {
	case resource.Confirmed:
		return words.ActTitleConfirmed()
	case resource.Rejected:
		return words.ActTitleRejected()
	case resource.NotSent:
		return words.ActTitleNotSent()
	case resource.Unknown:
	}
	return words.ActTitleUnknown()
}
