package cli

import (
	"strings"
	"testing"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/ui/uitest"
)

func TestConfigCheckCompilesExpressions(t *testing.T) {
	t.Parallel()
	path := configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[[alert]]\nname = \"a\"\nwhen = \"recievedCalls > 1\"\n")
	code, _, errs := run(t, "config", "check", "--config", path)
	if want := `alert[0].when: at character 1, "recievedCalls > 1": there is no recievedCalls in the scope service; did you mean receivedCalls?`; code != cmdutil.ExitUsage ||
		!strings.Contains(errs, path+":6: "+want) {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestConfigCheckLooksForPrograms configures a notification program that does not exist, and a [rest]
// table, which the demo does not need.
func TestConfigCheckLooksForPrograms(t *testing.T) {
	t.Parallel()
	const rtd = "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n"
	path := configFile(t, rtd+"[[notify]]\nname = \"a\"\ncommand = [\"/no/such/program\"]\n")
	if code, _, errs := run(t, "config", "check", "--config", path); code != cmdutil.ExitUsage || !strings.Contains(errs, "notify[0].command: the program cannot be run") {
		t.Errorf("exit %d: %s", code, errs)
	}
	path = configFile(t, rtd+"[rest]\nurl = \"http://127.0.0.1:1\"\nusername = \"anna\"\npassword_env = \"NOT_SET_HERE\"\n")
	if code, _, errs := run(t, "config", "check", "--demo", "--config", path); code != cmdutil.ExitOK {
		t.Errorf("for the demo: exit %d: %s", code, errs)
	}
}

// engineFor returns an engine for a configuration.
func engineFor(t *testing.T, c *config.Config) *hub.Viewer {
	t.Helper()
	return uitest.NewEngine(t, c.AlertOptions(c.Names()))
}

// TestBoardTakesTheConfigurationsAlerts checks that a board takes its goals and its viewer's name from
// the configuration.
func TestBoardTakesTheConfigurationsAlerts(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.RTD.Username = "supervisor"
	c.ServiceLevels = []config.ServiceLevel{
		{Formula: string(model.SLAnsweredOnly)},
		{Services: []string{"SRV01"}, Target: config.Limit{Value: model.FloatOf(0.95)}},
	}
	o, err := app.UIOptions(&c, engineFor(t, &c))
	if err != nil {
		t.Fatal(err)
	}
	if o.Actions.User != "supervisor" || o.Targets.ServiceLevel != model.SLAnsweredOnly || o.Targets.SLTarget != 0.8 ||
		o.Alerts.Goal("SRV01").ServiceLevel != model.FloatOf(0.95) {
		t.Errorf("user %q, %s, target %v, SRV01 %+v", o.Actions.User, o.Targets.ServiceLevel, o.Targets.SLTarget, o.Alerts.Goal("SRV01"))
	}
}
