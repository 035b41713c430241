package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// packaging is the folder with files that are only in packages.
const packaging = "internal/tools/dist/package"

// packageRevision counts the packages of one version. maintainer is the address in the packages.
const (
	packageRevision = "1"
	maintainer      = "The wallboard maintainers <packages@wallboard.example>"
)

// writePackages writes a deb, an rpm and an apk for a target.
func (r release) writePackages(ctx context.Context, t target, program, licences string) error {
	contents, err := r.packageFiles(program, licences)
	if err != nil {
		return err
	}
	// An apk contains the modification times of its scripts, so they must not depend on the time of
	// the build.
	for _, script := range []string{"preinstall", "postinstall", "preremove", "postremove"} {
		if err := rewrite(filepath.Join(packaging, script+".sh"), r.script(script), func(text []byte) []byte { return text }); err != nil {
			return err
		}
		if err := os.Chtimes(r.script(script), r.date, r.date); err != nil {
			return err
		}
	}
	for _, format := range []string{"deb", "rpm", "apk"} {
		if err := r.writePackage(ctx, t, format, contents); err != nil {
			return err
		}
	}
	return nil
}

// script returns the path, in the work folder, of the package script with the given name.
func (r release) script(name string) string { return filepath.Join(r.work, name+".sh") }

// packageFiles returns the files of a package with their paths on the installed system.
func (r release) packageFiles(program, licences string) ([]file, error) {
	const doc = "usr/share/doc/wallboard"
	list := []file{
		{"usr/bin/wallboard", program, 0o755},
		{doc + "/LICENCES.txt", licences, 0o644},
		{doc + "/README.md", "README.md", 0o644},
		{doc + "/CHANGELOG.md", ".github/CHANGELOG.md", 0o644},
		{doc + "/" + debianChangelog, filepath.Join(r.work, debianChangelog), 0o644},
		{doc + "/copyright", "LICENSE", 0o644},
		{doc + "/config.example.toml", "config.example.toml", 0o644},
		{lintianOverrides, packaging + "/lintian-overrides", 0o644},
		{"usr/lib/sysusers.d/wallboard.conf", packaging + "/sysusers.conf", 0o644},
		{"usr/lib/tmpfiles.d/wallboard.conf", packaging + "/tmpfiles.conf", 0o644},
		{"usr/share/bash-completion/completions/wallboard", filepath.Join(r.work, "completions/wallboard.bash"), 0o644},
		{"usr/share/zsh/vendor-completions/_wallboard", filepath.Join(r.work, "completions/_wallboard"), 0o644},
		{"usr/share/fish/vendor_completions.d/wallboard.fish", filepath.Join(r.work, "completions/wallboard.fish"), 0o644},
	}
	for _, folder := range []string{"docs/user", "docs/admin"} {
		pages, err := filesBelow(folder, doc+"/"+folder)
		if err != nil {
			return nil, err
		}
		list = append(list, pages...)
	}
	units, err := filepath.Glob("docs/admin/systemd/*.service")
	if err != nil {
		return nil, err
	}
	for _, unit := range units {
		installed := filepath.Join(r.work, filepath.Base(unit))
		if err := rewrite(unit, installed, func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte("/usr/local/bin/wallboard"), []byte("/usr/bin/wallboard"))
		}); err != nil {
			return nil, err
		}
		list = append(list, file{"usr/lib/systemd/system/" + filepath.Base(unit), installed, 0o644})
	}
	if err := os.WriteFile(filepath.Join(r.work, debianChangelog), compressed(r.debianChanges()), 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(r.work, rpmChangelog), r.rpmChanges(), 0o644); err != nil {
		return nil, err
	}
	pages, err := filepath.Glob(filepath.Join(r.work, "man", "*.1"))
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		// Do not write into the folder man, because the archives of the next targets contain the whole
		// folder.
		name := filepath.Base(page) + ".gz"
		if err := rewrite(page, filepath.Join(r.work, name), compressed); err != nil {
			return nil, err
		}
		list = append(list, file{"usr/share/man/man1/" + name, filepath.Join(r.work, name), 0o644})
	}
	return list, nil
}

// lintianOverrides is the path of the file with the findings of lintian, the checker of Debian
// packages, that do not apply.
const lintianOverrides = "usr/share/lintian/overrides/wallboard"

// debianChangelog is the name of the file with the changes of a Debian package. Debian requires it.
const debianChangelog = "changelog.Debian.gz"

// debianChanges returns the changes of the Debian package. It refers to CHANGELOG.md for those of the
// program.
func (r release) debianChanges() []byte {
	return fmt.Appendf(nil, "wallboard (%s-%s) stable; urgency=medium\n\n  * Release %s: CHANGELOG.md in this directory says what changes.\n\n -- %s  %s\n",
		strings.Replace(r.version, "-", "~", 1), packageRevision, r.version, maintainer, r.date.Format(time.RFC1123Z))
}

