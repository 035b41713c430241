package term

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// TestLatin presses q, s, / and other keys on the layouts of several scripts.
func TestLatin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key  uv.Key
		want string // expected key; "": unchanged
	}{
		{uv.Key{Code: 'й', Text: "й"}, "q"},
		{uv.Key{Code: 'й', Text: "Й", Mod: uv.ModShift}, "Q"},
		{uv.Key{Code: 'ж', Text: "Ж"}, ":"},
		{uv.Key{Code: 'і', Text: "і"}, "s"},
		{uv.Key{Code: 'σ', Text: "σ"}, "s"},
		{uv.Key{Code: 'Σ', Text: "Σ"}, "S"},
		{uv.Key{Code: 'ש', Text: "ש"}, "a"},
		{uv.Key{Code: 'ض', Text: "ض"}, "q"},
		{uv.Key{Code: 'ل', Text: "لا"}, "b"},
		{uv.Key{Code: '٣', Text: "٣"}, "3"},
		{uv.Key{Code: 1081, BaseCode: 'q'}, "q"},                       // CSI 1081::113 u
		{uv.Key{Code: 1081, BaseCode: 'q', Mod: uv.ModCtrl}, "ctrl+q"}, // CSI 1081::113;5 u
		{uv.Key{Code: 'ա', Text: "ա", BaseCode: 'a'}, "a"},             // key of a layout that is not in the list
		{uv.Key{Code: 'ա', Text: "ա"}, ""},
		{uv.Key{Code: 'q', Text: "q"}, ""},
		{uv.Key{Code: 'é', Text: "é"}, ""},
		{uv.Key{Code: tea.KeyEnter}, ""},
		{uv.Key{Code: tea.KeyUp}, ""},
	} {
		got, is := LatinKey(tt.key)
		if is != (tt.want != "") || is && got.String() != tt.want {
			t.Errorf("%v (%q) is %q, %v; should be %q", tt.key, tt.key.Text, got.String(), is, tt.want)
		}
	}
}

// TestLayoutsAreWhole compares the number of letters and keys of each layout.
func TestLayoutsAreWhole(t *testing.T) {
	t.Parallel()
	for _, l := range keyboardLayouts {
		if a, b := len([]rune(l[0])), len([]rune(l[1])); a != b {
			t.Errorf("%s has %d letters, and %d keys", l[0], a, b)
		}
	}
}
