package restclient_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
	"wallboard/restclient"
)

func is[T any](v T) *T { return &v }

// The statuses of document 1 that are not in HTTP.
const (
	statusNotAllowed = 570
	statusUnrecorded = 580
)

func authRows() []row {
	login := func(ctx context.Context, c caller) (any, error) { return c.Session.Login(ctx) }
	byPassword := row{
		op: resource.OpLogin, mode: restclient.AuthSession, call: login,
		body: `{"version":"{edition}","username":"supervisor","password":"wallboard"}`,
		want: `{"username":"supervisor","logged":true,"userPermissions":["SUPERUSER"],"customProperties":{"theme":"dark","columns":4}}`,
	}
	byToken := byPassword
	byToken.op, byToken.body = resource.OpLoginByToken, `{"version":"{edition}","accessToken":"demo-token"}`
	byToken.options = func(o *restclient.Options) {
		o.Username, o.Password, o.AccessToken = "", secret.Text{}, secret.New("demo-token")
	}
	all := []row{
		{
			op: resource.OpVersion, want: `{"webapiVersion":"{edition}"}`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Session.Version(ctx) },
		},
		{
			op: resource.OpValidSession, want: `true`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Session.ValidSession(ctx) },
		},
		{
			op: resource.OpValidSession, name: "of nobody", as: "nobody", mode: restclient.AuthBearer, status: http.StatusUnauthorized, want: `false`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Session.ValidSession(ctx) },
		},
		{
			op: resource.OpLogout, mode: restclient.AuthSession, want: `true`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Session.Logout(ctx) },
		},
		byPassword, byToken,
	}
	wrong := func(r row, name, body string, change func(*restclient.Options)) {
		r.name, r.body, r.options, r.want = name, body, change, ""
		r.status, r.exception, r.is, r.outcome = http.StatusUnauthorized, unauthorized, restclient.ErrUnauthorized, resource.OutcomeRejected
		all = append(all, r)
	}
	wrong(byPassword, "wrong password", `{"version":"{edition}","username":"supervisor","password":"other"}`,
		func(o *restclient.Options) { o.Password = secret.New("other") })
	wrong(byPassword, "wrong version", `{"version":"0.9","username":"supervisor","password":"wallboard"}`,
		func(o *restclient.Options) { o.Version = "0.9" })
	wrong(byToken, "wrong token", `{"version":"{edition}","accessToken":"other"}`,
		func(o *restclient.Options) {
			o.Username, o.Password, o.AccessToken = "", secret.Text{}, secret.New("other")
		})
	wrong(byToken, "wrong version", `{"version":"0.9","accessToken":"demo-token"}`,
		func(o *restclient.Options) {
			o.Username, o.Password, o.AccessToken, o.Version = "", secret.Text{}, secret.New("demo-token"), "0.9"
		})
	expired := func(r row, body string, change func(*restclient.Options)) {
		r.body, r.options, r.want = body, change, ""
		r.status, r.is, r.outcome = http.StatusForbidden, restclient.ErrPasswordExpired, resource.OutcomeRejected
		all = append(all, r)
	}
	expired(byPassword, `{"version":"{edition}","username":"expired","password":"wallboard"}`,
		func(o *restclient.Options) { o.Username = "expired" })
	expired(byToken, `{"version":"{edition}","accessToken":"expired-token"}`,
		func(o *restclient.Options) {
			o.Username, o.Password, o.AccessToken = "", secret.Text{}, secret.New("expired-token")
		})
	return all
}

