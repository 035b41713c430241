package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/privacy"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/phrases"
)

// newPrivacy returns `wallboard privacy`.
func newPrivacy(s *cmdutil.Setup) *cobra.Command {
	var file string
	report := &cobra.Command{
		Use: "report", Short: "Write a page about what is stored, who can see names, and who looked back, with each claim tested",
		Long: "Report writes one dated page about this configuration: what is stored, where and for how long, who can see names, the\n" +
			"smallest group, and who looked back in the last 30 days. Each claim is tested first: names of invented people go\n" +
			"through the same masks, a recording is written and searched, and the existing files are inspected. A claim that does\n" +
			"not hold is printed with the reason, and the exit status is 1.",
		Example: "wallboard privacy report --out privacy-2026-12.md",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := s.LoadAll(true)
			if err != nil {
				return err
			}
			r, err := privacy.New(cmd.Context(), c, s.Path(), commands.Version(), time.Now())
			if err != nil {
				return err
			}
			if err := cmdutil.WriteOutput(s.Streams.Out, file, r.Page); err != nil {
				return err
			}
			if r.Broken > 0 {
				return fmt.Errorf("%s not hold", phrases.Count(r.Broken, "claim does", "claims do"))
			}
			return nil
		},
	}
	report.Flags().StringVarP(&file, "out", "o", "", "write the page to this file")
	return cmdutil.NewGroup("privacy", "Report what is stored and who can see it", report)
}
