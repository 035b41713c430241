package accounts

// Account is somebody who may log in.
type Account struct {
	Username, Password string
	Token              string // a standing access token; "" is none
	Name, Surname      string
	Language           string // a value of document 2's enum Language; "" is EN
	Supervisor         bool
	// PasswordExpired makes both REST logins answer 403.
	PasswordExpired bool
	// NoSMS is a profile that does not allow sending SMS: status 570.
	NoSMS bool
}

// Defaults returns who may log in when nobody else is named: the default
// account, one whose password is expired, and one that may not send SMS.
func Defaults() []Account {
	return []Account{
		Default(),
		{Username: "expired", Password: "wallboard", Token: "expired-token", Name: "Ivo", Surname: "Marek", PasswordExpired: true},
		{Username: "trainee", Password: "wallboard", Token: "trainee-token", Name: "Nora", Surname: "Blum", NoSMS: true},
	}
}

// Default is the account that may do everything.
func Default() Account {
	return Account{
		Username: "supervisor", Password: "wallboard", Token: "demo-token",
		Name: "Sofia", Surname: "Lindqvist", Language: "EN", Supervisor: true,
	}
}
