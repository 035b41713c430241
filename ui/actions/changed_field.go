package actions

import (
	"strings"

	"wallboard/internal/words"
	"wallboard/model/resource"
)

// fieldLabels returns the labels of the fields that forms can change, by the name of the field in
// document 1. Fields with the same name have the same label in all forms.
func fieldLabels() map[string]words.Text {
	labels := map[string]words.Text{
		"id": words.ActFieldId(), "name": words.ActFieldName(), "type": words.ActFieldType(), "value": words.ActFieldValue(), "key": words.ActFieldKey(),
		"serviceCode": words.ActFieldServiceCode(), "abilitazioneId": words.ActFieldPermissionId(), "enabled": words.ActFieldEnabled(),
		"priority": words.ActFieldPriority(), "reservedChannels": words.ActFieldReservedLines(), "busyChannels": words.ActFieldBusyLines(),
		"busyChannelsType": words.ActFieldBusyLinesType(), "startDate": words.ActFieldStartDate(), "endDate": words.ActFieldEndDate(),
		"lists": words.ActFieldLists(), "usersToNotify": words.ActFieldUsersToNotify(), "voicemailEnabled": words.ActFieldVoicemailEnabled(),
		"campaignId": words.ActFieldCampaignId(), "listId": words.ActFieldListId(), "number": words.ActFieldNumber(), "template": words.ActFieldTemplate(),
		"runStatus": words.ActFieldStatus(), "instantMessagingRunStatus": words.ActFieldMessagingStatus(),
		"instantMessagingStatusDetail": words.ActFieldMessagingDetail(), "scheduledStartDate": words.ActFieldPlannedStart(),
		"scheduledEndDate": words.ActFieldPlannedEnd(), "instantMessagingStartDate": words.ActFieldMessagingStart(),
		"instantMessagingEndDate": words.ActFieldMessagingEnd(), "contacts": words.ActFieldContacts(),
		"addressbookBackendId": words.ActFieldAddressBook(), "vip": words.ActFieldVip(), "categories": words.ActFieldCategories(),
		"customFields": words.ActFieldCustomFields(), "emails": words.ActFieldEmails(), "numbers": words.ActFieldNumbers(), "webSites": words.ActFieldWebSites(),
	}
	for _, f := range contactTextFields() {
		labels[f.id] = f.label
	}
	for _, f := range listNumberFields() {
		labels[f.id] = f.label()
	}
	return labels
}

// elementLabels returns functions for the labels of the elements of lists, by the name of the list in
// document 1. They take the key of the element.
func elementLabels() map[string]func(string) words.Text {
	return map[string]func(string) words.Text{
		"lists": words.ActFieldList, "contacts": words.ActFieldContact, "numbers": words.ActFieldNumberOf, "emails": words.ActFieldEmailOf,
		"webSites": words.ActFieldWebSiteOf, "customFields": words.ActFieldCustomFieldOf,
	}
}

// changedField returns the label of a changed field, such as "List 12 enabled". If the platform sent a
// field that document 1 does not have, the label consists of the words of its name.
func changedField(c *resource.FieldChange) words.Text {
	if member, ok := strings.CutPrefix(c.Field, "lists["); ok {
		switch key, name, _ := strings.Cut(member, "]."); name {
		case "enabled":
			return words.ActFieldListEnabled(key)
		case "priority":
			return words.ActFieldListPriority(key)
		}
	}
	labels, elements := fieldLabels(), elementLabels()
	var label words.Text
	for i, step := range strings.Split(c.Field, ".") {
		name, key, isElement := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		own, known := labels[name]
		if element := elements[name]; isElement && element != nil {
			own = element(key)
		} else if isElement {
			known = false
		}
		switch {
		case !known:
			return words.Name(c.Label)
		case i == 0:
			label = own
		default:
			label = words.ActFieldNested(label, own)
		}
	}
	return label
}

// isYesNo reports whether the values of a changed field are yes and no.
func isYesNo(field string) bool {
	switch field[strings.LastIndexByte(field, '.')+1:] {
	case "enabled", "vip", "voicemailEnabled":
		return true
	}
	return false
}