// rpmChangelog is the name of the file from which nfpm writes the changes into the header of an rpm.
const rpmChangelog = "changelog.yaml"

// rpmChanges is like debianChanges, but for the rpm.
func (r release) rpmChanges() []byte {
	return fmt.Appendf(nil, "- semver: %s-%s\n  date: %s\n  packager: %q\n  changes:\n  - note: %q\n", strings.Replace(r.version, "-", "~", 1),
		packageRevision, r.date.Format(time.RFC3339), maintainer, "Release "+r.version+": /usr/share/doc/wallboard/CHANGELOG.md says what changes.")
}

// rewrite writes a changed copy of a file. to is the path of the copy. change returns the changed
// content.
func rewrite(from, to string, change func([]byte) []byte) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, change(text), 0o644)
}

// compressed returns a text compressed by gzip. The result does not contain the current time.
func compressed(text []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = z.Write(text)                                  // writing to a buffer cannot fail
	_ = z.Close()
	return b.Bytes()
}

// packageContents returns the files and directories of a package in one format.
func (r release) packageContents(format string, list []file) (contents files.Contents) {
	add := func(kind, source, destination string, mode os.FileMode, group string) {
		contents = append(contents, &files.Content{
			Source: source, Destination: destination, Type: kind,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: group, Mode: mode, MTime: r.date},
		})
	}
	for _, f := range sorted(list) {
		if format == "apk" && strings.HasPrefix(f.name, "usr/lib/") {
			continue // Alpine has no systemd
		}
		if format != "deb" && (path.Base(f.name) == debianChangelog || f.name == lintianOverrides) {
			continue
		}
		name := f.name
		if dir, base := path.Split(name); format != "deb" && dir == "usr/share/zsh/vendor-completions/" {
			name = "usr/share/zsh/site-functions/" + base
		}
		kind := files.TypeFile
		if format == "rpm" && (strings.HasPrefix(f.name, "usr/share/doc/") || strings.HasPrefix(f.name, "usr/share/man/")) {
			kind = files.TypeRPMDoc
		}
		add(kind, f.path, "/"+name, f.mode, "root")
	}
	if format == "rpm" { // rpm removes only the directories that a package lists
		for _, dir := range []string{"", "/docs", "/docs/admin", "/docs/admin/systemd", "/docs/user"} {
			add(files.TypeDir, "", "/usr/share/doc/wallboard"+dir, 0o755, "root")
		}
	}
	add(files.TypeDir, "", "/etc/wallboard", 0o750, "wallboard")
	add(files.TypeDir, "", "/etc/wallboard/conf.d", 0o750, "wallboard")
	add(files.TypeConfigNoReplace, packaging+"/config.toml", "/etc/wallboard/config.toml", 0o640, "wallboard")
	return contents
}

// writePackage writes a package in one format.
func (r release) writePackage(ctx context.Context, t target, format string, list []file) error {
	fast := os.Getenv("DIST_COMPRESSION") // for tests: another compression, which is faster
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "wallboard", Arch: t.arch, Platform: t.system, Version: r.version, Release: packageRevision, Section: "net", Priority: "optional", MTime: r.date,
		Maintainer: maintainer, License: "MIT", Homepage: r.url,
		Description: "Contact-center wallboard for the terminal\nWallboard shows live what services, groups, agents and campaigns are doing.\nTry it without a platform: wallboard demo.",
		Overridables: nfpm.Overridables{
			Contents: r.packageContents(format, list),
			// The files of a package are readable by all users, whatever the umask of the builder
			// is.
			Umask: 0o022,
			Scripts: nfpm.Scripts{
				PreInstall: r.script("preinstall"), PostInstall: r.script("postinstall"),
				PreRemove: r.script("preremove"), PostRemove: r.script("postremove"),
			},
			Deb: nfpm.Deb{Compression: cmp.Or(fast, "none")}, // see compressDeb
			RPM: nfpm.RPM{Compression: cmp.Or(fast, "xz"), // see compressRPM
				BuildHost: "localhost", Summary: "Live view of a contact center in the terminal", Group: "Applications/Communications"},
		},
	})
	switch format {
	case "deb":
		info.Depends = []string{"passwd"}
		info.License = "" // Debian has no such field; the file copyright contains the license
	case "rpm":
		info.Changelog = filepath.Join(r.work, rpmChangelog)
	case "apk":
		info.Description, _, _ = strings.Cut(info.Description, "\n") // this format allows only one line
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(r.out, packager.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	if err := closeAfter(f, packager.Package(info, f)); err != nil || fast != "" {
		return err
	}
	switch format {
	case "deb":
		return compressDeb(ctx, f.Name(), xzOptions(t.arch))
	case "rpm":
		return compressRPM(ctx, f.Name(), xzOptions(t.arch))
	}
	return nil
}
