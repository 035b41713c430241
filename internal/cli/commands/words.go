package commands

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/operations"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/words"
	"wallboard/internal/words/catalogue"
)

// languageEntry is the entry of a language in the JSON output of `wallboard words`.
type languageEntry struct {
	Tag        string `json:"tag"`
	Name       string `json:"name"`
	Review     string `json:"review"`
	Translated int    `json:"translated"` // number of translated messages
	Messages   int    `json:"messages"`
}

// WordsCommand returns `wallboard words`.
func WordsCommand(setup *cmdutil.Setup) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "words", Short: "List the languages of the board",
		Long: "Words lists what ui.language of the configuration can name, with how many messages are translated, and who has\n" +
			"reviewed the translation.\n\n" +
			"Translations of yours are files such as de.txt in " + config.WordsDir() + ",\n" +
			"with a line for each message: count.calls = {n} Anrufe. They take precedence over those of the program.",
		RunE: func(*cobra.Command, []string) error {
			var offered words.LanguageSet
			problems := offered.AddFolder(dir)
			var rows []languageEntry
			for _, tag := range offered.Tags() {
				l, _ := offered.Lookup(tag)
				row := languageEntry{Tag: tag, Name: words.LanguageName().In(l), Review: words.LanguageReview().In(l), Messages: words.CountMessages()}
				if row.Translated = row.Messages; tag != "en" {
					row.Translated -= words.CountMissing(words.TranslatedLines(dir, tag))
				}
				rows = append(rows, row)
			}
			err := operations.PrintList(setup, "words", rows,
				operations.Column{Head: "TAG", Path: "tag"}, operations.Column{Head: "LANGUAGE", Path: "name"}, operations.Column{Head: "TRANSLATED", Path: "translated"},
				operations.Column{Head: "OF", Path: "messages"}, operations.Column{Head: "REVIEW", Path: "review"})
			return cmp.Or(err, problemsError(problems))
		},
	}
	cmd.PersistentFlags().StringVar(&dir, "dir", config.WordsDir(), "directory of your translations")
	cmd.AddCommand(newWordsExport(setup, &dir), newWordsImport(setup, &dir))
	return cmd
}

func newWordsExport(setup *cmdutil.Setup, dir *string) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "export LANGUAGE", Short: "Write a translation as a PO file, for reviewers", Args: cobra.ExactArgs(1),
		Long: "Export writes all messages with their English text, the comments for translators and the present translation, for\n" +
			"editors of PO files such as Poedit. The language may be new: de, es, fr, it.",
		Example: "wallboard words export de --out de.po",
		RunE: func(_ *cobra.Command, args []string) error {
			tag := args[0]
			if _, ok := words.RulesOf(tag); !ok || tag == "en" {
				return cmdutil.NewUsageError(fmt.Errorf("%q is not a language to translate into", tag))
			}
			var b strings.Builder
			if err := catalogue.WritePO(&b, tag, words.TranslatedLines(*dir, tag)); err != nil {
				return err
			}
			return cmdutil.WriteOutput(setup.Streams.Out, out, b.String())
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to this file")
	return cmd
}

func newWordsImport(setup *cmdutil.Setup, dir *string) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "import FILE.po", Short: "Check a reviewed translation, and use it on this machine", Args: cobra.ExactArgs(1),
		Long: "Import checks the translation and writes it to " + config.WordsDir() + ",\n" +
			"where boards read it at their start. The file is named after its language: de.po. Messages that are wrong are reported\n" +
			"with their line and left out; English or the translation of the program takes their place.",
		Example: "wallboard words import de.po",
		RunE: func(_ *cobra.Command, args []string) error {
			tag := strings.TrimSuffix(filepath.Base(args[0]), ".po")
			_, ok := words.RulesOf(tag)
			if !ok || tag == "en" {
				return cmdutil.NewUsageError(fmt.Errorf("%s: the file must be named after its language: de.po, es.po, fr.po or it.po", args[0]))
			}
			text, err := securefile.ReadRegular(args[0], words.MaxFile)
			if err != nil {
				return err
			}
			lines, problems := catalogue.ReadPO(args[0], string(text))
			good, wrong := words.CheckLines(args[0], lines)
			if out == "" {
				out = filepath.Join(*dir, tag+".txt")
				if _, err := securefile.CreateFolder(*dir); err != nil {
					return err
				}
			}
			var b strings.Builder
			for i := range good {
				b.WriteString(good[i].String() + "\n")
			}
			if err := cmdutil.WriteOutput(setup.Streams.Out, out, b.String()); err != nil {
				return err
			}
			report := fmt.Sprintf("%d of %d messages are translated: wrote %s\n", len(good), words.CountMessages(), out)
			if err := cmdutil.WriteText(setup.Streams.Out, report); err != nil {
				return err
			}
			return problemsError(append(problems, wrong...))
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to this file instead")
	return cmd
}

// problemsError returns an error that lists problems, or nil if there are none.
func problemsError(problems []catalogue.Problem) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = errors.New(p.String())
	}
	return cmdutil.NewUsageError(errors.Join(errs...))
}
