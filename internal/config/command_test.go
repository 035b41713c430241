package config

func commandCases() []problemCase {
	like := `; write it like run = ["/usr/local/bin/crm", "--user={user}"] or open = "https://crm.example.com/{user}"`
	return []problemCase{
		{"commands", rtd + "[[command]]\nname = \"a\"\nrun = [\"crm\", \"{user}\"]\n[[command]]\nname = \"b\"\nopen = \"https://crm/{name}\"\nkey = \"N\"\n", ``},
		{"command without a name", rtd + "[[command]]\nrun = [\"crm\"]\n", `
DIR/config.toml:4: command[0].name: is missing; every [[command]] needs a name for the palette`},
		{"command twice", rtd + "[[command]]\nname = \"a\"\nrun = [\"crm\"]\n[[command]]\nname = \"A\"\nrun = [\"crm\"]\n", `
DIR/config.toml:8: command[1].name: "A" is used twice; choose another name`},
		{"command of nothing", rtd + "[[command]]\nname = \"a\"\n", `
DIR/config.toml:4: command[0]: needs either a program to run or a link to open` + like},
		{"command with a key of another", rtd + "[[command]]\nname = \"a\"\nrun = [\"crm\"]\nkey = \"N\"\n[[command]]\nname = \"b\"\nrun = [\"crm\"]\nkey = \"N\"\n[keys]\nwhy = \"N\"\n", `
DIR/config.toml:7: command[0].key: "N" is the key of an action, that at line 13; choose another key
DIR/config.toml:11: command[1].key: "N" is the key of another command, that at line 4; choose another key`},
	}
}
