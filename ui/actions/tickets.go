package actions

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// ticketActions searches tickets and their agents and customers, and shows chats.
type ticketActions struct{ orders *orderSender }

// pageSize is the default number of results on a page: of tickets, or of people of tickets.
const pageSize = 50

// openTickets opens the form for searching tickets.
func (a *ticketActions) openTickets() tea.Cmd {
	several := "several with commas between them"
	d, cmd := a.orders.openSearch("Search tickets", "Search", []dialog.Field{
		{ID: "service", Label: "Service codes", Hint: several},
		{ID: "state", Label: "State ids", Hint: several},
		{ID: "owner", Label: "Owner ids", Hint: several},
		{ID: "customer", Label: "Customer ids", Hint: several},
		{ID: "submitter", Label: "Submitter id"},
		{ID: "context", Label: "Context", Kind: dialog.ChoiceField, AnyText: true, Choices: []string{"IVR"}},
		{
			ID: "custom", Label: "Custom fields", Kind: dialog.BodyField, Hidden: true,
			Hint: "one key=value a line", Check: checkParsed(parsePairs),
		},
		{ID: "page", Label: "Page", Kind: dialog.NumberField, Value: "1", Hidden: true, Check: dialog.CheckPositive},
		{ID: "size", Label: "Results a page", Kind: dialog.NumberField, Value: strconv.Itoa(pageSize), Hidden: true, Check: dialog.CheckPositive},
	})
	d.OnSubmit = func() tea.Cmd {
		f := d.Fields
		q := resource.TicketQuery{
			Context: f.Value("context"), SubmitterID: f.Value("submitter"),
			ServiceCode: splitValues(f.Value("service")), StateID: splitValues(f.Value("state")),
			OwnerID: splitValues(f.Value("owner")), CustomerID: splitValues(f.Value("customer")),
		}
		q.CustomFields, _ = parsePairs(f.Value("custom")) // the form has already checked the text, so there is no error
		if n, ok := f.Int("page"); ok {
			q.PageNumber = &n
		}
		if n, ok := f.Int("size"); ok {
			q.PageSize = &n
		}
		return a.showTickets(q)
	}
	return cmd
}

// showTickets opens a dialog with the tickets that match q. Keys of the dialog show the next page,
// the previous page or all results.
func (a *ticketActions) showTickets(q resource.TicketQuery) tea.Cmd {
	type tickets = model.Found[resource.Ticket]
	page := 1
	if q.PageNumber != nil {
		page = *q.PageNumber
	}
	asking := func(q resource.TicketQuery) func(context.Context) (tickets, error) {
		return withController(a.orders, func(ctx context.Context, c *Controller) (tickets, error) { return c.Tickets.FindTickets(ctx, q) })
	}
	s := &dialog.Sheet[tickets]{Dialogs: a.orders.dialogs, Name: "Tickets", EmptyText: "No ticket fits. Close this and search with fewer conditions.", Read: asking(q)}
	s.Draw = func(lk *style.Look, t tickets, w int) []dialog.Line {
		return append(incompleteWarning(lk, t.Short, hintReadAll, w), a.ticketLines(lk, t.Items, w)...)
	}
	turn := func(delta int) func(tickets) tea.Cmd {
		return func(tickets) tea.Cmd {
			if page+delta < 1 {
				return nil
			}
			page += delta
			index := page // a copy, because the viewer may turn the page before the request is sent
			query := q
			query.PageNumber = &index
			s.Read, s.Name = asking(query), "Tickets, page "+strconv.Itoa(page)
			return s.Load()
		}
	}
	s.Keys = []dialog.SheetKey[tickets]{
		{Key: "n", Description: "next page", Run: turn(1)},
		{Key: "p", Description: "previous", Run: turn(-1)},
		{Key: "a", Description: "all", Run: func(tickets) tea.Cmd {
			all := q
			all.PageNumber, all.PageSize = nil, nil
			s.Read, s.Name = asking(all), "Tickets"
			return s.Load()
		}},
	}
	return a.orders.dialogs.Open(s)
}

