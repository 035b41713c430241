package actions

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// campaignSettings holds the settings of a campaign and those of its lists.
type campaignSettings struct {
	campaign   resource.Campaign
	lists      []resource.List
	listsError string // why some lists could not be read; "": all were read
}

// openCampaign opens a dialog that shows the settings of a campaign and its lists.
func (a *campaignActions) openCampaign(t snapshot.Target) tea.Cmd {
	s := &dialog.Sheet[campaignSettings]{Dialogs: a.orders.dialogs, Name: "Settings of " + t.Name, EmptyText: "The platform says nothing about it."}
	s.Read = withController(a.orders, func(ctx context.Context, c *Controller) (campaignSettings, error) {
		return readSettings(ctx, c, t.CampaignID())
	})
	s.Draw = func(lk *style.Look, v campaignSettings, w int) []dialog.Line {
		return a.settingLines(lk, v, w, s.Reload)
	}
	s.Keys = []dialog.SheetKey[campaignSettings]{
		{Key: "d", Description: "start", Problem: a.orders.refusalOf(resource.OpCampaignStart), Run: func(campaignSettings) tea.Cmd { return a.askStart(t) }},
		{Key: "x", Description: "stop", Problem: a.orders.refusalOf(resource.OpCampaignStop), Run: func(campaignSettings) tea.Cmd { return a.askStop(t) }},
		{Key: "e", Description: "edit", Problem: a.orders.refusalOf(resource.OpCampaignUpdate), Run: func(v campaignSettings) tea.Cmd {
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
		s.listsError = err.Error()
	} else if lists.Short != nil {
		s.listsError = "Not all lists came, only " + lists.Short.String() + "."
	}
	return s, nil
}

// settingLines returns the lines of the dialog with the settings of a campaign and its lists.
// onChange is called after the viewer has changed a list.
func (a *campaignActions) settingLines(lk *style.Look, v campaignSettings, w int, onChange func() tea.Cmd) []dialog.Line {
	c := v.campaign
	out := dialog.Pairs(lk, w,
		pair("name", c.Name), pair("id", resource.IntText(c.ID)), pair("enabled", yesNo(c.Enabled, dialog.Yes, dialog.No)),
		pair("service", a.orders.floor.NameAndCode(model.NameService, c.ServiceCode)), pair("abilitation", resource.IntText(c.AbilitazioneID)),
		pair("from", formatTime(lk, c.StartDate)), pair("until", formatTime(lk, c.EndDate)), pair("priority", resource.IntText(c.Priority)),
		pair("reserved lines", resource.IntText(c.ReservedChannels)), pair("busy lines", resource.IntText(c.BusyChannels)),
		pair("busy lines are", c.BusyChannelsType), pair("type", c.Type),
		pair("users to notify", strings.Join(c.UsersToNotify, ", ")))
	out = append(out, dialog.Line{}, dialog.Plain(lk, themes.Title, "Lists"))
	if len(c.Lists) == 0 {
		return append(out, dialog.Plain(lk, themes.Dim, "It has none."))
	}
	if v.listsError != "" {
		out = append(out, dialog.Paragraph(lk, themes.Warn, v.listsError, w)...)
	}
	for _, use := range c.Lists {
		index := slices.IndexFunc(v.lists, func(l resource.List) bool {
			return use.ListID != nil && resource.IntText(l.ID) == resource.IntText(use.ListID)
		})
		text := "#" + orDefault(resource.IntText(use.ListID), "?") + "  " + yesNo(use.Enabled, "enabled", "disabled")
		if p := resource.IntText(use.Priority); p != "" {
			text += "  priority " + p
		}
		line := dialog.Line{Text: lk.Style(themes.Text).Render(text)}
		if index >= 0 {
			l := v.lists[index]
			line.Text = lk.Style(themes.Text).Render(text + "  " + orDefault(l.Name, "without a name"))
			line.Open = func() tea.Cmd { return a.lists.showList(l, onChange) }
		}
		out = append(out, line)
	}
	return out
}
