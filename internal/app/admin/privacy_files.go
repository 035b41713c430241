package admin

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adrg/xdg"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/textformat"
)

// fileClaims tests who can read the files of the program other than recordings.
func fileClaims(c *config.Config) []privacyClaim {
	state := filepath.Join(xdg.StateHome, "wallboard")
	audits := filesNamed(strings.TrimSuffix(c.Audit.Path(), ".jsonl"))
	if c.Audit.Heads != "" {
		audits = append(audits, filesNamed(strings.TrimSuffix(c.Audit.Heads, ".jsonl"))...)
	}
	claims := []privacyClaim{
		accessClaim("Notes (60 days), alerts and forecasts (21 days, no agents) in "+state, state, filesBelow(state)),
		accessClaim("The audit log and the log of visits (up to "+strconv.Itoa(c.Audit.Keep+1)+" × "+c.Audit.MaxSize.String()+" each) in "+filepath.Dir(c.Audit.Path()), filepath.Dir(c.Audit.Path()), audits),
		accessClaim("Cached answers of the history of the platform in "+app.CacheDir(), app.CacheDir(), filesBelow(app.CacheDir())),
	}
	if path := c.Log.Path(); !c.Log.ToStderr() {
		claims = append(claims, accessClaim("The log in "+filepath.Dir(path), filepath.Dir(path), filesNamed(strings.TrimSuffix(path, ".log"))))
	}
	return claims
}

// accessClaim tests that only the user of the program, root and a service of root can read files
// and change the folder.
func accessClaim(what, dir string, paths []string) privacyClaim {
	a := privacyClaim{text: what + " can only be read by the user of the program", test: "owners and permissions of " + textformat.CountWithNoun(len(paths), "file", "files") + " and of the folders above"}
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil {
			continue // there is no such file yet
		}
		if p := securefile.FindReader(path, info, false); p != nil {
			a.problem = p.Error()
		}
	}
	if _, err := os.Lstat(dir); err == nil {
		if found := securefile.FindExposures(dir); len(found) > 0 {
			a.problem = found[0].Error()
		}
	}
	return a
}

// filesBelow returns the regular files in a folder and its subfolders. It also returns paths that cannot
// be read, so that they cannot pass a test unnoticed.
func filesBelow(dir string) (paths []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // the function returns no error
		if err == nil && d.Type().IsRegular() || err != nil && path != dir {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

// filesNamed returns the paths that begin with prefix: a file and its rotated predecessors.
func filesNamed(prefix string) []string {
	entries, _ := os.ReadDir(filepath.Dir(prefix)) // without the folder there are no files
	var paths []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(prefix)) && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(filepath.Dir(prefix), e.Name()))
		}
	}
	return paths
}
