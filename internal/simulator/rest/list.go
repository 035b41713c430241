package rest

import (
	"errors"
	"strconv"
	"strings"

	"wallboard/internal/simulator/world"
)

// lists serves the dialer's lists and their items.
type lists struct {
	world                        *world.LockedWorld
	listDocuments, itemDocuments map[int64]object // the lists and items as last written, by id, with the fields that the world does not have
}

// create serves POST /rest/powerdialer/phone/list.
func (s lists) create(c *apiRequest) (any, error) {
	doc, list, err := c.parseList()
	if err != nil {
		return nil, err
	}
	return s.applyChange(c, doc, func(w *world.World) (world.List, error) { return w.Dialer().AddList(list) })
}

// update serves PUT /rest/powerdialer/phone/list, which replaces the list.
func (s lists) update(c *apiRequest) (any, error) {
	doc, list, err := c.parseList()
	if err != nil {
		return nil, err
	}
	if list.ID == 0 {
		return nil, missingFieldError("id")
	}
	return s.applyChange(c, doc, func(w *world.World) (world.List, error) { return w.Dialer().SetList(list) })
}

// applyChange calls change to change a list in the world, stores doc, the document of the
// list, and returns the answer. doc also contains the fields that the world does not have.
func (s lists) applyChange(c *apiRequest, doc object, change func(*world.World) (world.List, error)) (any, error) {
	var list world.List
	err := s.world.Update(func(w *world.World) (err error) {
		list, err = change(w)
		return err
	})
	if errors.Is(err, world.ErrInvalid) { // document 1 lists no status for invalid arguments here
		return nil, missingFieldError("a valid and unique name, and attempts and timeouts that are not negative,")
	}
	if err != nil {
		return nil, worldError(err, "list", "named in the request")
	}
	s.listDocuments[list.ID] = doc
	c.recordExecution(strconv.FormatInt(list.ID, 10))
	return s.document(list), nil
}

// retrySettingsByPrefix returns pointers to the retry settings of a list. The keys are the
// prefixes of the field names in document 1.
func retrySettingsByPrefix(l *world.List) map[string]*world.Attempts {
	return map[string]*world.Attempts{
		"noAnswer": &l.NoAnswer, "busy": &l.Busy, "cancel": &l.Cancel, "congestion": &l.Congestion,
		"voicemail": &l.Voicemail, "vendorClosed": &l.VendorClosed,
	}
}

// parseList parses the list in the body. It returns the body as a document, and the settings
// that the world uses.
func (c *apiRequest) parseList() (object, world.List, error) {
	doc, err := c.parseObject()
	if err != nil {
		return nil, world.List{}, err
	}
	f := fieldReader{object: doc}
	list := world.List{ID: f.integer("id", 0), Name: f.text("name"), VoicemailEnabled: f.flag("voicemailEnabled", false)}
	for name, a := range retrySettingsByPrefix(&list) {
		a.Attempts, a.Timeout = f.integer(name+"Attempts", 0), f.integer(name+"Timeout", 0)
	}
	if f.err == nil && strings.TrimSpace(list.Name) == "" {
		return nil, list, missingFieldError("name")
	}
	return doc, list, f.err
}

// document returns a list as PDList of document 1: the stored document updated with the
// current values of the world.
func (s lists) document(l world.List) object {
	doc := s.listDocuments[l.ID].mergedWith(object{"id": l.ID, "name": l.Name, "voicemailEnabled": l.VoicemailEnabled})
	for name, a := range retrySettingsByPrefix(&l) {
		doc[name+"Attempts"], doc[name+"Timeout"] = a.Attempts, a.Timeout
	}
	return doc
}

// search serves GET /rest/powerdialer/phone/list/search.
func (s lists) search(c *apiRequest) (any, error) {
	var all []world.List
	_ = s.world.Read(func(w *world.World) error { // the callback returns no error
		all = w.Dialer().Lists()
		return nil
	})
	var found []object
	for _, l := range all {
		if matchesTerm(c, l.ID, l.Name) {
			found = append(found, s.document(l))
		}
	}
	return pageOf(c, found, malformedError)
}

// addItems serves POST /rest/powerdialer/phone/list/items. Document 1 does not show the
// answer; the simulator returns the items with their IDs.
func (s lists) addItems(c *apiRequest) (any, error) {
	docs, items, err := c.parseItems()
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if it.PhoneNumber == "" {
			return nil, missingFieldError("phoneNumber")
		}
	}
	err = s.world.Update(func(w *world.World) (err error) {
		items, err = w.Dialer().AddItems(items)
		return err
	})
	if err != nil {
		return nil, worldError(err, "campaign or list", "named in the request")
	}
	for i, it := range items {
		s.itemDocuments[it.ID] = docs[i]
	}
	return s.recordItems(c, items), nil
}

// deleteItems serves DELETE /rest/powerdialer/phone/list/items. It does not delete items that
// were already dialed, and leaves them out of the answer.
func (s lists) deleteItems(c *apiRequest) (any, error) {
	_, items, err := c.parseItems()
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if it.ID == 0 && (it.CampaignID == 0 || it.ItemNumber == 0) {
			return nil, missingFieldError("id, or campaignId and itemNumber,")
		}
	}
	reset, err := c.queryFlag("resetStats", malformedError)
	if err != nil {
		return nil, err
	}
	err = s.world.Update(func(w *world.World) (err error) {
		items, err = w.Dialer().DeleteItems(items, reset)
		return err
	})
	if err != nil {
		return nil, worldError(err, "item", "named in the request")
	}
	deleted := s.recordItems(c, items)
	for _, it := range items {
		delete(s.itemDocuments, it.ID)
	}
	return deleted, nil
}

// resetItems serves POST /rest/powerdialer/phone/list/items/reset.
func (s lists) resetItems(c *apiRequest) (any, error) {
	_ = s.world.Update(func(w *world.World) error { // the callback returns no error
		w.Dialer().ResetItems()
		return nil
	})
	c.recordExecution("")
	return true, nil
}

// parseItems parses the items in the body. It returns them as documents and as items of the world.
func (c *apiRequest) parseItems() ([]object, []world.Item, error) {
	docs, err := c.parseObjects()
	if err != nil {
		return nil, nil, err
	}
	var items []world.Item
	for _, doc := range docs {
		f := fieldReader{object: doc}
		items = append(items, world.Item{
			ID: f.integer("id", 0), ItemNumber: f.integer("itemNumber", 0), CampaignID: f.integer("campaignId", 0),
			ListID: f.integer("listId", 0), PhoneNumber: f.text("phoneNumber"), Data: f.texts("data"),
		})
		if f.err != nil {
			return nil, nil, f.err
		}
	}
	return docs, items, nil
}

// recordItems records an execution that changed items. It returns the items in the format of
// document 1.
func (s lists) recordItems(c *apiRequest, items []world.Item) []object {
	docs := []object{}
	var ids []string
	for _, it := range items {
		ids = append(ids, strconv.FormatInt(it.ID, 10))
		docs = append(docs, s.itemDocuments[it.ID].mergedWith(object{
			"id": it.ID, "itemNumber": it.ItemNumber, "campaignId": it.CampaignID,
			"listId": it.ListID, "phoneNumber": it.PhoneNumber, "data": append([]string{}, it.Data...),
		}))
	}
	c.recordExecution(strings.Join(ids, ","))
	return docs
}
