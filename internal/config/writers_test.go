//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
)

// TestConfigurationOfOthersIsRefused makes the file, a folder above it, a link on the path
// and a trusted file writable for other users, who could then redirect the secrets.
func TestConfigurationOfOthersIsRefused(t *testing.T) {
	t.Parallel()
	const nobody = 65534
	folder := func(t *testing.T, dir, name string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	give := func(t *testing.T, path string) {
		t.Helper()
		if err := os.Lchown(path, nobody, nobody); err != nil {
			t.Skip("only root can give a file away")
		}
	}
	share := func(t *testing.T, path string) string {
		t.Helper()
		if err := os.Lchown(path, -1, nobody); err != nil {
			t.Skip("only root can give a file to any group")
		}
		return path
	}
	for name, tt := range map[string]struct {
		path func(t *testing.T, dir string) string
		want string // "": the file is accepted
	}{
		"ours":      {func(t *testing.T, dir string) string { return write(t, dir, "c.toml", minimal, 0o600) }, ""},
		"the group": {func(t *testing.T, dir string) string { return share(t, write(t, dir, "c.toml", minimal, 0o620)) }, "(mode 0620); run `chmod go-w "},
		"everybody": {func(t *testing.T, dir string) string { return write(t, dir, "c.toml", minimal, 0o602) }, "(mode 0602); run `chmod go-w "},
		"its folder": {func(t *testing.T, dir string) string {
			return write(t, share(t, folder(t, dir, "conf", 0o770)), "c.toml", minimal, 0o600)
		}, "not safe from other users: DIR can be changed by others (mode 0770)"},
		"a group without another member": {func(t *testing.T, dir string) string {
			conf := folder(t, dir, "conf", 0o775)
			write(t, conf, "token", canary, 0o660)
			if info, err := os.Stat(conf); err != nil || securefile.OthersPermissions(conf, info)&0o020 != 0 {
				t.Skip("the user of this test shares its group")
			}
			return write(t, conf, "c.toml", "[rtd]\nurl = \"https://pbx.example.com/rtd\"\naccess_token_file = \"token\"\n", 0o664)
		}, ""},
		"a folder above": {func(t *testing.T, dir string) string {
			return write(t, folder(t, folder(t, dir, "open", 0o703), "conf", 0o700), "c.toml", minimal, 0o600)
		}, "/open can be changed by others (mode 0703)"},
		"where nobody can remove what is not theirs": {func(t *testing.T, dir string) string {
			return write(t, folder(t, dir, "tmp", 0o777|os.ModeSticky), "c.toml", minimal, 0o600)
		}, ""},
		"another user's file": {func(t *testing.T, dir string) string {
			path := write(t, dir, "c.toml", minimal, 0o644)
			give(t, path)
			return path
		}, "belongs to another user (uid 65534)"},
		"another user's folder": {func(t *testing.T, dir string) string {
			conf := folder(t, dir, "conf", 0o755)
			path := write(t, conf, "c.toml", minimal, 0o600)
			give(t, conf)
			return path
		}, "DIR belongs to another user"},
		"a link to ours": {func(t *testing.T, dir string) string {
			write(t, dir, "real.toml", minimal, 0o600)
			return link(t, "real.toml", filepath.Join(dir, "c.toml"))
		}, ""},
		"a link that others can change": {func(t *testing.T, dir string) string {
			file := write(t, dir, "real.toml", minimal, 0o600)
			return link(t, file, filepath.Join(folder(t, dir, "open", 0o777), "c.toml"))
		}, "DIR can be changed by others"},
		"another user's link": {func(t *testing.T, dir string) string {
			file := write(t, dir, "real.toml", minimal, 0o600)
			at := link(t, file, filepath.Join(folder(t, dir, "tmp", 0o777|os.ModeSticky), "c.toml"))
			give(t, at)
			return at
		}, "belongs to another user"},
		"a link into an open folder": {func(t *testing.T, dir string) string {
			file := write(t, folder(t, dir, "open", 0o777), "real.toml", minimal, 0o600)
			return link(t, file, filepath.Join(dir, "c.toml"))
		}, "/open can be changed by others"},
		"by way of a linked folder": {func(t *testing.T, dir string) string {
			write(t, folder(t, folder(t, dir, "open", 0o777), "conf", 0o700), "c.toml", minimal, 0o600)
			return filepath.Join(link(t, "open/conf", filepath.Join(dir, "conf")), "c.toml")
		}, "/open can be changed by others"},
		"the authority that it trusts": {func(t *testing.T, dir string) string {
			write(t, dir, "ca.pem", "", 0o666)
			return write(t, dir, "c.toml", minimal+"ca_file = \"ca.pem\"\n", 0o600)
		}, "ca_file: is not safe from other users: it can be changed by others (mode 0666)"},
		"the folder of its secret": {func(t *testing.T, dir string) string {
			write(t, folder(t, dir, "open", 0o777), "token", canary, 0o600)
			return write(t, dir, "c.toml", "[rtd]\nurl = \"https://pbx.example.com/rtd\"\naccess_token_file = \"open/token\"\n", 0o600)
		}, "access_token_file: is not safe from other users: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := testkit.PrivateDir(t)
			if err := os.Chmod(dir, 0o755); err != nil { // whatever the umask is
				t.Fatal(err)
			}
			got := problems(t, tt.path(t, dir), testOptions())
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("problems are %q, want %q", got, tt.want)
			}
		})
	}
}

func link(t *testing.T, target, path string) string {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	return path
}
