package simulator

import (
	"net/http"
	"strings"
	"sync"

	"wallboard/simulator/world"
)

// MessagesPath is where the messaging history is searched: document 1 shows no
// path for it.
const MessagesPath = "/rest/powerdialer/mc/messages/search"

// rest is the configuration REST service of document 1: one handler per
// operation on the world and on a store of what the world knows nothing of. One
// request is executed at a time.
type rest struct {
	s        *Server
	sessions *restSessions
	executed executions

	mu    sync.Mutex // held while a request is executed, before the world's
	store *restStore
}

func newREST(s *Server) *rest {
	return &rest{
		s: s, sessions: newRESTSessions(s.opts.Now, s.opts.RESTLifetime),
		store: newRESTStore(s.world, s.opts.World.Seed),
	}
}

// restOp is one operation of document 1.
type restOp struct {
	name  string // what [Execution] calls it
	route string // method and path
	open  bool   // needs no authentication
	serve func(*restCall) (any, error)
}

// addRoutes adds the operations of the edition. Everything else under the
// service's path is not found.
func (r *rest) addRoutes(mux *http.ServeMux) {
	base := r.s.opts.RESTPath
	ops := append(r.commonOps(), r.dialerOps()...)
	if r.s.opts.Edition == Edition102 {
		ops = append(ops, r.campaignOps("/rest/powerdialer/phone/campaign")...)
	} else {
		ops = append(ops, r.campaignOps("/rest/powerdialer/campaign")...)
		ops = append(ops, r.channelOps()...)
	}
	for _, op := range ops {
		method, path, _ := strings.Cut(op.route, " ")
		mux.Handle(method+" "+base+r.s.opts.Lists.route(r.s.opts.Edition, path), r.handler(op))
	}
	mux.Handle(base+"/rest/", r.handler(restOp{
		open:  true,
		serve: func(*restCall) (any, error) { return nil, &restError{status: http.StatusNotFound} },
	}))
}

func (r *rest) commonOps() []restOp {
	return []restOp{
		{name: "contact-create", route: "POST /rest/addressbook-contact/external", serve: r.createContact},
		{name: "contact-update", route: "PUT /rest/addressbook-contact/external", serve: r.updateContact},
		{name: "contact-delete", route: "DELETE /rest/addressbook-contact/external/{id}", serve: r.deleteContact},
		{name: "contact", route: "GET /rest/addressbook-contact/external/{id}", serve: r.contact},

		{name: "version", route: "GET /rest/auth/version", open: true, serve: r.version},
		{name: "valid-session", route: "GET /rest/auth/isValidSession", serve: r.isValidSession},
		{name: "login", route: "POST /rest/auth/login", open: true, serve: r.login},
		{name: "login-by-token", route: "POST /rest/auth/loginByAccessToken", open: true, serve: r.loginByAccessToken},
		{name: "logout", route: "GET /rest/auth/logout", serve: r.logout},

		{name: "chat-history", route: "GET /rest/chat/history/session/{id}", serve: r.chatHistory},

		{name: "dial", route: "POST /rest/phone/call/dial", serve: r.dial},
		{name: "hangup", route: "POST /rest/phone/call/hangup", serve: r.hangUp},
		{name: "recording-start", route: "POST /rest/phone/call/rec/start/{userId}/{callId}", serve: r.startRecording},
		{name: "recording-stop", route: "POST /rest/phone/call/rec/stop/{userId}/{callId}", serve: r.stopRecording},
		{name: "service-calls", route: "GET /rest/phone/call/service-calls-on-user/{userId}", serve: r.serviceCalls},
	}
}

// dialerOps are those whose paths document 1 shows for edition 1.0.2 only, and
// which edition 1.4.0 has at the same place here.
func (r *rest) dialerOps() []restOp {
	return []restOp{
		{name: "campaign-search", route: "GET /rest/powerdialer/phone/campaign/search", serve: r.searchCampaigns},
		{name: "campaign-start", route: "POST /rest/powerdialer/phone/campaign/start/{id}", serve: r.startCampaign},
		{name: "campaign-stop", route: "POST /rest/powerdialer/phone/campaign/stop/{id}", serve: r.stopCampaign},
		{name: "list-create", route: "POST /rest/powerdialer/phone/list", serve: r.createList},
		{name: "list-update", route: "PUT /rest/powerdialer/phone/list", serve: r.updateList},
		{name: "list-search", route: "GET /rest/powerdialer/phone/list/search", serve: r.searchLists},
		{name: "items-add", route: "POST /rest/powerdialer/phone/list/items", serve: r.addItems},
		{name: "items-delete", route: "DELETE /rest/powerdialer/phone/list/items", serve: r.deleteItems},
		{name: "items-reset", route: "POST /rest/powerdialer/phone/list/items/reset", serve: r.resetItems},
	}
}

func (r *rest) campaignOps(path string) []restOp {
	return []restOp{
		{name: "campaign-create", route: "POST " + path, serve: r.createCampaign},
		{name: "campaign-update", route: "PUT " + path, serve: r.updateCampaign},
	}
}

// channelOps are those that edition 1.4.0 added.
func (r *rest) channelOps() []restOp {
	return []restOp{
		{name: "run-add", route: "POST /rest/powerdialer/mc/run/add", serve: r.addRun},
		{name: "run-edit", route: "POST /rest/powerdialer/mc/run/edit", serve: r.editRun},
		{name: "run-named", route: "GET /rest/powerdialer/mc/run/{campaignId}/{runName}", serve: r.runNamed},
		{name: "run", route: "GET /rest/powerdialer/mc/run/{campaignRunId}", serve: r.run},
		{name: "templates", route: "POST /rest/powerdialer/mc/chatapp-templates", serve: r.templates},
		{name: "message-history", route: "POST " + MessagesPath, serve: r.messages},
		{name: "sms-send", route: "POST /rest/sms/send", serve: r.sendSMS},
		{name: "ticket-agents", route: "GET /rest/support/ticket/agent/list", serve: r.ticketAgents},
		{name: "ticket-customers", route: "GET /rest/support/ticket/customer/list", serve: r.ticketCustomers},
		{name: "ticket-search", route: "POST /rest/support/ticket/search", serve: r.searchTickets},
	}
}

// look reads the world.
func (r *rest) look(f func(*world.World) error) error {
	r.s.worldMu.Lock()
	defer r.s.worldMu.Unlock()
	return f(r.s.world)
}

// act changes the world and hands the changes to the subscriptions.
func (r *rest) act(f func(*world.World) error) error {
	r.s.worldMu.Lock()
	defer r.s.worldMu.Unlock()
	err := f(r.s.world)
	r.s.tables.apply(r.s.world.Changed())
	return err
}
