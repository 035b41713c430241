package commands

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/textformat"
	"wallboard/model"
	"wallboard/model/contact"
)

type markFlags struct {
	at, until string
	list, end bool
}

// MarkCommand returns `wallboard mark`.
func MarkCommand(setup *cmdutil.Setup) *cobra.Command {
	var fl markFlags
	cmd := &cobra.Command{
		Use: "mark TEXT", Short: "Mark an event, such as a newsletter, on the charts of all boards",
		Long: "Mark writes an event on the charts, into the recording and into the handover of all boards of this user on\n" +
			"this platform: a newsletter that goes out, an advertisement, an update. Boards name a surge of contacts after\n" +
			"the mark that it follows. With --until the text is a note, which is in the header of all boards until then.\n" +
			"It connects to nothing, so that any script can run it.",
		Example: "wallboard mark newsletter\nwallboard mark --at 10:02 \"TV spot\"\nwallboard mark --until 15:00 \"IVR down\"\nwallboard mark --end IVR\nwallboard mark --list",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			switch {
			case fl.list && (len(args) > 0 || fl.end || fl.at+fl.until != ""):
				return cmdutil.NewUsageError(errors.New("--list takes no text and no other flag"))
			case fl.end && fl.at+fl.until != "":
				return cmdutil.NewUsageError(errors.New("--end takes no time: the note ends now"))
			case !fl.list && !fl.end && strings.TrimSpace(text) == "":
				return cmdutil.NewUsageError(errors.New("say what to mark: wallboard mark newsletter"))
			}
			return fl.run(setup, text)
		},
	}
	cmd.Flags().StringVar(&fl.at, "at", "", "when it was: a time of today (10:02) or how long ago (5m); default: now")
	cmd.Flags().StringVar(&fl.until, "until", "", "show it in the header of all boards until this time (15:00)")
	cmd.Flags().BoolVar(&fl.end, "end", false, "end the notes that contain the text; without a text all notes")
	cmd.Flags().BoolVar(&fl.list, "list", false, "list the marks and notes of the last 24 hours")
	return cmd
}

func (fl *markFlags) run(setup *cmdutil.Setup, text string) error {
	c, err := setup.Load(true)
	if err != nil {
		return err
	}
	now := time.Now()
	book := statefile.OpenNotes(statefile.NotesPath(c.RTD.URL), slog.New(slog.NewTextHandler(setup.Streams.Err, nil)))
	switch {
	case fl.list:
		return listNotes(setup, book.All(), now)
	case fl.end:
		ended, err := book.EndNotes(text, now)
		if err != nil {
			return err
		}
		if len(ended) == 0 && text != "" {
			return fmt.Errorf("no note contains %q; wallboard mark --list shows them", text)
		}
		return cmdutil.WriteText(setup.Streams.Out, textformat.CountWithNoun(len(ended), "note has", "notes have")+" ended.\n")
	}
	at, until, err := fl.times(now)
	if err != nil {
		return err
	}
	note, err := statefile.NewNote(text, app.ViewerName(c), at, until)
	if err != nil {
		return cmdutil.NewUsageError(err)
	}
	if err := book.Write(note); err != nil {
		return err
	}
	return cmdutil.WriteResult(setup.Streams.Out, setup.JSON, note, formatNote(&note, now)+"\n")
}

// times returns the start and the end of the note that the flags describe. A mark has no end,
// so until is the zero time.
func (fl *markFlags) times(now time.Time) (at, until time.Time, err error) {
	var ok bool
	at = now
	if fl.at != "" {
		if at, ok = contact.ParseTimeAgo(fl.at, now); !ok {
			return at, until, cmdutil.NewUsageError(fmt.Errorf("--at %q: want a time of today (10:02) or how long ago (5m)", fl.at))
		}
	}
	if fl.until != "" {
		if until, ok = contact.NextTimeOfDay(fl.until, now); !ok {
			return at, until, cmdutil.NewUsageError(fmt.Errorf("--until %q: want a time of day (15:00)", fl.until))
		}
	}
	return at, until, nil
}

// listNotes writes the marks and notes of the last 24 hours. It also writes older notes that have
// not ended.
func listNotes(setup *cmdutil.Setup, all []model.Note, now time.Time) error {
	recent := []model.Note{}
	for _, n := range all {
		if now.Sub(n.At) < 24*time.Hour || n.IsActive(now) {
			recent = append(recent, n)
		}
	}
	var text strings.Builder
	for i := range recent {
		text.WriteString(formatNote(&recent[i], now) + "\n")
	}
	if len(recent) == 0 {
		text.WriteString("No mark and no note in the last 24 hours.\n")
	}
	return cmdutil.WriteResult(setup.Streams.Out, setup.JSON, recent, text.String())
}

// formatNote returns a line for a mark or a note, such as "10:02  newsletter" or "13:40–15:00
// IVR down (anna)".
func formatNote(n *model.Note, now time.Time) string {
	times, text := textformat.DescribeNote(n, now, nil, func(at time.Time) string { return textformat.Clock(at, time.Local) })
	return times + "  " + text
}