// ticketLines returns the lines for the tickets in list. A ticket has a line for each of its
// articles, or a summary if it has none. The attachments come last.
func (a *ticketActions) ticketLines(lk *style.Look, list []resource.Ticket, w int) []dialog.Line {
	var out, attachments []dialog.Line
	for _, t := range list {
		articles, hidden := t.AllArticles(), t.MissingArticleIDs()
		for _, article := range articles {
			out = append(out, dialog.Line{Text: articleLine(lk, article, w), Open: func() tea.Cmd { return a.showArticle(article) }})
		}
		for _, id := range hidden {
			out = append(out, dialog.Plain(lk, themes.Dim, "article "+strconv.Itoa(id)+": the platform sent its number only"))
		}
		if len(articles)+len(hidden) == 0 {
			out = append(out, dialog.Plain(lk, themes.Text, style.Fit("ticket: "+orDefault(t.Summary(), "the platform says nothing of it"), w, lk.Glyphs.Ellipsis)))
		}
		for _, f := range t.Attachments {
			attachments = append(attachments, dialog.Plain(lk, themes.Dim, "attachment: "+joinNonEmpty(" ", f.Name, parenthesize(f.MIMEType))))
		}
	}
	return append(out, attachments...)
}

// articleLine returns a line about an article: ticket, time, sender and subject.
func articleLine(lk *style.Look, a resource.Article, w int) string {
	const id, least, most, wideEnough = 8, 16, 24, 60
	date := len("2006-01-02 15:04")
	if w < wideEnough {
		date = len("2006-01-02")
	}
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	column := func(t themes.Token, s string, cells int) {
		l.Add(lk.Style(t), style.Fit(s, cells, lk.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	}
	column(themes.Dim, "#"+orDefault(resource.IntText(a.TicketID), "?"), id)
	l.Add(lk.Style(themes.Dim), style.Fit(formatTime(lk, a.CreatedAt), date, "")).Space(themes.Style{}, 2)
	subject := orDefault(a.Subject, firstLine(articleText(a)))
	if from := min((l.Room()-2)*2/5, most); from >= least {
		column(themes.Text, orDefault(a.From, a.CreatedBy), from)
	}
	l.Add(lk.Style(themes.Text), subject)
	return l.String()
}

func articleText(a resource.Article) string {
	if isHTML(a.ContentType, a.Body) {
		return htmlText(a.Body)
	}
	return a.Body
}

// showArticle opens a dialog that shows the full text of an article.
func (a *ticketActions) showArticle(article resource.Article) tea.Cmd {
	s := &dialog.Sheet[resource.Article]{
		Dialogs: a.orders.dialogs, Name: orDefault(article.Subject, "Article "+resource.IntText(article.ID)), EmptyText: "The article is empty.",
		Draw: func(lk *style.Look, a resource.Article, w int) []dialog.Line {
			out := dialog.Pairs(lk, w,
				pair("ticket", resource.IntText(a.TicketID)), pair("article", resource.IntText(a.ID)),
				pair("from", orDefault(a.From, a.CreatedBy)), pair("to", a.To), pair("cc", a.CC), pair("reply to", a.ReplyTo),
				pair("sent", formatTime(lk, a.CreatedAt)), pair("changed", joinNonEmpty(" by ", formatTime(lk, a.UpdatedAt), a.UpdatedBy)),
				pair("by", joinNonEmpty(", ", a.Sender, a.Type)), pair("seen by", yesNo(a.Internal, "the staff only", "")),
				pair("subject", a.Subject))
			for _, f := range a.Attachments {
				out = append(out, dialog.Pairs(lk, w, pair("attachment", joinNonEmpty(" ", f.Filename, parenthesize(joinNonEmpty(", ", f.MIMEType, f.Size)))))...)
			}
			if text := articleText(a); strings.TrimSpace(text) != "" {
				out = append(append(out, dialog.Line{}), dialog.Paragraph(lk, themes.Text, text, w)...)
			}
			return out
		},
	}
	return a.orders.dialogs.Open(s.SetValue(article))
}

// commands returns the palette commands for tickets and chats.
func (a *ticketActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: "search tickets", Run: a.openTickets},
		{Name: "search agents of tickets", Run: func() tea.Cmd { return a.openPeople(true) }},
		{Name: "search customers of tickets", Run: func() tea.Cmd { return a.openPeople(false) }},
		{Name: "read a chat", Run: a.openChat},
	}
}
