package usercommand

import (
	"os"
	"slices"
	"strings"
)

// inheritedVariables lists the environment variables that a program inherits because it may need
// them. Variables that may contain passwords, tokens or the socket of an SSH agent are not among them.
func inheritedVariables() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM",
		"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", // for desktop notifications
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	}
}

// childEnviron returns the environment for another program: the variables in inheritedVariables and
// the variables of the locale.
func childEnviron() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return !slices.Contains(inheritedVariables(), name) && !strings.HasPrefix(name, "LC_")
	})
}
