package resource

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"wallboard/model"
)

// Row is a resource in a paged list. Key returns a string that identifies it across pages, or "" if
// it has no ID.
type Row interface{ Key() string }

// Key returns the campaign's ID as a string.
func (c Campaign) Key() string { return IntText(c.ID) }

// Key returns the list's ID as a string.
func (l List) Key() string { return IntText(l.ID) }

// Key returns the message's ID, or its MessageID if it has no ID.
func (c ChatMessage) Key() string { return cmp.Or(c.ID, c.MessageID) }

// Key returns UID, the person's ID on every channel. Without a UID it returns Username or Value.
func (p Person) Key() string { return cmp.Or(p.UID, p.Username, p.Value) }

// Key returns the account, name and language of the template, or "" if it has no name. An account
// has at most one template with a given name and language.
func (t Template) Key() string {
	if t.Name == "" {
		return ""
	}
	return t.WABAID + "\x00" + t.Name + "\x00" + t.Language
}

// Key returns the message's MessageID. Without a MessageID it returns another ID of the message.
func (m MessageRecord) Key() string { return cmp.Or(m.MessageID, m.IMEntryID, m.IMWamID) }

// Key returns the ID of the ticket as a string. For a ticket made by [Ticket.SplitArticles], it returns
// "article" and the ID of the article.
func (t Ticket) Key() string {
	values := t.rawMembers()
	if text, ok := scalarText(values["id"]); ok && !isNull(values["id"]) {
		return text
	}
	if t.Article != nil && t.rawJSON() == nil {
		return "article " + IntText(t.Article.ID)
	}
	if len(t.ArticleIDs) == 1 && t.rawJSON() == nil {
		return "article " + strconv.Itoa(t.ArticleIDs[0])
	}
	return ""
}

// IntText formats an optional number. It returns "" for nil.
func IntText(id *int) string {
	if id == nil {
		return ""
	}
	return strconv.Itoa(*id)
}

func (t Ticket) rawMembers() map[string]json.RawMessage {
	all, _ := splitObject(t.rawJSON())
	return valuesByName(all)
}

// AllArticles returns the articles in the ticket. If the ticket is itself an article, as in a list
// of articles, AllArticles returns that article.
func (t Ticket) AllArticles() []Article {
	switch {
	case len(t.Articles) > 0:
		return t.Articles
	case t.Article != nil:
		return []Article{*t.Article}
	}
	var a Article
	if _, ok := t.rawMembers()["ticket_id"]; ok && len(t.ArticleIDs) == 0 && json.Unmarshal(t.rawJSON(), &a) == nil {
		return []Article{a}
	}
	return nil
}

// MissingArticleIDs returns the IDs of the articles that the ticket names but does not contain.
func (t Ticket) MissingArticleIDs() []int {
	seen := make(map[int]bool)
	for _, a := range t.AllArticles() {
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

// SplitArticles returns one ticket for each article that the ticket contains or names. It is used for a
// response that has the articles of several tickets in one ticket.
func (t Ticket) SplitArticles() []Ticket {
	var out []Ticket
	for _, a := range t.AllArticles() {
		out = append(out, Ticket{Article: &a})
	}
	for _, id := range t.MissingArticleIDs() {
		out = append(out, Ticket{ArticleIDs: []int{id}})
	}
	if len(out) > 0 {
		out[0].Attachments = t.Attachments
	}
	return out
}

// Summary describes the ticket on one line, with the names and values of its scalar members. The
// result is cleaned and shortened to model.MaxName runes.
func (t Ticket) Summary() string {
	all, _ := splitObject(t.rawJSON())
	var parts []string
	for _, m := range all {
		if text, ok := scalarText(m.value); ok && !isNull(m.value) && text != "" {
			parts = append(parts, splitName(m.name)+" "+text)
		}
	}
	return model.CleanText(strings.Join(parts, ", "), model.MaxName)
}
