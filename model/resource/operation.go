package resource

import (
	"maps"
	"slices"
)

// Operation is the unique name of an operation of document 1, section Endpoints. It is used in the
// configuration ([rest.paths]), permissions, errors and the audit file.
type Operation string

// The operations of document 1.
const (
	OpContactCreate   Operation = "contact-create"
	OpContactUpdate   Operation = "contact-update"
	OpContactDelete   Operation = "contact-delete"
	OpContact         Operation = "contact"
	OpVersion         Operation = "version"
	OpValidSession    Operation = "valid-session"
	OpLogin           Operation = "login"
	OpLoginByToken    Operation = "login-by-token" //nolint:gosec // not a credential
	OpLogout          Operation = "logout"
	OpChatHistory     Operation = "chat-history"
	OpDial            Operation = "dial"
	OpHangUp          Operation = "hangup"
	OpRecordingStart  Operation = "recording-start"
	OpRecordingStop   Operation = "recording-stop"
	OpServiceCalls    Operation = "service-calls"
	OpCampaignCreate  Operation = "campaign-create"
	OpCampaignUpdate  Operation = "campaign-update"
	OpCampaignSearch  Operation = "campaign-search"
	OpCampaignStart   Operation = "campaign-start"
	OpCampaignStop    Operation = "campaign-stop"
	OpListCreate      Operation = "list-create"
	OpListUpdate      Operation = "list-update"
	OpListSearch      Operation = "list-search"
	OpItemsAdd        Operation = "items-add"
	OpItemsDelete     Operation = "items-delete"
	OpItemsReset      Operation = "items-reset"
	OpRunAdd          Operation = "run-add"
	OpRunEdit         Operation = "run-edit"
	OpRun             Operation = "run"
	OpRunNamed        Operation = "run-named"
	OpTemplates       Operation = "templates"
	OpMessageHistory  Operation = "message-history"
	OpSMSSend         Operation = "sms-send"
	OpTicketAgents    Operation = "ticket-agents"
	OpTicketCustomers Operation = "ticket-customers"
	OpTicketSearch    Operation = "ticket-search"
)

// Access is the kind of login that an operation needs.
type Access int8

// The kinds of access.
const (
	AccessAuthenticated Access = iota // logs in first if there is no session
	AccessOpen                        // sends no credentials
	AccessSessionOnly                 // concerns the session itself: never logs in
)

// The HTTP methods.
const (
	methodGet    = "GET"
	methodPost   = "POST"
	methodPut    = "PUT"
	methodDelete = "DELETE"
)

// Endpoint is one row of document 1, section Endpoints.
type Endpoint struct {
	Method   string // GET, POST, PUT or DELETE
	Path     string // path in edition 1.0.2, and in 1.4.0 unless Path140 is set; "" if not known
	Path140  string // path in edition 1.4.0 if it differs
	Since140 bool   // not in edition 1.0.2
	Access   Access
	Mutates  bool // changes something: uses its own connection and is not retried
	Rings    bool // the response waits until the call is answered
}

// Endpoint returns the endpoint of an operation, or the zero Endpoint if document 1 does not list
// the operation.
func (o Operation) Endpoint() Endpoint { return endpoints[o] }

// Known reports whether document 1 lists the operation.
func (o Operation) Known() bool {
	_, known := endpoints[o]
	return known
}

// AffectsWaits reports whether the operation may change how long contacts wait.
func (o Operation) AffectsWaits() bool { return o == OpCampaignStart || o == OpCampaignStop }

// Operations returns all operations, sorted by name.
func Operations() []Operation { return slices.Sorted(maps.Keys(endpoints)) }

