package restclient

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/model/resource"
)

// TestErrorBodiesTakeTimeInProportion checks that the time to read an error of the platform is linear in
// its length.
func TestErrorBodiesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	bodies := slices.Concat(testkit.HTMLPatterns(), testkit.TextPatterns(), testkit.JSONPatterns("message"), testkit.JSONPatterns("errors"))
	testkit.CheckLinear(t, bodies, func(s string) {
		_ = answerError(resource.OpDial, http.StatusPreconditionFailed, http.Header{}, []byte(s), "secret")
	})
}

// TestSessionIDCanNotMakeErrorsSlow checks that the length of a session ID, which the platform chooses,
// is limited, and that the time to search an error for it is linear.
func TestSessionIDCanNotMakeErrorsSlow(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("a", maxSessionLength)
	if got := sessionID(http.Header{}, id, ""); got != id {
		t.Errorf("an id of %d bytes is refused", len(id))
	}
	cookie := http.Header{"Set-Cookie": {sessionCookie + "=" + id + "a"}}
	if got := sessionID(cookie, id+"a", ""); got != "" {
		t.Errorf("an id of %d bytes is taken", len(got))
	}
	testkit.CheckLinear(t, testkit.TextPatterns(), func(s string) { excerpt(s, id, "JSESSIONID="+id) })
}

func TestAnswersTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, slices.Concat(testkit.JSONPatterns("result"), testkit.HTMLPatterns(), testkit.TextPatterns()), func(s string) {
		body := []byte(s)
		for _, a := range []answer{&Result[struct{}]{}, &listAnswer[struct{}]{}, new(lineAnswer), new(boolAnswer), new(rawAnswer)} {
			_ = a.decode(body)
		}
	})
}

// TestExcerptIsOfTheBeginning checks that an excerpt does not include the end of the text that was read,
// because a truncated secret there could not be found.
func TestExcerptIsOfTheBeginning(t *testing.T) {
	t.Parallel()
	const secret = "the-password"
	body := "<script>" + strings.Repeat("x", maxErrorBody-len("<script></script>the-pass")) + "</script>" + secret
	if got := excerpt(body[:maxErrorBody], secret); got != "" {
		t.Errorf("%q", got)
	}
}
