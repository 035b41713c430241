// Package admin contains what the commands for administrators do: set up Wallboard for a user, examine
// it, back it up, and describe what it stores.
//
// It writes the first configuration of a platform: from the answers of the guided start ([Backend]),
// which it tries on the platform, or from the flags of a command ([ConfigCreator]). The text is that of
// config.example.toml with the given values and with the services, groups and campaigns that the
// platform has. Secrets go to files, the keyring, environment variables or the configuration. After an
// error it leaves nothing behind. [UseSimulator] writes the configuration of the demo.
//
// It prepares the examination of platforms, fleets and nodes of a cluster for the doctor, and knows
// which files belong to a backup and where they are restored. It writes the privacy report, and tests
// each of its claims first. It finds the recordings that a command names, describes them, and draws
// them: on a board, or as a cast for a page.
//
// The package has no goroutines besides those of the feeds that it opens and closes.
package admin
