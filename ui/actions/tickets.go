package actions

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
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

// openTicketSearch opens the form for searching tickets.
func (a *ticketActions) openTicketSearch() tea.Cmd {
	tell := a.orders.translate
	several := tell(words.ActFieldHintSeveral())
	d, cmd := a.orders.openSearch(words.ActContactTicketsSearch(), words.HistorySearchButton(), []dialog.Field{
		{ID: "service", Label: tell(words.ActFieldServiceCodes()), Hint: several},
		{ID: "state", Label: tell(words.ActFieldStateIds()), Hint: several},
		{ID: "owner", Label: tell(words.ActFieldOwnerIds()), Hint: several},
		{ID: "customer", Label: tell(words.ActFieldCustomerIds()), Hint: several},
		{ID: "submitter", Label: tell(words.ActFieldSubmitterId())},
		{ID: "context", Label: tell(words.ActFieldContext()), Kind: dialog.ChoiceField, AnyText: true, Choices: []string{"IVR"}},
		{
			ID: "custom", Label: tell(words.ActFieldCustomFields()), Kind: dialog.BodyField, Hidden: true,
			Hint: tell(words.ActFieldHintPairs()), Check: checkParsed(parsePairs),
		},
		{ID: "page", Label: tell(words.ActFieldPage()), Kind: dialog.NumberField, Value: "1", Hidden: true, Check: dialog.CheckPositive},
		{ID: "size", Label: tell(words.ActFieldPageSize()), Kind: dialog.NumberField, Value: strconv.Itoa(pageSize), Hidden: true, Check: dialog.CheckPositive},
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
	type tickets = model.FetchedList[resource.Ticket]
	page := 1
	if q.PageNumber != nil {
		page = *q.PageNumber
	}
	asking := func(q resource.TicketQuery) func(context.Context) (tickets, error) {
		return withController(a.orders, func(ctx context.Context, c *Controller) (tickets, error) { return c.Tickets.FindTickets(ctx, q) })
	}
	s := &dialog.Sheet[tickets]{Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActContactTickets()), EmptyText: a.orders.translate(words.ActContactTicketsNone()), Read: asking(q)}
	s.Draw = func(lk *style.Look, t tickets, w int) []dialog.Line {
		return append(incompleteWarning(lk, t.Short, words.ActIncompleteAll, w), a.ticketLines(lk, t.Items, w)...)
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
			s.Read, s.Name = asking(query), a.orders.translate(words.ActContactTicketsPage(page))
			return s.Load()
		}
	}
	s.Keys = []dialog.SheetKey[tickets]{
		{Key: "n", Description: a.orders.translate(words.ActKeyNextPage()), Run: turn(1)},
		{Key: "p", Description: a.orders.translate(words.ActKeyPrevious()), Run: turn(-1)},
		{Key: "a", Description: a.orders.translate(words.ActKeyAll()), Run: func(tickets) tea.Cmd {
			all := q
			all.PageNumber, all.PageSize = nil, nil
			s.Read, s.Name = asking(all), a.orders.translate(words.ActContactTickets())
			return s.Load()
		}},
	}
	return a.orders.dialogs.Open(s)
}

// ticketLines returns the lines for the tickets in list. A ticket has a line for each of its
// articles, even missing ones, or a summary if it has none. The attachments come last.
func (a *ticketActions) ticketLines(lk *style.Look, list []resource.Ticket, w int) []dialog.Line {
	var out, attachments []dialog.Line
	for _, t := range list {
		articles, hidden := t.AllArticles(), t.MissingArticleIDs()
		for _, article := range articles {
			out = append(out, dialog.Line{Text: articleLine(lk, article, w), Open: func() tea.Cmd { return a.showArticle(article) }})
		}
		for _, id := range hidden {
			out = append(out, dialog.PlainLine(lk, themes.Dim, translate(lk, words.ActContactArticleNumber(strconv.Itoa(id)))))
		}
		if len(articles)+len(hidden) == 0 {
			text := words.ActContactTicketEmpty()
			if summary := t.Summary(); summary != "" {
				text = words.ActContactTicket(summary)
			}
			out = append(out, dialog.PlainLine(lk, themes.Text, style.Fit(translate(lk, text), w, lk.Glyphs.Ellipsis)))
		}
		for _, f := range t.Attachments {
			attachments = append(attachments, dialog.PlainLine(lk, themes.Dim, translate(lk, words.ActContactAttachment(joinNonEmpty(" ", f.Name, parenthesize(f.MIMEType))))))
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
	if from := min((l.RemainingWidth()-2)*2/5, most); from >= least {
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

// changeText returns when an article was changed and by whom, as far as that is known.
func changeText(lk *style.Look, a resource.Article) string {
	at := formatTime(lk, a.UpdatedAt)
	if at == "" || a.UpdatedBy == "" {
		return at + a.UpdatedBy
	}
	return translate(lk, words.ActContactChangedBy(at, a.UpdatedBy))
}

// showArticle opens a dialog that shows the full text of an article.
func (a *ticketActions) showArticle(article resource.Article) tea.Cmd {
	s := &dialog.Sheet[resource.Article]{
		Dialogs: a.orders.dialogs, Name: orDefault(article.Subject, a.orders.translate(words.ActContactArticle(resource.IntText(article.ID)))),
		EmptyText: a.orders.translate(words.ActContactArticleEmpty()),
		Draw: func(lk *style.Look, a resource.Article, w int) []dialog.Line {
			out := labeledValueLines(lk, w,
				labeledValue{words.ActFieldTicket(), resource.IntText(a.TicketID)}, labeledValue{words.ActFieldArticle(), resource.IntText(a.ID)},
				labeledValue{words.ActFieldFrom(), orDefault(a.From, a.CreatedBy)}, labeledValue{words.ActFieldTo(), a.To},
				labeledValue{words.ActFieldCc(), a.CC}, labeledValue{words.ActFieldReplyTo(), a.ReplyTo},
				labeledValue{words.ActFieldSent(), formatTime(lk, a.CreatedAt)}, labeledValue{words.ActFieldChanged(), changeText(lk, a)},
				labeledValue{words.ActFieldBy(), joinNonEmpty(", ", a.Sender, a.Type)},
				labeledValue{words.ActFieldVisibleTo(), chooseYesNo(a.Internal, translate(lk, words.ActContactStaffOnly()), "")},
				labeledValue{words.ActFieldSubject(), a.Subject})
			for _, f := range a.Attachments {
				out = append(out, labeledValueLines(lk, w, labeledValue{words.ActFieldAttachment(), joinNonEmpty(" ", f.Filename, parenthesize(joinNonEmpty(", ", f.MIMEType, f.Size)))})...)
			}
			if text := articleText(a); strings.TrimSpace(text) != "" {
				out = append(append(out, dialog.Line{}), dialog.ParagraphLines(lk, themes.Text, text, w)...)
			}
			return out
		},
	}
	return a.orders.dialogs.Open(s.SetValue(article))
}

// commands returns the palette commands for tickets and chats.
func (a *ticketActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: a.orders.translate(words.ActContactPaletteTickets()), Run: a.openTicketSearch},
		{Name: a.orders.translate(words.ActContactPaletteTicketAgents()), Run: func() tea.Cmd { return a.openPeopleSearch(true) }},
		{Name: a.orders.translate(words.ActContactPaletteTicketCustomers()), Run: func() tea.Cmd { return a.openPeopleSearch(false) }},
		{Name: a.orders.translate(words.ActContactPaletteChat()), Run: a.openChat},
	}
}
