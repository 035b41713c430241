package actions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/style"
)

// openChat asks for the id of a chat and shows it.
func (a *tickets) openChat() tea.Cmd {
	d, cmd := a.do.search("Read a chat", "Read", []form.Field{{ID: "id", Label: "Session id", Required: true}})
	d.Done = func() tea.Cmd { return a.showChat(d.Fields.Value("id")) }
	return cmd
}

func (a *tickets) showChat(id string) tea.Cmd {
	c := a.do.platform
	return a.do.dialogs.Open(&dialog.Sheet[model.Found[resource.ChatMessage]]{
		On: a.do.dialogs, Name: "Chat " + id, None: "The chat has no messages.",
		Read: func(ctx context.Context) (model.Found[resource.ChatMessage], error) { return c.Messages.Chat(ctx, id) },
		Draw: func(lk *style.Look, found model.Found[resource.ChatMessage], w int) []dialog.Line {
			out, chat := short(lk, found.Short, again, w), found.Items
			for i, msg := range chat {
				if i > 0 {
					out = append(out, dialog.Line{Item: i})
				}
				way := chatWay(msg)
				if i > 0 && way == chatWay(chat[i-1]) {
					way = "" // same as above
				}
				for _, l := range chatLines(lk, msg, way, w) {
					l.Item = i + 1
					out = append(out, l)
				}
			}
			return out
		},
	})
}

// chatWay returns the type and the channel of a message.
func chatWay(msg resource.ChatMessage) string {
	return joined(", ", msg.MessageType, msg.ChannelType)
}

// chatLines draws a message: time, sender and text. way is its type and channel, "" if it
// is the same as for the previous message.
func chatLines(lk *style.Look, msg resource.ChatMessage, way string, w int) []dialog.Line {
	who, token := or(msg.Sender, "?"), themes.Title
	switch {
	case msg.Sender == "AGENT" && msg.Agent != nil:
		who = "Agent " + personName(*msg.Agent)
		token = themes.Accent
	case msg.Sender == "CUSTOMER" && msg.Customer != nil:
		who = "Customer " + personName(*msg.Customer)
	}
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	if at := when(lk, msg.InsertTime); at != "" {
		l.Add(lk.Style(themes.Dim), at).Space(themes.Style{}, 2)
	}
	l.Add(lk.Style(token), who).Note(lk.Style(themes.Dim), way)
	out := []dialog.Line{{Text: l.String()}}
	if msg.Message != "" {
		text := msg.Message
		if isHTML("", text) {
			text = htmlText(text)
		}
		out = append(out, dialog.Paragraph(lk, themes.Text, text, w)...)
	}
	if a := msg.Attachment; a != nil {
		out = append(out, dialog.Pairs(lk, w, pair("attachment", joined(" ", or(a.FileName, a.File), inBrackets(a.MIMEType))))...)
	}
	return out
}
