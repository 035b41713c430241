package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/form"
)

// settings are a campaign as it is configured, and its lists.
type settings struct {
	campaign resource.Campaign
	lists    []resource.List
	without  string // why the lists could not be read
}

// openCampaign shows how a campaign is configured.
func (m *Model) openCampaign(t floor.Target) tea.Cmd {
	c := m.scene.Controller
	s := &dialog.Sheet[settings]{On: m.dialogs, Name: "Settings of " + t.Name, None: "The platform says nothing about it."}
	s.Read = func(ctx context.Context) (settings, error) { return readSettings(ctx, c, t.ID()) }
	s.Draw = func(v settings, w int) []dialog.Line { return m.settingLines(v, w, s.Reload) }
	s.Keys = []dialog.SheetKey[settings]{
		{Key: "d", Does: "start", Off: m.refused(resource.VerbStartCampaign), Run: func(settings) tea.Cmd { return m.askStart(t) }},
		{Key: "x", Does: "stop", Off: m.refused(resource.VerbStopCampaign), Run: func(settings) tea.Cmd { return m.askStop(t) }},
		{Key: "e", Does: "edit", Off: m.refused(resource.VerbUpdateCampaign), Run: func(v settings) tea.Cmd {
			return m.editSettings(t, v.campaign, s.Reload)
		}},
	}
	return m.dialogs.Open(s)
}

// readSettings asks for a campaign and its lists. Without the lists it is shown
// all the same.
func readSettings(ctx context.Context, c Controller, id int) (settings, error) {
	var s settings
	var err error
	if s.campaign, err = c.Campaign(ctx, id); err != nil {
		return s, err //nolint:wrapcheck // a sentence for the supervisor
	}
	if len(s.campaign.Lists) == 0 {
		return s, nil
	}
	lists, err := c.Lists(ctx, "")
	if s.lists = lists.Items; err != nil {
		s.without = err.Error()
	} else if lists.Short != nil {
		s.without = "Not all lists came, only " + lists.Short.String() + "."
	}
	return s, nil
}

// settingLines draws a campaign field by field, then its lists. then follows a
// change of one of those.
func (m *Model) settingLines(v settings, w int, then func() tea.Cmd) []dialog.Line {
	sc := m.scene
	c := v.campaign
	out := dialog.Pairs(sc.look, w,
		pair("name", c.Name), pair("id", number(c.ID)), pair("enabled", yesNo(c.Enabled, form.Yes, form.No)),
		pair("service", sc.floor.Called(model.NameService, c.ServiceCode)), pair("abilitation", number(c.AbilitazioneID)),
		pair("from", sc.when(c.StartDate)), pair("until", sc.when(c.EndDate)), pair("priority", number(c.Priority)),
		pair("reserved lines", number(c.ReservedChannels)), pair("busy lines", number(c.BusyChannels)),
		pair("busy lines are", c.BusyChannelsType), pair("type", c.Type),
		pair("users to notify", strings.Join(c.UsersToNotify, ", ")))
	out = append(out, dialog.Line{}, dialog.Plain(sc.look, themes.Title, "Lists"))
	if len(c.Lists) == 0 {
		return append(out, dialog.Plain(sc.look, themes.Dim, "It has none."))
	}
	if v.without != "" {
		out = append(out, dialog.Paragraph(sc.look, themes.Warn, v.without, w)...)
	}
	for _, use := range c.Lists {
		at := slices.IndexFunc(v.lists, func(l resource.List) bool { return use.ListID != nil && number(l.ID) == number(use.ListID) })
		text := "#" + or(number(use.ListID), "?") + "  " + yesNo(use.Enabled, "enabled", "disabled")
		if p := number(use.Priority); p != "" {
			text += "  priority " + p
		}
		line := dialog.Line{Text: sc.look.Style(themes.Text).Render(text)}
		if at >= 0 {
			l := v.lists[at]
			line.Text = sc.look.Style(themes.Text).Render(text + "  " + or(l.Name, "without a name"))
			line.Open = func() tea.Cmd { return showList(m, l, then) }
		}
		out = append(out, line)
	}
	return out
}
