package admin

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/textformat"
)

// auditClaims tests that the audit log and the log of visits are intact.
func auditClaims(c *config.Config) []privacyClaim {
	var claims []privacyClaim
	for _, log := range []struct{ name, path, heads string }{
		{"log of actions", c.Audit.Path(), c.Audit.Heads}, {"log of visits, which records each look at a recording,", c.Audit.VisitsPath(), c.Audit.VisitsHeadsPath()},
	} {
		k := privacyClaim{text: "The " + log.name + " is unchanged", test: "its chain of hashes was verified, without stored hashes: a cut end would not be noticed"}
		var heads []audit.Head
		var err error
		if log.heads != "" {
			heads, _, err = audit.ReadStoredHeads(log.heads)
			k.test = "its chain of hashes was verified and compared with " + textformat.CountWithNoun(len(heads), "stored hash", "stored hashes")
		}
		v, verifyErr := audit.Verify(log.path, heads)
		missing := errors.Is(verifyErr, fs.ErrNotExist)
		switch {
		case missing && (err == nil && len(heads) == 0 || errors.Is(err, fs.ErrNotExist)):
			name, _, _ := strings.Cut(log.name, ",")
			k = privacyClaim{text: "There is no " + name + " yet", test: log.path + " does not exist"}
		case missing:
			k.problem = log.path + " is missing, but not its stored hashes"
		case verifyErr != nil:
			k.problem = verifyErr.Error()
		case err != nil:
			k.problem = err.Error()
		case !v.Intact():
			k.problem = textformat.CountWithNoun(len(v.Findings)+v.Further, "damaged place", "damaged places") + ", see wallboard audit verify"
		}
		claims = append(claims, k)
	}
	return claims
}

// visitLines returns who looked at what how often since a time, from the log of visits, and an error
// if a part of the log cannot be read.
func visitLines(c *config.Config, since time.Time) (lines []string, unread error) {
	counts := make(map[string]int)
	for e, err := range audit.Read(c.Audit.VisitsPath(), audit.Filter{Since: since}) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			unread = err
		}
		if kind, ok := strings.CutPrefix(e.Action, audit.ViewerActionPrefix); err == nil && ok && kind != "login" && kind != "logout" && kind != "refused" && kind != "more" {
			if kind != "shift" {
				e.Target = ""
			}
			counts[strings.TrimSpace(cmp.Or(e.Person, e.OSUser)+": "+kind+" "+e.Target)]++
		}
	}
	for what, n := range counts {
		lines = append(lines, what+", "+textformat.CountWithNoun(n, "time", "times"))
	}
	slices.Sort(lines)
	if len(lines) == 0 {
		lines = []string{"nobody"}
	}
	return lines, unread
}
