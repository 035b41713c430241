package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/record"
	"wallboard/model"
)

// exportFlags holds the flags of the commands that write a part of a recording to a file.
type exportFlags struct {
	RecordingRange
	out, names string
	recipients []string
}

func (f *exportFlags) addFlags(cmd *cobra.Command, names model.NameMode) {
	f.AddFlags(cmd)
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "output file; it must not exist")
	cmd.Flags().StringVar(&f.names, "names", string(names), "names in the file: full, initials, hidden")
	cmd.Flags().StringArrayVar(&f.recipients, "recipient", nil, "public key, of age or SSH, for which the file is encrypted (default: record.recipients)")
}

// nameModeHelp is the part of the help that explains which names each name mode removes.
const nameModeHelp = "With --names hidden the file contains no names: agents, services, groups, activity codes and campaigns\n" +
	"are numbered, and free texts are removed. With --names initials the codes of services, groups and\n" +
	"activities are kept, and agents have their initials. The file is checked, and deleted if a name is left."

func newRecordCut(b *recordCommands) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use: "cut [FILE|FOLDER] --out FILE", Short: "Write a part of a recording to one file",
		Long: "Cut writes the snapshots between two times to one file for `wallboard play`.\n" +
			"It keeps the names of the recording unless --names changes that: see `wallboard record export`.",
		Example: "wallboard record cut --from 13:50 --to 14:20 --out incident.wbr",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return b.exportPart(cmd.Context(), args, &f) },
	}
	f.addFlags(cmd, model.NamesFull)
	return cmd
}

func newRecordExport(b *recordCommands) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use: "export [FILE|FOLDER] --out FILE", Short: "Write a recording without names to a file",
		Long:    "Export writes a recording, or a part of it, to one file without names, and prints what it removed.\n\n" + nameModeHelp,
		Example: "wallboard record export --names hidden --out shift.wbr\nwallboard record export incident.wbr --names initials --out ticket.wbr",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return b.exportPart(cmd.Context(), args, &f) },
	}
	f.addFlags(cmd, model.NamesHidden)
	return cmd
}

// exportGCPercent is the value of GOGC for commands that write a file. These commands may hold
// several copies of a large state, so they collect garbage more often to save memory.
const exportGCPercent = 40

// exportPart writes a part of a recording to a file. It prints a description of the file's
// content and the number of strings that were removed.
func (b *recordCommands) exportPart(ctx context.Context, args []string, f *exportFlags) error {
	if f.out == "" {
		return cmdutil.NewUsageError(errors.New("--out is missing"))
	}
	mode := model.NameMode(f.names)
	if mode != model.NamesFull && mode != model.NamesInitials && mode != model.NamesHidden {
		return cmdutil.NewUsageError(fmt.Errorf("--names %q: want full, initials or hidden", f.names))
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(exportGCPercent)
	}
	locks, smallestGroup, err := f.protection(b.Setup, mode)
	if err != nil {
		return err
	}
	r, from, to, err := f.Open(b.Setup, args)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
	about, parts := r.About(from, to)
	zone := r.Info().Location()
	scrub := record.NewScrubber(mode, about)
	scrub.HideSmallGroups(smallestGroup)
	about.Names = scrub.AnonymizedNameMode(about.Names)
	for i := range parts {
		parts[i].Names = scrub.AnonymizedNameMode(parts[i].Names)
	}
	frames, err := record.Export(ctx, r, from, to, f.out, scrub, locks...)
	switch {
	case errors.Is(err, record.ErrNoRecipients):
		return fmt.Errorf("%w: name one with --recipient", err)
	case errors.Is(err, record.ErrNameRemains):
		return fmt.Errorf("%w: the file is not kept", err)
	case err != nil:
		return err
	}
	if err := b.writeDamagedNotes(r, from, to); err != nil {
		return err
	}
	removed := scrub.RemovedCounts()
	if b.JSON {
		return cmdutil.WriteJSON(b.Streams.Out, struct {
			File    string                `json:"file"`
			From    time.Time             `json:"from"`
			To      time.Time             `json:"to"`
			Frames  int                   `json:"frames"`
			Names   string                `json:"names"`
			Removed []record.RemovedCount `json:"removed"`
		}{f.out, from, to, frames, about.Names, removed})
	}
	return cmdutil.Printf(b.Streams.Out, "%s: %d snapshots, %s to %s, names %s\n%s", f.out, frames,
		from.In(zone).Format(time.DateTime), to.In(zone).Format(time.TimeOnly), admin.NameModes(about, parts, zone), describeRemoved(removed))
}

// protection returns the locks of the output and privacy.smallest_group. The keys are those of
// --recipient or, without this flag, those of the configuration, if there is one. A file with full
// names also gets the lock of privacy.second_key.
func (f *exportFlags) protection(setup *cmdutil.Setup, mode model.NameMode) (locks []secret.Lock, smallestGroup int, err error) {
	var c config.Config
	if _, err := os.Lstat(setup.Path()); !errors.Is(err, fs.ErrNotExist) || setup.Path() != config.DefaultPath() { // otherwise this machine has no configuration
		loaded, err := setup.LoadAll(true)
		if err != nil {
			return nil, 0, err // its keys are unknown, and an unencrypted file would be a leak
		}
		c = *loaded
	}
	if len(f.recipients) > 0 {
		if _, err := secret.ParseLock(f.recipients); err != nil {
			return nil, 0, cmdutil.NewUsageError(fmt.Errorf("--recipient: %w", err))
		}
		c.Record.Recipients = f.recipients
	}
	locks = c.Privacy.RecipientSets(&c.Record, string(mode))
	if len(locks) == 2 && locks[0].Overlaps(locks[1]) {
		return nil, 0, cmdutil.NewUsageError(errors.New("--recipient: one of the keys is also in privacy.second_key, so one person could open a file with full names"))
	}
	return locks, c.Privacy.SmallestGroup, nil
}

// describeRemoved returns a line with the number of replaced or removed strings of each kind,
// or "" if there are none.
func describeRemoved(removed []record.RemovedCount) string {
	if len(removed) == 0 {
		return ""
	}
	words := make([]string, len(removed))
	for i, r := range removed {
		words[i] = strconv.Itoa(r.Count) + " " + r.What
	}
	return "replaced or removed: " + strings.Join(words, ", ") + "\n"
}
