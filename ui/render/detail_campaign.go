package render

import (
	"strconv"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/textlayout"
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
		heading(codeAndName(code, v.Options.Names.OfCampaign(r)), v.state(CampaignStateOf(r).State()),
			v.Alerts.Alarm(campaignKey(r)).span(v)),
		v.marked(v.Marks.campaign(code)),
		block{"List", func(p *detailWriter) {
			p.gauge(r.Penetration())
			p.Pairs(
				textlayout.NewPair("Contacts", v.int(r.TotalContacts)),
				textlayout.NewPair("Tried", v.int(r.TriedContacts)),
				textlayout.NewPair("To do", v.int(r.ToDoContacts)),
				textlayout.NewPair("Empty at", v.text(v.Options.clockAfter(v.Now, v.value(alert.TimeToEmpty, campaignKey(r))))),
				campaignFigureSet().pair(v, r, "penetration"),
			)
		}},
		block{"Now", func(p *detailWriter) {
			p.Pairs(textlayout.NewPair("Ringing", v.int(r.RingingContacts)), textlayout.NewPair("Talking", v.int(r.TalkingContacts)))
		}},
		block{"Success", func(p *detailWriter) {
			counts := []textlayout.Pair{textlayout.NewPair("Calls started", v.int(r.StartedCalls)), textlayout.NewPair("Reached", v.int(r.OkContacts))}
			p.Pairs(append(counts, campaignFigureSet().pairs(v, r, v.Alerts.Alarm(campaignKey(r)),
				[]string{"hitRate", "contactRate", "attemptsPerContact"}, "penetration", "linesBusy", "resourcesBusy")...)...)
		}},
		v.customKPIBlock("", v.Options.CustomKPIs[alert.Campaign], campaignKey(r)),
		block{"Lines", func(p *detailWriter) {
			p.gauge(r.LinesBusy())
			p.Pairs(
				textlayout.NewPair("Used", v.int(r.UsedChannels)),
				textlayout.NewPair("Allocated", v.int(r.AllocatedChannels)),
				campaignFigureSet().pair(v, r, "linesBusy"),
			)
		}},
		block{"Resources", func(p *detailWriter) {
			p.gauge(r.ResourcesBusy())
			p.Pairs(
				textlayout.NewPair("Free", v.int(r.FreeResources)),
				textlayout.NewPair("Available", v.int(r.AvailableResources)),
				campaignFigureSet().pair(v, r, "resourcesBusy"),
			)
		}},
	)
}

// gauge appends a bar over the whole width, if the figure is known.
func (p *detailWriter) gauge(f model.Figure) {
	if x, ok := f.Get(); ok && !p.v.Options.Blank {
		p.Lines = append(p.Lines, p.v.gauge(p.Width).Render(x))
	}
}
