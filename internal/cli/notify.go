package cli

import (
	"context"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
)

func newNotifyCommand(b *commandSetup) *cobra.Command {
	return &cobra.Command{
		Use:   "notify",
		Short: "Send notifications about alerts: by command, webhook, mail and SMS",
		Long: "Notify connects like a board, without a screen, and sends notifications about alerts to the targets in [[notify]].\n\n" +
			"Run it once for all boards. A second one on the same machine is refused, and a board with --notify waits until it\n" +
			"ends. Several machines do not know of each other: ten of them send every message ten times.",
		Example: "wallboard notify\nwallboard --notify",
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.runNotify(cmd.Context()) },
	}
}

// runNotify sends notifications about alerts on all platforms until ctx ends.
func (b *commandSetup) runNotify(ctx context.Context) error {
	return b.runService(ctx, func(platforms []*app.Platform) (stop func(), err error) {
		t, err := b.env.StartNotifier(ctx, platforms, platforms[0].Log)
		switch {
		case err != nil:
			return nil, err
		case t.IsWaiting():
			t.Stop()
			return nil, app.ErrAlreadyNotifying // this command has nothing to do but notify
		}
		return t.Stop, cmdutil.Printf(b.Streams.Out, "sending notifications to %d targets\n", len(platforms[0].Config().Notify))
	})
}
