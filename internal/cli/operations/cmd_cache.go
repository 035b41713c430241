package operations

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/history"
)

func newCacheCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("cache", "Show or clear the cached answers of the statistical data service",
		&cobra.Command{
			Use: "show", Short: "Show the cached files",
			RunE: func(*cobra.Command, []string) error {
				files, err := history.ListCaches(app.CacheDir())
				if err != nil {
					return err
				}
				if len(files) == 0 && !set.JSON {
					_, err := fmt.Fprintln(set.Streams.Err, "Nothing is kept.")
					return err
				}
				lines := [][]string{{"file", "bytes", "answers", "newest"}}
				for _, f := range files {
					newest := ""
					if !f.Newest.IsZero() {
						newest = f.Newest.Format(time.DateTime)
					}
					lines = append(lines, []string{f.Path, strconv.FormatInt(f.Size, 10), strconv.Itoa(f.Answers), newest})
				}
				return cmdutil.WriteRows(set.Streams.Out, set.JSON, files, lines)
			},
		},
		&cobra.Command{
			Use: "clear", Short: "Delete the cached files",
			RunE: func(*cobra.Command, []string) error {
				n, err := history.ClearCache(app.CacheDir())
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(set.Streams.Out, "%d files cleared\n", n)
				return err
			},
		})
}
