package graphql

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// profile is the behaviour of a real server.
type profile struct {
	name    string
	speaks  []string // in order of preference
	echo    func(chosen string) string
	greet   []string // sent before the acknowledgement
	ka      bool     // the server sends ka right after the acknowledgement, with any sub-protocol
	refuse  func(*peer)
	invalid []string // answer to an invalid operation; %s is its id
	onPing  func(*peer)
	noise   []string // sent before every result
	answers bool     // the server answers stop and complete with a complete message
	only    string   // the only sub-protocol that works, if the server claims to support more
	flips   bool     // the sub-protocol that the server chooses does not work
}

const (
	badToken = "expired"
	badQuery = "subscription{nonsense}"
	badText  = "no such field"
)

func closeWith(code int, reason string) func(*peer) {
	return func(p *peer) { p.close(code, reason) }
}

func say(frames ...string) func(*peer) {
	return func(p *peer) {
		for _, f := range frames {
			p.send("%s", f)
		}
	}
}

func then(steps ...func(*peer)) func(*peer) {
	return func(p *peer) {
		for _, s := range steps {
			s(p)
		}
	}
}

func profiles() []profile {
	both := []string{LegacyWS, TransportWS}
	pong := say(`{"type":"pong"}`)
	errorArray := []string{`{"id":"%s","type":"error","payload":[{"message":"no such field"}]}`}
	errorObject := []string{`{"id":"%s","type":"error","payload":{"message":"no such field"}}`}
	asData := func(typ string) []string {
		return []string{
			`{"id":"%s","type":"` + typ + `","payload":{"errors":[{"message":"no such field"}]}}`,
			`{"id":"%s","type":"complete"}`,
		}
	}
	return []profile{
		{
			name: "apollo-legacy", speaks: []string{LegacyWS}, ka: true, answers: true, invalid: asData("data"),
			refuse: then(say(`{"type":"connection_error","payload":{"message":"expired"}}`), closeWith(1011, "")),
		},
		{
			name: "node-tws", speaks: []string{TransportWS}, onPing: pong, invalid: errorArray,
			refuse: closeWith(4403, "Forbidden"),
		},
		{
			name: "gqlgen", speaks: both, ka: true, onPing: pong, answers: true, refuse: closeWith(1000, "terminated"),
			invalid: append(slices.Clone(errorArray), `{"id":"%s","type":"complete"}`),
		},
		{
			name: "hasura-old", speaks: []string{LegacyWS}, greet: []string{`{"type":"ka"}`}, ka: true,
			invalid: []string{`{"id":"%s","type":"error","payload":{"errors":[{"message":"no such field"}]}}`},
			refuse:  then(say(`{"type":"connection_error","payload":"expired"}`), closeWith(1000, "")),
		},
		{
			name: "hasura-new", speaks: []string{TransportWS}, greet: []string{`{"type":"ping","payload":{"message":"keepalive"}}`},
			onPing: pong, invalid: errorArray, refuse: say(`{"type":"connection_error","payload":{"message":"expired"}}`),
		},
		{
			name: "spring", speaks: []string{TransportWS, LegacyWS}, only: TransportWS, onPing: pong,
			invalid: errorArray, refuse: closeWith(4401, "Unauthorized"),
		},
		{
			name: "vertx", speaks: []string{LegacyWS, TransportWS}, onPing: pong, invalid: errorObject,
			refuse: say(`{"type":"error","payload":"Prohibited connection!"}`),
		},
		{
			name: "absinthe", speaks: []string{TransportWS}, onPing: pong, invalid: errorArray,
			refuse: say(`{"id":"","type":"error","payload":[{"message":"expired"}]}`),
		},
		{
			name: "no-echo", speaks: []string{LegacyWS}, echo: func(string) string { return "" }, invalid: errorObject,
			refuse: closeWith(1000, ""),
		},
		{
			name: "ka-first", speaks: both, greet: []string{`{"type":"ka"}`, `{"type":"pong"}`, `{"type":"hello"}`}, ka: true,
			onPing: pong, invalid: errorArray, refuse: closeWith(4401, ""),
		},
		{
			name: "ping-hater", speaks: []string{TransportWS}, onPing: closeWith(4400, "invalid message"), invalid: errorArray,
			refuse: closeWith(4403, ""),
		},
		{
			name: "caliban-echo", speaks: []string{TransportWS}, flips: true,
			echo: func(string) string { return TransportWS + ", " + LegacyWS },
		},
		{
			name: "evil", speaks: both, greet: []string{`}{`, `[]`, `{"id":"1"}`}, onPing: pong, answers: true,
			noise: []string{
				``, "\x00", `nul`, `{"type":"next","id":"999","payload":{"data":{}}}`, `{"type":"complete","id":"999"}`,
				`{"type":"error","payload":"no id"}`, `{"type":"data","payload":{}}`, `{"type":"connection_error","payload":1}`,
				`{"type":"connection_ack"}`, `{"type":{}}`, `{"id":[],"type":"next"}`,
			},
			invalid: []string{`{"id":"%s","type":"error","payload":"no such field"}`, `{"id":"%s","type":"error"}`},
			refuse:  say(`{"type":"connection_error"}`),
		},
	}
}

