// Command wallboard is a contact-center wallboard for the terminal.
package main

import (
	"context"
	_ "embed"
	"os"

	"wallboard/internal/cli"
)

//go:embed config.example.toml
var example string

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], cli.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Example: example,
	}))
}
