package actions

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// campaignSettings holds the settings of a campaign and those of its lists.
type campaignSettings struct {
	campaign   resource.Campaign
	lists      []resource.List
	listsError words.Text // why some lists could not be read; zero: all were read
}

// openCampaign opens a dialog that shows the settings of a campaign and its lists.
func (a *campaignActions) openCampaign(t floorview.Target) tea.Cmd {
	s := &dialog.Sheet[campaignSettings]{Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActCampaignSettings(t.Name)), EmptyText: a.orders.translate(words.ActCampaignSettingsEmpty())}
	s.Read = withController(a.orders, func(ctx context.Context, c *Controller) (campaignSettings, error) {
		return readSettings(ctx, c, t.CampaignID())
	})
	s.Draw = func(lk *style.Look, v campaignSettings, w int) []dialog.Line {
		return a.settingLines(lk, v, w, s.Reload)
	}
	s.Keys = []dialog.SheetKey[campaignSettings]{
		{Key: "d", Description: a.orders.translate(words.ActKeyStart()), Problem: a.orders.refusalOf(resource.OpCampaignStart), Run: func(campaignSettings) tea.Cmd { return a.askStart(t) }},
		{Key: "x", Description: a.orders.translate(words.ActKeyStop()), Problem: a.orders.refusalOf(resource.OpCampaignStop), Run: func(campaignSettings) tea.Cmd { return a.askStop(t) }},
		{Key: "e", Description: a.orders.translate(words.ActKeyEdit()), Problem: a.orders.refusalOf(resource.OpCampaignUpdate), Run: func(v campaignSettings) tea.Cmd {
			return a.editSettings(t, v.campaign, s.Reload)
		}},
	}
	return a.orders.dialogs.Open(s)
}

// readSettings reads a campaign and its lists from the platform. It returns an error only if the
// campaign cannot be read. An error about the lists is in the field listsError of the result.
func readSettings(ctx context.Context, c *Controller, id int) (campaignSettings, error) {
	var s campaignSettings
	var err error
	if s.campaign, err = c.Campaigns.Campaign(ctx, id); err != nil {
		return s, err
	}
	if len(s.campaign.Lists) == 0 {
		return s, nil
	}
	lists, err := c.Lists.FindLists(ctx, "")
	if s.lists = lists.Items; err != nil {
		s.listsError = words.TextOf(err)
	} else if lists.Short != nil {
		s.listsError = words.ActCampaignListsIncomplete(words.ListShortfall(lists.Short))
	}
	return s, nil
}

// settingLines returns the lines of the dialog with the settings of a campaign and its lists.
// onChange is called after the viewer has changed a list.
func (a *campaignActions) settingLines(lk *style.Look, v campaignSettings, w int, onChange func() tea.Cmd) []dialog.Line {
	c := v.campaign
	out := labeledValueLines(lk, w,
		labeledValue{words.ActFieldName(), c.Name},
		labeledValue{words.ActFieldId(), resource.IntText(c.ID)},
		labeledValue{words.ActFieldEnabled(), yesNoText(lk, c.Enabled)},
		labeledValue{words.ActFieldService(), a.orders.floor.NameAndCode(model.NameService, c.ServiceCode)},
		labeledValue{words.ActFieldPermissionId(), resource.IntText(c.AbilitazioneID)},
		labeledValue{words.ActFieldStartDate(), formatTime(lk, c.StartDate)},
		labeledValue{words.ActFieldEndDate(), formatTime(lk, c.EndDate)},
		labeledValue{words.ActFieldPriority(), resource.IntText(c.Priority)},
		labeledValue{words.ActFieldReservedLines(), resource.IntText(c.ReservedChannels)},
		labeledValue{words.ActFieldBusyLines(), resource.IntText(c.BusyChannels)},
		labeledValue{words.ActFieldBusyLinesType(), c.BusyChannelsType},
		labeledValue{words.ActFieldType(), c.Type},
		labeledValue{words.ActFieldUsersToNotify(), strings.Join(c.UsersToNotify, ", ")})
	out = append(out, dialog.Line{}, dialog.PlainLine(lk, themes.Title, translate(lk, words.ActCampaignLists())))
	if len(c.Lists) == 0 {
		return append(out, dialog.PlainLine(lk, themes.Dim, translate(lk, words.ActCampaignListsNone())))
	}
	if !v.listsError.IsZero() {
		out = append(out, dialog.ParagraphLines(lk, themes.Warn, translate(lk, v.listsError), w)...)
	}
	for _, use := range c.Lists {
		index := slices.IndexFunc(v.lists, func(l resource.List) bool {
			return use.ListID != nil && resource.IntText(l.ID) == resource.IntText(use.ListID)
		})
		text := "#" + orDefault(resource.IntText(use.ListID), "?") + "  " + chooseYesNo(use.Enabled, translate(lk, words.ActCampaignListEnabled()), translate(lk, words.ActCampaignListDisabled()))
		if p := resource.IntText(use.Priority); p != "" {
			text += "  " + translate(lk, words.ActCampaignListPriority(p))
		}
		line := dialog.Line{Text: lk.Style(themes.Text).Render(text)}
		if index >= 0 {
			l := v.lists[index]
			line.Text = lk.Style(themes.Text).Render(text + "  " + orDefault(l.Name, translate(lk, words.ActListUnnamed())))
			line.Open = func() tea.Cmd { return a.lists.showList(l, onChange) }
		}
		out = append(out, line)
	}
	return out
}
