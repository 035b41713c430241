// Package config turns the configuration file into a typed [Config], or into
// every reason why it cannot.
//
// It owns the file's format, the defaults, and the way secrets come in. All
// problems of a file are found in one pass and returned together as [Errors],
// each with its file, line and key, what is wrong and what to do, so that they
// can be printed before the terminal turns raw. Only a file that is not valid
// TOML yields a single problem, since nothing after it can be read.
//
// Figures of one's own, thresholds and alerts are compiled by package alert while
// the file is read, so that a wrong expression is a problem like any other, with
// its place inside of the expression.
//
// Nothing is kept between calls: no goroutine, no package state. A [Config] is
// only read after [Load] has returned it.
//
// # Secrets
//
// A secret is a [wallboard/secret.Text], which prints as [redacted] however it is printed. A
// secret NAME (password, access_token) comes from exactly one of four keys:
//
//   - NAME_env: the name of an environment variable.
//   - NAME_file: a regular file that belongs to the user and that nobody else
//     may read. A relative name is looked up beside the configuration file and
//     then in $CREDENTIALS_DIRECTORY (systemd's LoadCredential=). A file found
//     there may also belong to root and may be readable by its group: systemd
//     makes it so and grants access by an ACL. One newline at the end is cut.
//   - NAME_keyring: "service/user" in the keyring of the operating system.
//   - NAME: the secret itself, only if the configuration file has mode 0600.
//
// Which secrets are needed depends on rtd.auth and rest.auth; one that is not needed is not
// looked up. No problem ever quotes a secret, nor a value that could be one by
// mistake, such as a password inside an address.
package config
