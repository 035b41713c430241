package safedecode

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	const text = `top = 1 # comment with [brackets] and = signs
# [not.a.table]
[a]
plain = "# no comment, = no key"
literal = 'c:\'
"quoted key" = [
  1, # one
  [2,
   3],
  { x = 1, y.z = "}" },
]
long = """
[not.a.table]
escaped = \"""
"""
after = 1
raw = '''
it's
''''
b.c.d = true
when = 1979-05-27 07:32:00
inline = { k = { l = 1 }, m = [1] }

[[list]]
x = 1
  [list.sub]
  y = 1
[[list]]
x = 2
[[list.inner]]
z = 1
[ a . "e.f" ]
g = 1
`
	want := KeyLines{
		"top": 1, "a": 3, "a.plain": 4, "a.literal": 5, `a."quoted key"`: 6,
		`a."quoted key"[0]`: 7, `a."quoted key"[1]`: 8, `a."quoted key"[1][0]`: 8, `a."quoted key"[1][1]`: 9,
		`a."quoted key"[2]`: 10, `a."quoted key"[2].x`: 10, `a."quoted key"[2].y`: 10, `a."quoted key"[2].y.z`: 10,
		"a.long": 12, "a.after": 16, "a.raw": 17, "a.b": 20, "a.b.c": 20, "a.b.c.d": 20, "a.when": 21,
		"a.inline": 22, "a.inline.k": 22, "a.inline.k.l": 22, "a.inline.m": 22, "a.inline.m[0]": 22,
		"list": 24, "list[0]": 24, "list[0].x": 25, "list[0].sub": 26, "list[0].sub.y": 27,
		"list[1]": 28, "list[1].x": 29, "list[1].inner": 30, "list[1].inner[0]": 30, "list[1].inner[0].z": 31,
		`a."e.f"`: 32, `a."e.f".g`: 33,
	}
	if diff := cmp.Diff(want, FindKeyLines(text)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	l := FindKeyLines("\n[a]\nb = 1\n[[c]]\nd = 1\n")
	for key, want := range map[string]int{"a.x": 2, "a.b": 3, "a.b.c": 3, "c[0].x": 4, "c[7].x": 4, "x": 0, "x.y": 0, "": 0} {
		if got := l[l.NearestKey(key)]; got != want {
			t.Errorf("line of %q is %d, want %d", key, got, want)
		}
	}
}

func TestLocateReturnsOnDeepNesting(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"[", "{a="} {
		l := FindKeyLines("b = 1\na = " + strings.Repeat(open, 20_000))
		if got := l["b"]; got != 1 {
			t.Errorf("%s: line of b is %d, want 1", open, got)
		}
	}
}
