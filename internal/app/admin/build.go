package admin

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"wallboard/restclient"
)

// The linker sets these variables for a release: -ldflags "-X
// wallboard/internal/app/admin.release=1.4.0 …".
var (
	release     string // such as 1.4.0
	releaseHash string // hash of the commit
	releaseTime string // time of the commit, RFC 3339
)

// Build describes how the program was built.
type Build struct {
	Version  string            `json:"version"`            // name of the release; without a release, name of the tag or hash of the commit
	Commit   string            `json:"commit,omitempty"`   // hash of the commit; "": built without version control
	Modified bool              `json:"modified,omitempty"` // the files differed from the commit
	Time     string            `json:"time,omitempty"`     // time of the commit, RFC 3339
	Go       string            `json:"go"`                 // version of the compiler
	Platform string            `json:"platform"`           // operating system and architecture, with a slash
	Tags     string            `json:"tags,omitempty"`     // build tags, separated by commas
	Editions map[string]string `json:"editions"`           // documented editions by service of the platform
}

// editions returns the editions of the documents that the program supports, by service of the
// platform.
func editions() map[string]string {
	return map[string]string{
		"configuration": string(restclient.Edition102) + ", " + string(restclient.Edition140),
		"real-time":     "1.0.2",
		"statistical":   "1.2.4",
	}
}

// ReadBuild returns the description of this program.
func ReadBuild() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	b := describeBuild(info, release)
	b.Commit, b.Time = cmp.Or(b.Commit, releaseHash), cmp.Or(b.Time, releaseTime)
	return b
}

// describeBuild returns the description of a program from its build information. If release is not
// "", it replaces the version of the main module.
func describeBuild(info *debug.BuildInfo, release string) Build {
	b := Build{Go: cmp.Or(info.GoVersion, runtime.Version()), Platform: runtime.GOOS + "/" + runtime.GOARCH, Editions: editions()}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "-tags":
			b.Tags = s.Value
		}
	}
	b.Version = strings.TrimPrefix(release, "v")
	if b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	if b.Version == "" {
		b.Version = "devel"
		if b.Commit != "" {
			b.Version += " " + b.commit()
		}
	}
	return b
}

// commit returns the short hash of the commit. It ends with "+changes" if the build contained
// uncommitted changes.
func (b Build) commit() string {
	short := b.Commit[:min(len(b.Commit), 12)]
	if b.Modified {
		short += "+changes"
	}
	return short
}

// Text returns the description as lines for users.
func (b Build) Text() string {
	commit := "unknown"
	if b.Commit != "" {
		commit = strings.TrimSpace(b.commit() + " " + b.Time)
	}
	platform := b.Platform
	if b.Tags != "" {
		platform += ", built with the tags " + b.Tags
	}
	return fmt.Sprintf("wallboard %s\ncommit    %s\ngo        %s\nplatform  %s\nprotocol  configuration service (document 1): editions %s\n"+
		"          real-time display (document 2): edition %s\n          statistical data (document 3): edition %s\n",
		b.Version, commit, b.Go, platform, b.Editions["configuration"], b.Editions["real-time"], b.Editions["statistical"])
}

// BuildVersion returns the version of the build: its release, its tag or its commit.
func BuildVersion() string { return ReadBuild().Version }
