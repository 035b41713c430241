package records

import (
	"strings"
	"testing"

	"wallboard/feeds/merge"
	"wallboard/model"
)

const root = "pdCampaignStats"

func campaign(records string) string { return `{"data":{"` + root + `":[` + records + `]}}` }

// campaigns returns a table of campaigns with few fields.
func campaigns(t *testing.T) *Table[int64, model.Campaign, *model.Campaign] {
	t.Helper()
	set, err := merge.ParseSelection("subscription { " + root + ` { campaignId startedCalls availableResources freeResources
		allocatedChannels usedChannels totalContacts triedContacts ringingContacts okContacts talkingContacts toDoContacts } }`)
	if err != nil {
		t.Fatal(err)
	}
	tb, err := NewTable(root, set[0].Fields, &model.NewStore().Campaigns, "campaignId")
	if err != nil {
		t.Fatal(err)
	}
	return tb
}

// A packed piece holds a compressed copy.
func TestPackedPieces(t *testing.T) {
	t.Parallel()
	message := []byte(strings.Repeat(`{"campaignId":1,"freeResources":4}`, 1000))
	want, work := string(message), []byte(nil)
	p := PackPiece(message)
	clear(message)
	for range 2 {
		if got := string(p.Message(&work)); got != want {
			t.Errorf("the message is %.80q", got)
		}
	}
	if full := (FullState{p, NewPiece(message)}); full.Size() != 2*len(want) || len(p.data) > len(want)/4 {
		t.Errorf("%d bytes in all, %d of %d packed", full.Size(), len(p.data), len(want))
	}
}

// A full state in pieces is the union of their records; a piece without records
// and errors makes it invalid.
func TestFullStateOfPieces(t *testing.T) {
	t.Parallel()
	one, two := campaign(`{"campaignId":1,"freeResources":4}`), campaign(`{"campaignId":2}`)
	wrong := `{"data":{"pdCampaignStats":null},"errors":[{"message":"no"}]}`
	for name, c := range map[string]struct {
		pieces  []string
		records int
		errs    string
		hasData bool
	}{
		"one":                 {[]string{one}, 1, ``, true},
		"two":                 {[]string{one, two}, 2, ``, true},
		"errors in one":       {[]string{one, wrong}, 1, `[{"message":"no"}]`, true},
		"errors in all":       {[]string{wrong, wrong}, 0, `[{"message":"no"},{"message":"no"}]`, false},
		"nothing in one":      {[]string{one, `{"data":null}`}, 0, ``, false},
		"no errors in a list": {[]string{campaign(``)[:len(campaign(``))-1] + `,"errors":[]}`, wrong}, 0, `[{"message":"no"}]`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tb := campaigns(t)
			full := make(FullState, len(c.pieces))
			for i, p := range c.pieces {
				if full[i] = NewPiece([]byte(p)); i > 0 {
					full[i] = PackPiece([]byte(p))
				}
			}
			res, err := tb.readFull(full, &merge.Env{})
			if err != nil || res.HasData != c.hasData || string(res.Errors) != c.errs || res.HasData && len(tb.rows) != c.records {
				t.Errorf("%d records, %+v, errors %s, %v", len(tb.rows), res, res.Errors, err)
			}
		})
	}
}
