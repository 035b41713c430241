package admin

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// MaxBackupFile limits the size of a file in a backup, in bytes. It leaves room for audit
// files, which are the largest.
const MaxBackupFile = 1 << 30

// ScanBackup finds the files to back up. configuration is the path of the configuration file; c is nil if it
// cannot be read.
func ScanBackup(configuration string, c *config.Config) (*securefile.Manifest, error) {
	m, err := securefile.ScanFiles(backupRoots(configuration, c), func(path string) string { return exclusionReason(c, path) })
	if err != nil {
		return nil, fmt.Errorf("find the files: %w", err)
	}
	m.LeftOut = slices.DeleteFunc(m.LeftOut, func(l securefile.LeftOut) bool { return l.Reason == "temporary" })
	if c != nil {
		m.LeftOut = append(m.LeftOut, outsideSecrets(c, m)...)
	}
	return m, nil
}

// PlanRestore returns the steps that restore archive to where this machine looks for its files.
func PlanRestore(archive *securefile.Archive, configuration string, o config.Options) ([]securefile.RestoreStep, error) {
	return archive.PlanRestore(backupRoots(configuration, restoredConfig(configuration, o, archive)))
}

// DescribeRestore returns a line of text for each step, and the number of steps that replace a file with
// other content.
func DescribeRestore(steps []securefile.RestoreStep) (conflicts int, text string) {
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
	return conflicts, text
}

// backupRoots returns the directories to back up. c is nil if the file configuration cannot be read.
func backupRoots(configuration string, c *config.Config) []securefile.ArchiveRoot {
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

// exclusionReason returns the reason to leave a file or directory out of a backup, or "" if it
// belongs to the backup. c may be nil.
func exclusionReason(c *config.Config, path string) string {
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

// outsideSecrets returns the existing secret files that are outside the directories of a backup.
func outsideSecrets(c *config.Config, m *securefile.Manifest) []securefile.LeftOut {
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

// restoredConfig returns the configuration that will apply after archive is restored: its files,
// and the present files that it does not replace. The configuration determines the directory of the
// audit files. restoredConfig returns nil if the configuration cannot be read.
func restoredConfig(configuration string, o config.Options, archive *securefile.Archive) *config.Config {
	path, err := filepath.Abs(configuration)
	if err != nil {
		return nil
	}
	texts := make(map[string]string)
	dropIns, _ := config.DropInPaths(path) // after an error, only the files of the archive count
	for _, p := range append(dropIns, path) {
		if text, err := securefile.ReadRegular(p, MaxBackupFile); err == nil {
			texts[p] = textnorm.DecodeText(text)
		}
	}
	for i := range archive.Files {
		name, ok := strings.CutPrefix(archive.Files[i].Name, "config/")
		if p := filepath.Join(filepath.Dir(path), filepath.FromSlash(name)); ok && (p == path || config.IsDropIn(path, p)) {
			texts[p] = textnorm.DecodeText(archive.Content(archive.Files[i].Name))
		}
	}
	o.Demo = true
	c, _ := config.ParseFiles(path, texts, o) // nil after an error
	return c
}
