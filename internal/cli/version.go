package cli

import "runtime/debug"

// version returns the version of the build: its tag or its commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v, commit, dirty := info.Main.Version, "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	switch {
	case v != "" && v != "(devel)":
		return v
	case commit != "":
		return "devel " + commit + dirty
	}
	return "devel"
}
