package cluster

import (
	"crypto/sha256"
	"encoding/hex"
)

// subjects builds the names of NATS subjects, buckets and streams for a platform in a cluster.
// The names for the copied audit files are common to all platforms.
type subjects struct{ name, scope string }

// scopeToken returns the part of a subject that stands for a platform, or "" for the only
// platform of a cluster.
func scopeToken(scope string) string {
	if scope == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(scope))
	return "p" + hex.EncodeToString(sum[:6])
}

func (s subjects) prefix() string {
	if s.scope == "" {
		return "wb." + s.name + "."
	}
	return "wb." + s.name + "." + s.scope + "."
}

func (s subjects) dataSubject() string                { return s.prefix() + "data" }
func (s subjects) fullStateSubject() string           { return s.prefix() + "ask" }
func (s subjects) presenceSubject(name string) string { return s.prefix() + "node." + name }
func (s subjects) requestSubject(name string) string  { return s.prefix() + "call." + name }

func (s subjects) bucketName(kind string) string {
	if s.scope == "" {
		return "wb_" + s.name + "_" + kind
	}
	return "wb_" + s.name + "_" + s.scope + "_" + kind
}

// auditSubject returns the subject for the lines of a node's audit file, which is common to
// all platforms.
func (s subjects) auditSubject(node string) string {
	return subjects{name: s.name}.prefix() + "audit." + node
}

// auditStream returns the name of the stream with the copied audit files.
func (s subjects) auditStream() string { return subjects{name: s.name}.bucketName("audit") }

// entrySubjects returns a pattern for the subjects of all entries in a bucket.
func (s subjects) entrySubjects(kind string) string { return "$KV." + s.bucketName(kind) + ".>" }
