//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
)

// head is the beginning of a file that needs a password.
const head = "[rtd]\nurl = \"https://pbx.example.com\"\nauth = \"login\"\nusername = \"supervisor\"\n"

func TestSecretSources(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, line string }{
		{"plain", `password = "` + canary + `"`},
		{"environment", `password_env = "WALLBOARD_PASSWORD"`},
		{"file", `password_file = "secret"`},
		{"file of several folders", `password_file = "../FOLDER/secret"`},
		{"file without newline", `password_file = "bare"`},
		{"file from elsewhere", `password_file = "windows"`},
		{"keyring", `password_keyring = "wallboard/supervisor"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := testkit.PrivateDir(t)
			write(t, dir, "secret", canary+"\n", 0o600)
			write(t, dir, "bare", canary, 0o400)
			write(t, dir, "windows", canary+"\r\n", 0o600)
			line := strings.ReplaceAll(tt.line, "FOLDER", filepath.Base(dir))
			c, err := Load(write(t, dir, "config.toml", head+line+"\n", 0o600), testOptions())
			if err != nil {
				t.Fatal(err)
			}
			if got := c.RTD.Password.Reveal(); got != canary {
				t.Errorf("password %q, want %q", got, canary)
			}
		})
	}
}

func TestSecretProblems(t *testing.T) {
	t.Parallel()
	const place = "a relative name is looked up beside the configuration file and in $CREDENTIALS_DIRECTORY"
	for _, tt := range []struct{ name, line, want string }{
		{"missing", ``, "DIR/config.toml:1: rtd.password: is missing: rtd.auth = \"login\" needs it; " +
			"set one of rtd.password_file, rtd.password_keyring, rtd.password_env"},
		{"empty", `password = ""`, "DIR/config.toml:5: rtd.password: is missing: rtd.auth = \"login\" needs it; " +
			"set one of rtd.password_file, rtd.password_keyring, rtd.password_env"},
		{
			"two sources", `password_env = "WALLBOARD_PASSWORD"` + "\n" + `password_file = "secret"`,
			"DIR/config.toml:6: rtd.password_file: is a second source of the secret besides rtd.password_env; " +
				"keep one of rtd.password_env, rtd.password_file",
		},
		{
			"two sources of an unneeded secret", "password_file = \"secret\"\naccess_token_env = \"A_B\"\naccess_token_keyring = \"a/b\"",
			"DIR/config.toml:7: rtd.access_token_keyring: is a second source of the secret besides rtd.access_token_env; " +
				"keep one of rtd.access_token_env, rtd.access_token_keyring",
		},
		{
			"variable not set", `password_env = "WALLBOARD_PASSWROD"`,
			"DIR/config.toml:5: rtd.password_env: the environment variable WALLBOARD_PASSWROD is not set or empty; " +
				"export it before the start, or use rtd.password_file",
		},
		{
			"secret for its variable", `password_env = "` + canary + `"`,
			"DIR/config.toml:5: rtd.password_env: the environment variable it names is not set or empty; " +
				"export it before the start, or use rtd.password_file",
		},
		{
			"secret for its file", `password_file = "` + canary + `"`,
			"DIR/config.toml:5: rtd.password_file: the file does not exist; " + place,
		},
		{
			"open to the group", `password_file = "open"`,
			"DIR/config.toml:5: rtd.password_file: DIR/open is open to others (mode 0604); run `chmod 600 DIR/open`",
		},
		{
			"open, with a blank in its name", `password_file = "it's open"`,
			"DIR/config.toml:5: rtd.password_file: DIR/it's open is open to others (mode 0604); run `chmod 600 'DIR/it'\\''s open'`",
		},
		{
			"empty file", `password_file = "empty"`,
			"DIR/config.toml:5: rtd.password_file: the file is empty; write the secret into it",
		},
		{
			"symbolic link", `password_file = "link"`,
			"DIR/config.toml:5: rtd.password_file: DIR/link is a symbolic link; name a regular file",
		},
		{
			"folder", `password_file = "."`,
			"DIR/config.toml:5: rtd.password_file: DIR is not a regular file; name a regular file",
		},
		{
			"pipe without a writer", `password_file = "pipe"`,
			"DIR/config.toml:5: rtd.password_file: DIR/pipe is not a regular file; name a regular file",
		},
		{
			"two lines", `password_file = "lines"`,
			"DIR/config.toml:5: rtd.password_file: yields a secret with control characters; " +
				"it must be one line; remove tabs and additional newlines",
		},
		{
			"too large", `password_file = "large"`,
			"DIR/config.toml:5: rtd.password_file: cannot be read: it is too large; name a regular file of one line that only you may read",
		},
		{
			"keyring without it", `password_keyring = "wallboard/nobody"`,
			"DIR/config.toml:5: rtd.password_keyring: the keyring holds no such secret; store it there under this service and user",
		},
		{
			"no keyring", `password_keyring = "wallboard/broken"`,
			"DIR/config.toml:5: rtd.password_keyring: the keyring cannot be read: no D-Bus session; " +
				"use rtd.password_file on a machine without a keyring",
		},
		{
			"keyring form", `password_keyring = "` + canary + `"`,
			"DIR/config.toml:5: rtd.password_keyring: is not of the form service/user; write it like \"wallboard/supervisor\"",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := testkit.PrivateDir(t)
			write(t, dir, "secret", canary, 0o600)
			write(t, dir, "open", canary, 0o604)
			write(t, dir, "it's open", canary, 0o604)
			write(t, dir, "empty", "\n", 0o600)
			write(t, dir, "lines", canary+"\n"+canary+"\n", 0o600)
			write(t, dir, "large", strings.Repeat(canary, maxSecretBytes), 0o600)
			if err := os.Symlink("secret", filepath.Join(dir, "link")); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
				t.Fatal(err)
			}
			path := write(t, dir, "config.toml", head+tt.line+"\n", 0o600)
			if diff := cmp.Diff(tt.want, problems(t, path, testOptions())); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlainSecretNeedsPrivateFile(t *testing.T) {
	t.Parallel()
	// The token is not needed, but it was exposed nevertheless.
	text := head + "password_env = \"WALLBOARD_PASSWORD\"\naccess_token = \"" + canary + "\"\n"
	path := write(t, testkit.PrivateDir(t), "config.toml", text, 0o644)
	want := "DIR/config.toml:6: rtd.access_token: is in a file that is open to others (mode 0644); " +
		"run `chmod 600 DIR/config.toml`, or use rtd.access_token_file"
	if diff := cmp.Diff(want, problems(t, path, testOptions())); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestForeignSecretFile(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	dir := testkit.PrivateDir(t)
	if err := os.Chown(write(t, dir, "secret", canary, 0o600), 1234, -1); err != nil {
		t.Fatal(err)
	}
	path := write(t, dir, "config.toml", head+"password_file = \"secret\"\n", 0o600)
	want := "DIR/config.toml:5: rtd.password_file: DIR/secret belongs to another user (uid 1234); run `chown 0 DIR/secret`"
	if diff := cmp.Diff(want, problems(t, path, testOptions())); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestCredentialsDirectory(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file string
		beside     bool // a file of the same name lies beside the configuration
		mode       os.FileMode
		want       string // "": the secret is loaded
	}{
		{"readable by the group, as systemd makes it", "secret", false, 0o440, ""},
		{"the file beside the configuration wins", "secret", true, 0o600, ""},
		{"readable by everyone", "secret", false, 0o444, "CREDENTIALS/secret is open to others (mode 0444); run `chmod 600 CREDENTIALS/secret`"},
		{"outside of the folder", "../secret", false, 0o440, "the file does not exist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, credentials := testkit.PrivateDir(t), filepath.Join(testkit.PrivateDir(t), "unit")
			if err := os.Mkdir(credentials, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Dir(credentials), "secret", canary, 0o440)
			text := canary
			if tt.beside {
				write(t, dir, "secret", canary, 0o600)
				text = "not this one"
			}
			write(t, credentials, "secret", text, tt.mode)
			o := testOptions()
			o.Getenv = func(name string) string {
				return map[string]string{"CREDENTIALS_DIRECTORY": credentials}[name]
			}
			path := write(t, dir, "config.toml", head+"password_file = \""+tt.file+"\"\n", 0o600)
			got := strings.ReplaceAll(problems(t, path, o), credentials, "CREDENTIALS")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("problems %q, want %q", got, tt.want)
			}
			if tt.want != "" {
				return
			}
			c, err := Load(path, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.RTD.Password.Reveal(); got != canary {
				t.Errorf("password %q, want %q", got, canary)
			}
		})
	}
}

// TestSecretsOfEditors reads secrets as written by various editors.
func TestSecretsOfEditors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\xef\xbb\xbfSuper-Pass-1\r\n":             "Super-Pass-1",
		"\xff\xfeP\x00a\x00s\x00s\x00\r\x00\n\x00": "Pass",
		"zero\u200bwidth\n":                        "",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "pw"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Parse("[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\nauth = \"login\"\nusername = \"x\"\npassword_file = \"pw\"\n", filepath.Join(dir, "c.toml"), Options{})
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "invisible")):
			t.Errorf("%q: %v", text, err)
		case want != "" && (err != nil || c.RTD.Password.Reveal() != want):
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestKeyringThatDoesNotAnswer checks that a locked keyring delays a configuration for a limited
// time, that it is not asked again meanwhile, and that it is used once it is unlocked.
func TestKeyringThatDoesNotAnswer(t *testing.T) { //nolint:paralleltest // the keyring is used by one test at a time
	dir := testkit.PrivateDir(t)
	path := write(t, dir, "config.toml", head+"password_keyring = \"wallboard/supervisor\"\n", 0o600)
	defer func(c chan struct{}) { keyringInUse = c }(keyringInUse)
	synctest.Test(t, func(t *testing.T) {
		keyringInUse = make(chan struct{}, 1) // the channel must belong to the bubble
		var requests atomic.Int32
		unlocked := make(chan struct{})
		o := testOptions()
		o.Keyring = func(string, string) (string, error) {
			requests.Add(1)
			<-unlocked
			return canary, nil
		}
		for range 3 {
			begun := time.Now()
			_, err := Load(path, o)
			if took := time.Since(begun); err == nil || took > time.Minute || !strings.Contains(err.Error(), "it is locked or does not answer") {
				t.Errorf("%v after %v", err, took)
			}
		}
		if n := requests.Load(); n != 1 {
			t.Errorf("the keyring is asked %d times at once", n)
		}
		close(unlocked)
		synctest.Wait()
		if c, err := Load(path, o); err != nil || c.RTD.Password.Reveal() != canary {
			t.Errorf("unlocked: %v", err)
		}
	})
}
