package restclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// endpoints is document 1, section Endpoints: operation, edition (* for both), access,
// method, path, and statuses of errors. ? means that the document does not show the path or
// all statuses.
const endpoints = `
contact-create     *     login   POST   /rest/addressbook-contact/external                         401 412
contact-update     *     login   PUT    /rest/addressbook-contact/external                         401 404 412
contact-delete     *     login   DELETE /rest/addressbook-contact/external/{id}                    401 404 412
contact            *     login   GET    /rest/addressbook-contact/external/{id}                    401 404 412
version            *     open    GET    /rest/auth/version
valid-session      *     session GET    /rest/auth/isValidSession                                  401
login              *     open    POST   /rest/auth/login                                           401 403
login-by-token     *     open    POST   /rest/auth/loginByAccessToken                              401 403
logout             *     session GET    /rest/auth/logout
chat-history       *     login   GET    /rest/chat/history/session/{id}                            401 404 412
dial               *     login   POST   /rest/phone/call/dial                                      401 406 412 502 580
hangup             *     login   POST   /rest/phone/call/hangup                                    401 404 412
recording-start    *     login   POST   /rest/phone/call/rec/start/{userId}/{callId}               401 404 412 580
recording-stop     *     login   POST   /rest/phone/call/rec/stop/{userId}/{callId}                401 404 412 580
service-calls      *     login   GET    /rest/phone/call/service-calls-on-user/{userId}            401 412
campaign-create    1.0.2 login   POST   /rest/powerdialer/phone/campaign                           401 404 406 409 412
campaign-create    1.4.0 login   POST   /rest/powerdialer/campaign                                 401 404 406 409 412
campaign-update    1.0.2 login   PUT    /rest/powerdialer/phone/campaign                           401 404 406 412
campaign-update    1.4.0 login   PUT    /rest/powerdialer/campaign                                 401 404 406 412
campaign-search    1.0.2 login   GET    /rest/powerdialer/phone/campaign/search                    401
campaign-start     1.0.2 login   POST   /rest/powerdialer/phone/campaign/start/{id}                401 404 412
campaign-stop      1.0.2 login   POST   /rest/powerdialer/phone/campaign/stop/{id}                 401 404 412
list-create        1.0.2 login   POST   /rest/powerdialer/phone/list                               ?
list-update        1.0.2 login   PUT    /rest/powerdialer/phone/list                               401 404 412
list-search        1.0.2 login   GET    /rest/powerdialer/phone/list/search                        401
items-add          1.0.2 login   POST   /rest/powerdialer/phone/list/items                         ?
items-delete       1.0.2 login   DELETE /rest/powerdialer/phone/list/items                         401 404 412
items-reset        1.0.2 login   POST   /rest/powerdialer/phone/list/items/reset                   401
run-add            1.4.0 login   POST   /rest/powerdialer/mc/run/add                               401
run-edit           1.4.0 login   POST   /rest/powerdialer/mc/run/edit                              401
run-named          1.4.0 login   GET    /rest/powerdialer/mc/run/{campaignId}/{runName}            401
run                1.4.0 login   GET    /rest/powerdialer/mc/run/{campaignRunId}                   401
templates          1.4.0 login   POST   /rest/powerdialer/mc/chatapp-templates                     401
message-history    1.4.0 login   POST   ?                                                          401
sms-send           1.4.0 login   POST   /rest/sms/send                                             401 404 412 570
ticket-agents      1.4.0 login   GET    /rest/support/ticket/agent/list                            401
ticket-customers   1.4.0 login   GET    /rest/support/ticket/customer/list                         401
ticket-search      1.4.0 login   POST   /rest/support/ticket/search                                401 ?
`

// The exceptions of document 1, section Errors.
const (
	unauthorized = "AuthorizationRequiredException"
	notFound     = "GenericObjectWasNotFoundException"
	invalid      = "InvalidArgumentException"
	exists       = "GenericObjectExistsException"
	required     = "GenericObjectRequiredException"
	dialFailed   = "DialNumberGenericException"
	notAllowed   = "OperationIsNotAllowedToUserProfileException"
	unrecorded   = "RecordingException"
)

// route is a line of endpoints.
type route struct {
	op                            resource.Operation
	edition, access, method, path string
	statuses                      []string
}

func allEndpoints() []route {
	var all []route
	for line := range strings.Lines(strings.TrimSpace(endpoints)) {
		f := strings.Fields(line)
		all = append(all, route{resource.Operation(f[0]), f[1], f[2], f[3], f[4], f[5:]})
	}
	return all
}

