package restclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// maxExcerpt is the maximum length of an excerpt in runes.
const maxExcerpt = 200

// notFoundError makes a request that the platform answers with 404.
func notFoundError(t *testing.T, c *restclient.Client) *restclient.Error {
	t.Helper()
	_, err := c.Contacts.DeleteContact(t.Context(), "1")
	var e *restclient.Error
	if !errors.As(err, &e) || (e.Exception == notFound) != errors.Is(err, restclient.ErrNotFound) || e.Status != http.StatusNotFound || e.Outcome != resource.OutcomeRejected {
		t.Fatalf("%v is %v", err, restclient.OutcomeOf(err))
	}
	for _, text := range []string{e.Excerpt, e.Error()} {
		if model.CleanText(text, model.MaxBody) != text || strings.ContainsAny(text, "\n\r\t") {
			t.Errorf("%q is not clean", text)
		}
	}
	if n := utf8.RuneCountInString(e.Excerpt); n > maxExcerpt {
		t.Errorf("the excerpt has %d runes", n)
	}
	return e
}

// TestContractErrorBodies checks that the status alone decides about an error, and that the excerpt of
// any body is short and clean.
func TestContractErrorBodies(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, simulator.Options{})
	c, _ := p.client(t, restclient.AuthBearer, "", nil)
	for name, tt := range map[string]struct{ body, exception, excerpt string }{
		"nothing": {},
		"blank":   {body: " \r\n\t "},
		"a page": {
			"<!doctype html><html><head><style>p{color:red}</style><script>alert(1)</script></head>\n<body><h1>HTTP Status 404</h1>" +
				"<p>a.b." + notFound + ": &lt;1&gt;\x1b]0;owned\a\u202egnp</p></body></html>",
			notFound, "HTTP Status 404 a.b." + notFound + ": <1>␛]0;owned␇\ufffdgnp",
		},
		"a page that was cut":   {"<html><body>" + notFound + " <scri", notFound, notFound},
		"text":                  {notFound + ": \x1b[2Jgone\r\nat a.b(C.java:1)\n", notFound, notFound + ": ␛[2Jgone at a.b(C.java:1)"},
		"bytes":                 {"\xff\xfe\x00\x9bgone", "", "\ufffd\ufffd␀\ufffdgone"},
		"json":                  {`{"exception":"` + notFound + `","message":"\u001b[31mgone\u009b\u202e\u0000"}`, notFound, "␛[31mgone\ufffd\ufffd␀"},
		"json of another shape": {`{"type":"` + notFound + `","code":7}`, notFound, `{"type":"` + notFound + `","code":7}`},
		"credentials":           {"the token demo-token of " + notFound, notFound, "the token [redacted] of " + notFound},
		"somebody's exception":  {"java.lang.NullPointerException", "NullPointerException", "java.lang.NullPointerException"},
		"long":                  {strings.Repeat("é", 3000), "", strings.Repeat("é", maxExcerpt-1) + "…"},
		"a page without an end": {"<" + strings.Repeat("x", 3000), "", ""},
		"20 MB of escapes":      {strings.Repeat("\x1b[2J\u202e ", 20<<20/8), "", strings.Repeat("␛[2J\ufffd ", 33) + "␛…"},
	} {
		p.server.Faults().REST.AnswerWithStatus(http.StatusNotFound, tt.body, 1)
		e := notFoundError(t, c)
		if e.Exception != tt.exception || e.Excerpt != tt.excerpt {
			t.Errorf("%s: %q, %q, want %q, %q", name, e.Exception, e.Excerpt, tt.exception, tt.excerpt)
		}
	}
}

// TestContractHugeErrors checks that only the useful part of an endless error is read.
func TestContractHugeErrors(t *testing.T) {
	t.Parallel()
	const mostRead = 2 << 20
	for _, form := range []rest.ErrorFormat{rest.ErrorsJSON, rest.ErrorsHTML, rest.ErrorsEmpty} {
		t.Run(string(form), func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t, simulator.Options{REST: rest.Options{Errors: form}})
			p.server.Faults().REST.PadErrors(20 << 20)
			c, w := p.client(t, restclient.AuthBearer, "", nil)
			e := notFoundError(t, c)
			want := notFound
			if form == rest.ErrorsEmpty {
				want = ""
			}
			if e.Exception != want || (e.Excerpt == "") != (want == "") {
				t.Errorf("%q, %q", e.Exception, e.Excerpt)
			}
			if n := w.received(); n > mostRead {
				t.Errorf("%d bytes were read", n)
			}
		})
	}
}

// TestContractHostileErrors checks that an error that is hard to parse does not block.
func TestContractHostileErrors(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, simulator.Options{REST: rest.Options{Errors: rest.ErrorsHostile}})
	c, _ := p.client(t, restclient.AuthBearer, "", nil)
	began := time.Now()
	if e := notFoundError(t, c); e.Exception != notFound {
		t.Errorf("%q", e.Exception)
	}
	if took := time.Since(began); took > 5*time.Second { // it takes milliseconds; a machine may be busy
		t.Errorf("it took %v", took)
	}
}

