package palette

import "testing"

func TestPaletteTakesWordsBeforeLetters(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"sms":            "send a text message",
		"search support": "service Support Gold (SRV04)",
	} {
		p := New()
		p.Open([]Command{
			{Name: "sort by miss"},
			{Name: "search tickets"},
			{Name: "send a text message", Also: "sms"},
			{Name: "service Support Gold (SRV04)", Also: "open search"},
		}, nil)
		p.input.SetValue(typed)
		p.find()
		if len(p.matches) == 0 || p.commands[p.matches[0]].Name != want {
			t.Errorf("%q finds %v first", typed, p.matches)
		}
	}
}
