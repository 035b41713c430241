package app

import (
	"fmt"

	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
)

// KeyWarnings returns warnings about the keys of encrypted recordings: keys whose loss would make all
// recordings unreadable, and record.key_files that is empty, does not open new recordings, or has the keys
// of both persons. It returns none if recordings are not encrypted.
func KeyWarnings(c *config.Config) (all []string) {
	var opened int
	var problem error
	for i, l := range c.Privacy.RecipientSets(&c.Record, c.Record.Names) {
		if len(l) == 1 {
			all = append(all, []string{"record.recipients", "privacy.second_key"}[i]+" has only one key: if it is lost, no recording can be read any more. Add a key that is kept elsewhere")
		}
		if len(l) == 0 || len(c.Record.KeyFiles) == 0 {
			continue
		}
		here := 0
		for _, key := range l {
			sealed, err := secret.Seal([]byte("test"), secret.Lock{key})
			if err == nil {
				_, err = secret.Open(sealed, c.Record.KeyFiles...)
			}
			if err != nil {
				problem = err
			} else {
				here++
			}
		}
		if here > 0 {
			opened++
		}
		if here == len(l) && len(l) > 1 {
			all = append(all, "all keys of "+[]string{"record.recipients", "privacy.second_key"}[i]+" are on this machine: if it is lost, no recording can be read any more. Keep one elsewhere")
		}
	}
	switch {
	case len(c.Record.Recipients) == 0:
	case len(c.Record.KeyFiles) == 0:
		all = append(all, "no key on this machine was tried (record.key_files is empty). Try one where it is kept, for example once a month: wallboard record info FILE --key-file KEY")
	case opened == 0:
		all = append(all, fmt.Sprintf("the keys in record.key_files do not open what is recorded now: %v", problem))
	case opened == 2:
		all = append(all, "record.key_files has the keys of both persons: this machine alone can open recordings with full names")
	}
	return all
}
