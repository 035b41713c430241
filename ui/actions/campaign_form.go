package actions

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// editCampaign reads a campaign's settings and opens the form.
func (a *campaigns) editCampaign(t snapshot.Target) tea.Cmd {
	c := a.do.platform
	return a.do.dialogs.Open(&dialog.Loading[resource.Campaign]{
		On: a.do.dialogs, Name: "Edit " + t.Name,
		Read: func(ctx context.Context) (resource.Campaign, error) { return c.Campaigns.Campaign(ctx, t.ID()) },
		Then: func(v resource.Campaign) tea.Cmd { return a.editSettings(t, v, nil) },
	})
}

// editSettings opens the form for a campaign. It asks for confirmation of the changes
// before writing them. then runs afterwards.
func (a *campaigns) editSettings(t snapshot.Target, before resource.Campaign, then func() tea.Cmd) tea.Cmd {
	d, cmd := a.do.form("Edit "+t.Name, "Save"+a.do.look().Glyphs.Ellipsis, campaignFields(a.do.look(), before, true))
	d.Done = func() tea.Cmd {
		after := campaignOf(d.Fields, before)
		diff := resource.Diff(before, after)
		if len(diff) == 0 {
			return d.Say("Nothing was changed.")
		}
		if why := wrongPeriod(d.Fields); why != "" {
			return d.Say(why)
		}
		if why := a.do.refusal(resource.OpCampaignUpdate); why != "" {
			return d.Say(why)
		}
		return a.do.dialogs.Ask(dialog.Question{
			Name: "Edit campaign", Text: "Change " + t.Name + "?", Lines: changes(a.do.look(), diff), About: a.do.about(t), Yes: "Save",
			Option: "clear its statistics and restart it if it runs",
			Then: func(reset bool) tea.Cmd {
				return a.do.send(order{
					verb: resource.OpCampaignUpdate, target: t.Name, about: t, then: then,
					do: func(ctx context.Context, c *Controller) resource.Report {
						return c.Campaigns.UpdateCampaign(ctx, before, after, reset)
					},
				}, d)
			},
		})
	}
	return cmd
}

// wrongPeriod returns an error text if the campaign would end before it starts.
func wrongPeriod(f *form.Form) string {
	from, begins := f.Date("start")
	to, ends := f.Date("end")
	if begins && ends && to.Before(from) {
		return "The end date is before the start date: the campaign would never run."
	}
	return ""
}

// createCampaign opens the form for a new campaign.
func (a *campaigns) createCampaign() tea.Cmd {
	d, cmd := a.do.form("New campaign", "Create"+a.do.look().Glyphs.Ellipsis, campaignFields(a.do.look(), resource.Campaign{}, false))
	d.Done = func() tea.Cmd {
		after := campaignOf(d.Fields, resource.Campaign{})
		if why := wrongPeriod(d.Fields); why != "" {
			return d.Say(why)
		}
		return a.do.dialogs.Ask(dialog.Question{
			Name: "Create a campaign", Text: "Create the campaign " + after.Name + "?",
			Lines: changes(a.do.look(), resource.Diff(resource.Campaign{}, after)), Yes: "Create",
			Then: func(bool) tea.Cmd {
				return a.do.send(order{
					verb: resource.OpCampaignCreate, target: "campaign " + after.Name,
					do: func(ctx context.Context, c *Controller) resource.Report {
						return c.Campaigns.CreateCampaign(ctx, after)
					},
				}, d)
			},
		})
	}
	return cmd
}

// campaignNumbers returns the numeric fields of a campaign by form field.
func campaignNumbers(c *resource.Campaign) map[string]**int {
	return map[string]**int{
		"abilitation": &c.AbilitazioneID, "priority": &c.Priority,
		"reserved": &c.ReservedChannels, "busy": &c.BusyChannels,
	}
}

// campaignTimes returns the time fields of a campaign by form field.
func campaignTimes(c *resource.Campaign) map[string]*resource.Time {
	return map[string]*resource.Time{"start": &c.StartDate, "end": &c.EndDate}
}

