package actions

import (
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// operationName returns the name of an operation, for titles and for the beginning of a line. For an
// operation that the board does not offer as an action, it returns the description in English.
func operationName(v resource.Operation) words.Text {
	names := map[resource.Operation]func() words.Text{
		resource.OpContactCreate:  words.ActOperationContactCreate,
		resource.OpContactUpdate:  words.ActOperationContactUpdate,
		resource.OpContactDelete:  words.ActOperationContactDelete,
		resource.OpDial:           words.ActOperationDial,
		resource.OpHangUp:         words.ActOperationHangUp,
		resource.OpRecordingStart: words.ActOperationRecordingStart,
		resource.OpRecordingStop:  words.ActOperationRecordingStop,
		resource.OpCampaignCreate: words.ActOperationCampaignCreate,
		resource.OpCampaignUpdate: words.ActOperationCampaignUpdate,
		resource.OpCampaignStart:  words.ActOperationCampaignStart,
		resource.OpCampaignStop:   words.ActOperationCampaignStop,
		resource.OpListCreate:     words.ActOperationListCreate,
		resource.OpListUpdate:     words.ActOperationListUpdate,
		resource.OpItemsAdd:       words.ActOperationItemsAdd,
		resource.OpItemsDelete:    words.ActOperationItemsDelete,
		resource.OpItemsReset:     words.ActOperationItemsReset,
		resource.OpRunAdd:         words.ActOperationRunAdd,
		resource.OpRunEdit:        words.ActOperationRunEdit,
		resource.OpSMSSend:        words.ActOperationSmsSend,
	}
	if name := names[v]; name != nil {
		return name()
	}
	return words.Name(v.Description())
}

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
