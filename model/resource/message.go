package resource

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
)

// SMS is a text message to send: SmsSendRequest of document 1, edition 1.4.0.
type SMS struct {
	document

	AccountID   *int   `json:"accountId"` // needed only if there are several accounts
	Message     string `json:"message" clean:"body"`
	PhoneNumber string `json:"phoneNumber"`
	Username    string `json:"username"`
}

// ChatMessage is one message of a chat session: ChatHistoryMessage of document 1.
type ChatMessage struct {
	document

	ID           string          `json:"id"`
	MessageID    string          `json:"messageId"`
	SessionID    string          `json:"sessionId"`
	Message      string          `json:"message" clean:"body"`
	Agent        *Person         `json:"agent"`
	Customer     *Person         `json:"customer"`
	Attachment   *ChatAttachment `json:"attachment"`
	ChannelType  string          `json:"channelType"` // sample value: WIDGET
	MessageType  string          `json:"messageType"` // sample value: OPEN_SESSION
	Sender       string          `json:"sender"`      // sample value: AGENT
	InsertTime   Time            `json:"insertTime"`
	ReadTime     Time            `json:"readTime"`
	ReceivedTime Time            `json:"receivedTime"`
	UpdateTime   Time            `json:"updateTime"`
	Service      *ChatService    `json:"service"`
}

// ChatAttachment is a file sent in a chat.
type ChatAttachment struct {
	document

	File     string `json:"file"`
	FileName string `json:"fileName"`
	MIMEType string `json:"mimeType"`
}

// ChatService is the service that a chat arrived on.
type ChatService struct {
	document

	BPMProcessID *int   `json:"bpmProcessId"`
	Code         string `json:"code"`
	Exten        string `json:"exten"`
	Name         string `json:"name"`
	Registration string `json:"registration"` // sample value: DISABLED
	Type         string `json:"type"`         // sample value: IVR
	Version      *int   `json:"version"`
}

// Person is a ContactIdentifier of document 1: a participant of a chat, or an agent or
// customer of a ticket. The last five fields are only set in lists of agents and customers.
type Person struct {
	document

	DisplayName    string   `json:"displayName"`
	Name           string   `json:"name"`
	Surname        string   `json:"surname"`
	UID            string   `json:"uid"`
	Username       string   `json:"username"`
	Value          string   `json:"value"`
	Type           string   `json:"type"` // sample value: USER
	Email          string   `json:"email"`
	PublicUsername string   `json:"publicUsername"`
	Language       string   `json:"language"` // IT, it_IT, EN, en_US
	ServiceCodes   []string `json:"serviceCodes"`
	UserIDMc1002   *int     `json:"userIdMc1002"`
}

// String returns the best available name of the person.
func (p Person) String() string {
	return cmp.Or(p.DisplayName, strings.TrimSpace(p.Name+" "+p.Surname), p.Username, p.PublicUsername, p.Email, p.Value, p.UID)
}

// TemplateQuery requests chat-app templates: WhatsAppTemplateListRequest of document 1, edition
// 1.4.0. APIKey is a secret: it is sent with the request and never printed or logged.
type TemplateQuery struct {
	document

	APIKey string `json:"apiKey" is:"secret"`
	Limit  *int   `json:"limit"`
	Number string `json:"number"`
	Offset *int   `json:"offset"`
	SID    string `json:"sid"`
}

// Format implements [fmt.Formatter]. It prints the query without APIKey, which is a secret.
func (q TemplateQuery) Format(s fmt.State, _ rune) {
	_, _ = io.WriteString(s, summarize(reflect.ValueOf(&q).Elem()))
}

// LogValue implements [slog.LogValuer]. It returns the query without APIKey, which is a secret.
func (q TemplateQuery) LogValue() slog.Value {
	return slog.StringValue(summarize(reflect.ValueOf(&q).Elem()))
}

// Template is one chat-app template.
type Template struct {
	document

	Category       string              `json:"category"`
	CategoryChange string              `json:"category_change"` // document 1 does not show its type
	Language       string              `json:"language"`
	Name           string              `json:"name"`
	Status         string              `json:"status"`
	WABAID         string              `json:"waba_id"`
	Components     []TemplateComponent `json:"components"`
}

// TemplateComponent is a part of a [Template].
type TemplateComponent struct {
	document

	Text string `json:"text" clean:"body"`
	Type string `json:"type"`
}
