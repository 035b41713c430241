package cli

import (
	"os"
	"strings"
	"testing"
)

// TestServedConfigurationBanners changes the configuration of a server in ways that need a restart, and
// then writes an invalid one: the board of an admin says so until the configuration is corrected.
func TestServedConfigurationBanners(t *testing.T) {
	t.Parallel()
	anna := sshKey(t)
	x := serveTo(t, newScripts(t, nil, quiet()), serveUser("anna", anna, "role = \"admin\"\npage = \"Services\""))
	defer x.end()
	before, err := os.ReadFile(x.config)
	if err != nil {
		t.Fatal(err)
	}
	a := look(t, x.addr, anna, 160, 40)
	a.shows("Services")
	const restart, broken = "not in force until a restart", "the previous one stays"
	for name, c := range map[string]struct{ text, says string }{
		"serve.max_viewers": {strings.Replace(string(before), "[serve]\n", "[serve]\nmax_viewers = 17\n", 1), restart},
		"record":            {string(before) + "\n[record]\nenabled = true\n", restart},
		"nonsense":          {"nonsense = 1\n" + string(before), broken},
	} {
		rewrite(t, x.config, c.text)
		a.until(name+": nothing says "+c.says, func(screen string) bool {
			flat := strings.Join(strings.Fields(screen), " ")
			return strings.Contains(flat, c.says) && strings.Contains(flat, name)
		})
		rewrite(t, x.config, string(before))
		a.hides(c.says)
	}
}
