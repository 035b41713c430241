package rest

import (
	"wallboard/internal/simulator/world"
)

// MessagesPath is the path of the message history search. Document 1 does not show this path.
const MessagesPath = "/rest/powerdialer/mc/messages/search"

// resources holds the data that the world does not have, such as the address book and the tickets,
// and serves the operations on them. Stored documents keep all fields of a request, including
// unknown ones. The mutex of the service guards the resources.
type resources struct {
	book      *addressBook
	chats     chats
	phone     phone
	campaigns campaigns
	lists     lists
	runs      *runs
	messaging *messaging
	support   *support
}

// newResources returns resources with generated data. The data depends only on the world and the seed.
func newResources(p Platform, o Options) *resources {
	out := &resources{
		book: &addressBook{contacts: map[string]object{}}, chats: chats{}, phone: phone{p.World},
		campaigns: campaigns{world: p.World, edition: o.Edition, documents: map[int64]object{}},
		lists:     lists{world: p.World, listDocuments: map[int64]object{}, itemDocuments: map[int64]object{}},
		runs:      new(runs), messaging: &messaging{world: p.World, accounts: p.Accounts, keepsSMS: o.SMSInHistory}, support: new(support),
	}
	_ = p.World.Read(func(w *world.World) error { // the callback returns no error
		seedResources(out, w, p.Seed)
		return nil
	})
	return out
}

func (p *resources) commonOps() []operation {
	return []operation{
		{name: "contact-create", route: "POST /rest/addressbook-contact/external", serve: p.book.create},
		{name: "contact-update", route: "PUT /rest/addressbook-contact/external", serve: p.book.update},
		{name: "contact-delete", route: "DELETE /rest/addressbook-contact/external/{id}", serve: p.book.remove},
		{name: "contact", route: "GET /rest/addressbook-contact/external/{id}", serve: p.book.get},

		{name: "chat-history", route: "GET /rest/chat/history/session/{id}", serve: p.chats.history},

		{name: "dial", route: "POST /rest/phone/call/dial", serve: p.phone.dial},
		{name: "hangup", route: "POST /rest/phone/call/hangup", serve: p.phone.hangUp},
		{name: "recording-start", route: "POST /rest/phone/call/rec/start/{userId}/{callId}", serve: p.phone.startRecording},
		{name: "recording-stop", route: "POST /rest/phone/call/rec/stop/{userId}/{callId}", serve: p.phone.stopRecording},
		{name: "service-calls", route: "GET /rest/phone/call/service-calls-on-user/{userId}", serve: p.phone.serviceCalls},
	}
}

// dialerOps returns the operations whose paths document 1 shows only for edition 1.0.2. The
// simulator uses the same paths for edition 1.4.0.
func (p *resources) dialerOps() []operation {
	return []operation{
		{name: "campaign-search", route: "GET /rest/powerdialer/phone/campaign/search", serve: p.campaigns.search},
		{name: "campaign-start", route: "POST /rest/powerdialer/phone/campaign/start/{id}", serve: p.campaigns.start},
		{name: "campaign-stop", route: "POST /rest/powerdialer/phone/campaign/stop/{id}", serve: p.campaigns.stop},
		{name: "list-create", route: "POST /rest/powerdialer/phone/list", serve: p.lists.create},
		{name: "list-update", route: "PUT /rest/powerdialer/phone/list", serve: p.lists.update},
		{name: "list-search", route: "GET /rest/powerdialer/phone/list/search", serve: p.lists.search},
		{name: "items-add", route: "POST /rest/powerdialer/phone/list/items", serve: p.lists.addItems},
		{name: "items-delete", route: "DELETE /rest/powerdialer/phone/list/items", serve: p.lists.deleteItems},
		{name: "items-reset", route: "POST /rest/powerdialer/phone/list/items/reset", serve: p.lists.resetItems},
	}
}

func (p *resources) campaignOps(path string) []operation {
	return []operation{
		{name: "campaign-create", route: "POST " + path, serve: p.campaigns.create},
		{name: "campaign-update", route: "PUT " + path, serve: p.campaigns.update},
	}
}

// channelOps returns the operations that edition 1.4.0 of document 1 added.
func (p *resources) channelOps() []operation {
	return []operation{
		{name: "run-add", route: "POST /rest/powerdialer/mc/run/add", serve: p.runs.add},
		{name: "run-edit", route: "POST /rest/powerdialer/mc/run/edit", serve: p.runs.edit},
		{name: "run-named", route: "GET /rest/powerdialer/mc/run/{campaignId}/{runName}", serve: p.runs.findByName},
		{name: "run", route: "GET /rest/powerdialer/mc/run/{campaignRunId}", serve: p.runs.get},
		{name: "templates", route: "POST /rest/powerdialer/mc/chatapp-templates", serve: p.messaging.listTemplates},
		{name: "message-history", route: "POST " + MessagesPath, serve: p.messaging.searchHistory},
		{name: "sms-send", route: "POST /rest/sms/send", serve: p.messaging.sendSMS},
		{name: "ticket-agents", route: "GET /rest/support/ticket/agent/list", serve: p.support.listAgents},
		{name: "ticket-customers", route: "GET /rest/support/ticket/customer/list", serve: p.support.listCustomers},
		{name: "ticket-search", route: "POST /rest/support/ticket/search", serve: p.support.search},
	}
}
