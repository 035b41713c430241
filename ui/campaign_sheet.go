package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
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
	c, sc := m.scene.Controller, m.scene
	s := &sheet[settings]{name: "Settings of " + t.Name, none: "The platform says nothing about it."}
	s.read = func(ctx context.Context) (settings, error) { return readSettings(ctx, c, t.ID()) }
	s.draw = func(v settings, w int) []sheetLine { return sc.settingLines(v, w, s.reload) }
	s.keys = []sheetKey[settings]{
		{key: "d", does: "start", verb: resource.VerbStartCampaign, run: func(m *Model, _ settings) tea.Cmd { return m.askStart(t) }},
		{key: "x", does: "stop", verb: resource.VerbStopCampaign, run: func(m *Model, _ settings) tea.Cmd { return m.askStop(t) }},
		{key: "e", does: "edit", verb: resource.VerbUpdateCampaign, run: func(m *Model, v settings) tea.Cmd {
			return m.editSettings(t, v.campaign, s.reload)
		}},
	}
	return openSheet(m, s)
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
func (sc *scene) settingLines(v settings, w int, then func(*Model) tea.Cmd) []sheetLine {
	c := v.campaign
	out := sc.pairs(w,
		pair{"name", c.Name}, pair{"id", number(c.ID)}, pair{"enabled", yesNo(c.Enabled, form.Yes, form.No)},
		pair{"service", sc.floor.Called(model.NameService, c.ServiceCode)}, pair{"abilitation", number(c.AbilitazioneID)},
		pair{"from", sc.when(c.StartDate)}, pair{"until", sc.when(c.EndDate)}, pair{"priority", number(c.Priority)},
		pair{"reserved lines", number(c.ReservedChannels)}, pair{"busy lines", number(c.BusyChannels)},
		pair{"busy lines are", c.BusyChannelsType}, pair{"type", c.Type},
		pair{"users to notify", strings.Join(c.UsersToNotify, ", ")})
	out = append(out, sheetLine{}, sc.plain(themes.Title, "Lists"))
	if len(c.Lists) == 0 {
		return append(out, sc.plain(themes.Dim, "It has none."))
	}
	if v.without != "" {
		out = append(out, sc.paragraph(themes.Warn, v.without, w)...)
	}
	for _, use := range c.Lists {
		at := slices.IndexFunc(v.lists, func(l resource.List) bool { return use.ListID != nil && number(l.ID) == number(use.ListID) })
		text := "#" + or(number(use.ListID), "?") + "  " + yesNo(use.Enabled, "enabled", "disabled")
		if p := number(use.Priority); p != "" {
			text += "  priority " + p
		}
		line := sheetLine{text: sc.look.Style(themes.Text).Render(text)}
		if at >= 0 {
			l := v.lists[at]
			line.text = sc.look.Style(themes.Text).Render(text + "  " + or(l.Name, "without a name"))
			line.open = func(m *Model) tea.Cmd { return showList(m, l, then) }
		}
		out = append(out, line)
	}
	return out
}
