package recordings

import (
	"bytes"
	"strings"
	"testing"

	"wallboard/cli/command"
	"wallboard/record"
)

// TestInfoSaysWhatIsLeftOut counts the fields of a recording that this version does not know,
// and names some of them.
func TestInfoSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	for want, unknown := range map[string][]string{
		"": nil,
		"a field that this version does not know: s.A":                                 {"s.A"},
		"2 fields that this version does not know: s.A, s.B":                           {"s.A", "s.B"},
		"7 fields that this version does not know: s.A, s.B, s.C, s.D, s.E and 2 more": {"s.A", "s.B", "s.C", "s.D", "s.E", "s.F", "s.G"},
	} {
		var out bytes.Buffer
		if err := writeInfo(command.Streams{Out: &out}, "a.wbr", record.Info{Unknown: unknown}, nil); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); want == "" && strings.Contains(text, "left out") || !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
