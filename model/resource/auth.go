package resource

import "encoding/json"

// Version is what GET /rest/auth/version returns: APIVersion of document 1.
type Version struct {
	document

	Vendor string `json:"vendorVersion"`
	WebAPI string `json:"webapiVersion"`
}

// Profile is who logged in: LoginProfile of document 1. The session id and the
// tokens of the document are secrets, which the REST client keeps for itself;
// so that no other gets in, a Profile is no more than its fields.
type Profile struct {
	Username         string                     `json:"username"`
	Surname          string                     `json:"surname"`
	Name             string                     `json:"name"`
	PublicUsername   string                     `json:"publicUsername"`
	Status           string                     `json:"status"`   // sample value: UNKNOWN
	Language         string                     `json:"language"` // IT, it_IT, EN, en_US
	Anonymous        *bool                      `json:"anonymous"`
	PwdChangeable    *bool                      `json:"pwdChangeable"`
	IsCloudPlatform  *bool                      `json:"isCloudPlatform"`
	Logged           *bool                      `json:"logged"`
	ChatUserID       string                     `json:"chatUserId"`
	ChatURI          string                     `json:"chatUri"`
	ProfileRoles     []string                   `json:"profileRoles"`
	UserPermissions  []string                   `json:"userPermissions"` // sample value: SUPERUSER
	CustomProperties map[string]json.RawMessage `json:"customProperties"`
}
