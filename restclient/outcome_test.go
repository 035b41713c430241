package restclient

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"wallboard/model/resource"
)

func TestOutcomeOfAnswers(t *testing.T) {
	t.Parallel()
	const dialFailed = `{"exception":"DialNumberGenericException"}`
	tests := []struct {
		op     resource.Operation
		status int
		header string // value of Retry-After
		body   string
		want   resource.Outcome
		is     error
	}{
		{resource.OpDial, 401, "", "", resource.OutcomeRejected, ErrUnauthorized},
		{resource.OpLogin, 403, "", "", resource.OutcomeRejected, ErrPasswordExpired},
		{resource.OpDial, 403, "", "", resource.OutcomeRejected, nil},
		{resource.OpHangUp, 404, "", "", resource.OutcomeRejected, ErrPathNotFound},
		{resource.OpHangUp, 404, "", `{"exception":"GenericObjectWasNotFoundException"}`, resource.OutcomeRejected, ErrNotFound},
		{resource.OpHangUp, 404, "", `{"exception":"NoHandlerFoundException"}`, resource.OutcomeRejected, ErrPathNotFound},
		{resource.OpDial, 406, "", "", resource.OutcomeRejected, ErrInvalidArgument},
		{resource.OpCampaignCreate, 409, "", "", resource.OutcomeRejected, ErrExists},
		{resource.OpDial, 412, "", "", resource.OutcomeRejected, ErrPreconditionFailed},
		{resource.OpDial, 502, "", dialFailed, resource.OutcomeRejected, ErrDialFailed},
		{resource.OpDial, 502, "", "<html>Bad Gateway</html>", resource.OutcomeUnknown, nil},
		{resource.OpHangUp, 502, "", dialFailed, resource.OutcomeUnknown, nil},
		{resource.OpSMSSend, 570, "", "", resource.OutcomeRejected, ErrNotAllowed},
		{resource.OpDial, 580, "", "", resource.OutcomeUnknown, ErrRecordingFailed},
		{resource.OpRecordingStart, 580, "", "", resource.OutcomeRejected, ErrRecordingFailed},
		{resource.OpRecordingStop, 580, "", "", resource.OutcomeRejected, ErrRecordingFailed},
		{resource.OpDial, 400, "", "", resource.OutcomeRejected, nil},
		{resource.OpDial, 429, "", "", resource.OutcomeRejected, nil},
		{resource.OpDial, 408, "", "", resource.OutcomeUnknown, nil},
		{resource.OpDial, 499, "", "", resource.OutcomeUnknown, nil},
		{resource.OpDial, 503, "", "", resource.OutcomeUnknown, nil},
		{resource.OpDial, 503, "5", "", resource.OutcomeRejected, nil},
		{resource.OpDial, 504, "", "", resource.OutcomeUnknown, nil},
		{resource.OpDial, 500, "", "", resource.OutcomeUnknown, nil},
		{resource.OpDial, 599, "", "", resource.OutcomeUnknown, nil},
	}
	conditions := []error{
		ErrUnauthorized, ErrPasswordExpired, ErrNotFound, ErrPathNotFound, ErrInvalidArgument, ErrExists, ErrPreconditionFailed, ErrDialFailed,
		ErrNotAllowed, ErrRecordingFailed, ErrRedirect,
	}
	for _, tt := range tests {
		h := http.Header{}
		if tt.header != "" {
			h.Set("Retry-After", tt.header)
		}
		err := answerError(tt.op, tt.status, h, []byte(tt.body))
		if err.Outcome != tt.want {
			t.Errorf("%s %d %q: %v, want %v", tt.op, tt.status, tt.body, err.Outcome, tt.want)
		}
		for _, condition := range conditions {
			if got, want := errors.Is(err, condition), condition == tt.is; got != want { //nolint:errorlint // the very one
				t.Errorf("%s %d: is %q: %v", tt.op, tt.status, condition, got)
			}
		}
	}
}

func TestExceptionAndExcerpt(t *testing.T) {
	t.Parallel()
	const token = `se"cret+token`
	tests := map[string]struct{ body, exception, excerpt string }{
		"nothing":     {"", "", ""},
		"json object": {`{"exception":"RecordingException","message":"no\nspace"}`, "RecordingException", "no space"},
		"json string": {`"InvalidArgumentException: number"`, "InvalidArgumentException", "InvalidArgumentException: number"},
		"other json":  {`[1, 2]`, "", "[1, 2]"},
		"html": {
			"<html><style>p{}</style><h1>Error</h1><p>a.b.GenericObjectRequiredException: &lt;id&gt;</p></html>",
			"GenericObjectRequiredException", "Error a.b.GenericObjectRequiredException: <id>",
		},
		"stack trace": {
			"java.lang.RuntimeException\n\tcaused by DialNumberGenericException", "DialNumberGenericException",
			"java.lang.RuntimeException caused by DialNumberGenericException",
		},
		"no identifier": {"DialNumberGenericExceptions, my_Exception1", "", "DialNumberGenericExceptions, my_Exception1"},
		"hostile":       {"a\x1b[2J\u202eb\x9b", "", "a␛[2J\ufffdb\ufffd"},
		"secrets":       {`{"message":"se\"cret+token, se%22cret%2Btoken, c2UiY3JldCt0b2tlbg=="}`, "", "[redacted], [redacted], [redacted]"},
		"long":          {strings.Repeat("é", 1000), "", strings.Repeat("é", maxExcerpt-1) + "…"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := answerError(resource.OpDial, 500, nil, []byte(tt.body), token)
			if e.Exception != tt.exception || e.Excerpt != tt.excerpt {
				t.Errorf("%q, %q, want %q, %q", e.Exception, e.Excerpt, tt.exception, tt.excerpt)
			}
			if strings.ContainsAny(e.Error(), "\n\x1b") {
				t.Errorf("%q is not one clean line", e.Error())
			}
		})
	}
}

// TestExcerptsHoldNoSecrets checks that secrets of any length are removed in every encoding in which a
// server may quote them.
func TestExcerptsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`<p>not P&amp;ss&lt;b&gt;&quot;</p>`:         "not [redacted]",
		`<p>not P&#38;ss&#60;b&#x3e;&#34;</p>`:       "not [redacted]",
		`<p>not P&ss<b>"</p>`:                        "not [redacted]",
		`{"message":"not P&amp;ss&lt;b&gt;&quot;"}`:  "not [redacted]",
		`{"message":"not P\u0026ss\u003cb\u003e\""}`: "not [redacted]",
		`code 12 is wrong`:                           "code [redacted] is wrong",
	} {
		if got := excerpt(body, `P&ss<b>"`, "12", ""); got != want {
			t.Errorf("%s: %q", body, got)
		}
	}
}

func TestOutcomeOfErrors(t *testing.T) {
	t.Parallel()
	if got := OutcomeOf(nil); got != resource.OutcomeConfirmed {
		t.Errorf("of nil: %v", got)
	}
	if got := OutcomeOf(errors.New("anything")); got != resource.OutcomeUnknown {
		t.Errorf("of an error of another package: %v", got)
	}
	if got := OutcomeOf(&Error{Outcome: resource.OutcomeRejected, Err: notSentError(resource.OpLogin, ErrNoPath)}); got != resource.OutcomeRejected {
		t.Errorf("of an error around another: %v", got)
	}
}
