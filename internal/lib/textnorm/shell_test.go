package textnorm

import "testing"

func TestQuoteShellWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"": "''", "/home/anna/a-1.wbr": "/home/anna/a-1.wbr", "host:8443/rtd": "host:8443/rtd", "two words": "'two words'", "it's $HOME": `'it'\''s $HOME'`,
	} {
		if got := QuoteShellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
