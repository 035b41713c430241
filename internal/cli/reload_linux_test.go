package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestConfigurationLives changes the configuration under an open board, which keeps the
// viewer's place.
func TestConfigurationLives(t *testing.T) {
	t.Parallel()
	const kpi = "[[kpi]]\nname = \"missed\"\ntitle = \"Missed\"\nexpr = \"receivedCalls - answeredCalls\"\n"
	dir := testkit.PrivateDir(t)
	path := configFile(t, "[ui]\ntheme = \"dark\"\nsite = \"Milan\"\n")
	x := newTerminal(t, dir, "demo", "--config", path, "--seed", "7", "--drama=false")
	x.shows("LIVE", "Milan")
	x.press("4/berg", enter)
	x.shows(`filter "berg"`)
	x.press("2/sales it", enter)
	x.shows(`filter "sales it"`)
	x.row("Sales IT")

	rewrite(t, path, "[ui]\ntheme = \"dark\"\nsite = \"Turin\"\n"+kpi)
	x.shows("Turin", "Missed", `filter "sales it"`)
	x.row("Sales IT")
	x.press("4")
	x.shows(`filter "berg"`)

	rewrite(t, path, "[ui]\ntheme = \"dark\"\nsite = \"Genoa\"\nrefresh = \"now\"\n")
	x.shows("Turin", "The changed configuration has an error", "line 4: ui.refresh", "the previous one stays")
	rewrite(t, path, "[ui]\ntheme = \"dark\"\nsite = \"Turin\"\n"+kpi)
	x.until("the banner is gone", func(s string) bool { return !strings.Contains(s, "has an error") })
	x.shows(`filter "berg"`)

	if err := x.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	x.shows("read again: nothing has changed")

	looks := filepath.Join(dir, "wallboard", "themes")
	if err := os.MkdirAll(looks, 0o700); err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(looks, "night.toml"), "extends = \"dark\"\n")
	rewrite(t, path, "[ui]\ntheme = \"night\"\nsite = \"Rome\"\n")
	x.shows("Rome")
	x.press("q")
	x.leaves()
}

// TestTerminalIsGone closes the terminals of boards in other sessions, which receive no SIGHUP.
func TestTerminalIsGone(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"", "--plain"} {
		t.Run("demo "+kind, func(t *testing.T) {
			t.Parallel()
			x := newTerminalAs(t, syscall.SysProcAttr{Setsid: true}, testkit.PrivateDir(t), strings.Fields("demo --config "+configFile(t, "")+" --seed 7 "+kind)...)
			x.shows("services")
			if err := x.pty.Close(); err != nil {
				t.Fatal(err)
			}
			x.waitForEnd()
		})
	}
}
