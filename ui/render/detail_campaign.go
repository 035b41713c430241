package render

import (
	"strconv"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/sheet"
)

// CampaignDetail returns the lines of a campaign's detail view, each exactly width
// cells wide.
func CampaignDetail(s *model.Snapshot, v *View, id int64, width int) []string {
	r := orEmpty(s).Campaigns.Get(id)
	code := strconv.FormatInt(id, 10)
	if r == nil {
		return v.missing(width, "campaign "+code)
	}
	return v.layout(width,
		heading(codeAndName(code, v.Options.Names.Of(model.NameCampaign, code)), v.state(CampaignStateOf(r).State()),
			v.Alerts.Alarm(campaignKey(r)).span(v)),
		v.marked(v.Marks.campaign(code)),
		block{"List", func(p *pen) {
			p.gauge(r.Penetration())
			p.Pairs(
				sheet.Of("Contacts", v.int(r.TotalContacts)),
				sheet.Of("Tried", v.int(r.TriedContacts)),
				sheet.Of("To do", v.int(r.ToDoContacts)),
				ofCampaigns().pair(v, r, "penetration"),
			)
		}},
		block{"Now", func(p *pen) {
			p.Pairs(sheet.Of("Ringing", v.int(r.RingingContacts)), sheet.Of("Talking", v.int(r.TalkingContacts)))
		}},
		block{"Success", func(p *pen) {
			counts := []sheet.Pair{sheet.Of("Calls started", v.int(r.StartedCalls)), sheet.Of("Reached", v.int(r.OkContacts))}
			p.Pairs(append(counts, ofCampaigns().pairs(v, r, v.Alerts.Alarm(campaignKey(r)),
				[]string{"hitRate", "contactRate", "attemptsPerContact"}, "penetration", "linesBusy", "resourcesBusy")...)...)
		}},
		v.ownFigures("", v.Options.CustomKPIs[alert.Campaign], campaignKey(r)),
		block{"Lines", func(p *pen) {
			p.gauge(r.LinesBusy())
			p.Pairs(
				sheet.Of("Used", v.int(r.UsedChannels)),
				sheet.Of("Allocated", v.int(r.AllocatedChannels)),
				ofCampaigns().pair(v, r, "linesBusy"),
			)
		}},
		block{"Resources", func(p *pen) {
			p.gauge(r.ResourcesBusy())
			p.Pairs(
				sheet.Of("Free", v.int(r.FreeResources)),
				sheet.Of("Available", v.int(r.AvailableResources)),
				ofCampaigns().pair(v, r, "resourcesBusy"),
			)
		}},
	)
}

// gauge appends a bar over the whole width, if the figure is known.
func (p *pen) gauge(f model.Figure) {
	if x, ok := f.Get(); ok && !p.v.Options.Blank {
		p.Lines = append(p.Lines, p.v.gauge(p.Width).Render(x))
	}
}
