package actions

import (
	"wallboard/internal/words"
	"wallboard/model/resource"
)

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
