package render

import (
	"strconv"

	"wallboard/alert"
	"wallboard/model"
)

// CampaignDetail returns the lines of a campaign's drill-down, each exactly
// width cells wide.
func CampaignDetail(s *model.Snapshot, v *View, id int64, width int) []string {
	r := some(s).Campaigns.Get(id)
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
			p.pairs(
				pair{"Contacts", v.int(r.TotalContacts)},
				pair{"Tried", v.int(r.TriedContacts)},
				pair{"To do", v.int(r.ToDoContacts)},
				ofCampaigns().pair(v, r, "penetration"),
			)
		}},
		block{"Now", func(p *pen) {
			p.pairs(pair{"Ringing", v.int(r.RingingContacts)}, pair{"Talking", v.int(r.TalkingContacts)})
		}},
		block{"Success", func(p *pen) {
			counts := []pair{{"Calls started", v.int(r.StartedCalls)}, {"Reached", v.int(r.OkContacts)}}
			p.pairs(append(counts, ofCampaigns().pairs(v, r, v.Alerts.Alarm(campaignKey(r)),
				[]string{"hitRate", "contactRate", "attemptsPerContact"}, "penetration", "linesBusy", "resourcesBusy")...)...)
		}},
		v.ownFigures("", v.Options.Own[alert.Campaign], campaignKey(r)),
		block{"Lines", func(p *pen) {
			p.gauge(r.LinesBusy())
			p.pairs(
				pair{"Used", v.int(r.UsedChannels)},
				pair{"Allocated", v.int(r.AllocatedChannels)},
				ofCampaigns().pair(v, r, "linesBusy"),
			)
		}},
		block{"Resources", func(p *pen) {
			p.gauge(r.ResourcesBusy())
			p.pairs(
				pair{"Free", v.int(r.FreeResources)},
				pair{"Available", v.int(r.AvailableResources)},
				ofCampaigns().pair(v, r, "resourcesBusy"),
			)
		}},
	)
}

// gauge appends a bar over the whole width, unless the figure is not known.
func (p *pen) gauge(f model.Figure) {
	if x, ok := f.Get(); ok && !p.v.Options.Blank {
		p.lines = append(p.lines, p.v.gauge(p.width).Render(x))
	}
}
