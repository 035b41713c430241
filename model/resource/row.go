package resource

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"wallboard/model"
)

// Row is a resource that comes in lists which are read page by page. Key is its
// id, by which it is known again on the next page, "" for one that has none.
type Row interface{ Key() string }

// Key returns the campaign's id.
func (c Campaign) Key() string { return IntText(c.ID) }

// Key returns the list's id.
func (l List) Key() string { return IntText(l.ID) }

// Key returns the message's id.
func (c ChatMessage) Key() string { return cmp.Or(c.ID, c.MessageID) }

// Key returns the id that the person has on every channel.
func (p Person) Key() string { return cmp.Or(p.UID, p.Username, p.Value) }

// Key returns what the account knows the template by: there is one of a name for
// each language.
func (t Template) Key() string {
	if t.Name == "" {
		return ""
	}
	return t.WABAID + "\x00" + t.Name + "\x00" + t.Language
}

// Key returns the message's id.
func (m MessageRecord) Key() string { return cmp.Or(m.MessageID, m.IMEntryID, m.IMWamID) }

// Key returns the ticket's id, or of one that is an article only the article's.
func (t Ticket) Key() string {
	values := t.members()
	if text, ok := scalarText(values["id"]); ok && !isNull(values["id"]) {
		return text
	}
	if t.Article != nil && t.kept() == nil {
		return "article " + IntText(t.Article.ID)
	}
	if len(t.ArticleIDs) == 1 && t.kept() == nil {
		return "article " + strconv.Itoa(t.ArticleIDs[0])
	}
	return ""
}

// IntText writes a number that may not be given, "" for none.
func IntText(id *int) string {
	if id == nil {
		return ""
	}
	return strconv.Itoa(*id)
}

func (t Ticket) members() map[string]json.RawMessage {
	all, _ := members(t.kept())
	return byName(all)
}

// All returns the articles that came with the ticket. A row of a list may be an
// article itself.
func (t Ticket) All() []Article {
	switch {
	case len(t.Articles) > 0:
		return t.Articles
	case t.Article != nil:
		return []Article{*t.Article}
	}
	var a Article
	if _, ok := t.members()["ticket_id"]; ok && len(t.ArticleIDs) == 0 && json.Unmarshal(t.kept(), &a) == nil {
		return []Article{a}
	}
	return nil
}

// Unseen returns the ids of the articles that did not come with the ticket.
func (t Ticket) Unseen() []int {
	seen := make(map[int]bool)
	for _, a := range t.All() {
		if a.ID != nil {
			seen[*a.ID] = true
		}
	}
	var ids []int
	for _, id := range t.ArticleIDs {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// Split returns one ticket for each article that it has or names. An answer that
// holds the articles of several tickets becomes rows that way.
func (t Ticket) Split() []Ticket {
	var out []Ticket
	for _, a := range t.All() {
		out = append(out, Ticket{Article: &a})
	}
	for _, id := range t.Unseen() {
		out = append(out, Ticket{ArticleIDs: []int{id}})
	}
	if len(out) > 0 {
		out[0].Attachments = t.Attachments
	}
	return out
}

// Summary is the ticket on one line, by what the platform tells besides the
// articles: names and values as they came, clean.
func (t Ticket) Summary() string {
	all, _ := members(t.kept())
	var parts []string
	for _, m := range all {
		if text, ok := scalarText(m.value); ok && !isNull(m.value) && text != "" {
			parts = append(parts, words(m.name)+" "+text)
		}
	}
	return model.CleanText(strings.Join(parts, ", "), model.MaxName)
}
