// Command dist builds the release of one version into a directory: archives, packages, an image, a
// formula, checksums and bills of materials. It writes the same bytes for the same source. For
// this, it takes all times from -date and sorts all lists.
//
// It runs in the root of the source tree and needs Go and xz. Writing the repositories also needs
// apt-ftparchive and createrepo_c.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// release describes the release to build.
type release struct {
	version string    // such as 1.4.0, without a leading v
	commit  string    // hash of the commit; "": unknown
	date    time.Time // time of the commit
	url     string    // address of the directory with the files of the release, without a slash at the end
	out     string    // directory for the release
	work    string    // directory for intermediate files
	targets []target
}

// target is an operating system and an architecture to build for.
type target struct{ system, arch string }

func (t target) String() string { return t.system + "/" + t.arch }

// file is a file to put into an archive or package.
type file struct {
	name string // path in the archive, with slashes
	path string // path on the disk
	mode os.FileMode
}

const allTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// semver matches a version that all package formats accept.
var semver = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	version := flags.String("version", "", "version of the release, such as 1.4.0 or v1.4.0")
	commit := flags.String("commit", "", "hash of the commit")
	date := flags.Int64("date", 0, "time of the commit, in seconds since 1970")
	out := flags.String("out", "bin/dist", "directory of the result; it is replaced")
	url := flags.String("url", "https://wallboard.example/releases", "address where the files will be published")
	targets := flags.String("targets", allTargets, "systems and architectures to build for")
	repository := flags.String("repository", "", "only write a signed apt and rpm repository for the packages in -out into this directory")
	key := flags.String("key", "", "file with the armored private OpenPGP key of the repository")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r := release{version: strings.TrimPrefix(*version, "v"), commit: *commit, date: time.Unix(*date, 0).UTC(), url: strings.TrimSuffix(*url, "/"), out: *out}
	if !semver.MatchString(r.version) {
		return fmt.Errorf("the version %q is not like 1.4.0: set VERSION or a tag", *version)
	}
	for name := range strings.SplitSeq(*targets, ",") {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			return fmt.Errorf("the target %q is not like linux/amd64", name)
		}
		r.targets = append(r.targets, target{system, arch})
	}
	if *repository != "" {
		return r.writeRepositories(ctx, *repository, *key)
	}
	return r.build(ctx)
}

// build writes all files of the release.
func (r release) build(ctx context.Context) error {
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "wallboard-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r.work = work
	source, err := r.writeSource(ctx)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	if err := r.writeDocuments(ctx); err != nil {
		return fmt.Errorf("man pages and completions: %w", err)
	}
	var images []target
	for _, t := range r.targets {
		start := time.Now()
		if err := r.buildTarget(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if t.system == "linux" {
			images = append(images, t)
		}
		fmt.Printf("%s: %d s\n", t, int(time.Since(start).Seconds()))
	}
	if len(images) > 0 {
		if err := r.writeImage(ctx, images); err != nil {
			return fmt.Errorf("image: %w", err)
		}
	}
	if err := r.writeFormula(source); err != nil {
		return fmt.Errorf("formula: %w", err)
	}
	return r.writeChecksums()
}

// buildTarget writes the program, its bill of materials, its archive and its packages for one
// target.
func (r release) buildTarget(ctx context.Context, t target) error {
	program, err := r.compile(ctx, t)
	if err != nil {
		return err
	}
	modules, err := r.readModules(ctx, program)
	if err != nil {
		return err
	}
	if err := r.writeBill(t, program, modules); err != nil {
		return err
	}
	licences := filepath.Join(filepath.Dir(program), "LICENCES.txt")
	if err := writeLicences(licences, modules); err != nil {
		return err
	}
	if err := r.writeArchive(t, program, licences); err != nil {
		return err
	}
	if t.system != "linux" {
		return nil
	}
	return r.writePackages(ctx, t, program, licences)
}

// path returns the path of the file of the release whose name ends with suffix.
func (r release) path(suffix string) string {
	return filepath.Join(r.out, "wallboard_"+r.version+"_"+suffix)
}
