package textnorm

import "testing"

func TestFold(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"José": "jose", "Jose\u0301": "jose", "Zoë Cafe\u0301": "zoe cafe", "Łódź": "lodz", "Straße": "strasse", "STRAẞE": "strasse",
		"ﬁle Ｆｕｌｌ": "file full", "a\u00a0b\u200b": "a b", "\ufeffx": "x", "Agent 2": "agent 2", "ΣΊΣΥΦΟΣ": "σισυφοσ", "東京": "東京", "İstanbul": "istanbul",
	} {
		if got := Fold(name); got != Fold(want) || name != "ΣΊΣΥΦΟΣ" && got != want {
			t.Errorf("%q: %q, should be %q", name, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", "Cafe\u0301": "Café", "a\u00a0b\u202fc": "a b c", "\ufeffa\u200bb\u00adc\u202e": "abc", "one\r\ntwo": "one\ntwo",
		"👨\u200d👩": "👨\u200d👩", " a ": " a ",
	} {
		if got := NormalizeLine(text); got != want {
			t.Errorf("%q: %q, should be %q", text, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"+39 0471 123": "+39 0471 123", "\u202a+39\u00a00471\u2011123\u202c ": "+39 0471-123", "０４７１": "0471", "\u0660\u0661\u0669": "019", "＋３９": "+39",
	} {
		if got := PhoneNumber(text); got != want {
			t.Errorf("%q: %q, should be %q", text, got, want)
		}
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Pass-1\n": "Pass-1", "\xef\xbb\xbfPass-1\r\n": "Pass-1", "\xff\xfeP\x00\xe9\x00\r\x00\n\x00": "Pé", "\xfe\xff\x00P\x00\xe9": "Pé", " two  \n": " two  ", "e\u0301": "e\u0301",
		"": "", "\xff\xfe": "", "a\xefb": "a\xefb",
	} {
		if got := DecodeSecret([]byte(text)); got != want {
			t.Errorf("%q: %q, should be %q", text, got, want)
		}
	}
}

func TestArgument(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a b": "a b", "\u200e7001\u00a0": "7001", "cafe\u0301.toml": "cafe\u0301.toml", " ": " "} {
		if got := TrimArgument(text); got != want {
			t.Errorf("%q: %q, should be %q", text, got, want)
		}
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"Café", "CAFE\u0301", true},
		{"Milan", "milan\u200b", true},
		{"Rome South", "rome\u00a0south", true},
		{"ΣΊΣΥΦΟΣ", "σίσυφος", true},
		{"José", "Jose", false},
		{"Anna", "Ann", false},
	} {
		if SameName(tt.a, tt.b) != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, !tt.want)
		}
	}
}

func TestCutName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, name, rest string
		found            bool
	}{
		{"zu\u0308rich status", "Zürich", " status", true},
		{"ZÜRICH", "Zu\u0308rich", "", true},
		{"\u200eanna: hello", "Anna", ": hello", true},
		{"ẞ x", "ß", " x", true},
		{"ann", "Anna", "ann", false},
		{"bert x", "Anna", "bert x", false},
		{"", "Anna", "", false},
	} {
		if rest, found := CutName(tt.text, tt.name); rest != tt.rest || found != tt.found {
			t.Errorf("%q from %q: %q, %v", tt.name, tt.text, rest, found)
		}
	}
}
