package resource

import "encoding/json"

// MessageQuery is a search of the messaging history of document 1, edition 1.4.0. All
// fields are optional.
type MessageQuery struct {
	document

	Pagination   *Pagination                `json:"pagination"`
	ResultFields map[string]json.RawMessage `json:"resultFields"`
	Sorting      *Sorting                   `json:"sorting"`
	Search       *MessageSearch             `json:"search"`
}

// Pagination selects a page: numbers start at 1, sizes are above 0.
type Pagination struct {
	document

	PageNumber int `json:"pageNumber"`
	PageSize   int `json:"pageSize"`
}

// Sorting is the order of the records.
type Sorting struct {
	document

	OrderField string `json:"orderField"` // sample value: MESSAGE_ID
	OrderType  string `json:"orderType"`  // sample value: ASC
}

// MessageSearch filters the records.
type MessageSearch struct {
	document

	Month            *int            `json:"month"`
	Year             *int            `json:"year"`
	Campaign         *CampaignSearch `json:"campaign"`
	ContactCustomID  *Filter         `json:"contactCustomId"`
	ContactItem      *Filter         `json:"contactItem"`
	ContactUUID      *Filter         `json:"contactUUID"`
	ExecutionID      *Filter         `json:"executionId"`
	ListID           *Filter         `json:"listId"`
	MessageCloseTime *Filter         `json:"messageCloseTime"`
	MessageFrom      *Filter         `json:"messageFromNumber"`
	MessageID        *Filter         `json:"messageId"`
	MessageInsert    *Filter         `json:"messageInsertTime"`
	MessageResult    *Filter         `json:"messageResult"`
	MessageTo        *Filter         `json:"messageToNumber"`
}

// CampaignSearch filters by the campaign of the records.
type CampaignSearch struct {
	document

	ID          *Filter        `json:"id"`
	Name        *Filter        `json:"name"`
	Enabled     *Filter        `json:"enabled"`
	Priority    *Filter        `json:"priority"`
	OpenFrom    *Filter        `json:"openFrom"`
	OpenTo      *Filter        `json:"openTo"`
	Abilitation *FilterGroup   `json:"abilitation"`
	List        *FilterGroup   `json:"list"`
	Service     *ServiceSearch `json:"service"`
}

// FilterGroup filters by the ID and the attributes of an object, such as a list.
type FilterGroup struct {
	document

	ID          *Filter `json:"id"`
	Name        *Filter `json:"name"`        // name of a list
	Description *Filter `json:"description"` // description of an abilitation
	Enabled     *Filter `json:"enabled"`     // whether an abilitation is enabled
}

// ServiceSearch filters by the campaign's service.
type ServiceSearch struct {
	document

	Code        *Filter  `json:"code"`
	Description *Filter  `json:"description"`
	ServiceType []string `json:"serviceType"`
}

// Filter compares one field with a value or a range. Value is an array for members such as id, name
// and code, and a string for times. Left and Right are the bounds of a range of times.
type Filter struct {
	document

	Operator string          `json:"operator"` // sample value: NULL
	Value    json.RawMessage `json:"value"`
	Regexp   string          `json:"regexp"`
	Left     string          `json:"valueLeft"`
	Right    string          `json:"valueRight"`
}
