package words

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// TestStored checks that a text is the same after it was stored, in every language, and that a text of a file that
// this program does not understand is zero.
func TestStored(t *testing.T) {
	t.Parallel()
	texts := []Text{
		{},
		Name("Anna"),
		Percent(0.874),
		Number(2.5),
		SituationWaitingLongest(CountWaiting(3, model.Call), Duration(89*time.Second+500*time.Millisecond)),
		JoinSentences(CauseAllLoggedOut(Clock(815)), CauseLastLoggedOut(Clock(0))),
		List([]Text{Name("a"), {}, CountAgents(2)}),
	}
	for _, want := range texts {
		b, err := json.Marshal(map[string]model.Message{"m": want.Stored()})
		if err != nil {
			t.Fatal(err)
		}
		var in map[string]model.Message
		if err := json.Unmarshal(b, &in); err != nil {
			t.Fatal(err)
		}
		if got := Restored(in["m"]); !got.Equal(want) || got.In(PseudoLanguage()) != want.In(PseudoLanguage()) {
			t.Errorf("%s is %q, want %q", b, got.In(nil), want.In(nil))
		}
	}
	deep := strings.Repeat(`["sentence",[`, 100) + `["name","=x"]` + strings.Repeat(`]]`, 100)
	for _, b := range []string{
		``, `null`, `{}`, `[]`, `[1]`, `["no.such"]`, `["name"]`, `["name","=a","=b"]`, `["name",7]`, `["name",""]`, `["count","ix"]`, `["count","?1"]`,
		`["duration","d1"]`, `["sentence",["name","=x"]]`, `["sentence",[["no.such"]]]`, `["name","=` + strings.Repeat("x", maxStored) + `"]`, deep,
	} {
		if got := Restored(json.RawMessage(b)); !got.IsZero() {
			t.Errorf("%.60s is %q, want nothing", b, got.In(nil))
		}
	}
	if got := Restored(json.RawMessage(`["name","=a\u001b[31m\u202eb"]`)).In(nil); strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("the name %q is not clean", got)
	}
}
