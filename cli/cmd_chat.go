package cli

import (
	"context"

	"github.com/spf13/cobra"

	"wallboard/cli/command"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// newChat builds the command of chat sessions (document 1, section Chat).
func newChat(b *board) *cobra.Command {
	return command.Group("chat", "Read chat sessions", b.newChatShow())
}

func (b *board) newChatShow() *cobra.Command {
	var page paging
	return b.operation(operation{
		use: "show SESSION", short: "Show the messages of a chat session",
		args: arguments, flags: page.flags,
		run: func(ctx context.Context, s *session, args []string) error {
			messages, err := readPaged(page.given(),
				func() (restclient.Result[resource.ChatMessage], error) {
					return s.client.ChatHistory(ctx, args[0], page.page())
				}, s.client.ChatMessages(ctx, args[0]))
			if err != nil {
				return s.failed("Chat session "+args[0]+" cannot be read", err)
			}
			return showFound(s, messages, pagedRest(page.given(), restByPages),
				column{"TIME", "insertTime|receivedTime"}, column{"SENDER", "sender"},
				column{"AGENT", "agent.displayName|agent.name|agent.username"},
				column{"CUSTOMER", "customer.displayName|customer.name|customer.value"},
				column{"MESSAGE", "message"}, column{"ATTACHMENT", "attachment.fileName"})
		},
	})
}
