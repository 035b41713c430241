package actions

import (
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// outcomeTitle returns the name of an outcome, for the beginning of a line.
func outcomeTitle(o resource.Outcome) words.Text {
	switch o {
	case resource.OutcomeConfirmed:
		return words.ActTitleConfirmed()
	case resource.OutcomeRejected:
		return words.ActTitleRejected()
	case resource.OutcomeNotSent:
		return words.ActTitleNotSent()
	case resource.OutcomeUnknown:
	}
	return words.ActTitleUnknown()
}
