package commands

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/textformat"
)

// PrivacyCommand returns `wallboard privacy`.
func PrivacyCommand(s *cmdutil.Setup) *cobra.Command {
	var file string
	report := &cobra.Command{
		Use: "report", Short: "Write a page about what is stored, who can see names, and who looked back, with each claim tested",
		Long: "Report writes one dated page about this configuration: what is stored, where and for how long, who can see names, the\n" +
			"smallest group, and who looked back in the last 30 days. Each claim is tested first: for each user of the server,\n" +
			"a board with invented people is opened, its pages are searched, and what the role forbids is tried; a recording is\n" +
			"written and searched; the existing files are inspected. A claim that does not hold is printed with the reason, and the\n" +
			"exit status is 1.",
		Example: "wallboard privacy report --out privacy-2026-12.md",
		RunE: func(cmd *cobra.Command, _ []string) error {
			load := func() (*config.Config, error) { return s.LoadAll(true) }
			r, err := admin.NewPrivacyReport(cmd.Context(), load, s.Path(), admin.BuildVersion(), time.Now())
			if err != nil {
				return err
			}
			if err := cmdutil.WriteOutput(s.Streams.Out, file, r.Page); err != nil {
				return err
			}
			if r.BrokenClaims > 0 {
				return fmt.Errorf("%s not hold", textformat.CountWithNoun(r.BrokenClaims, "claim does", "claims do"))
			}
			return nil
		},
	}
	report.Flags().StringVarP(&file, "out", "o", "", "write the page to this file")
	return cmdutil.NewGroup("privacy", "Report what is stored and who can see it", report)
}
