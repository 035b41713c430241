package table

import "testing"

func TestFold(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "", "Becker": "becker", "Béranger": "beranger", "Be\u0301ranger": "beranger", "Groß": "gross", "GROẞ": "gross",
		"ÅSA Ødegård": "asa odegard", "Agent 2 B": "agent 000000000002 b", "é1x23": "e000000000001x000000000023", "Łukasz": "lukasz", "東京": "東京",
	} {
		if got := SortKey(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestCompareFold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"anna", "Bob", -1},
		{"Anna", "anna", -1},
		{"ann", "anna", -1},
		{"Éa", "éb", -1},
		{"", "", 0},
		{"x", "x", 0},
	} {
		if got := CompareFold(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: got %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := CompareFold(tt.b, tt.a); got != -tt.want {
			t.Errorf("%q, %q: got %d, want %d", tt.b, tt.a, got, -tt.want)
		}
	}
}
