// Command wallboard is a contact-center wallboard for the terminal.
package main

import (
	"context"
	"embed"
	"os"

	"wallboard/internal/cli"
	"wallboard/internal/cli/cmdutil"
)

//go:embed config.example.toml
var exampleConfig string

//go:embed docs/user/*.md docs/admin/*.md
var documents embed.FS

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], cmdutil.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Example: exampleConfig, Documents: documents,
	}))
}
