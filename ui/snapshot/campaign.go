package snapshot

import (
	"strconv"

	"wallboard/ui/render"
)

// CampaignWord returns the state of a campaign in one word.
func (v *View) CampaignWord(code string) string {
	id, err := strconv.ParseInt(code, 10, 64)
	if r := v.Shown.Campaigns.Get(id); err == nil && r != nil {
		return render.CampaignStateOf(r).State().Word
	}
	return ""
}
