package restclient

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"wallboard/internal/linear"
	"wallboard/model/resource"
)

// A platform that answers with an error cannot keep the board busy with it.
func TestErrorBodiesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	bodies := slices.Concat(linear.Pages(), linear.Texts(), linear.JSON("message"), linear.JSON("errors"))
	linear.Check(t, bodies, func(s string) {
		_ = refusal(resource.OpDial, http.StatusPreconditionFailed, http.Header{}, []byte(s), "secret")
	})
}

// The session's id is looked for in every error, and the platform chose it.
func TestSessionIDCanNotMakeErrorsSlow(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("a", maxSession)
	if got := sessionOf(http.Header{}, id, ""); got != id {
		t.Errorf("an id of %d bytes is refused", len(id))
	}
	cookie := http.Header{"Set-Cookie": {sessionCookie + "=" + id + "a"}}
	if got := sessionOf(cookie, id+"a", ""); got != "" {
		t.Errorf("an id of %d bytes is taken", len(got))
	}
	linear.Check(t, linear.Texts(), func(s string) { excerpt(s, id, "JSESSIONID="+id) })
}

func TestAnswersTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	linear.Check(t, slices.Concat(linear.JSON("result"), linear.Pages(), linear.Texts()), func(s string) {
		body := []byte(s)
		for _, a := range []answer{&Result[struct{}]{}, &listAnswer[struct{}]{}, new(textAnswer), new(boolAnswer), new(rawAnswer)} {
			_ = a.decode(body)
		}
	})
}

// A secret at the end of what was read may be cut in two, and is then not
// found: nothing of the end is shown.
func TestExcerptIsOfTheBeginning(t *testing.T) {
	t.Parallel()
	const secret = "the-password"
	body := "<script>" + strings.Repeat("x", maxErrorBody-len("<script></script>the-pass")) + "</script>" + secret
	if got := excerpt(body[:maxErrorBody], secret); got != "" {
		t.Errorf("%q", got)
	}
}
