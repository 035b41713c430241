package cli

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/testkit"
)

// TestNoSecretIsOnTheScreen checks all pages with platforms that quote credentials in their
// answers.
func TestNoSecretIsOnTheScreen(t *testing.T) {
	t.Parallel()
	platforms := treacherous()
	for name, login := range map[string][2]string{
		"401 errors": {"token", "bearer"}, "403 page": {"cookie", "session"}, "500 message": {"login", "basic"},
		"302 raw": {"login", "session"}, "200 errors": {"token", "bearer"}, "connection": {"token", "basic"},
		"closes": {"token", "bearer"}, "no HTTP": {"cookie", "basic"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(platforms[name])
			defer srv.Close()
			logs := testkit.PrivateDir(t)
			x := newTerminal(t, testkit.PrivateDir(t), "--config", treacherousConfig(t, srv.URL, logs, login))
			x.shows("NO DATA YET")
			x.press("8")
			x.until("what the service of the past says", func(screen string) bool {
				return strings.Contains(screen, "8 History ─") && !strings.Contains(screen, "esc cancels")
			})
			x.press("9")
			x.shows("9 Feed ─", "Address")
			x.press(ctrlC)
			x.leaves()
			shows(t, "the screen", ansi.Strip(x.output.String()))
			if text := x.output.String(); strings.Contains(text, "canary") {
				t.Errorf("a part of a secret is on the screen: …%.200s", ansi.Strip(text[strings.Index(text, "canary"):]))
			}
			showsFiles(t, logs)
		})
	}
}
