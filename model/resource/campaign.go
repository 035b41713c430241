package resource

// Campaign is an outbound dialer campaign: PDCampaign of document 1.
type Campaign struct {
	document

	ID               *int           `json:"id"`
	AbilitazioneID   *int           `json:"abilitazioneId"`
	Name             string         `json:"name"`
	ServiceCode      string         `json:"serviceCode"`
	Enabled          *bool          `json:"enabled"`
	StartDate        Time           `json:"startDate"`
	EndDate          Time           `json:"endDate"`
	Priority         *int           `json:"priority"`
	ReservedChannels *int           `json:"reservedChannels"`
	BusyChannels     *int           `json:"busyChannels"`
	BusyChannelsType string         `json:"busyChannelsType"` // sample value: PRESENT
	Lists            []CampaignList `json:"lists"`
	Type             string         `json:"type"`          // edition 1.4.0 only; sample value: CALL
	UsersToNotify    []string       `json:"usersToNotify"` // edition 1.4.0 only
}

// CampaignList is a list assigned to a campaign.
type CampaignList struct {
	document

	Enabled  *bool `json:"enabled"`
	Priority *int  `json:"priority"`
	ListID   *int  `json:"listId" is:"key"`
}

// List is a dialer list: PDList of document 1. The attempts are counts; document 1 does not
// show the unit of the timeouts.
type List struct {
	document

	ID                   *int   `json:"id"`
	Name                 string `json:"name"`
	VoicemailEnabled     *bool  `json:"voicemailEnabled"`
	NoAnswerAttempts     *int   `json:"noAnswerAttempts"`
	NoAnswerTimeout      *int   `json:"noAnswerTimeout"`
	BusyAttempts         *int   `json:"busyAttempts"`
	BusyTimeout          *int   `json:"busyTimeout"`
	CancelAttempts       *int   `json:"cancelAttempts"`
	CancelTimeout        *int   `json:"cancelTimeout"`
	CongestionAttempts   *int   `json:"congestionAttempts"`
	CongestionTimeout    *int   `json:"congestionTimeout"`
	VoicemailAttempts    *int   `json:"voicemailAttempts"`
	VoicemailTimeout     *int   `json:"voicemailTimeout"`
	VendorClosedAttempts *int   `json:"vendorClosedAttempts"`
	VendorClosedTimeout  *int   `json:"vendorClosedTimeout"`
}

// Item is one contact of a dialer list: PDInterfaceItem of document 1.
type Item struct {
	document

	ID          *int        `json:"id"`
	ItemNumber  *int        `json:"itemNumber"`
	CampaignID  *int        `json:"campaignId"`
	ListID      *int        `json:"listId"`
	PhoneNumber string      `json:"phoneNumber"`
	Data        []string    `json:"data"`
	ContactInfo *ItemPerson `json:"contactInfo"`
}

// ItemPerson is the person that an [Item] reaches.
type ItemPerson struct {
	document

	ID                    string   `json:"id"`
	Name                  string   `json:"name"`
	Surname               string   `json:"surname"`
	OtherName             string   `json:"otherName"`
	Company               string   `json:"company"`
	Department            string   `json:"department"`
	Street                string   `json:"street"`
	City                  string   `json:"city"`
	District              string   `json:"district"`
	Cap                   string   `json:"cap"` // postal code
	Country               string   `json:"country"`
	VIP                   *bool    `json:"vip"`
	Organization          *bool    `json:"organization"`
	AddressbookBackendIDs []string `json:"addressbookBackendIds"`
}

// Run is one run of a campaign over several channels: PDCampaignRun of document 1, edition 1.4.0.
type Run struct {
	document

	ID                           *int         `json:"id"`
	CampaignID                   *int         `json:"campaignId"`
	ListID                       *int         `json:"listId"`
	Name                         string       `json:"name"`
	Number                       string       `json:"number"`
	Template                     string       `json:"template"`
	RunStatus                    string       `json:"runStatus"`                 // sample value: DISABLE
	InstantMessagingRunStatus    string       `json:"instantMessagingRunStatus"` // sample value: DISABLE
	InstantMessagingStatusDetail string       `json:"instantMessagingStatusDetail"`
	StartDate                    Time         `json:"startDate"`
	EndDate                      Time         `json:"endDate"`
	ScheduledStartDate           Time         `json:"scheduledStartDate"`
	ScheduledEndDate             Time         `json:"scheduledEndDate"`
	InstantMessagingStartDate    Time         `json:"instantMessagingStartDate"`
	InstantMessagingEndDate      Time         `json:"instantMessagingEndDate"`
	Contacts                     []RunContact `json:"contacts"`
}

// RunContact is one contact of a [Run].
type RunContact struct {
	document

	CampaignID       *int              `json:"campaignId"`
	ID               string            `json:"id" is:"key"`
	ItemNumber       *int              `json:"itemNumber"`
	Value            string            `json:"value"`
	ItemContactType  string            `json:"itemContactType"`  // sample value: VENDOR4YOU
	TemplateLanguage string            `json:"templateLanguage"` // sample value: IT
	CustomFields     map[string]string `json:"customFields"`
}
