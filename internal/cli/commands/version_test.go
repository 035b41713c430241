package commands

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
)

func TestVersionJSON(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	cmd := VersionCommand(&cmdutil.Setup{Streams: cmdutil.Streams{Out: &out}, JSON: true})
	cmd.SetArgs(nil)
	var b admin.Build
	if err := errors.Join(cmd.Execute(), json.Unmarshal([]byte(out.String()), &b)); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if b.Version == "" || b.Go == "" || !strings.Contains(b.Platform, "/") || len(b.Editions) != 3 {
		t.Errorf("%+v", b)
	}
}
