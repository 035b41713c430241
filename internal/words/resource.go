package words

import (
	"strings"

	"wallboard/model/contact"
	"wallboard/model/resource"
)

// label is a message in two forms: within a line, and as a title.
type label struct{ inSentence, title func() Text }

// operationLabels returns the two forms of the name of an operation; see [OperationName].
func operationLabels(op resource.Operation) label {
	switch op { //nolint:exhaustive // the other operations only read
	case resource.OpContactCreate:
		return label{ResourceContactCreate, ResourceContactCreateTitle}
	case resource.OpContactUpdate:
		return label{ResourceContactUpdate, ResourceContactUpdateTitle}
	case resource.OpContactDelete:
		return label{ResourceContactDelete, ResourceContactDeleteTitle}
	case resource.OpDial:
		return label{ResourceDial, ResourceDialTitle}
	case resource.OpHangUp:
		return label{ResourceHangUp, ResourceHangUpTitle}
	case resource.OpRecordingStart:
		return label{ResourceRecordingStart, ResourceRecordingStartTitle}
	case resource.OpRecordingStop:
		return label{ResourceRecordingStop, ResourceRecordingStopTitle}
	case resource.OpCampaignCreate:
		return label{ResourceCampaignCreate, ResourceCampaignCreateTitle}
	case resource.OpCampaignUpdate:
		return label{ResourceCampaignUpdate, ResourceCampaignUpdateTitle}
	case resource.OpCampaignStart:
		return label{ResourceCampaignStart, ResourceCampaignStartTitle}
	case resource.OpCampaignStop:
		return label{ResourceCampaignStop, ResourceCampaignStopTitle}
	case resource.OpListCreate:
		return label{ResourceListCreate, ResourceListCreateTitle}
	case resource.OpListUpdate:
		return label{ResourceListUpdate, ResourceListUpdateTitle}
	case resource.OpItemsAdd:
		return label{ResourceItemsAdd, ResourceItemsAddTitle}
	case resource.OpItemsDelete:
		return label{ResourceItemsDelete, ResourceItemsDeleteTitle}
	case resource.OpItemsReset:
		return label{ResourceItemsReset, ResourceItemsResetTitle}
	case resource.OpRunAdd:
		return label{ResourceRunAdd, ResourceRunAddTitle}
	case resource.OpRunEdit:
		return label{ResourceRunEdit, ResourceRunEditTitle}
	case resource.OpSMSSend:
		return label{ResourceSmsSend, ResourceSmsSendTitle}
	}
	name := func() Text { return Name(strings.ReplaceAll(string(op), "-", " ")) }
	return label{name, name}
}

// OperationName returns the name of an operation, such as "start campaign". For an operation that
// changes nothing, it returns the operation's name in the configuration, with spaces.
func OperationName(op resource.Operation) Text { return operationLabels(op).inSentence() }

// OperationTitle returns the name of an operation as a title, such as "Start campaign".
func OperationTitle(op resource.Operation) Text { return operationLabels(op).title() }

// OperationOf returns the operation that changes something and has a name in English, which may be a title. ok
// is false if there is none.
func OperationOf(name string) (op resource.Operation, ok bool) {
	for _, op := range resource.Operations() {
		if op.Endpoint().Mutates && strings.EqualFold(OperationName(op).In(nil), name) {
			return op, true
		}
	}
	return "", false
}

// OutcomeName returns the name of an outcome, after the name of a target or a colon. An unknown outcome
// is not called a failure, because the platform may have carried out the order.
func OutcomeName(o resource.Outcome) Text {
	switch o {
	case resource.OutcomeConfirmed:
		return ActConfirmed()
	case resource.OutcomeRejected:
		return ActRejected()
	case resource.OutcomeNotSent:
		return ActNotSent()
	case resource.OutcomeUnknown:
	}
	return ActUnknown()
}

// OutcomeOf returns the outcome with a name of the audit file, or OutcomeUnknown if there is none.
func OutcomeOf(name string) resource.Outcome {
	for _, o := range []resource.Outcome{resource.OutcomeConfirmed, resource.OutcomeRejected, resource.OutcomeNotSent} {
		if o.String() == name {
			return o
		}
	}
	return resource.OutcomeUnknown
}

// RecordedAction returns the text of the mark of an action in a recording: "Stop campaign: Win-back,
// confirmed". target is the name of the target, or "".
func RecordedAction(op resource.Operation, target string, o resource.Outcome) Text {
	outcome := OutcomeName(o)
	if o == resource.OutcomeUnknown {
		outcome = ActUnknownHappened()
	}
	if target == "" {
		return ActRecorded(OperationTitle(op), outcome)
	}
	return ActRecordedTarget(OperationTitle(op), target, outcome)
}

// VolumeText says how the number of contacts of a day compares with a typical day, such as "above
// typical".
func VolumeText(v contact.Volume) Text {
	switch v {
	case contact.VolumeNotComparable:
		return ResourceNotComparable()
	case contact.VolumeAsUsual:
		return ResourceTypical()
	case contact.VolumeMore:
		return ResourceAboveTypical()
	case contact.VolumeFewer:
		return ResourceBelowTypical()
	case contact.VolumeSlightlyMore:
		return ResourceSlightlyAbove()
	case contact.VolumeSlightlyFewer:
		return ResourceSlightlyBelow()
	}
	return Text{}
}
