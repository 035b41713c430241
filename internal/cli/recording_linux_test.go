package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestNothingIsRecordedUnlessWanted checks that a board without [record] in its configuration records
// nothing.
func TestNothingIsRecordedUnlessWanted(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	fo := platform(t, "--drama=false")
	x := newTerminal(t, dir, "--config", configFile(t, fmt.Sprintf("[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n", fo.URL, fo.WSURL)))
	x.until("LIVE", isLive)
	x.press("Z")
	x.shows("[record]")
	x.press("q")
	x.leaves()
	if _, err := os.Stat(filepath.Join(dir, "wallboard", "recordings")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("recordings are there: %v", err)
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".wbr") {
			t.Errorf("it recorded %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDemoIsRewoundAtOnce rewinds the demo as soon as it is live; its recording is
// temporary.
func TestDemoIsRewoundAtOnce(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	x := newTerminal(t, dir, "demo", "--config", configFile(t, quiet()), "--seed", "7", "--drama=false")
	x.until("LIVE", isLive)
	x.press("Z")
	x.shows("REWOUND", " ago")
	x.press("Z")
	x.until("LIVE again", isLive)
	x.press("q")
	x.leaves()
	if _, err := os.Stat(filepath.Join(dir, "wallboard", "recordings")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("recordings stay: %v", err)
	}
}
