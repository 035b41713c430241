package program

import (
	"os"
	"slices"
	"strings"
)

// passed are the variables of ours that a command gets: what it takes to run, and
// no secret. Passwords, tokens and the sockets of agents are none of its business.
func passed() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM",
		"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", // desktop notifications
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	}
}

// plain returns the environment of a program of somebody else: what passed names, and
// the locale.
func plain() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return !slices.Contains(passed(), name) && !strings.HasPrefix(name, "LC_")
	})
}
