package cli

import (
	"os"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/simulator"
)

// withAuth changes the authentication of all commands.
func (s *scripts) withAuth(lines string) {
	s.t.Helper()
	text, err := os.ReadFile(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	changed := strings.Replace(string(text), "[rest]\n", "[rest]\n"+lines, 1)
	s.config = configFile(s.t, changed)
}

// TestCredentialsWithoutALogin checks that a service account does not log in, and that commands without a
// session leave no session behind.
func TestCredentialsWithoutALogin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, auth string
	}{
		{"bearer", "auth = \"bearer\"\naccess_token = \"" + canaryToken + "\"\n"},
		{"basic", "auth = \"basic\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScripts(t, func(o *simulator.Options) { o.REST.ServiceKeys = true })
			s.withAuth(c.auth)
			if doc := s.json(cmdutil.ExitOK, "", "auth", "check"); doc.Outcome != "confirmed" || !strings.Contains(doc.Text, "takes") {
				t.Errorf("%+v", doc)
			}
			s.json(cmdutil.ExitOK, "", "auth", "login")
			code, out, errs := s.run("", "doctor")
			if !strings.Contains(out, "it takes the ") {
				t.Errorf("the doctor ends with %d: %s%s", code, out, errs)
			}
			if n := s.srv.REST().SessionCount(); n != 0 {
				t.Errorf("%d sessions are left open", n)
			}
		})
	}
}

func TestCredentialsThatAreRefusedWithoutALogin(t *testing.T) {
	t.Parallel()
	s := newScripts(t, func(o *simulator.Options) { o.REST.ServiceKeys = true })
	s.withAuth("auth = \"bearer\"\naccess_token = \"wrong\"\n")
	if doc := s.json(cmdutil.ExitFailed, "", "auth", "check"); !strings.Contains(doc.Text, "does not accept") {
		t.Errorf("%+v", doc)
	}
	// A missing operation does not prove that the token is wrong.
	s = newScripts(t, func(o *simulator.Options) { o.REST.ServiceKeys = true })
	s.withAuth("auth = \"bearer\"\naccess_token = \"" + canaryToken + "\"\n")
	s.srv.Faults().REST.OnlyRequests("GET /rest/powerdialer/phone/campaign/search")
	s.srv.Faults().REST.AnswerWithStatus(404, "<html>gone</html>", 9)
	s.json(cmdutil.ExitOK, "", "auth", "check")
}