// TestContractUnknownSurvives checks that fields and values that document 1 does not name survive
// reading, changing and writing a resource.
func TestContractUnknownSurvives(t *testing.T) {
	t.Parallel()
	const unknown = `"x":{"big":12345678901234567890,"deep":[{"rate":1.50},null],"text":"␛ é"},"x-none":null`
	t.Run("contact", func(t *testing.T) {
		t.Parallel()
		survives(t, `{"id":"10002","name":"Old","numbers":[{"type":"HOLOGRAM","value":"1","since":2026}],"vip":null,`+unknown+`}`,
			func(c *restclient.Client, ctx context.Context, r resource.Contact) (resource.Contact, error) {
				return c.Contacts.UpdateContact(ctx, r)
			},
			func(ctx context.Context, c *restclient.Client) (resource.Contact, error) {
				return c.Contacts.Contact(ctx, "10002")
			},
			func(r *resource.Contact) (string, string) { return edit(&r.Name), r.Numbers[0].Type })
	})
	t.Run("campaign", func(t *testing.T) {
		t.Parallel()
		survives(t, `{"id":301,"name":"Old","serviceCode":"SRV01","busyChannelsType":"HOLOGRAM","type":"TELEPATHY",`+
			`"lists":[{"listId":701,"priority":1,"enabled":true,"weight":0.10}],`+unknown+`}`,
			func(c *restclient.Client, ctx context.Context, r resource.Campaign) (resource.Campaign, error) {
				return c.Campaigns.UpdateCampaign(ctx, r, nil)
			},
			func(ctx context.Context, c *restclient.Client) (resource.Campaign, error) {
				found, err := c.Campaigns.SearchCampaigns(ctx, restclient.CampaignTerm{Term: "301"}, restclient.Page{})
				return only(found.Items), err
			},
			func(r *resource.Campaign) (string, string) { return edit(&r.Name), r.BusyChannelsType })
	})
	t.Run("list", func(t *testing.T) {
		t.Parallel()
		survives(t, `{"id":701,"name":"Old","dialMode":"HOLOGRAM",`+unknown+`}`,
			func(c *restclient.Client, ctx context.Context, r resource.List) (resource.List, error) {
				return c.Lists.UpdateList(ctx, r)
			},
			func(ctx context.Context, c *restclient.Client) (resource.List, error) {
				found, err := c.Lists.SearchLists(ctx, "701", restclient.Page{})
				return only(found.Items), err
			},
			func(r *resource.List) (string, string) { return edit(&r.Name), "HOLOGRAM" })
	})
	t.Run("run", func(t *testing.T) {
		t.Parallel()
		survives(t, `{"id":1,"campaignId":301,"name":"Old","runStatus":"HOLOGRAM",`+
			`"contacts":[{"id":"1","itemContactType":"TELEPATHY","customFields":{"a":"b"},"mood":{"is":"good"}}],`+unknown+`}`,
			func(c *restclient.Client, ctx context.Context, r resource.Run) (resource.Run, error) {
				return c.Runs.EditRun(ctx, r)
			},
			func(ctx context.Context, c *restclient.Client) (resource.Run, error) {
				return c.Runs.Run(ctx, 1, resource.Time{})
			},
			func(r *resource.Run) (string, string) { return edit(&r.Name), r.RunStatus })
	})
}

// edit changes a name and returns the old one.
func edit(name *string) string {
	was := *name
	*name = "New"
	return was
}

// only returns the only element of a list.
func only[T any](list []T) T {
	var none T
	if len(list) != 1 {
		return none
	}
	return list[0]
}

// survives writes a resource with unknown members and reads it. It changes the name with change, which
// returns the old name and an unknown value. Then it writes the resource and reads it again: only the
// name may have changed.
func survives[T any](
	t *testing.T, seed string, write func(*restclient.Client, context.Context, T) (T, error),
	read func(context.Context, *restclient.Client) (T, error), change func(*T) (name, value string),
) {
	t.Helper()
	p := newPlatform(t, simulator.Options{})
	c, w := p.client(t, restclient.AuthBearer, "", nil)
	var r T
	if err := json.Unmarshal([]byte(seed), &r); err != nil {
		t.Fatal(err)
	}
	put := func() string {
		t.Helper()
		w.reset()
		if _, err := write(c, t.Context(), r); err != nil {
			t.Fatal(err)
		}
		return w.requests(t)[0].Body
	}
	get := func() string {
		t.Helper()
		var err error
		if r, err = read(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if body := put(); body != seed {
		t.Errorf("sent %s, want %s", body, seed)
	}
	before := get()
	if !holds(exact(t, before), exact(t, seed)) {
		t.Errorf("got %s, want %s", before, seed)
	}
	if name, value := change(&r); name != "Old" || value != "HOLOGRAM" {
		t.Errorf("read the name %q, and %q", name, value)
	}
	changed := strings.Replace(before, `"name":"Old"`, `"name":"New"`, 1)
	if body := put(); body != changed {
		t.Errorf("sent %s, want %s", body, changed)
	}
	if after := get(); after != changed {
		t.Errorf("got %s, want %s", after, changed)
	}
}
