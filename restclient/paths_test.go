package restclient

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestIDsStayOneSegment checks that any ID stays a single segment, for servers that clean the path before
// or after unescaping it.
func TestIDsStayOneSegment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(
			rapid.String(), rapid.StringMatching(`[./\\;%a?#]{0,6}`), rapid.StringMatching(`(\.\.|a|/|%2e|%2F){1,4}`),
		).Draw(t, "id")
		got, err := fillPath("/rest/x/{id}/y", []string{"id"}, []string{id})
		if err != nil {
			return
		}
		u, err := url.Parse("http://host" + got + "?q=1")
		if err != nil {
			t.Fatal(err)
		}
		segments := strings.Split(u.EscapedPath(), "/")
		if len(segments) != 5 || u.RawQuery != "q=1" || u.Fragment != "" || path.Clean(u.EscapedPath()) != u.EscapedPath() {
			t.Fatalf("%q became %q", id, got)
		}
		if back, err := url.PathUnescape(segments[3]); back != id || err != nil {
			t.Fatalf("%q came back as %q, %v", id, back, err)
		}
		if clean := path.Clean(u.Path); !strings.HasPrefix(clean, "/rest/x/") || !strings.HasSuffix(clean, "/y") {
			t.Fatalf("%q cleans to %q", id, clean)
		}
	})
}

func TestWrongNumberOfIDs(t *testing.T) {
	t.Parallel()
	for _, ids := range [][]string{nil, {"a", "b"}} {
		if got, err := fillPath("/rest/x/{id}", []string{"id"}, ids); err == nil {
			t.Errorf("%q became %q", ids, got)
		}
	}
}
