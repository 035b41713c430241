package actions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// openChat asks for the ID of a chat and shows the messages of the chat.
func (a *ticketActions) openChat() tea.Cmd {
	d, cmd := a.orders.openSearch(words.ActContactChatOpen(), words.ActButtonRead(), []dialog.Field{
		{ID: "id", Label: a.orders.translate(words.ActFieldSessionId()), Required: true},
	})
	d.OnSubmit = func() tea.Cmd { return a.showChat(d.Fields.Value("id")) }
	return cmd
}

func (a *ticketActions) showChat(id string) tea.Cmd {
	return a.orders.dialogs.Open(&dialog.Sheet[model.FetchedList[resource.ChatMessage]]{
		Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActContactChat(id)), EmptyText: a.orders.translate(words.ActContactChatEmpty()),
		Read: withController(a.orders, func(ctx context.Context, c *Controller) (model.FetchedList[resource.ChatMessage], error) {
			return c.Messages.Chat(ctx, id)
		}),
		Draw: func(lk *style.Look, found model.FetchedList[resource.ChatMessage], w int) []dialog.Line {
			out, chat := incompleteWarning(lk, found.Short, words.ActIncompleteAgain, w), found.Items
			for i, msg := range chat {
				if i > 0 {
					out = append(out, dialog.Line{Item: i})
				}
				messageInfo := chatInfo(msg)
				if i > 0 && messageInfo == chatInfo(chat[i-1]) {
					messageInfo = "" // the line above shows the same text
				}
				for _, l := range chatLines(lk, msg, messageInfo, w) {
					l.Item = i + 1
					out = append(out, l)
				}
			}
			return out
		},
	})
}

// chatInfo returns the type and the channel of a message, separated by a comma.
func chatInfo(msg resource.ChatMessage) string {
	return joinNonEmpty(", ", msg.MessageType, msg.ChannelType)
}

// chatLines returns the lines of a message: time, sender, text and attachment. messageInfo is the
// type and the channel of the message; "" leaves them out.
func chatLines(lk *style.Look, msg resource.ChatMessage, messageInfo string, w int) []dialog.Line {
	user, token := orDefault(msg.Sender, "?"), themes.Title
	switch {
	case msg.Sender == "AGENT" && msg.Agent != nil:
		user = translate(lk, words.ActContactChatAgent(personName(lk, *msg.Agent)))
		token = themes.Accent
	case msg.Sender == "CUSTOMER" && msg.Customer != nil:
		user = translate(lk, words.ActContactChatCustomer(personName(lk, *msg.Customer)))
	}
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	if at := formatTime(lk, msg.InsertTime); at != "" {
		l.Add(lk.Style(themes.Dim), at).Space(themes.Style{}, 2)
	}
	l.Add(lk.Style(token), user).AddNote(lk.Style(themes.Dim), messageInfo)
	out := []dialog.Line{{Text: l.String()}}
	if msg.Message != "" {
		text := msg.Message
		if isHTML("", text) {
			text = htmlText(text)
		}
		out = append(out, dialog.ParagraphLines(lk, themes.Text, text, w)...)
	}
	if a := msg.Attachment; a != nil {
		out = append(out, labeledValueLines(lk, w, labeledValue{words.ActFieldAttachment(), joinNonEmpty(" ", orDefault(a.FileName, a.File), parenthesize(a.MIMEType))})...)
	}
	return out
}
