package render

import (
	"strconv"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/textlayout"
)

// CampaignDetail returns the lines of a campaign's detail view, each exactly width cells wide.
func CampaignDetail(s *model.Snapshot, v *View, id int64, width int) []string {
	r := snapshotOrEmpty(s).Campaigns.Get(id)
	code := strconv.FormatInt(id, 10)
	if r == nil {
		return v.noDataLines(width, "campaign "+code)
	}
	return v.layoutBlocks(width,
		heading(codeAndName(code, v.Options.Names.OfCampaign(r)), v.stateSpan(CampaignStateOf(r).State()),
			v.Alerts.Alarm(campaignKey(r)).headingSpan(v)),
		v.actionMarkBlock(v.Marks.campaign(code)),
		block{"List", func(p *detailWriter) {
			p.drawGauge(r.Penetration())
			p.Pairs(
				textlayout.NewPair("Contacts", v.intSpan(r.TotalContacts)),
				textlayout.NewPair("Tried", v.intSpan(r.TriedContacts)),
				textlayout.NewPair("To do", v.intSpan(r.ToDoContacts)),
				textlayout.NewPair("Empty at", v.textSpan(v.Options.clockAfter(v.Now, v.kpiValue(alert.TimeToEmpty, campaignKey(r))))),
				campaignFigureSet().pair(v, r, "penetration"),
			)
		}},
		block{"Now", func(p *detailWriter) {
			p.Pairs(textlayout.NewPair("Ringing", v.intSpan(r.RingingContacts)), textlayout.NewPair("Talking", v.intSpan(r.TalkingContacts)))
		}},
		block{"Success", func(p *detailWriter) {
			counts := []textlayout.Pair{textlayout.NewPair("Calls started", v.intSpan(r.StartedCalls)), textlayout.NewPair("Reached", v.intSpan(r.OkContacts))}
			p.Pairs(append(counts, campaignFigureSet().pairs(v, r, v.Alerts.Alarm(campaignKey(r)),
				[]string{"hitRate", "contactRate", "attemptsPerContact"}, "penetration", "linesBusy", "resourcesBusy")...)...)
		}},
		v.customKPIBlock("", v.Options.CustomKPIs[alert.Campaign], campaignKey(r)),
		block{"Lines", func(p *detailWriter) {
			p.drawGauge(r.LinesBusy())
			p.Pairs(
				textlayout.NewPair("Used", v.intSpan(r.UsedChannels)),
				textlayout.NewPair("Allocated", v.intSpan(r.AllocatedChannels)),
				campaignFigureSet().pair(v, r, "linesBusy"),
			)
		}},
		block{"Resources", func(p *detailWriter) {
			p.drawGauge(r.ResourcesBusy())
			p.Pairs(
				textlayout.NewPair("Free", v.intSpan(r.FreeResources)),
				textlayout.NewPair("Available", v.intSpan(r.AvailableResources)),
				campaignFigureSet().pair(v, r, "resourcesBusy"),
			)
		}},
	)
}

// drawGauge draws the share f as a bar across the whole width. It draws nothing if the share is
// unknown.
func (p *detailWriter) drawGauge(f model.Figure) {
	if x, ok := f.Get(); ok && !p.v.Options.Blank {
		p.Lines = append(p.Lines, p.v.gauge(p.Width).Render(x))
	}
}
