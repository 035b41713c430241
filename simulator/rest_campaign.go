package simulator

import (
	"errors"
	"strconv"
	"strings"

	"wallboard/simulator/world"
)

// createCampaign serves POST /rest/powerdialer/campaign, which has another path
// in edition 1.0.2.
func (r *rest) createCampaign(c *restCall) (any, error) {
	doc, settings, err := c.campaign()
	if err != nil {
		return nil, err
	}
	return r.writeCampaign(c, doc, func(w *world.World) (world.Campaign, error) {
		return w.AddCampaign(settings)
	})
}

// updateCampaign serves PUT /rest/powerdialer/campaign: the settings are
// replaced.
func (r *rest) updateCampaign(c *restCall) (any, error) {
	doc, settings, err := c.campaign()
	if err != nil {
		return nil, err
	}
	if settings.ID == 0 {
		return nil, missing("id")
	}
	reset, err := c.flag("resetStats", invalid)
	if err != nil {
		return nil, err
	}
	return r.writeCampaign(c, doc, func(w *world.World) (world.Campaign, error) {
		return w.SetCampaign(settings, reset)
	})
}

// writeCampaign does what write says and keeps the document, for what the world
// does not know of it.
func (r *rest) writeCampaign(c *restCall, doc object, write func(*world.World) (world.Campaign, error)) (any, error) {
	var settings world.Campaign
	err := r.act(func(w *world.World) (err error) {
		settings, err = write(w)
		return err
	})
	if err != nil {
		return nil, worldError(err, "campaign, service or list", "named in the request")
	}
	r.store.campaigns[settings.ID] = doc
	c.did(strconv.FormatInt(settings.ID, 10))
	return r.tellCampaign(settings), nil
}

// campaign reads the campaign in the body.
func (c *restCall) campaign() (object, world.Campaign, error) {
	doc, err := c.object()
	if err != nil {
		return nil, world.Campaign{}, err
	}
	f := fields{object: doc}
	settings := world.Campaign{
		ID: f.integer("id", 0), AbilitazioneID: f.integer("abilitazioneId", 0),
		Name: f.text("name"), ServiceCode: f.text("serviceCode"), Enabled: f.flag("enabled", true),
		StartDate: f.time("startDate"), EndDate: f.time("endDate"), Priority: f.integer("priority", 5),
		ReservedChannels: f.integer("reservedChannels", 0), BusyChannels: f.integer("busyChannels", 0),
		BusyChannelsType: f.text("busyChannelsType"), Type: f.text("type"), UsersToNotify: f.texts("usersToNotify"),
	}
	for _, l := range f.objects("lists") {
		settings.Lists = append(settings.Lists, world.CampaignList{
			ListID: l.integer("listId", 0), Priority: l.integer("priority", 0), Enabled: l.flag("enabled", true),
		})
		f.err = errors.Join(f.err, l.err)
	}
	switch {
	case f.err != nil:
		return nil, settings, invalid(f.err.Error())
	case strings.TrimSpace(settings.Name) == "":
		return nil, settings, missing("name")
	case settings.ServiceCode == "":
		return nil, settings, missing("serviceCode")
	}
	return doc, settings, nil
}

// tellCampaign returns a PDCampaign: what was written, as the world has it now.
func (r *rest) tellCampaign(s world.Campaign) object {
	doc := r.store.campaigns[s.ID].with(object{
		"id": s.ID, "abilitazioneId": s.AbilitazioneID, "name": s.Name, "serviceCode": s.ServiceCode,
		"enabled": s.Enabled, "startDate": tellInstant(s.StartDate), "endDate": tellInstant(s.EndDate),
		"priority": s.Priority, "reservedChannels": s.ReservedChannels, "busyChannels": s.BusyChannels,
		"busyChannelsType": s.BusyChannelsType,
	})
	if r.s.opts.Edition == Edition140 {
		doc["type"] = s.Type
		doc["usersToNotify"] = append([]string{}, s.UsersToNotify...)
	}
	if written, _ := doc["lists"].([]any); len(written) == len(s.Lists) && written != nil {
		return doc // the elements may have fields that nobody knows
	}
	lists := []object{}
	for _, l := range s.Lists {
		lists = append(lists, object{"listId": l.ListID, "priority": l.Priority, "enabled": l.Enabled})
	}
	doc["lists"] = lists
	return doc
}

// searchCampaigns serves GET /rest/powerdialer/phone/campaign/search.
func (r *rest) searchCampaigns(c *restCall) (any, error) {
	priority, err := c.integer("priority", 0, -1, malformed)
	if err != nil {
		return nil, err
	}
	var all []world.Campaign
	_ = r.look(func(w *world.World) error { // reading cannot fail
		all = w.Campaigns()
		return nil
	})
	var found []object
	for _, s := range all {
		if (priority < 0 || s.Priority == int64(priority)) && matchesTerm(c, s.ID, s.Name) {
			found = append(found, r.tellCampaign(s))
		}
	}
	return paged(c, found, malformed)
}

// matchesTerm reports whether the term of a search is part of an id or a name.
func matchesTerm(c *restCall, id int64, name string) bool {
	term := strings.ToLower(c.query.Get("term"))
	return strings.Contains(strconv.FormatInt(id, 10), term) || strings.Contains(strings.ToLower(name), term)
}

// startCampaign serves POST /rest/powerdialer/phone/campaign/start/{id}. One
// that is not enabled is not started: the answer is false.
func (r *rest) startCampaign(c *restCall) (any, error) {
	return r.switchCampaign(c, (*world.World).StartCampaign)
}

// stopCampaign serves POST /rest/powerdialer/phone/campaign/stop/{id}.
func (r *rest) stopCampaign(c *restCall) (any, error) {
	return r.switchCampaign(c, (*world.World).StopCampaign)
}

func (r *rest) switchCampaign(c *restCall, turn func(w *world.World, id int64, resetStats bool) error) (any, error) {
	id, err := c.id("id")
	if err != nil {
		return nil, err
	}
	reset, err := c.flag("resetStats", malformed)
	if err != nil {
		return nil, err
	}
	err = r.act(func(w *world.World) error { return turn(w, id, reset) })
	switch {
	case errors.Is(err, world.ErrDisabled):
		return false, nil
	case err != nil:
		return nil, worldError(err, "campaign", strconv.FormatInt(id, 10))
	}
	c.did(strconv.FormatInt(id, 10))
	return true, nil
}
