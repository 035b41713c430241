package rtd

import "testing"

// TestMemo checks that a memo computes a result once, and that it is bounded.
func TestMemo(t *testing.T) {
	t.Parallel()
	var m memo[int, int]
	computed := 0
	square := func(n int) int {
		return m.getOrCompute(n, func() int { computed++; return n * n })
	}
	if first, again := square(3), square(3); first != 9 || again != 9 || computed != 1 {
		t.Errorf("computed %d times", computed)
	}
	for n := range 3 * maxMemo {
		if square(n) != n*n || len(m.values) > maxMemo {
			t.Fatalf("%d results", len(m.values))
		}
	}
}

// TestSchemaOnly checks which answers are kept: those that depend on nothing but the schema
// and the text of the request.
func TestSchemaOnly(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]bool{
		"{ __schema { types { name } } }":                               true,
		`{ __type(name: "User") { name } __schema { types { name } } }`: true,
		"{ __schema { types { name } } users { username } }":            false,
		"query($n: String!) { __type(name: $n) { name } }":              false,
		"{ ...f } fragment f on Query { __schema { types { name } } }":  false,
		"subscription { __schema { types { name } } }":                  false,
		"{ users { username } }":                                        false,
		"{":                                                             false,
	} {
		if got := summarizeRequest(query, "").isSchemaOnly; got != want {
			t.Errorf("%s: %t, want %t", query, got, want)
		}
	}
}
