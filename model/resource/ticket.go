package resource

import "encoding/json"

// TicketQuery is TicketSearchRequest of document 1, edition 1.4.0.
type TicketQuery struct {
	document

	Context      string              `json:"context"` // sample value: IVR
	CustomFields map[string][]string `json:"customFields"`
	CustomerID   []string            `json:"customerId"`
	OwnerID      []string            `json:"ownerId"`
	ServiceCode  []string            `json:"serviceCode"`
	StateID      []string            `json:"stateId"`
	SubmitterID  string              `json:"submitterId"`
	PageNumber   *int                `json:"pageNumber"`
	PageSize     *int                `json:"pageSize"`
}

// Ticket is a result of a [TicketQuery]: one ticket, or the articles of several tickets. Document 1
// shows only the fields about articles.
type Ticket struct {
	document

	Article      *Article           `json:"article"`
	ArticleCount *int               `json:"article_count"`
	ArticleIDs   []int              `json:"article_ids"`
	Articles     []Article          `json:"articles"`
	Attachments  []TicketAttachment `json:"attachments"`
}

// TicketAttachment is an attachment of a search result.
type TicketAttachment struct {
	document

	MIMEType string `json:"mimeType"`
	Name     string `json:"name"`
}

// Article is one article of a ticket.
type Article struct {
	document

	ID           *int                       `json:"id"`
	SenderID     *int                       `json:"sender_id"`
	TypeID       *int                       `json:"type_id"`
	TicketID     *int                       `json:"ticket_id"`
	TimeUnit     *int                       `json:"time_unit"`
	CreatedByID  *int                       `json:"created_by_id"`
	UpdatedByID  *int                       `json:"updated_by_id"`
	OriginByID   *int                       `json:"origin_by_id"`
	Body         string                     `json:"body" clean:"body"`
	CC           string                     `json:"cc"`
	ContentType  string                     `json:"content_type"`
	CreatedBy    string                     `json:"created_by"`
	From         string                     `json:"from"`
	InReplyTo    string                     `json:"in_reply_to"`
	MessageID    string                     `json:"message_id"`
	MessageIDMD5 string                     `json:"message_id_md5"`
	OriginBy     string                     `json:"origin_by"`
	References   string                     `json:"references"`
	ReplyTo      string                     `json:"reply_to"`
	Subject      string                     `json:"subject"`
	To           string                     `json:"to"`
	UpdatedBy    string                     `json:"updated_by"`
	Internal     *bool                      `json:"internal"`
	CreatedAt    Time                       `json:"created_at"`
	UpdatedAt    Time                       `json:"updated_at"`
	Sender       string                     `json:"sender"` // sample value: Agent
	Type         string                     `json:"type"`   // sample value: email
	Preferences  map[string]json.RawMessage `json:"preferences"`
	Attachments  []ArticleAttachment        `json:"attachments"`
}

// ArticleAttachment is an attachment of an [Article].
type ArticleAttachment struct {
	document

	Data        string            `json:"data"`
	Filename    string            `json:"filename"`
	ID          *int              `json:"id"`
	MIMEType    string            `json:"mime-type"`
	Preferences map[string]string `json:"preferences"`
	Size        string            `json:"size"`
}

// PersonQuery requests the agents or customers of tickets.
type PersonQuery struct {
	SearchKey string
	Index     *int
	Size      *int
	Services  string // agents only
}
