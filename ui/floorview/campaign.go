package floorview

import (
	"strconv"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// CampaignWord returns a word for the state of a campaign. It returns "" if the shown snapshot does
// not contain the campaign.
func (v *View) CampaignWord(code string) string {
	id, err := strconv.ParseInt(code, 10, 64)
	if r := v.Shown.Campaigns.Get(id); err == nil && r != nil {
		return render.CampaignStateOf(r).State().Word.In(v.Words)
	}
	return ""
}

// AddCampaignCounts appends to l the number of campaigns in each state and, if there is room, how many
// of the contacts of all campaigns have been tried.
func (v *View) AddCampaignCounts(lk *style.Look, l *style.Line, f textformat.Format) {
	counts := map[render.CampaignState]int{}
	var triedCount, all int64
	for r := range v.Shown.Campaigns.All() {
		counts[render.CampaignStateOf(r)]++
		triedCount += r.TriedContacts.Or(0)
		all += r.TotalContacts.Or(0)
	}
	for _, s := range []render.CampaignState{
		render.CampaignRunning, render.CampaignIdle, render.CampaignEmpty, render.CampaignUnknown,
	} {
		if counts[s] == 0 {
			continue
		}
		look := s.State()
		l.Add(lk.Style(look.Token), " "+look.Glyph(lk.ASCII)+" "+look.Word.In(lk.Format.Words)+" "+string(f.Count(nil, int64(counts[s])))+" ")
	}
	text := " " + words.ViewTried(string(f.Count(nil, triedCount)), string(f.Count(nil, all))).In(lk.Format.Words)
	if style.Width(text) <= l.RemainingWidth() {
		l.Add(lk.Style(themes.Dim), text)
	}
}