// endpoints lists all operations of document 1. The messaging history has no path because
// the document does not show it.
var endpoints = map[Operation]Endpoint{
	OpContactCreate: {Method: methodPost, Path: "/rest/addressbook-contact/external", Mutates: true},
	OpContactUpdate: {Method: methodPut, Path: "/rest/addressbook-contact/external", Mutates: true},
	OpContactDelete: {Method: methodDelete, Path: "/rest/addressbook-contact/external/{id}", Mutates: true},
	OpContact:       {Method: methodGet, Path: "/rest/addressbook-contact/external/{id}"},

	OpVersion:      {Method: methodGet, Path: "/rest/auth/version", Access: AccessOpen},
	OpValidSession: {Method: methodGet, Path: "/rest/auth/isValidSession", Access: AccessSessionOnly},
	OpLogin:        {Method: methodPost, Path: "/rest/auth/login", Access: AccessOpen, Mutates: true},
	OpLoginByToken: {Method: methodPost, Path: "/rest/auth/loginByAccessToken", Access: AccessOpen, Mutates: true},
	OpLogout:       {Method: methodGet, Path: "/rest/auth/logout", Access: AccessSessionOnly, Mutates: true},

	OpChatHistory: {Method: methodGet, Path: "/rest/chat/history/session/{id}"},

	OpDial:           {Method: methodPost, Path: "/rest/phone/call/dial", Mutates: true, Rings: true},
	OpHangUp:         {Method: methodPost, Path: "/rest/phone/call/hangup", Mutates: true},
	OpRecordingStart: {Method: methodPost, Path: "/rest/phone/call/rec/start/{userId}/{callId}", Mutates: true},
	OpRecordingStop:  {Method: methodPost, Path: "/rest/phone/call/rec/stop/{userId}/{callId}", Mutates: true},
	OpServiceCalls:   {Method: methodGet, Path: "/rest/phone/call/service-calls-on-user/{userId}"},

	OpCampaignCreate: {
		Method: methodPost, Mutates: true,
		Path: "/rest/powerdialer/phone/campaign", Path140: "/rest/powerdialer/campaign",
	},
	OpCampaignUpdate: {
		Method: methodPut, Mutates: true,
		Path: "/rest/powerdialer/phone/campaign", Path140: "/rest/powerdialer/campaign",
	},
	OpCampaignSearch: {Method: methodGet, Path: "/rest/powerdialer/phone/campaign/search"},
	OpCampaignStart:  {Method: methodPost, Path: "/rest/powerdialer/phone/campaign/start/{id}", Mutates: true},
	OpCampaignStop:   {Method: methodPost, Path: "/rest/powerdialer/phone/campaign/stop/{id}", Mutates: true},
	OpListCreate:     {Method: methodPost, Path: "/rest/powerdialer/phone/list", Mutates: true},
	OpListUpdate:     {Method: methodPut, Path: "/rest/powerdialer/phone/list", Mutates: true},
	OpListSearch:     {Method: methodGet, Path: "/rest/powerdialer/phone/list/search"},
	OpItemsAdd:       {Method: methodPost, Path: "/rest/powerdialer/phone/list/items", Mutates: true},
	OpItemsDelete:    {Method: methodDelete, Path: "/rest/powerdialer/phone/list/items", Mutates: true},
	OpItemsReset:     {Method: methodPost, Path: "/rest/powerdialer/phone/list/items/reset", Mutates: true},

	OpRunAdd:         {Method: methodPost, Path: "/rest/powerdialer/mc/run/add", Since140: true, Mutates: true},
	OpRunEdit:        {Method: methodPost, Path: "/rest/powerdialer/mc/run/edit", Since140: true, Mutates: true},
	OpRunNamed:       {Method: methodGet, Path: "/rest/powerdialer/mc/run/{campaignId}/{runName}", Since140: true},
	OpRun:            {Method: methodGet, Path: "/rest/powerdialer/mc/run/{campaignRunId}", Since140: true},
	OpTemplates:      {Method: methodPost, Path: "/rest/powerdialer/mc/chatapp-templates", Since140: true},
	OpMessageHistory: {Method: methodPost, Since140: true},

	OpSMSSend:         {Method: methodPost, Path: "/rest/sms/send", Since140: true, Mutates: true},
	OpTicketAgents:    {Method: methodGet, Path: "/rest/support/ticket/agent/list", Since140: true},
	OpTicketCustomers: {Method: methodGet, Path: "/rest/support/ticket/customer/list", Since140: true},
	OpTicketSearch:    {Method: methodPost, Path: "/rest/support/ticket/search", Since140: true},
}