func callRows() []row {
	return append(append(dialRows(), recordingRows()...), []row{
		{
			op: resource.OpHangUp, name: "by id", arrange: onCall, query: "callId={call}", want: `true`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.HangUp(ctx, resource.HangUp{CallID: c.p.call})
			},
		},
		{
			op: resource.OpHangUp, name: "by user", arrange: onCall, query: "username={agent}", want: `true`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.HangUp(ctx, resource.HangUp{Username: c.p.agent})
			},
		},
		{
			op: resource.OpHangUp, name: "by extension", arrange: onCall, query: "exten={exten}", want: `true`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.HangUp(ctx, resource.HangUp{Exten: c.p.exten})
			},
		},
		{
			op: resource.OpHangUp, name: "no such call", query: "callId=1.1",
			status: http.StatusNotFound, exception: notFound, is: restclient.ErrNotFound, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.HangUp(ctx, resource.HangUp{CallID: "1.1"})
			},
		},
		{
			op: resource.OpHangUp, name: "own call, of which there is none",
			status: http.StatusNotFound, exception: notFound, is: restclient.ErrNotFound, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) { return c.Calls.HangUp(ctx, resource.HangUp{}) },
		},
		{
			op: resource.OpHangUp, name: "empty id", query: "callId=+",
			status: http.StatusPreconditionFailed, exception: required, is: restclient.ErrPreconditionFailed, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.HangUp(ctx, resource.HangUp{CallID: " "})
			},
		},
		{
			op: resource.OpServiceCalls, arrange: onCall, path: []string{"{agent}"},
			want: `[{"uniqueId":"{call}","dnis":"0612","answer":null}]`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Calls.ServiceCalls(ctx, c.p.agent, false) },
		},
		{
			op: resource.OpServiceCalls, name: "answered", arrange: onCall, path: []string{"{agent}"}, query: "onlyAnswered=true", want: `[]`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Calls.ServiceCalls(ctx, c.p.agent, true) },
		},
		{
			op: resource.OpServiceCalls, name: "no such user", path: []string{"no%20body%2F%C3%A9"},
			status: http.StatusPreconditionFailed, exception: required, is: restclient.ErrPreconditionFailed, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.ServiceCalls(ctx, "no body/é", false)
			},
		},
	}...)
}