// campaignFields returns the form of a campaign. For an existing one (known), name, service
// and lists cannot be changed.
func campaignFields(lk *style.Look, c resource.Campaign, known bool) []form.Field {
	var fields []form.Field
	if !known {
		fields = append(fields,
			form.Field{ID: "name", Label: "Name", Required: true},
			form.Field{ID: "service", Label: "Service code", Required: true},
			form.Field{ID: "abilitation", Label: "Permission id", Kind: form.Number})
	}
	fields = append(fields,
		form.Field{ID: "enabled", Label: "Enabled", Kind: form.Toggle, Value: yesNo(c.Enabled, form.Yes, form.No)},
		form.Field{ID: "priority", Label: "Priority", Kind: form.Number, Value: resource.IntText(c.Priority)},
		form.Field{ID: "reserved", Label: "Reserved lines", Kind: form.Number, Value: resource.IntText(c.ReservedChannels), Check: form.NotNegative},
		form.Field{ID: "busy", Label: "Busy lines", Kind: form.Number, Value: resource.IntText(c.BusyChannels), Check: form.NotNegative},
		form.Field{
			ID: "busyType", Label: "Busy lines type", Kind: form.Choice, Free: true, Choices: []string{"PRESENT"},
			Value: c.BusyChannelsType,
		},
		form.Field{ID: "start", Label: "Start date", Kind: form.Date, Value: when(lk, c.StartDate)},
		form.Field{ID: "end", Label: "End date", Kind: form.Date, Value: when(lk, c.EndDate)})
	for i, l := range c.Lists {
		id, label := strconv.Itoa(i), "List "+or(resource.IntText(l.ListID), "?")
		fields = append(fields,
			form.Field{ID: "on" + id, Label: label + " enabled", Kind: form.Toggle, Value: yesNo(l.Enabled, form.Yes, form.No)},
			form.Field{ID: "rank" + id, Label: label + " priority", Kind: form.Number, Value: resource.IntText(l.Priority)})
	}
	if !known {
		fields = append(fields, form.Field{
			ID: "lists", Label: "Lists", Kind: form.Body, Hint: "one a line: its id, a blank and its priority", Check: parsed(parseCampaignLists),
		})
	}
	const later = "platforms of edition 1.4.0 only"
	return append(fields,
		form.Field{
			ID: "type", Label: "Type", Kind: form.Choice, Free: true, Choices: []string{"CALL"}, Value: c.Type,
			Hint: later + ".", More: true,
		},
		form.Field{
			ID: "notify", Label: "Users to notify", Value: strings.Join(c.UsersToNotify, ", "), Max: maxNotified,
			Hint: "user names with commas between them; " + later, More: true,
		})
}

// maxNotified is the maximum length of the user names to notify, in characters.
const maxNotified = 2000

// campaignOf returns before with the changes of the form.
func campaignOf(f *form.Form, before resource.Campaign) resource.Campaign {
	after := before
	after.Lists = slices.Clone(before.Lists)
	numbers, times := campaignNumbers(&after), campaignTimes(&after)
	for _, id := range f.Changed() {
		switch {
		case numbers[id] != nil:
			*numbers[id] = given(f, id)
		case times[id] != nil:
			*times[id] = resource.Time{}
			if at, ok := f.Date(id); ok {
				*times[id] = resource.TimeOf(at)
			}
		default:
			setCampaign(f, id, &after)
		}
	}
	for i := range before.Lists {
		on, rank := "on"+strconv.Itoa(i), "rank"+strconv.Itoa(i)
		if slices.Contains(f.Changed(), on) {
			after.Lists[i].Enabled = f.Bool(on)
		}
		if slices.Contains(f.Changed(), rank) {
			after.Lists[i].Priority = given(f, rank)
		}
	}
	return after
}

// setCampaign sets a field that is neither a number nor a time.
func setCampaign(f *form.Form, id string, c *resource.Campaign) {
	switch id {
	case "name":
		c.Name = f.Value(id)
	case "service":
		c.ServiceCode = f.Value(id)
	case "enabled":
		c.Enabled = f.Bool(id)
	case "busyType":
		c.BusyChannelsType = f.Value(id)
	case "type":
		c.Type = f.Value(id)
	case "notify":
		c.UsersToNotify = valuesOf(f.Value(id))
	case "lists":
		c.Lists, _ = parseCampaignLists(f.Value(id)) // the form has checked it
	}
}

var errUse = errors.New("write the id of a list, a blank and its priority, as in 12 1")

// parseCampaignLists parses the lists of a campaign, one per line. They are enabled.
func parseCampaignLists(text string) ([]resource.CampaignList, error) {
	var out []resource.CampaignList
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		on := true
		use := resource.CampaignList{Enabled: &on}
		var err error
		if use.ListID, err = wholeNumber(words[0]); err == nil && len(words) > 1 {
			use.Priority, err = wholeNumber(words[1])
		}
		if err != nil || len(words) > 2 {
			return nil, errUse
		}
		out = append(out, use)
	}
	return out, nil
}
