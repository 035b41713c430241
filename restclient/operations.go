package restclient

import (
	"maps"
	"net/http"
	"slices"
)

// The operations of document 1, section Endpoints, by the names that
// [Error.Operation] and [Options.Paths] use.
const (
	OpContactCreate   = "contact-create"
	OpContactUpdate   = "contact-update"
	OpContactDelete   = "contact-delete"
	OpContact         = "contact"
	OpVersion         = "version"
	OpValidSession    = "valid-session"
	OpLogin           = "login"
	OpLoginByToken    = "login-by-token" //nolint:gosec // a name
	OpLogout          = "logout"
	OpChatHistory     = "chat-history"
	OpDial            = "dial"
	OpHangUp          = "hangup"
	OpRecordingStart  = "recording-start"
	OpRecordingStop   = "recording-stop"
	OpServiceCalls    = "service-calls"
	OpCampaignCreate  = "campaign-create"
	OpCampaignUpdate  = "campaign-update"
	OpCampaignSearch  = "campaign-search"
	OpCampaignStart   = "campaign-start"
	OpCampaignStop    = "campaign-stop"
	OpListCreate      = "list-create"
	OpListUpdate      = "list-update"
	OpListSearch      = "list-search"
	OpItemsAdd        = "items-add"
	OpItemsDelete     = "items-delete"
	OpItemsReset      = "items-reset"
	OpRunAdd          = "run-add"
	OpRunEdit         = "run-edit"
	OpRun             = "run"
	OpRunNamed        = "run-named"
	OpTemplates       = "templates"
	OpMessageHistory  = "message-history"
	OpSMSSend         = "sms-send"
	OpTicketAgents    = "ticket-agents"
	OpTicketCustomers = "ticket-customers"
	OpTicketSearch    = "ticket-search"
)

// access is what an operation needs of the login.
type access int8

const (
	authenticated access = iota // whoever is not logged in gets logged in
	open                        // nothing is sent that proves who asks
	sessionOnly                 // about the session itself: nobody logs in for it
)

// operation is one row of document 1, section Endpoints.
type operation struct {
	method string
	path   string // in edition 1.0.2; where 1.4.0 shows none, it is taken to be the same
	newer  string // in edition 1.4.0, where that differs
	only14 bool   // edition 1.0.2 does not have it
	access access
	acts   bool // changes something: has a connection of its own and is never repeated
	rings  bool // is answered when somebody picked up
}

// operations is the whole of document 1. The one operation without a path is
// the messaging history, whose path is not shown.
var operations = map[string]operation{
	OpContactCreate: {method: http.MethodPost, path: "/rest/addressbook-contact/external", acts: true},
	OpContactUpdate: {method: http.MethodPut, path: "/rest/addressbook-contact/external", acts: true},
	OpContactDelete: {method: http.MethodDelete, path: "/rest/addressbook-contact/external/{id}", acts: true},
	OpContact:       {method: http.MethodGet, path: "/rest/addressbook-contact/external/{id}"},

	OpVersion:      {method: http.MethodGet, path: "/rest/auth/version", access: open},
	OpValidSession: {method: http.MethodGet, path: "/rest/auth/isValidSession", access: sessionOnly},
	OpLogin:        {method: http.MethodPost, path: "/rest/auth/login", access: open, acts: true},
	OpLoginByToken: {method: http.MethodPost, path: "/rest/auth/loginByAccessToken", access: open, acts: true},
	OpLogout:       {method: http.MethodGet, path: "/rest/auth/logout", access: sessionOnly, acts: true},

	OpChatHistory: {method: http.MethodGet, path: "/rest/chat/history/session/{id}"},

	OpDial:           {method: http.MethodPost, path: "/rest/phone/call/dial", acts: true, rings: true},
	OpHangUp:         {method: http.MethodPost, path: "/rest/phone/call/hangup", acts: true},
	OpRecordingStart: {method: http.MethodPost, path: "/rest/phone/call/rec/start/{userId}/{callId}", acts: true},
	OpRecordingStop:  {method: http.MethodPost, path: "/rest/phone/call/rec/stop/{userId}/{callId}", acts: true},
	OpServiceCalls:   {method: http.MethodGet, path: "/rest/phone/call/service-calls-on-user/{userId}"},

	OpCampaignCreate: {
		method: http.MethodPost, acts: true,
		path: "/rest/powerdialer/phone/campaign", newer: "/rest/powerdialer/campaign",
	},
	OpCampaignUpdate: {
		method: http.MethodPut, acts: true,
		path: "/rest/powerdialer/phone/campaign", newer: "/rest/powerdialer/campaign",
	},
	OpCampaignSearch: {method: http.MethodGet, path: "/rest/powerdialer/phone/campaign/search"},
	OpCampaignStart:  {method: http.MethodPost, path: "/rest/powerdialer/phone/campaign/start/{id}", acts: true},
	OpCampaignStop:   {method: http.MethodPost, path: "/rest/powerdialer/phone/campaign/stop/{id}", acts: true},
	OpListCreate:     {method: http.MethodPost, path: "/rest/powerdialer/phone/list", acts: true},
	OpListUpdate:     {method: http.MethodPut, path: "/rest/powerdialer/phone/list", acts: true},
	OpListSearch:     {method: http.MethodGet, path: "/rest/powerdialer/phone/list/search"},
	OpItemsAdd:       {method: http.MethodPost, path: "/rest/powerdialer/phone/list/items", acts: true},
	OpItemsDelete:    {method: http.MethodDelete, path: "/rest/powerdialer/phone/list/items", acts: true},
	OpItemsReset:     {method: http.MethodPost, path: "/rest/powerdialer/phone/list/items/reset", acts: true},

	OpRunAdd:         {method: http.MethodPost, path: "/rest/powerdialer/mc/run/add", only14: true, acts: true},
	OpRunEdit:        {method: http.MethodPost, path: "/rest/powerdialer/mc/run/edit", only14: true, acts: true},
	OpRunNamed:       {method: http.MethodGet, path: "/rest/powerdialer/mc/run/{campaignId}/{runName}", only14: true},
	OpRun:            {method: http.MethodGet, path: "/rest/powerdialer/mc/run/{campaignRunId}", only14: true},
	OpTemplates:      {method: http.MethodPost, path: "/rest/powerdialer/mc/chatapp-templates", only14: true},
	OpMessageHistory: {method: http.MethodPost, only14: true},

	OpSMSSend:         {method: http.MethodPost, path: "/rest/sms/send", only14: true, acts: true},
	OpTicketAgents:    {method: http.MethodGet, path: "/rest/support/ticket/agent/list", only14: true},
	OpTicketCustomers: {method: http.MethodGet, path: "/rest/support/ticket/customer/list", only14: true},
	OpTicketSearch:    {method: http.MethodPost, path: "/rest/support/ticket/search", only14: true},
}

// Operations returns the names of all operations, sorted: what [Options.Paths]
// may name.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }
