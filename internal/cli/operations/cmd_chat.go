package operations

import (
	"context"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// newChatCommand returns the command for chat sessions (document 1, section Chat).
func newChatCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("chat", "Read chat sessions", newChatShow(set))
}

func newChatShow(set *cmdutil.Setup) *cobra.Command {
	var page paging
	return newOperationCommand(set, operation{
		use: "show SESSION", short: "Show the messages of a chat session",
		args: exactArguments, flags: page.addFlags,
		run: func(ctx context.Context, s *invocation, args []string) error {
			messages, err := restclient.ReadPages(page.isSinglePage(), page.pageRequest(),
				func(p restclient.Page) (restclient.Result[resource.ChatMessage], error) {
					return s.client.Messages.ChatHistory(ctx, args[0], p)
				}, s.client.Messages.ChatMessages(ctx, args[0]))
			if err != nil {
				return s.queryError("Chat session "+args[0]+" cannot be read", err)
			}
			return printFound(s, messages, hintFor(page.isSinglePage(), hintOmitPages),
				Column{"TIME", "insertTime|receivedTime"}, Column{"SENDER", "sender"},
				Column{"AGENT", "agent.displayName|agent.name|agent.username"},
				Column{"CUSTOMER", "customer.displayName|customer.name|customer.value"},
				Column{"MESSAGE", "message"}, Column{"ATTACHMENT", "attachment.fileName"})
		},
	})
}