func (f profile) choose(offered []string) string {
	for _, s := range f.speaks {
		if slices.Contains(offered, s) {
			if f.echo != nil {
				return f.echo(s)
			}
			return s
		}
	}
	return ""
}

// run is the server's side of a session.
func (f profile) run(p *peer) {
	if f.only != "" && p.sub != f.only {
		p.close(4400, "Invalid message")
		return
	}
	for {
		m, ok := p.read()
		if !ok {
			return
		}
		switch m.Type {
		case "connection_init":
			say(f.greet...)(p)
			if strings.Contains(string(m.Payload), badToken) {
				f.refuse(p)
				continue
			}
			p.send(`{"type":"connection_ack"}`)
			if f.ka {
				p.send(`{"type":"ka"}`)
			}
		case "start", "subscribe":
			f.operate(p, m)
		case "stop", "complete":
			if f.answers {
				p.send(`{"id":"%s","type":"complete"}`, m.ID)
			}
		case "ping":
			f.onPing(p)
		}
	}
}

func (f profile) operate(p *peer, m received) {
	typ := map[string]string{"start": "data", "subscribe": "next"}[m.Type]
	if strings.Contains(string(m.Payload), "nonsense") {
		for _, frame := range f.invalid {
			p.send("%s", strings.ReplaceAll(frame, "%s", m.ID))
		}
		return
	}
	say(f.noise...)(p)
	p.send(`{"id":"%s","type":"%s","payload":{"data":{"n":1}}}`, m.ID, typ)
	if strings.Contains(string(m.Payload), `"query{`) {
		p.send(`{"id":"%s","type":"complete"}`, m.ID)
		return
	}
	say(f.noise...)(p)
	p.send(`{"id":"%s","type":"%s","payload":{"data":{"n":2}}}`, m.ID, typ)
}

// TestProfiles runs the same conversation with every server, for each
// acceptable offer.
func TestProfiles(t *testing.T) {
	t.Parallel()
	offers := [][]string{{TransportWS, LegacyWS}, {TransportWS}, {LegacyWS}}
	for _, f := range profiles() {
		for _, offer := range offers {
			if len(offer) == 1 && !slices.Contains(f.speaks, offer[0]) {
				continue
			}
			t.Run(f.name+"/"+strings.Join(offer, "+"), func(t *testing.T) {
				bubble(t, func(t *testing.T) { converse(t, f, offer) })
			})
		}
	}
}

func converse(t *testing.T, f profile, offer []string) {
	c, r, err := tryOpen(t, f.choose, f.run, func(o *Options) { o.Subprotocols = offer })
	if wrong := f.only != "" && f.choose(offer) != f.only; f.flips || wrong {
		if Classify(err) != ClassOtherSubprotocol {
			t.Fatalf("%v is classed %v, want a flip", err, Classify(err))
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	quiet := func() { // quiet drops the reports about the noise, which is harmless
		for len(r.events) > 0 {
			if e := <-r.events; !strings.HasPrefix(e, "bad ") {
				t.Errorf("unexpected event %q", e)
			}
		}
	}
	next := func(want string) {
		for {
			if e := <-r.events; !strings.HasPrefix(e, "bad ") {
				if e != want {
					t.Fatalf("event %q, want %q", e, want)
				}
				return
			}
		}
	}
	id := subscribe(t, c)
	next("next " + id + ` {"data":{"n":1}}`)
	next("next " + id + ` {"data":{"n":2}}`)

	query, err := c.Subscribe("query{serverHealth{status}}", map[string]any{"a": 1})
	if err != nil || query == id {
		t.Fatalf("id %s after %s: %v", query, id, err)
	}
	next("next " + query + ` {"data":{"n":1}}`)
	next("complete " + query)

	invalid, err := c.Subscribe(badQuery, nil)
	if err != nil {
		t.Fatal(err)
	}
	next("fail " + invalid + " " + badText)
	c.Unsubscribe(id)
	synctest.Wait()
	quiet()
	if err := c.Err(); err != nil {
		t.Fatalf("the session ended: %v", err)
	}
}

// TestProfilesRefuse presents wrong credentials to every server.
func TestProfilesRefuse(t *testing.T) {
	t.Parallel()
	for _, f := range profiles() {
		if f.refuse == nil {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				_, _, err := tryOpen(t, f.choose, f.run, func(o *Options) {
					o.Subprotocols = f.speaks
					if f.only != "" {
						o.Subprotocols = []string{f.only}
					}
					o.InitPayload = map[string]string{"accessToken": badToken}
				})
				var ack *AckError
				if !errors.As(err, &ack) || Classify(err) != ClassAuth {
					t.Fatalf("%v (%T) is classed %v, want a refusal", err, err, Classify(err))
				}
			})
		})
	}
}
