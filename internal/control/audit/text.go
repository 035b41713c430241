package audit

import (
	"fmt"
	"strings"
	"time"

	"wallboard/internal/textformat"
)

// Text describes the result of a check. hasHeads reports whether stored hashes were compared.
func (v *Verification) Text(hasHeads bool) string {
	var out strings.Builder
	for _, f := range v.Findings {
		if f.File != "" {
			fmt.Fprintf(&out, "%s, line %d: ", f.File, f.Line)
		}
		fmt.Fprintf(&out, "%s: %s\n", f.Damage, f.Text)
	}
	if v.Further > 0 {
		fmt.Fprintf(&out, "and %s\n", textformat.CountWithNoun(v.Further, "more place", "more places"))
	}
	if v.Chained > 0 {
		fmt.Fprintf(&out, "%s from %s to %s\n", textformat.CountWithNoun(v.Chained, "chained line", "chained lines"), v.Since.Format(time.RFC3339), v.Until.Format(time.RFC3339))
	}
	if v.Unchained > 0 {
		fmt.Fprintf(&out, "%s without hashes, by an earlier version: not checked\n", textformat.CountWithNoun(v.Unchained, "older line", "older lines"))
	}
	if v.Incomplete > 0 {
		fmt.Fprintf(&out, "%s, cut off by a crash or a full disk\n", textformat.CountWithNoun(v.Incomplete, "incomplete line", "incomplete lines"))
	}
	if v.SetBack > 0 {
		fmt.Fprintf(&out, "%s older than the line before: the clock was set back\n", textformat.CountWithNoun(v.SetBack, "line is", "lines are"))
	}
	if v.StartMissing && v.Intact() {
		out.WriteString("Older lines are not there: the rotation deletes them; a file without lines at its beginning looks the same.\n")
	}
	switch {
	case hasHeads && v.Intact():
		fmt.Fprintf(&out, "%s found, %d older than the first line\n", textformat.CountWithNoun(v.Heads, "stored hash", "stored hashes"), v.OlderHeads)
	case !hasHeads:
		out.WriteString("No stored hash was compared: a cut end, or a chain that was computed again, would not be recognized.\n")
	}
	if v.Intact() {
		out.WriteString("No damage found.\n")
	}
	return out.String()
}
