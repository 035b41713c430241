package actions

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/model/resource"
	"wallboard/ui/dialog"
)

func TestNotations(t *testing.T) {
	t.Parallel()
	one, two := 1, 2
	text := "+39 02 1\n+39 02 2;type=EMAIL;language=IT;item=1;campaign=2;id=x;custom.A=b"
	got, err := runContactNotation().parseLines(text, nil)
	want := []resource.RunContact{{Value: "+39 02 1"}, {
		Value: "+39 02 2", ItemContactType: "EMAIL", TemplateLanguage: "IT", ItemNumber: &one, CampaignID: &two, ID: "x",
		CustomFields: map[string]string{"A": "b"},
	}}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(resource.RunContact{})); d != "" || err != nil {
		t.Error(d, err)
	}
	back := runContactNotation().formatLines(got)
	if want := strings.ReplaceAll(text, ";", "; "); back != want {
		t.Errorf("written as %q", back)
	}
	if again, err := runContactNotation().parseLines(back, nil); err != nil || !cmp.Equal(again, got, cmpopts.IgnoreUnexported(resource.RunContact{})) {
		t.Errorf("%q is read as %+v, %v", back, again, err)
	}
	list, err := itemNotation().parseLines(" 0212 ; a;b\n\n0213\n", nil)
	if err != nil || len(list) != 2 || list[0].PhoneNumber != "0212" || !cmp.Equal(list[0].Data, []string{"a", "b"}) || len(list[1].Data) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	for text, check := range map[string]func(string) error{
		"WORK a@b.it\nWORK":  addressNotation().checkFor(nil),
		"KEY":                customFieldNotation().checkFor(nil),
		"0212\nno number":    itemNotation().checkFor(nil),
		";type=EMAIL":        runContactNotation().checkFor(nil),
		"x;kind=EMAIL":       runContactNotation().checkFor(nil),
		"x;item=one":         runContactNotation().checkFor(nil),
		"1, 2; 3\n4 five":    checkParsed(parseIDs),
		"a=1\nb":             checkParsed(parsePairs),
		"=1":                 checkParsed(parsePairs),
		"0":                  dialog.CheckPositive,
		"-1":                 dialog.CheckNotNegative,
		"call me":            checkPhone,
		"+39 (02) 12-34\x00": checkPhone,
	} {
		if err := check(text); err == nil {
			t.Errorf("%q passes", text)
		}
	}
	if ids, err := parseIDs("7, 8;9\n7 10"); err != nil || !cmp.Equal(ids, []int{7, 8, 9, 10}) {
		t.Errorf("%v, %v", ids, err)
	}
	if pairs, err := parsePairs("a = 1\n\na=2\nb="); err != nil || !cmp.Equal(pairs, map[string][]string{"a": {"1", "2"}, "b": {""}}) {
		t.Errorf("%v, %v", pairs, err)
	}
}

// TestUnchangedLinesKeepWhatTheyDoNotShow checks that unchanged lines keep the fields that they do not
// show.
func TestUnchangedLinesKeepWhatTheyDoNotShow(t *testing.T) {
	t.Parallel()
	var c resource.Contact
	if err := json.Unmarshal([]byte(`{"numbers":[{"type":"","value":"1"},{"type":"WORK","value":"2","since":2020}]}`), &c); err != nil {
		t.Fatal(err)
	}
	var err error
	c.Numbers, err = addressNotation().parseLines(addressNotation().formatLines(c.Numbers)+"\nFAX 3", c.Numbers)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(c)
	want := `{"numbers":[{"type":"","value":"1"},{"type":"WORK","value":"2","since":2020},{"type":"FAX","value":"3"}]}`
	if err != nil || string(out) != want {
		t.Errorf("%s, %v", out, err)
	}
}
