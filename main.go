// Command wallboard is a contact-center wallboard for the terminal.
package main

import (
	"context"
	"os"

	"wallboard/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
