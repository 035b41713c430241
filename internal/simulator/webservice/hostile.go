package webservice

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"strings"
)

// InsertAttacks inserts attacks on terminals, web pages and shells into the strings of a JSON
// answer. Equal strings get equal attacks. Keys, usernames, codes other than activity codes, and other
// strings that the platform interprets stay unchanged. So does a body that is not JSON.
func InsertAttacks(body []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // keep numbers as they are
	var v any
	if d.Decode(&v) != nil {
		return body
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(insertAttacksInto("", v)) != nil {
		return body
	}
	return bytes.ReplaceAll(bytes.TrimSuffix(out.Bytes(), []byte("\n")), []byte("<invalid>"), []byte("\xff\xc0\xaf"))
}

// insertAttacksInto returns v with attacks in its strings. It changes maps and lists in place.
// key is the name of the JSON member that contains v.
func insertAttacksInto(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, member := range v {
			v[k] = insertAttacksInto(k, member)
		}
	case []any:
		for i, element := range v {
			v[i] = insertAttacksInto(key, element)
		}
	case string:
		if isFreeText(key) && v != "" && !strings.HasPrefix(v, "__") {
			return insertAttack(v)
		}
	}
	return v
}

// isFreeText reports whether the JSON member named key contains text written by users.
func isFreeText(key string) bool {
	switch key {
	case "username", "__typename", "operationName", "fileName", "filename":
		return false
	}
	key = strings.ToLower(key)
	for _, word := range []string{
		"name", "description", "subject", "message", "text", "note", "comment", "title", "label", "body", "company",
		"address", "city", "calldata", "clid", "customer", "value", "reason", "activitycode", "info",
	} {
		if strings.HasSuffix(key, word) {
			return true
		}
	}
	return false
}

// insertAttack inserts an attack, selected by the hash of text, into the middle of text.
func insertAttack(text string) string {
	attacks := []string{
		"\x1b[2J\x1b[H\x1b]0;owned\a", "\x1b]52;c;b3duZWQ=\x1b\\", "\u009b31m", "\u202eeviL\u202c", "\r\nLIVE\b\b\b\b",
		"\x00\x7f\x05", "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "👩\u200d👩\u200d👧\u200d👦", "北京市朝阳区客户服务中心",
		"\u2028\u200b\ufeff\U000e0041\u061c", "<invalid>", "</td><script>alert(1)</script>", "$(id)`id`';\"\\", "%s%n{{.}}",
		"\U000f0000\ue000\ufdd0", "\x1bP$q\"p\x1b\\", strings.Repeat("long ", 80), "#[fg=red]",
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // a hash write never fails
	index := int(h.Sum32()) % len(attacks)
	middle := len(text) / 2
	for middle > 0 && text[middle]&0xc0 == 0x80 {
		middle--
	}
	return text[:middle] + attacks[index] + text[middle:]
}