func dialRows() []row {
	rows := []row{
		{
			op: resource.OpDial, arrange: idle, effects: 1,
			query: "accessCode=9&callData=a%3Db%3Bc+d%26e&dialerNumber=%2B3902&exten={exten}&extenType=MCS_SIP&number=%2B39+0612" +
				"&recData=x&recFileName=f.wav&recordAuto=true&recordCall=true&recordOnConnect=false&returnCallId=true&serviceCode=SRV01&username={agent}",
			want: `[{"callData":"a=b;c d&e","clid":"+3902","dnis":"+39 0612","service":"SRV01","recFileName":"f.wav","callInfo":{"recData":"x"}}]`,
			call: func(ctx context.Context, c caller) (any, error) {
				id, err := c.Calls.Dial(ctx, resource.Dial{
					Number: "+39 0612", Username: c.p.agent, DialerNumber: "+3902", AccessCode: "9", CallData: "a=b;c d&e",
					RecordCall: is(true), RecordOnConnect: is(false), RecordAuto: is(true), RecFileName: "f.wav", RecData: "x",
					ReturnCallID: is(true), ServiceCode: "SRV01", ExtenType: "MCS_SIP", Exten: c.p.exten,
				})
				if err != nil {
					return nil, err
				}
				calls, err := c.p.operator.Calls.ServiceCalls(ctx, c.p.agent, false)
				if len(calls) == 1 && calls[0].UniqueID != id {
					return id, err
				}
				return calls, err
			},
		},
		{
			op: resource.OpDial, name: "without an id", arrange: idle, effects: 1, want: `""`,
			query: "number=0612&returnCallId=false&username={agent}",
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.Dial(ctx, resource.Dial{Number: "0612", Username: c.p.agent, ReturnCallID: is(false)})
			},
		},
	}
	fails := func(name, query string, d func(*platform) resource.Dial, status int, exception string, condition error) {
		r := row{
			op: resource.OpDial, name: name, arrange: idle, query: query,
			status: status, exception: exception, is: condition, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) { return c.Calls.Dial(ctx, d(c.p)) },
		}
		if status == statusUnrecorded { // the call is connected
			r.effects, r.outcome = 1, resource.OutcomeUnknown
		}
		rows = append(rows, r)
	}
	fails("not a number", "number=abc&returnCallId=true&username={agent}", func(p *platform) resource.Dial {
		return resource.Dial{Number: "abc", Username: p.agent}
	}, http.StatusNotAcceptable, invalid, restclient.ErrInvalidArgument)
	fails("unknown type of extension", "extenType=FAX&number=0612&returnCallId=true&username={agent}", func(p *platform) resource.Dial {
		return resource.Dial{Number: "0612", Username: p.agent, ExtenType: "FAX"}
	}, http.StatusNotAcceptable, invalid, restclient.ErrInvalidArgument)
	fails("no device in use", "exten=1&number=0612&returnCallId=true&username={agent}", func(p *platform) resource.Dial {
		return resource.Dial{Number: "0612", Username: p.agent, Exten: "1"}
	}, http.StatusPreconditionFailed, "", restclient.ErrPreconditionFailed)
	fails("no client logged in", "number=0612&returnCallId=true&username={clientless}", func(p *platform) resource.Dial {
		return resource.Dial{Number: "0612", Username: p.clientless}
	}, http.StatusPreconditionFailed, "", restclient.ErrPreconditionFailed)
	fails("for oneself, without a telephone", "number=0612&returnCallId=true", func(*platform) resource.Dial {
		return resource.Dial{Number: "0612"}
	}, http.StatusPreconditionFailed, "", restclient.ErrPreconditionFailed)
	fails("generic failure", "number=999502&returnCallId=true&username={agent}", func(p *platform) resource.Dial {
		return resource.Dial{Number: "999502", Username: p.agent}
	}, http.StatusBadGateway, dialFailed, restclient.ErrDialFailed)
	fails("not recorded", "number=999580&recordCall=true&returnCallId=true&username={agent}", func(p *platform) resource.Dial {
		return resource.Dial{Number: "999580", Username: p.agent, RecordCall: is(true)}
	}, statusUnrecorded, unrecorded, restclient.ErrRecordingFailed)
	return rows
}

func recordingRows() []row {
	rows := []row{
		{
			op: resource.OpRecordingStart, arrange: onCall, path: []string{"{agent}", "{call}"}, want: `"rec-{call}.wav"`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.StartRecording(ctx, resource.Recording{Username: c.p.agent, CallID: c.p.call})
			},
		},
		{
			op: resource.OpRecordingStart, name: "with all", arrange: onCall, path: []string{"{agent}", "{call}"},
			query: "recFileName=a+%26+b.wav&recordOnConnect=true", want: `"a & b.wav"`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.StartRecording(ctx, resource.Recording{Username: c.p.agent, CallID: c.p.call, FileName: "a & b.wav", OnConnect: is(true)})
			},
		},
		{
			op: resource.OpRecordingStop, arrange: onRecordedCall, path: []string{"{agent}", "{call}"}, want: `true`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Calls.StopRecording(ctx, resource.Recording{Username: c.p.agent, CallID: c.p.call})
			},
		},
	}
	for _, op := range []resource.Operation{resource.OpRecordingStart, resource.OpRecordingStop} {
		already := onRecordedCall
		record := func(ctx context.Context, c caller, r resource.Recording) (any, error) {
			return c.Calls.StartRecording(ctx, r)
		}
		if op == resource.OpRecordingStop {
			already = onCall
			record = func(ctx context.Context, c caller, r resource.Recording) (any, error) {
				return c.Calls.StopRecording(ctx, r)
			}
		}
		rows = append(rows, row{
			op: op, name: "no such user", arrange: onCall, path: []string{"nobody", "{call}"},
			status: http.StatusNotFound, exception: notFound, is: restclient.ErrNotFound, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) {
				return record(ctx, c, resource.Recording{Username: "nobody", CallID: c.p.call})
			},
		}, row{
			op: op, name: "something is missing", arrange: refuses(http.StatusPreconditionFailed, required), path: []string{"{agent}", "1"},
			status: http.StatusPreconditionFailed, exception: required, is: restclient.ErrPreconditionFailed, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) {
				return record(ctx, c, resource.Recording{Username: c.p.agent, CallID: "1"})
			},
		}, row{
			op: op, name: "it is so already", arrange: already, path: []string{"{agent}", "{call}"},
			status: statusUnrecorded, exception: unrecorded, is: restclient.ErrRecordingFailed, outcome: resource.OutcomeRejected,
			call: func(ctx context.Context, c caller) (any, error) {
				return record(ctx, c, resource.Recording{Username: c.p.agent, CallID: c.p.call})
			},
		})
	}
	return rows
}

