package world

import (
	"fmt"
	"slices"
)

// Item is a contact of a list: PDInterfaceItem of document 1.
type Item struct {
	ID          int64
	ItemNumber  int64 // sequence number in the campaign, from 1
	CampaignID  int64
	ListID      int64
	PhoneNumber string
	Data        []string
}

// item is an [Item] with the state of its dialing. The methods of a nil item do nothing.
type item struct {
	Item
	wasTried bool // was dialed, or is being dialed
	isTrying bool // rings or talks
}

func (it *item) beginAttempt() {
	if it != nil {
		it.wasTried, it.isTrying = true, true
	}
}

func (it *item) endAttempt() {
	if it != nil {
		it.isTrying = false
	}
}

// AddItems adds contacts that are due at once to campaigns, and returns them with their IDs and
// ItemNumbers. CampaignID 0 means the first campaign with the list. ListID 0 means the first list
// of the campaign. If one of the contacts is invalid, none is added. AddItems then returns
// [ErrNoCampaign], [ErrNoList] if the list does not exist or does not belong to the campaign, or
// [ErrInvalid] for an invalid telephone number.
func (d *Dialer) AddItems(items []Item) ([]Item, error) {
	added := slices.Clone(items)
	for i := range added {
		if err := d.resolveItem(&added[i]); err != nil {
			return nil, err
		}
	}
	for i := range added {
		it := &added[i]
		c := d.byID[it.CampaignID]
		d.lastItemID++
		c.itemCount++
		it.ID, it.ItemNumber, it.Data = d.lastItemID, c.itemCount, slices.Clone(it.Data)
		c.items = append(c.items, &item{Item: *it})
		c.stat.TotalContacts++
		c.stat.ToDoContacts++
		c.markChanged()
	}
	return added, nil
}

// resolveItem validates an item, and sets its campaign and its list if they are 0.
func (d *Dialer) resolveItem(it *Item) error {
	if !isPhoneNumber(it.PhoneNumber) {
		return fmt.Errorf("%w: number", ErrInvalid)
	}
	containsList := func(c *campaign) bool {
		return slices.ContainsFunc(c.settings.Lists, func(l CampaignList) bool { return l.ListID == it.ListID })
	}
	if it.CampaignID == 0 {
		i := slices.IndexFunc(d.campaigns, containsList)
		if i < 0 {
			return ErrNoCampaign
		}
		it.CampaignID = d.campaigns[i].settings.ID
	}
	c := d.byID[it.CampaignID]
	switch {
	case c == nil:
		return ErrNoCampaign
	case it.ListID == 0 && len(c.settings.Lists) > 0:
		it.ListID = c.settings.Lists[0].ListID
	case !containsList(c):
		return ErrNoList
	}
	return nil
}

// DeleteItems deletes those of the given items that were not dialed yet, and returns the deleted
// items. An item is identified by its ID or, if the ID is 0, by its campaign and item number.
//
// Statistics of a campaign count deleted items as to do until the statistics are reset. If
// resetStats is true, DeleteItems resets the statistics of the items' campaigns. If an item does
// not exist, DeleteItems deletes nothing and returns [ErrNoItem].
func (d *Dialer) DeleteItems(items []Item, resetStats bool) ([]Item, error) {
	found := make([]*item, len(items))
	for i := range items {
		if found[i] = d.findItem(&items[i]); found[i] == nil {
			return nil, ErrNoItem
		}
	}
	deleted := []Item{}
	for _, it := range found {
		c := d.byID[it.CampaignID]
		if i := slices.Index(c.items, it); i >= 0 && !it.wasTried {
			c.items = slices.Delete(c.items, i, i+1)
			c.deletedCount++
			deleted = append(deleted, it.Item)
		}
	}
	if !resetStats {
		return deleted, nil
	}
	for _, c := range d.campaigns {
		if slices.ContainsFunc(found, func(it *item) bool { return it.CampaignID == c.settings.ID }) {
			c.resetStats()
		}
	}
	return deleted, nil
}

// findItem returns the item with the ID of wanted or, if that ID is 0, the item with the
// campaign and item number of wanted. It returns nil if there is no such item.
func (d *Dialer) findItem(wanted *Item) *item {
	for _, c := range d.campaigns {
		for _, it := range c.items {
			if it.ID == wanted.ID || wanted.ID == 0 && it.CampaignID == wanted.CampaignID && it.ItemNumber == wanted.ItemNumber {
				return it
			}
		}
	}
	return nil
}

// ResetItems makes all dialed contacts of all campaigns due for dialing again, except those
// that ring or talk.
func (d *Dialer) ResetItems() {
	for _, c := range d.campaigns {
		c.resetContacts()
	}
}

// anonymousToDo returns the number of anonymous contacts still to be dialed.
func (c *campaign) anonymousToDo() int64 {
	n := c.stat.ToDoContacts - c.deletedCount
	for _, it := range c.items {
		if !it.wasTried {
			n--
		}
	}
	return n
}

// hasNextContact reports whether there is a contact to dial for the first time.
func (c *campaign) hasNextContact() bool { return c.nextItem() != nil || c.anonymousToDo() > 0 }

// nextItem returns the next item to dial for the first time: the oldest item of the enabled
// list with the highest priority. It returns nil if there is none.
func (c *campaign) nextItem() *item {
	var best *item
	var priority int64
	for _, it := range c.items {
		if it.wasTried {
			continue
		}
		for _, l := range c.settings.Lists {
			if l.ListID == it.ListID && l.Enabled && (best == nil || l.Priority > priority) {
				best, priority = it, l.Priority
			}
		}
	}
	return best
}

// dropTried removes the dialed items, except those that ring or talk.
func (c *campaign) dropTried() {
	c.items = slices.DeleteFunc(c.items, func(it *item) bool { return it.wasTried && !it.isTrying })
}
