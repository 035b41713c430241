package rest

import (
	"errors"
	"strconv"
	"strings"

	"wallboard/internal/simulator/world"
)

// campaigns serves the settings of the dialer's campaigns.
type campaigns struct {
	world     *world.LockedWorld
	edition   Edition
	documents map[int64]object // the campaigns as last written, by id, with the fields that the world does not have
}

// create serves POST /rest/powerdialer/campaign; edition 1.0.2 has a different path.
func (s campaigns) create(c *apiRequest) (any, error) {
	doc, settings, err := c.parseCampaign()
	if err != nil {
		return nil, err
	}
	return s.applyChange(c, doc, func(w *world.World) (world.Campaign, error) {
		return w.Dialer().AddCampaign(settings)
	})
}

// update serves PUT /rest/powerdialer/campaign, which replaces the settings.
func (s campaigns) update(c *apiRequest) (any, error) {
	doc, settings, err := c.parseCampaign()
	if err != nil {
		return nil, err
	}
	if settings.ID == 0 {
		return nil, missingFieldError("id")
	}
	reset, err := c.queryFlag("resetStats", invalidError)
	if err != nil {
		return nil, err
	}
	return s.applyChange(c, doc, func(w *world.World) (world.Campaign, error) {
		return w.Dialer().SetCampaign(settings, reset)
	})
}

// applyChange calls change to change a campaign in the world, stores doc, the document of the
// campaign, and returns the answer. doc also contains the fields that the world does not have.
func (s campaigns) applyChange(c *apiRequest, doc object, change func(*world.World) (world.Campaign, error)) (any, error) {
	var settings world.Campaign
	err := s.world.Update(func(w *world.World) (err error) {
		settings, err = change(w)
		return err
	})
	if err != nil {
		return nil, worldError(err, "campaign, service or list", "named in the request")
	}
	s.documents[settings.ID] = doc
	c.recordExecution(strconv.FormatInt(settings.ID, 10))
	return s.document(settings), nil
}

// parseCampaign parses the campaign in the body. It returns the body as a document, and the
// settings that the world uses.
func (c *apiRequest) parseCampaign() (object, world.Campaign, error) {
	doc, err := c.parseObject()
	if err != nil {
		return nil, world.Campaign{}, err
	}
	f := fieldReader{object: doc}
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
		return nil, settings, invalidError(f.err.Error())
	case strings.TrimSpace(settings.Name) == "":
		return nil, settings, missingFieldError("name")
	case settings.ServiceCode == "":
		return nil, settings, missingFieldError("serviceCode")
	}
	return doc, settings, nil
}

// document returns a campaign as PDCampaign of document 1: the stored document updated with
// the current values of the world.
func (s campaigns) document(w world.Campaign) object {
	doc := s.documents[w.ID].mergedWith(object{
		"id": w.ID, "abilitazioneId": w.AbilitazioneID, "name": w.Name, "serviceCode": w.ServiceCode,
		"enabled": w.Enabled, "startDate": dateOrNull(w.StartDate), "endDate": dateOrNull(w.EndDate),
		"priority": w.Priority, "reservedChannels": w.ReservedChannels, "busyChannels": w.BusyChannels,
		"busyChannelsType": w.BusyChannelsType,
	})
	if s.edition == Edition140 {
		doc["type"] = w.Type
		doc["usersToNotify"] = append([]string{}, w.UsersToNotify...)
	}
	if written, _ := doc["lists"].([]any); len(written) == len(w.Lists) && written != nil {
		return doc // keep unknown fields of the elements
	}
	lists := []object{}
	for _, l := range w.Lists {
		lists = append(lists, object{"listId": l.ListID, "priority": l.Priority, "enabled": l.Enabled})
	}
	doc["lists"] = lists
	return doc
}

// search serves GET /rest/powerdialer/phone/campaign/search.
func (s campaigns) search(c *apiRequest) (any, error) {
	priority, err := c.queryInteger("priority", 0, -1, malformedError)
	if err != nil {
		return nil, err
	}
	var all []world.Campaign
	_ = s.world.Read(func(w *world.World) error { // the callback returns no error
		all = w.Dialer().Campaigns()
		return nil
	})
	var found []object
	for _, w := range all {
		if (priority < 0 || w.Priority == int64(priority)) && matchesTerm(c, w.ID, w.Name) {
			found = append(found, s.document(w))
		}
	}
	return pageOf(c, found, malformedError)
}

// matchesTerm reports whether the ID or the name of an object contains the search term of the
// request.
func matchesTerm(c *apiRequest, id int64, name string) bool {
	term := strings.ToLower(c.query.Get("term"))
	return strings.Contains(strconv.FormatInt(id, 10), term) || strings.Contains(strings.ToLower(name), term)
}

// start serves POST /rest/powerdialer/phone/campaign/start/{id}. It answers false for a
// disabled campaign.
func (s campaigns) start(c *apiRequest) (any, error) {
	return s.startOrStop(c, (*world.Dialer).StartCampaign)
}

// stop serves POST /rest/powerdialer/phone/campaign/stop/{id}.
func (s campaigns) stop(c *apiRequest) (any, error) {
	return s.startOrStop(c, (*world.Dialer).StopCampaign)
}

func (s campaigns) startOrStop(c *apiRequest, action func(d *world.Dialer, id int64, resetStats bool) error) (any, error) {
	id, err := c.pathID("id")
	if err != nil {
		return nil, err
	}
	reset, err := c.queryFlag("resetStats", malformedError)
	if err != nil {
		return nil, err
	}
	err = s.world.Update(func(w *world.World) error { return action(w.Dialer(), id, reset) })
	switch {
	case errors.Is(err, world.ErrDisabled):
		return false, nil
	case err != nil:
		return nil, worldError(err, "campaign", strconv.FormatInt(id, 10))
	}
	c.recordExecution(strconv.FormatInt(id, 10))
	return true, nil
}
