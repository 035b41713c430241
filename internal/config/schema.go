package config

import _ "embed"

// schema is generated from the types and the checks of the configuration: see TestSchema.
//
//go:embed schema.json
var schema string

// Schema returns the JSON schema (draft 7) of the configuration for editors: all keys with their
// types, descriptions, defaults and possible values.
func Schema() string { return schema }
