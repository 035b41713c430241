package script

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"wallboard/cli/command"
	"wallboard/cli/wiring"
	"wallboard/history"
	"wallboard/internal/output"
)

func newCache(set *command.Setup) *cobra.Command {
	return command.Group("cache", "Show or clear the cached answers of the statistical data service",
		&cobra.Command{
			Use: "show", Short: "Show the cached files", Args: command.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				files, err := history.ListCaches(wiring.CacheDir())
				if err != nil {
					return err //nolint:wrapcheck // the error says what failed
				}
				if set.JSON {
					return output.JSON(set.Streams.Out, files)
				}
				if len(files) == 0 {
					_, err := fmt.Fprintln(set.Streams.Err, "Nothing is kept.")
					return err //nolint:wrapcheck // the error names the stream
				}
				lines := [][]string{{"file", "bytes", "answers", "newest"}}
				for _, f := range files {
					newest := ""
					if !f.Newest.IsZero() {
						newest = f.Newest.Format(time.DateTime)
					}
					lines = append(lines, []string{f.Path, strconv.FormatInt(f.Size, 10), strconv.Itoa(f.Answers), newest})
				}
				return output.Table(set.Streams.Out, lines)
			},
		},
		&cobra.Command{
			Use: "clear", Short: "Delete the cached files", Args: command.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				n, err := history.ClearCache(wiring.CacheDir())
				if err != nil {
					return err //nolint:wrapcheck // the error says what failed
				}
				_, err = fmt.Fprintf(set.Streams.Out, "%d files cleared\n", n)
				return err //nolint:wrapcheck // the error names the stream
			},
		})
}