// endpointIn returns an operation's endpoint in an edition. Paths that edition 1.4.0 does
// not show are those of 1.0.2.
func endpointIn(op resource.Operation, edition rest.Edition) (e route, has bool) {
	for _, e = range allEndpoints() {
		if e.op == op && (e.edition == "*" || e.edition == string(edition)) {
			return e, true
		}
	}
	for _, e = range allEndpoints() {
		if e.op == op {
			return e, edition == rest.Edition140
		}
	}
	return route{}, false
}

// row is a call of an operation with the expected request and result. platform.fill replaces placeholders
// such as {agent}.
type row struct {
	op      resource.Operation
	name    string
	mode    restclient.AuthMode // the only mode in which the call is possible; "": all modes
	as      string              // account whose credentials are used; "": the supervisor
	options func(*restclient.Options)
	arrange func(*testing.T, *platform)
	call    func(context.Context, caller) (any, error)

	path        []string // values of the placeholders in the path, escaped
	query, body string

	status    int    // expected status; 0: 200
	want      string // expected result as JSON, in which objects may lack members; "": an error
	exception string
	is        error // expected condition of document 1; nil: none
	outcome   resource.Outcome
	effects   int // number of executions
}

func (r row) wantStatus() int { return max(r.status, http.StatusOK) }

// caller makes the call of a row.
type caller struct {
	*restclient.Client

	p *platform
}

func listAnswer() []row {
	return slices.Concat(authRows(), callRows(), contactRows(), channelRows(), campaignRows(), listRows(), runRows())
}

// deniedRows are the successful calls with wrong credentials.
func deniedRows() []row {
	var denied []row
	for _, r := range listAnswer() {
		if e, _ := endpointIn(r.op, rest.Edition140); r.wantStatus() != http.StatusOK || e.access != "login" {
			continue
		}
		r.as, r.status, r.exception, r.is, r.outcome = "nobody", http.StatusUnauthorized, unauthorized, restclient.ErrUnauthorized, resource.OutcomeRejected
		r.want, r.effects = "", 0
		denied = append(denied, r)
	}
	return denied
}

func TestContractIsComplete(t *testing.T) {
	t.Parallel()
	type pair struct {
		op     resource.Operation
		status string
	}
	tested, documented := map[pair]bool{}, map[pair]bool{}
	for _, r := range append(listAnswer(), deniedRows()...) {
		tested[pair{r.op, strconv.Itoa(r.wantStatus())}] = true
	}
	operations := map[resource.Operation]bool{}
	for _, e := range allEndpoints() {
		operations[e.op] = true
		for _, status := range append(e.statuses, "200") {
			documented[pair{e.op, status}] = true
			if p := (pair{e.op, status}); status != "?" && !tested[p] {
				t.Errorf("%s has no row for %s", e.op, status)
			}
		}
	}
	for p := range tested {
		if !documented[p] && !documented[pair{p.op, "?"}] {
			t.Errorf("%s has a row for %s, which document 1 does not have", p.op, p.status)
		}
	}
	for _, op := range resource.Operations() {
		if !operations[op] {
			t.Errorf("%s is not in document 1", op)
		}
		delete(operations, op)
	}
	for op := range operations {
		t.Errorf("the client has no %s", op)
	}
}

// TestContractSuccess checks that successful calls succeed in every authentication mode and in both
// editions.
func TestContractSuccess(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		edition rest.Edition
		mode    restclient.AuthMode
	}{
		{rest.Edition140, restclient.AuthSession},
		{rest.Edition140, restclient.AuthBearer},
		{rest.Edition140, restclient.AuthBasic},
		{rest.Edition102, restclient.AuthSession},
	} {
		t.Run(string(tt.edition)+" "+string(tt.mode), func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t, simulator.Options{REST: rest.Options{Edition: tt.edition}})
			for _, r := range listAnswer() {
				if r.wantStatus() == http.StatusOK && (r.mode == "" || r.mode == tt.mode) {
					t.Run(string(r.op)+" "+r.name, func(t *testing.T) { r.run(t, p, tt.mode) })
				}
			}
		})
	}
}

// TestContractStatuses checks that failing calls fail in the same way for every form of the error's body.
func TestContractStatuses(t *testing.T) {
	t.Parallel()
	for _, o := range []simulator.Options{
		{REST: rest.Options{Errors: rest.ErrorsJSON}},
		{REST: rest.Options{Errors: rest.ErrorsText}},
		{REST: rest.Options{Errors: rest.ErrorsHTML}},
		{REST: rest.Options{Errors: rest.ErrorsEmpty}},
		{REST: rest.Options{Errors: rest.ErrorsJSON, Edition: rest.Edition102}},
	} {
		t.Run(string(o.REST.Errors)+" "+string(o.REST.Edition), func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t, o)
			for _, r := range append(listAnswer(), deniedRows()...) {
				_, has := endpointIn(r.op, p.edition)
				if !has || r.wantStatus() == http.StatusOK {
					continue
				}
				if p.errors == rest.ErrorsEmpty {
					r.exception = ""
					if errors.Is(r.is, restclient.ErrDialFailed) { // without its name, the exception looks like the 502 of a proxy
						r.is, r.outcome = nil, resource.OutcomeUnknown
					}
					if errors.Is(r.is, restclient.ErrNotFound) { // without its name, the exception looks like an unknown path
						r.is = restclient.ErrPathNotFound
						r.options = named(r.op, p.edition, r.options)
					}
				}
				mode := r.mode
				if mode == "" {
					mode = restclient.AuthBearer
				}
				t.Run(strconv.Itoa(r.status)+" "+string(r.op)+" "+r.name, func(t *testing.T) { r.run(t, p, mode) })
			}
		})
	}
}

