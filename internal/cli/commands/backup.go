package commands

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/textformat"
)

// BackupCommand returns `wallboard backup`.
func BackupCommand(setup *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write the configuration, the state and the audit files to a backup",
		Long: "Backup writes one file with the configuration, table layouts, themes, alerts, notes, what was learnt about\n" +
			"the platform, the audit files, and the host key of the SSH server. It lists what it leaves out: recordings,\n" +
			"logs, and files with secrets. FILE must not exist; only its owner may read it.",
		Example: "wallboard backup wallboard-2026-11-29.tar.gz",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return writeBackup(setup, args[0]) },
	}
}

func writeBackup(setup *cmdutil.Setup, out string) error {
	c, err := setup.LoadAll(false)
	if err != nil {
		c, err = setup.LoadAll(true) // a backup is possible even if secrets are missing
	}
	if err != nil {
		if err := cmdutil.WriteText(setup.Streams.Err, "The configuration has errors, so its own paths are not known: "+err.Error()+"\n"); err != nil {
			return err
		}
		c = nil
	}
	m, err := admin.ScanBackup(setup.Path(), c)
	if err != nil {
		return err
	}
	m.Program, m.Created = admin.BuildVersion(), time.Now().UTC().Truncate(time.Second)
	m.Host, _ = os.Hostname() // only informative
	err = cmdutil.CreateFile(out, "; a backup never replaces a file", func(w *os.File) error {
		return m.Write(w, func(path string) ([]byte, error) { return securefile.ReadRegular(path, admin.MaxBackupFile) })
	})
	if err != nil {
		return err
	}
	text := textformat.CountWithNoun(len(m.Files), "file is", "files are") + " in " + out + ".\n"
	for _, l := range m.LeftOut {
		text += "Left out: " + l.Path + " (" + l.Reason + ")\n"
	}
	return cmdutil.WriteResult(setup.Streams.Out, setup.JSON, m, text+"The backup contains the host key and the passwords written in the configuration: keep it private.\n")
}

// RestoreCommand returns `wallboard restore`.
func RestoreCommand(setup *cmdutil.Setup) *cobra.Command {
	var force, dry bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Restore a backup",
		Long: "Restore reads a file of `wallboard backup` completely, checks it, and writes its files to where this machine\n" +
			"looks for them. It stops before the first change if a file exists with other content; with --force it keeps\n" +
			"that file beside the restored one. End boards and servers first: a running one writes its own state again.",
		Example: "wallboard restore wallboard-2026-11-29.tar.gz --dry-run",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return restoreBackup(setup, args[0], force, dry) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace existing files, and keep them under another name")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only list what would be written")
	return cmd
}

func restoreBackup(setup *cmdutil.Setup, file string, force, dry bool) error {
	f, err := securefile.OpenRegular(file)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // the file is only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	archive, err := securefile.ReadArchive(f, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	steps, err := admin.PlanRestore(archive, setup.Path(), setup.Options())
	if err != nil {
		return err
	}
	text := "Backup of " + archive.Host + ", " + archive.Created.Local().Format("2 January 2006 15:04") + ", version " + archive.Program + "\n"
	suffix := ".before-restore-" + time.Now().Format("20060102-150405")
	conflicts, list := admin.DescribeRestore(steps)
	text += list
	if conflicts > 0 && !force && !dry {
		if err := cmdutil.WriteText(setup.Streams.Out, text); err != nil {
			return err
		}
		return errors.New(textformat.CountWithNoun(conflicts, "file exists", "files exist") + " with other content; nothing is changed. With --force they are kept as NAME" + suffix)
	}
	for i := range steps {
		if dry {
			break
		}
		if err := archive.Restore(&steps[i], steps[i].Target+suffix); err != nil {
			return fmt.Errorf("restore %s (%d of %d files are restored; run the command again): %w", steps[i].Name, i, len(steps), err)
		}
	}
	if dry {
		text += "Nothing is changed.\n"
	} else {
		text += "Restored. Check the configuration with: wallboard config check\n"
	}
	return cmdutil.WriteText(setup.Streams.Out, text)
}
