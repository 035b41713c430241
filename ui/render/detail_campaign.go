package render

import (
	"strconv"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/textlayout"
)

// CampaignDetail returns the lines of a campaign's detail view, each exactly width cells wide.
func CampaignDetail(s *model.Snapshot, v *View, id int64, width int) []string {
	r := snapshotOrEmpty(s).Campaigns.Get(id)
	code := strconv.FormatInt(id, 10)
	if r == nil {
		return v.noDataLines(width, words.DetailNoCampaign(code))
	}
	return v.layoutBlocks(width,
		heading(codeAndName(code, v.Options.Names.CampaignName(r)), v.stateSpan(CampaignStateOf(r).State()),
			v.Alerts.Alarm(campaignKey(r)).headingSpan(v)),
		v.actionMarkBlock(v.Marks.campaign(code)),
		block{words.DetailList(), func(p *detailWriter) {
			p.drawGauge(r.Penetration())
			p.LabeledValues(
				p.pair(words.DetailContacts(), v.intSpan(r.TotalContacts)),
				p.pair(words.ColumnTried(), v.intSpan(r.TriedContacts)),
				p.pair(words.ColumnToDo(), v.intSpan(r.ToDoContacts)),
				p.pair(words.ColumnEmptyAt(), v.textSpan(v.Options.clockAfter(v.Now, v.kpiValue(alert.TimeToEmpty, campaignKey(r))))),
				campaignFigureSet().pair(v, r, "penetration"),
			)
		}},
		block{words.DetailNow(), func(p *detailWriter) {
			p.LabeledValues(p.pair(words.FigureRinging(), v.intSpan(r.RingingContacts)), p.pair(words.FigureTalking(), v.intSpan(r.TalkingContacts)))
		}},
		block{words.DetailSuccess(), func(p *detailWriter) {
			counts := []textlayout.LabeledValue{p.pair(words.DetailCallsStarted(), v.intSpan(r.StartedCalls)), p.pair(words.DetailReached(), v.intSpan(r.OkContacts))}
			p.LabeledValues(append(counts, campaignFigureSet().pairs(v, r, v.Alerts.Alarm(campaignKey(r)),
				[]string{"hitRate", "contactRate", "attemptsPerContact"}, "penetration", "linesBusy", "resourcesBusy")...)...)
		}},
		v.customKPIBlock(words.DetailCustom(), v.Options.CustomKPIs[alert.Campaign], campaignKey(r)),
		block{words.DetailLines(), func(p *detailWriter) {
			p.drawGauge(r.LineUtilization())
			p.LabeledValues(
				p.pair(words.DetailUsed(), v.intSpan(r.UsedChannels)),
				p.pair(words.DetailAllocated(), v.intSpan(r.AllocatedChannels)),
				campaignFigureSet().pair(v, r, "linesBusy"),
			)
		}},
		block{words.DetailResources(), func(p *detailWriter) {
			p.drawGauge(r.ResourceUtilization())
			p.LabeledValues(
				p.pair(words.ColumnFree(), v.intSpan(r.FreeResources)),
				p.pair(words.DetailAvailable(), v.intSpan(r.AvailableResources)),
				campaignFigureSet().pair(v, r, "resourcesBusy"),
			)
		}},
	)
}

// drawGauge draws the share f as a bar across the whole width. It draws nothing if the share is
// unknown.
func (p *detailWriter) drawGauge(f model.Figure) {
	if x, ok := f.Get(); ok && !p.view.Options.BlankFigures {
		p.Lines = append(p.Lines, p.view.gauge(p.Width).Render(x))
	}
}
