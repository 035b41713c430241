package table

import (
	"strings"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// TestSortKey compares the order of names with that of the Unicode collation algorithm, in all languages.
func TestSortKey(t *testing.T) {
	t.Parallel()
	names := strings.Fields("Ana Añasco Anz Anzola Núñez Nunez Nuño Nuñez Nuzzo Ñíguez Nz Oña Ona Onz Zürich Zuerich Zuhause Ähre Ahorn Aal " +
		"Élodie Elan Emil Cote Côte Coté Côté Çelik Celik Cz Straße Strasse Strassburg Œuvre Oeuvre Ofen Ødegaard Oz Łukasz Lz agent2 agent10 Agent1 Über Ubu Uz")
	for _, tag := range []string{"en", "de", "fr", "it", "es"} {
		c := collate.New(language.Make(tag), collate.Loose, collate.Numeric)
		for _, a := range names {
			for _, b := range names {
				if got, want := strings.Compare(NameSortKey(a, tag), NameSortKey(b, tag)), c.CompareString(a, b); got != want {
					t.Errorf("%s: %q and %q compare as %d, want %d", tag, a, b, got, want)
				}
			}
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "", "Becker": "becker", "Béranger": "beranger", "Be\u0301ranger": "beranger", "Groß": "gross", "GROẞ": "gross",
		"ÅSA Ødegård": "asa odegard", "Agent 2 B": "agent 000000000002 b", "é1x23": "e000000000001x000000000023", "Łukasz": "lukasz", "東京": "東京",
	} {
		if got := NameSortKey(name, ""); got != want {
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
