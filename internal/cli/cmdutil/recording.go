package cmdutil

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/config"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/record"
)

// RecordingSelection opens the recording that the arguments and flags of a command select. An
// opened recording contains a single platform. Each opening adds a line to the log of visits.
type RecordingSelection struct {
	admin.RecordingSelection
}

// AddFlags adds two flags to a command: --of selects the platform of the recording, and --key-file
// names a file with a private key.
func (w *RecordingSelection) AddFlags(cmd *cobra.Command) {
	w.Command = cmd.Name()
	cmd.Flags().StringVar(&w.Platform, "of", "", "use the recordings of this platform, as named by `record ls`, if a folder has several (default the configured one)")
	cmd.Flags().StringArrayVar(&w.KeyFiles, "key-file", nil, "file with a private key, of age or SSH, for encrypted recordings (default: record.key_files)")
}

// ShellArguments returns the arguments that make another command open the recording that this
// command opened with args. They are quoted for a shell.
func (w *RecordingSelection) ShellArguments(setup *Setup, args []string) string {
	words := slices.Clone(args)
	for _, flag := range [][2]string{{"--of", w.Platform}, {"--config", setup.ConfigPath}, {"--platform", setup.Platform}} {
		if flag[1] != "" {
			words = append(words, flag[0], flag[1])
		}
	}
	for i := range words {
		words[i] = textnorm.QuoteShellWord(words[i])
	}
	return strings.Join(words, " ")
}

// Open opens the file or directory in args, or the configured directory if args is empty. If
// args is not empty, it works even if the configuration cannot be read.
func (w *RecordingSelection) Open(setup *Setup, args []string) (*record.Recording, error) {
	if len(args) == 0 {
		c, err := setup.Load(true)
		if err != nil {
			return nil, err
		}
		return w.OpenWithConfig(setup.Streams, c, nil)
	}
	var c config.Config
	if loaded, err := setup.LoadAll(true); err == nil {
		c = *loaded
	}
	return w.OpenWithConfig(setup.Streams, &c, args)
}

// OpenWithConfig is like [RecordingSelection.Open], but uses c instead of reading the
// configuration.
func (w *RecordingSelection) OpenWithConfig(s Streams, c *config.Config, args []string) (*record.Recording, error) {
	path := ""
	if len(args) > 0 {
		path = args[0]
	}
	return w.RecordingSelection.Open(c, path, func(text string) { _ = WriteText(s.Err, text+"\n") }) // a note that cannot be written does not matter
}
