package childprocess

import (
	"os"
	"slices"
	"strings"
)

// passed lists the environment variables that a command inherits: those that it needs to
// run. Passwords, tokens and agent sockets are not included.
func passed() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM",
		"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", // desktop notifications
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	}
}

// plain returns the environment for another program: the variables in passed and the
// locale.
func plain() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return !slices.Contains(passed(), name) && !strings.HasPrefix(name, "LC_")
	})
}
