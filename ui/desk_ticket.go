package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// pageSize is how many results are asked for at once.
const pageSize = 50

// openTickets asks which tickets to look for.
func openTickets(m *Model) tea.Cmd {
	several := "several with commas between them"
	d, cmd := openSearch(m, "Search tickets", "Search", []form.Field{
		{ID: "service", Label: "Service codes", Hint: several},
		{ID: "state", Label: "State ids", Hint: several},
		{ID: "owner", Label: "Owner ids", Hint: several},
		{ID: "customer", Label: "Customer ids", Hint: several},
		{ID: "submitter", Label: "Submitter id"},
		{ID: "context", Label: "Context", Kind: form.Choice, Free: true, Choices: []string{"IVR"}},
		{
			ID: "custom", Label: "Custom fields", Kind: form.Body, More: true,
			Hint: "one key=value a line", Check: parsed(parsePairs),
		},
		{ID: "page", Label: "Page", Kind: form.Number, Value: "1", More: true, Check: positive},
		{ID: "size", Label: "Results a page", Kind: form.Number, Value: itoa(pageSize), More: true, Check: positive},
	})
	d.Done = func() tea.Cmd {
		f := d.Fields
		q := resource.TicketQuery{
			Context: f.Value("context"), SubmitterID: f.Value("submitter"),
			ServiceCode: valuesOf(f.Value("service")), StateID: valuesOf(f.Value("state")),
			OwnerID: valuesOf(f.Value("owner")), CustomerID: valuesOf(f.Value("customer")),
		}
		q.CustomFields, _ = parsePairs(f.Value("custom")) // the form has checked it
		if n, ok := f.Int("page"); ok {
			q.PageNumber = &n
		}
		if n, ok := f.Int("size"); ok {
			q.PageSize = &n
		}
		return showTickets(m, q)
	}
	return cmd
}

// showTickets shows what a search finds, a page at a time.
func showTickets(m *Model, q resource.TicketQuery) tea.Cmd {
	type tickets = model.Found[resource.Ticket]
	page := 1
	if q.PageNumber != nil {
		page = *q.PageNumber
	}
	c, sc := m.scene.Controller, m.scene
	asking := func(q resource.TicketQuery) func(context.Context) (tickets, error) {
		return func(ctx context.Context) (tickets, error) { return c.Tickets(ctx, q) }
	}
	s := &dialog.Sheet[tickets]{On: m.dialogs, Name: "Tickets", None: "No ticket fits. Close this and search with fewer conditions.", Read: asking(q)}
	s.Draw = func(t tickets, w int) []dialog.Line {
		return append(sc.short(t.Short, toAll, w), ticketLines(m, t.Items, w)...)
	}
	turn := func(by int) func(tickets) tea.Cmd {
		return func(tickets) tea.Cmd {
			if page+by < 1 {
				return nil
			}
			page += by
			at := page // the reading must not see later turns
			asked := q
			asked.PageNumber = &at
			s.Read, s.Name = asking(asked), "Tickets, page "+itoa(page)
			return s.Load()
		}
	}
	s.Keys = []dialog.SheetKey[tickets]{
		{Key: "n", Does: "next page", Run: turn(1)},
		{Key: "p", Does: "previous", Run: turn(-1)},
		{Key: "a", Does: "all", Run: func(tickets) tea.Cmd {
			all := q
			all.PageNumber, all.PageSize = nil, nil
			s.Read, s.Name = asking(all), "Tickets"
			return s.Load()
		}},
	}
	return m.dialogs.Open(s)
}

// ticketLines lists what document 1 shows of tickets, their articles, and of a
// ticket without any whatever else came.
func ticketLines(m *Model, tickets []resource.Ticket, w int) []dialog.Line {
	sc := m.scene
	var out, attached []dialog.Line
	for _, t := range tickets {
		articles, unseen := t.All(), t.Unseen()
		for _, a := range articles {
			out = append(out, dialog.Line{Text: sc.articleLine(a, w), Open: func() tea.Cmd { return showArticle(m, a) }})
		}
		for _, id := range unseen {
			out = append(out, dialog.Plain(sc.look, themes.Dim, "article "+itoa(id)+": the platform sent its number only"))
		}
		if len(articles)+len(unseen) == 0 {
			out = append(out, dialog.Plain(sc.look, themes.Text, look.Fit("ticket: "+or(t.Summary(), "the platform says nothing of it"), w, sc.look.Glyphs.Ellipsis)))
		}
		for _, a := range t.Attachments {
			attached = append(attached, dialog.Plain(sc.look, themes.Dim, "attachment: "+joined(" ", a.Name, inBrackets(a.MIMEType))))
		}
	}
	return append(out, attached...)
}

// articleLine is an article in a list: ticket, time, from whom, about what.
func (sc *scene) articleLine(a resource.Article, w int) string {
	const id, least, most, roomy = 8, 16, 24, 60
	date := len("2006-01-02 15:04")
	if w < roomy {
		date = len("2006-01-02")
	}
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	column := func(t themes.Token, s string, cells int) {
		l.Add(sc.look.Style(t), look.Fit(s, cells, sc.look.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	}
	column(themes.Dim, "#"+or(number(a.TicketID), "?"), id)
	l.Add(sc.look.Style(themes.Dim), look.Fit(sc.when(a.CreatedAt), date, "")).Space(themes.Style{}, 2)
	subject := or(a.Subject, firstLine(sc.articleText(a)))
	if from := min((l.Room()-2)*2/5, most); from >= least {
		column(themes.Text, or(a.From, a.CreatedBy), from)
	}
	l.Add(sc.look.Style(themes.Text), subject)
	return l.String()
}

func (sc *scene) articleText(a resource.Article) string {
	if isHTML(a.ContentType, a.Body) {
		return htmlText(a.Body)
	}
	return a.Body
}

// showArticle shows one article as a whole.
func showArticle(m *Model, a resource.Article) tea.Cmd {
	sc := m.scene
	s := &dialog.Sheet[resource.Article]{
		On: m.dialogs, Name: or(a.Subject, "Article "+number(a.ID)), None: "The article is empty.",
		Draw: func(a resource.Article, w int) []dialog.Line {
			out := dialog.Pairs(sc.look, w,
				pair("ticket", number(a.TicketID)), pair("article", number(a.ID)),
				pair("from", or(a.From, a.CreatedBy)), pair("to", a.To), pair("cc", a.CC), pair("reply to", a.ReplyTo),
				pair("sent", sc.when(a.CreatedAt)), pair("changed", joined(" by ", sc.when(a.UpdatedAt), a.UpdatedBy)),
				pair("by", joined(", ", a.Sender, a.Type)), pair("seen by", yesNo(a.Internal, "the staff only", "")),
				pair("subject", a.Subject))
			for _, f := range a.Attachments {
				out = append(out, dialog.Pairs(sc.look, w, pair("attachment", joined(" ", f.Filename, inBrackets(joined(", ", f.MIMEType, f.Size)))))...)
			}
			if text := sc.articleText(a); strings.TrimSpace(text) != "" {
				out = append(append(out, dialog.Line{}), dialog.Paragraph(sc.look, themes.Text, text, w)...)
			}
			return out
		},
	}
	return m.dialogs.Open(s.Holds(a))
}