// TestContractOfWhatIsMissing checks that missing required values are detected before anything is sent.
func TestContractOfWhatIsMissing(t *testing.T) {
	t.Parallel()
	c, err := restclient.New(restclient.Options{
		URL: "http://host", Auth: restclient.AuthBearer, AccessToken: secret.New("token"), Edition: restclient.Edition140,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			t.Error("something was sent")
			return nil, net.ErrClosed
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	for name, call := range map[string]func(context.Context) (any, error){
		"contact":        func(ctx context.Context) (any, error) { return c.Contacts.Contact(ctx, " ") },
		"contact-delete": func(ctx context.Context) (any, error) { return c.Contacts.DeleteContact(ctx, "") },
		"contact-update": func(ctx context.Context) (any, error) {
			return c.Contacts.UpdateContact(ctx, resource.Contact{Name: "Ada"})
		},
		"chat-history": func(ctx context.Context) (any, error) { return c.Messages.ChatHistory(ctx, "", restclient.Page{}) },
		"page 0": func(ctx context.Context) (any, error) {
			return c.Messages.ChatHistory(ctx, "1", restclient.Page{Number: -1})
		},
		"dial": func(ctx context.Context) (any, error) { return c.Calls.Dial(ctx, resource.Dial{Username: "anna"}) },
		"recording-start": func(ctx context.Context) (any, error) {
			return c.Calls.StartRecording(ctx, resource.Recording{Username: "anna"})
		},
		"recording-stop": func(ctx context.Context) (any, error) {
			return c.Calls.StopRecording(ctx, resource.Recording{CallID: "1"})
		},
		"service-calls": func(ctx context.Context) (any, error) { return c.Calls.ServiceCalls(ctx, "", false) },
		"campaign-update": func(ctx context.Context) (any, error) {
			return c.Campaigns.UpdateCampaign(ctx, resource.Campaign{Name: "x"}, nil)
		},
		"campaign-start": func(ctx context.Context) (any, error) { return c.Campaigns.StartCampaign(ctx, 0, nil) },
		"campaign-stop":  func(ctx context.Context) (any, error) { return c.Campaigns.StopCampaign(ctx, 0, nil) },
		"list-update":    func(ctx context.Context) (any, error) { return c.Lists.UpdateList(ctx, resource.List{Name: "x"}) },
		"items-add":      func(ctx context.Context) (any, error) { return c.Lists.AddItems(ctx, nil) },
		"items-delete":   func(ctx context.Context) (any, error) { return c.Lists.DeleteItems(ctx, nil, nil) },
		"run":            func(ctx context.Context) (any, error) { return c.Runs.Run(ctx, 0, resource.Time{}) },
		"run-named":      func(ctx context.Context) (any, error) { return c.Runs.RunNamed(ctx, 301, "") },
		"sms-send": func(ctx context.Context) (any, error) {
			return c.Messages.SendSMS(ctx, resource.SMS{PhoneNumber: "0612"})
		},
	} {
		if _, err := call(t.Context()); !errors.Is(err, restclient.ErrInvalidRequest) || restclient.OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("%s: %v is %v", name, err, restclient.OutcomeOf(err))
		}
	}
}
