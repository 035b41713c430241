package graphql

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]Error{
		`[{"message":"a"},{"message":"b","extensions":{"code":"X"}}]`: {{Message: "a", Code: ""}, {Message: "b", Code: "X"}},
		`{"message":"no","code":"UNAUTHORIZED"}`:                      {{Message: "no", Code: "UNAUTHORIZED"}},
		`{"message":"no","extensions":{"code":401}}`:                  {{Message: "no", Code: "401"}},
		`{"extensions":{"errorCode":"UNAUTHORIZED"}}`:                 {{Message: "UNAUTHORIZED", Code: "UNAUTHORIZED"}},
		`"Prohibited connection!"`:                                    {{Message: "Prohibited connection!", Code: ""}},
		`["UNAUTHORIZED"]`:                                            {{Message: "UNAUTHORIZED", Code: "UNAUTHORIZED"}},
		`{"errors":[{"message":"wrapped"}]}`:                          {{Message: "wrapped", Code: ""}},
		`{"error":"plain"}`:                                           {{Message: "plain", Code: ""}},
		`{"odd":1}`:                                                   {{Message: `{"odd":1}`, Code: ""}},
		``:                                                            {{Message: "the server gave no reason", Code: ""}},
		`null`:                                                        {{Message: "the server gave no reason", Code: ""}},
		`[]`:                                                          {{Message: "the server gave no reason", Code: ""}},
		`{}`:                                                          {{Message: "the server gave no reason", Code: ""}},
		`[[[[[["deep"]]]]]]`:                                          {{Message: "the server gave no reason", Code: ""}},
	} {
		if diff := cmp.Diff(want, ParseErrors([]byte(in))); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}

func TestParseErrorsIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 5000)
	errs := ParseErrors([]byte(`[` + strings.Repeat(`"`+long+`",`, 99) + `""]`))
	if len(errs) != maxErrors || len(errs[0].Message) > maxErrorMessage {
		t.Errorf("%d errors of %d bytes", len(errs), len(errs[0].Message))
	}
	if !strings.HasPrefix(long, errs[0].Message) {
		t.Error("cut inside a rune")
	}
}

func FuzzParseErrors(f *testing.F) {
	for _, s := range []string{`[{"message":"a"}]`, `{"errors":{"errors":["x"]}}`, `"s"`, `5`, `{"code":1e99}`, `[[],{},null]`, `{`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		errs := ParseErrors(b)
		if len(errs) == 0 || len(errs) > maxErrors {
			t.Fatalf("%d errors", len(errs))
		}
		for _, e := range errs {
			if e.Message == "" || len(e.Message) > maxErrorMessage || len(e.Code) > maxReasonLength {
				t.Fatalf("%+v", e)
			}
		}
	})
}
