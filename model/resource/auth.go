package resource

import "encoding/json"

// Version is the result of GET /rest/auth/version: APIVersion of document 1.
type Version struct {
	document

	Vendor string `json:"vendorVersion"`
	WebAPI string `json:"webapiVersion"`
}

// Profile is the profile of the logged-in user: LoginProfile of document 1 without the session ID
// and the tokens. The REST client does not pass these secrets on. Profile does not embed the
// received document, so the secrets cannot leak.
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
