package resource

// MessageRecord is one record of the messaging history: DatamodelPowerDialerInstantMessagingHistory
// of document 1. Its times are strings in an undocumented format.
type MessageRecord struct {
	document

	ContactCustomID          string           `json:"contactCustumId"` // the document's spelling
	ContactUUID              string           `json:"contactUUID"`
	ContactItem              *int             `json:"contactItem"`
	ExecutionID              *int             `json:"executionId"`
	ListID                   *int             `json:"listId"`
	IMCloseTime              string           `json:"imCloseTime"`
	IMConversationExpiration string           `json:"imConversationExpiration"`
	IMConversationID         string           `json:"imConversationId"`
	IMConversationOriginType string           `json:"imConversationOriginType"`
	IMEntryID                string           `json:"imEntryId"`
	IMInsertTime             string           `json:"imInsertTime"`
	IMLastUpdateTime         string           `json:"imLastUpdateTime"`
	IMMetadataDisplayPhone   string           `json:"imMetadataDisplayPhoneNumber"`
	IMMetadataPhoneNumberID  string           `json:"imMetadataPhoneNumberId"`
	IMRecipientID            string           `json:"imRecipientId"`
	IMStatus                 string           `json:"imStatus"`
	IMWamID                  string           `json:"imWamId"`
	InsertTime               string           `json:"insertTime"`
	MessageCloseTime         string           `json:"messageCloseTime"`
	MessageFrom              string           `json:"messageFromNumber"`
	MessageID                string           `json:"messageId"`
	MessageInsertTime        string           `json:"messageInsertTime"`
	MessageResult            *int             `json:"messageResult"`
	MessageTemplate          string           `json:"messageTemplate"`
	MessageTo                string           `json:"messageToNumber"`
	Campaign                 *MessageCampaign `json:"campaign"`
}

// MessageCampaign is the campaign of a [MessageRecord]. It holds the limit of each channel and the
// position of the channel in the sequence of channels.
type MessageCampaign struct {
	document

	ID                                     *int                `json:"id"`
	Name                                   string              `json:"name"`
	Enabled                                *bool               `json:"enabled"`
	Priority                               *int                `json:"priority"`
	OpenFrom                               string              `json:"openFrom"`
	OpenTo                                 string              `json:"openTo"`
	SMSLimit                               *int                `json:"SMSLimit"`
	SMSSequencePosition                    *int                `json:"SMSSequencePosition"`
	InstantMessagingLimit                  *int                `json:"instantMessagingLimit"`
	InstantMessagingSequencePosition       *int                `json:"instantMessagingSequencePosition"`
	MailLimit                              *int                `json:"mailLimit"`
	MailSequencePosition                   *int                `json:"mailSequencePosition"`
	MassiveMailLimit                       *int                `json:"massiveMailLimit"`
	MassiveMailSequencePosition            *int                `json:"massiveMailSequencePosition"`
	MassiveSMSLimit                        *int                `json:"massiveSMSLimit"`
	MassiveSMSSequencePosition             *int                `json:"massiveSMSSequencePosition"`
	InstantMessagingExternalAccountPhoneID string              `json:"instantMessagingExternalAccountPhoneID"`
	InstantMessagingTemplate               string              `json:"instantMessagingTemplate"`
	Abilitation                            *MessageAbilitation `json:"abilitation"`
	Service                                *MessageService     `json:"service"`
	Lists                                  []MessageList       `json:"list"`
}

// MessageAbilitation is the entitlement of a [MessageCampaign].
type MessageAbilitation struct {
	document

	ID          *int   `json:"id"`
	Description string `json:"description"`
	Enabled     *bool  `json:"enabled"`
}

// MessageService is the service of a [MessageCampaign].
type MessageService struct {
	document

	Code        string `json:"code"`
	Description string `json:"description"`
}

// MessageList is a list of a [MessageCampaign], with the retries for five kinds of failed calls.
type MessageList struct {
	document

	ID           *int   `json:"id"`
	Name         string `json:"name"`
	Busy         *Retry `json:"busy"`
	Cancel       *Retry `json:"cancel"`
	Congestion   *Retry `json:"congestion"`
	NoAnswer     *Retry `json:"noAnswer"`
	VendorClosed *Retry `json:"vendorClosed"`
}

// Retry is a number of attempts and the interval between them. Document 1 does not show the
// unit of the interval.
type Retry struct {
	document

	Attempts *int `json:"attempts"`
	Interval *int `json:"interval"`
}
