package admin

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

// privacyClaim is a statement of the page, with the test that was made. problem says why it does not hold.
type privacyClaim struct{ text, test, problem string }

// PrivacyReport is a page that says what a configuration stores and who can see it.
type PrivacyReport struct {
	Page         string
	BrokenClaims int // number of claims that do not hold
}

// NewPrivacyReport tests all claims about the configuration that load reads from the file at path:
// the stored data, their place and retention, the users who can see names, and earlier accesses. version is the
// version of the program. It also returns an error if the configuration changes meanwhile.
func NewPrivacyReport(ctx context.Context, load func() (*config.Config, error), path, version string, now time.Time) (*PrivacyReport, error) {
	first, err := load()
	if err != nil {
		return nil, err
	}
	before := hashFiles(first.Files())
	c, err := load() // read again after hashing, so that the tested files are those of the hash
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	broken := 0
	fmt.Fprintf(&out, "# Privacy report, %s\n\nConfiguration: %s, SHA-256 %.16x. Program: %s. Each line below was tested just now.\n", now.Format("2006-01-02 15:04"), path, before, version)
	section := func(title string, claims []privacyClaim) {
		fmt.Fprintf(&out, "\n## %s\n\n", title)
		for _, c := range claims {
			mark := "- "
			if c.problem != "" {
				mark, broken = "- **DOES NOT HOLD**: ", broken+1
			}
			fmt.Fprintf(&out, "%s%s. Tested: %s.\n", mark, c.text, c.test)
			if c.problem != "" {
				fmt.Fprintf(&out, "  Found: %s.\n", c.problem)
			}
		}
	}
	for _, p := range c.PlatformConfigs() {
		title := "What is recorded"
		if p.Platform != "" {
			title += ", " + p.Platform
		}
		claims, err := recordingClaims(ctx, p, now)
		if err != nil {
			return nil, err
		}
		section(title, claims)
	}
	viewers, err := viewerClaims(ctx, c)
	if err != nil {
		return nil, err
	}
	section("Who can see names, and act", viewers)
	section("Other files", fileClaims(c))
	visits, err := visitLines(c, now.AddDate(0, 0, -30))
	audits := auditClaims(c)
	if err != nil {
		audits = append(audits, privacyClaim{text: "The list below is complete", test: "the log of visits was read", problem: err.Error()})
	}
	section("Who looked back in the last 30 days", audits)
	for _, line := range visits {
		out.WriteString("  - " + model.CleanText(line, model.MaxBody) + "\n")
	}
	out.WriteString("\nNot shown by this page: copies, backups and exports on other machines; what root or the user of the program does with the files; whether the platform sends the truth.\n")
	if after := hashFiles(c.Files()); after != before {
		return nil, errConfigChanged
	}
	return &PrivacyReport{Page: out.String(), BrokenClaims: broken}, nil
}

var errConfigChanged = errors.New("the configuration was changed during the tests: run the report again")

// hashFiles returns a hash of the contents of files. A file that cannot be read has its own hash.
func hashFiles(paths []string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, path := range paths {
		text, err := securefile.ReadRegular(path, 1<<20)
		_, _ = fmt.Fprintf(h, "%q %q %v\n", path, text, err != nil)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
