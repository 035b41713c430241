package command

import "strings"

// UnicodeLocale reports whether the terminal's locale has more than ASCII. A
// system that names no locale at all is given the benefit of the doubt.
func UnicodeLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}