// named returns options with the path of an operation, so that the client tries no other path.
func named(op resource.Operation, edition rest.Edition, change func(*restclient.Options)) func(*restclient.Options) {
	e, _ := endpointIn(op, edition)
	return func(o *restclient.Options) {
		if change != nil {
			change(o)
		}
		if o.Paths = maps.Clone(o.Paths); o.Paths == nil {
			o.Paths = make(map[resource.Operation]string)
		}
		o.Paths[op] = e.path
	}
}

// run makes the call of a row and checks everything about it.
func (r row) run(t *testing.T, p *platform, mode restclient.AuthMode) {
	e, has := endpointIn(r.op, p.edition)
	c, w := p.client(t, mode, r.as, r.options)
	var session string
	if mode == restclient.AuthSession && e.access != "open" && has {
		session = logIn(t, c, w)
	}
	if r.arrange != nil && has {
		r.arrange(t, p)
	}
	before := len(p.server.REST().Executions())
	w.reset()
	got, err := r.call(t.Context(), caller{c, p})
	if !has {
		r.checkUnsent(t, w, err)
		return
	}
	want := p.expect(r, e)
	want.prove(e, mode, p.account(r.as), session)
	if d := cmp.Diff([]sent{want}, w.requests(t)); d != "" {
		t.Errorf("sent (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{r.wantStatus()}, w.statuses(t)); d != "" {
		t.Errorf("status (-want +got):\n%s", d)
	}
	if n := len(p.server.REST().Executions()) - before; n != r.effects {
		t.Errorf("executed %d times, want %d", n, r.effects)
	}
	if r.want != "" {
		r.checkResult(t, p, got, err)
		return
	}
	r.checkError(t, err)
}

// checkUnsent checks the error of an operation that the edition does not have.
func (r row) checkUnsent(t *testing.T, w *wire, err error) {
	t.Helper()
	want := restclient.ErrUnsupportedEdition
	if r.op == resource.OpMessageHistory {
		want = restclient.ErrNoPath
	}
	if sent := w.requests(t); !errors.Is(err, want) || restclient.OutcomeOf(err) != resource.OutcomeNotSent || len(sent) > 0 {
		t.Errorf("%v is %v, and this was sent: %v", err, restclient.OutcomeOf(err), sent)
	}
}

func (r row) checkResult(t *testing.T, p *platform, got any, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if want := p.fill(r.want); !holds(exact(t, string(text)), exact(t, want)) {
		t.Errorf("got %s, want %s", text, want)
	}
}

// exact reads JSON and keeps numbers as written.
func exact(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// holds reports whether a JSON value contains the wanted one; objects may have additional
// members.
func holds(have, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		have, ok := have.(map[string]any)
		for name, v := range want {
			member, named := have[name]
			ok = ok && named && holds(member, v)
		}
		return ok
	case []any:
		have, ok := have.([]any)
		return ok && slices.EqualFunc(have, want, holds)
	}
	return cmp.Equal(have, want)
}

func (r row) checkError(t *testing.T, err error) {
	t.Helper()
	var e *restclient.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *restclient.Error", err)
	}
	type told struct {
		Operation, Exception string
		Status               int
		Outcome              resource.Outcome
	}
	want := told{string(r.op), r.exception, r.status, r.outcome}
	if d := cmp.Diff(want, told{string(e.Operation), e.Exception, e.Status, e.Outcome}); d != "" {
		t.Errorf("error (-want +got):\n%s", d)
	}
	for _, condition := range []error{
		restclient.ErrUnauthorized, restclient.ErrPasswordExpired, restclient.ErrNotFound, restclient.ErrPathNotFound, restclient.ErrInvalidArgument,
		restclient.ErrExists, restclient.ErrPreconditionFailed, restclient.ErrDialFailed, restclient.ErrNotAllowed, restclient.ErrRecordingFailed,
	} {
		if got, want := errors.Is(err, condition), condition == r.is; got != want { //nolint:errorlint // the very one
			t.Errorf("is %q: %v", condition, got)
		}
	}
}
