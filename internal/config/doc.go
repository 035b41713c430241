// Package config reads the configuration file into a typed [Config], or returns every
// reason why it cannot.
//
// It defines the format of the file and the defaults, and looks up secrets. It finds all problems
// of a file in one pass and returns them together as [Errors], each with file, line, key, problem
// and remedy, so that they can be printed before the terminal enters raw mode. Only a file that is
// not valid TOML gives a single problem, because nothing after it can be read.
//
// Package alert compiles custom figures, thresholds and alerts while the file is read. An invalid
// expression is therefore reported like any other problem, with the position inside the expression.
//
// The package keeps no state and starts no goroutine, except for a request to the keyring, which may outlive
// its time limit. A [Config] is not changed by the package after [Load] has returned it.
//
// # Secrets
//
// A secret is a [secret.Text], which always prints as [redacted]. A secret NAME
// (password, access_token) comes from exactly one of four keys:
//
//   - NAME_env: the name of an environment variable.
//   - NAME_file: a regular file that belongs to the user and that no other user can read. A
//     relative name is looked up next to the configuration file and then in
//     $CREDENTIALS_DIRECTORY (systemd's LoadCredential=). A file found there may also
//     belong to root and be readable by its group, because systemd creates it so and grants
//     access by an ACL. One newline at the end is removed.
//   - NAME_keyring: "service/user" in the keyring of the operating system.
//   - NAME: the secret itself, only if the configuration file has mode 0600.
//
// rtd.auth and rest.auth determine which secrets are needed; others are not looked up. No
// problem ever quotes a secret, or a value that could be one by mistake, such as a password
// inside an address.
package config
