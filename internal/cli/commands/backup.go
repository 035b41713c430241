package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/phrases"
)

// maxBackedUpFile limits the size of a file in a backup, in bytes. It leaves room for audit
// files, which are the largest.
const maxBackedUpFile = 1 << 30

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

// backupRoots returns the directories to back up. c is nil if the configuration cannot be read.
func backupRoots(setup *cmdutil.Setup, c *config.Config) []securefile.ArchiveRoot {
	configuration := setup.Path()
	if absolute, err := filepath.Abs(configuration); err == nil {
		configuration = absolute
	}
	var audit config.Audit
	if c != nil {
		audit = c.Audit
	}
	auditDir, auditName := filepath.Split(audit.Path())
	entries, _ := os.ReadDir(auditDir) // without the folder there are no audit files
	auditFiles := []string{}
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, strings.TrimSuffix(auditName, ".jsonl")) && strings.HasSuffix(name, ".jsonl") {
			auditFiles = append(auditFiles, name)
		}
	}
	return []securefile.ArchiveRoot{
		{Name: "config", Dir: filepath.Dir(configuration), Only: []string{filepath.Base(configuration), filepath.Base(config.DropInDir(configuration)), "tables"}},
		{Name: "themes", Dir: config.ThemesDir()},
		{Name: "audit", Dir: filepath.Clean(auditDir), Only: auditFiles},
		{Name: "state", Dir: filepath.Join(xdg.StateHome, "wallboard")},
	}
}

// leaveOut returns the reason to leave a file or directory out of a backup, or "" if it
// belongs to the backup. c may be nil.
func leaveOut(c *config.Config, path string) string {
	name := filepath.Base(path)
	var secrets []string
	recordings := config.Record{}.Folder()
	logFile := config.Log{}.Path()
	if c != nil {
		secrets, recordings, logFile = c.SecretFiles(), c.Record.Folder(), c.Log.Path()
	}
	switch {
	case path == recordings:
		return "recordings: copy the folder, its files never change once they are complete"
	case strings.HasPrefix(path, strings.TrimSuffix(logFile, ".log")) && strings.HasSuffix(path, ".log"):
		return "a log"
	case slices.Contains(secrets, path) && path != c.Serve.HostKeyPath(): // the host key is needed, because viewers would refuse a server with another key
		return "a secret: keep a copy where you keep secrets"
	case filepath.Dir(path) == filepath.Join(xdg.StateHome, "wallboard", "cluster"):
		return "state of this node: the cluster has it"
	case strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".sock") || strings.HasPrefix(name, ".new-"):
		return "temporary"
	}
	return ""
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
	m, err := securefile.ScanFiles(backupRoots(setup, c), func(path string) string { return leaveOut(c, path) })
	if err != nil {
		return fmt.Errorf("find the files: %w", err)
	}
	m.LeftOut = slices.DeleteFunc(m.LeftOut, func(l securefile.LeftOut) bool { return l.Reason == "temporary" })
	if c != nil {
		m.LeftOut = append(m.LeftOut, secretsElsewhere(c, m)...)
	}
	m.Program, m.Created = Version(), time.Now().UTC().Truncate(time.Second)
	m.Host, _ = os.Hostname() // only informative
	err = cmdutil.CreateFile(out, "; a backup never replaces a file", func(w *os.File) error {
		return m.Write(w, func(path string) ([]byte, error) { return securefile.ReadRegular(path, maxBackedUpFile) })
	})
	if err != nil {
		return err
	}
	if setup.JSON {
		return cmdutil.WriteJSON(setup.Streams.Out, m)
	}
	text := phrases.Count(len(m.Files), "file is", "files are") + " in " + out + ".\n"
	for _, l := range m.LeftOut {
		text += "Left out: " + l.Path + " (" + l.Reason + ")\n"
	}
	return cmdutil.WriteText(setup.Streams.Out, text+"The backup contains the host key and the passwords written in the configuration: keep it private.\n")
}

// secretsElsewhere returns the existing secret files that are outside the directories of a backup.
func secretsElsewhere(c *config.Config, m *securefile.Manifest) []securefile.LeftOut {
	var out []securefile.LeftOut
	for _, path := range c.SecretFiles() {
		known := func(l securefile.LeftOut) bool { return l.Path == path }
		if _, err := os.Stat(path); err != nil || slices.ContainsFunc(m.LeftOut, known) || slices.ContainsFunc(out, known) {
			continue
		}
		if path != c.Serve.HostKeyPath() {
			out = append(out, securefile.LeftOut{Path: path, Reason: "a secret or certificate: keep a copy where you keep secrets"})
		}
	}
	return out
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

// restoredConfig returns the configuration that will apply after archive is restored: its files,
// and the present files that it does not replace. The configuration determines the directory of the
// audit files. restoredConfig returns nil if the configuration cannot be read.
func restoredConfig(setup *cmdutil.Setup, archive *securefile.Archive) *config.Config {
	path, err := filepath.Abs(setup.Path())
	if err != nil {
		return nil
	}
	texts := make(map[string]string)
	dropIns, _ := config.DropInPaths(path) // after an error, only the files of the archive count
	for _, p := range append(dropIns, path) {
		if text, err := securefile.ReadRegular(p, maxBackedUpFile); err == nil {
			texts[p] = textnorm.DecodeText(text)
		}
	}
	for i := range archive.Files {
		name, ok := strings.CutPrefix(archive.Files[i].Name, "config/")
		if p := filepath.Join(filepath.Dir(path), filepath.FromSlash(name)); ok && (p == path || config.IsDropIn(path, p)) {
			texts[p] = textnorm.DecodeText(archive.Content(archive.Files[i].Name))
		}
	}
	o := setup.Options()
	o.Demo = true
	c, _ := config.ParseFiles(path, texts, o) // nil after an error
	return c
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
	steps, err := archive.Plan(backupRoots(setup, restoredConfig(setup, archive)))
	if err != nil {
		return err
	}
	text := "Backup of " + archive.Host + ", " + archive.Created.Local().Format("2 January 2006 15:04") + ", version " + archive.Program + "\n"
	suffix := ".before-restore-" + time.Now().Format("20060102-150405")
	conflicts := 0
	for i := range steps {
		switch s := &steps[i]; {
		case s.Target == "":
			text += "not restored: " + s.Name + " (this version does not know its folder)\n"
		case s.Unchanged:
			text += "unchanged:    " + s.Target + "\n"
		case s.Exists:
			conflicts++
			text += "replaces:     " + s.Target + "\n"
		default:
			text += "new:          " + s.Target + "\n"
		}
	}
	if conflicts > 0 && !force && !dry {
		if err := cmdutil.WriteText(setup.Streams.Out, text); err != nil {
			return err
		}
		return errors.New(phrases.Count(conflicts, "file exists", "files exist") + " with other content; nothing is changed. With --force they are kept as NAME" + suffix)
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
