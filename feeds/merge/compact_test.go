package merge_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/feeds/merge"
	"wallboard/internal/lib/testkit"
)

func compact(payload string) string { return string(merge.AppendCompact(nil, []byte(payload))) }

// A compacted message results in the same records as the original.
func TestCompactMergesAsTheMessage(t *testing.T) {
	t.Parallel()
	eachSubject(t, func(t *testing.T, s subject) {
		rapid.Check(t, func(t *rapid.T) {
			whole, short := s.open(t), s.open(t)
			g := &generator{t: t, values: 0.2, nulls: 0.7}
			for range 3 {
				items := make([]members, rapid.IntRange(0, 3).Draw(t, "items"))
				for i := range items {
					items[i] = g.record(s, s.key(rapid.IntRange(0, 2).Draw(t, "record")))
				}
				payload := wild(t).payload(s.name, items...)
				if _, err := whole.apply(payload); err != nil {
					t.Skip("not a message")
				}
				mustApply(t, short, compact(payload))
				if diff := cmp.Diff(whole.state(), short.state()); diff != "" {
					t.Fatalf("(-message +compact):\n%s\n%s\n%s", diff, payload, compact(payload))
				}
			}
		})
	})
}

func TestCompact(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		``:                                      ``,
		`{"a":1,"b":null,"c":null,"d":"x"}`:     `{"a":1,"d":"x"}`,
		`{"__typename":"T","b":null}`:           `{"__typename":"T","b":null}`,
		`{"b":null,"__typename":"T"}`:           `{"b":null,"__typename":"T"}`,
		`{"a":["b",null,"c"],"d":null,"e":2}`:   `{"a":["b",null,"c"],"e":2}`,
		`{"a":"\",\"b\":null,","c":null,"d":1}`: `{"a":"\",\"b\":null,","d":1}`,
		`{"a":1,"no end`:                        `{"a":1,"no end`,
		`{"a":1,"b\`:                            `{"a":1,"b\`,
	} {
		if got := compact(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	f := newFloor(t, 50, false)
	if m := f.messages[0]; 3*len(merge.AppendCompact(nil, m)) > len(m) {
		t.Errorf("%d of %d bytes", len(merge.AppendCompact(nil, m)), len(m))
	}
}

func TestCompactingTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, append(testkit.JSONPatterns("data"), testkit.Pattern{Before: `{`, Repeated: `"a":null,`, After: `"b":1}`}), func(text string) { compact(strings.Clone(text)) })
}
