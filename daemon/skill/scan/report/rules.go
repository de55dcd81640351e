package report

// Rule is one rule of the scanner. Severity is its usual one: the place can lower it (an attack quoted by a skill that
// teaches defence) or raise it (an instruction where people do not look); Meaning is used when a finding says no more.
type Rule struct {
	ID       string
	Family   string
	Severity Severity
	Title    string
	Meaning  string
	Why      string
}

// Rules is every rule, in the order of docs/scanning.md. A finding never has an id that is not here.
var Rules = []Rule{
	// What it says to the agent.
	{"prompt-override", "instructions", High, "Tells the agent to set aside other instructions",
		"The text asks the agent to ignore, forget or override instructions it has from others.", "It has no say over the instructions of " +
			"its user, of its host or of other skills. Text that claims it is an attempt to take the agent over."},
	{"prompt-conceal", "instructions", High, "Tells the agent to hide something from its user",
		"The text asks the agent not to tell, show or mention what it does.",
		"What is honest can be told. Concealment is how stolen data and unwanted changes stay unnoticed."},
	{"prompt-no-consent", "instructions", Medium, "Tells the agent to act without asking",
		"The text asks the agent to go ahead without confirmation, or to confirm in its user's place.",
		"The question before a grave act is the last thing that stands between a mistake and its damage."},
	{"prompt-jailbreak", "instructions", High, "Tries to talk the agent out of its limits",
		"The text gives the agent a role or a mode without restrictions, or imitates the marks of a system message.",
		"Messages that pretend to come from the system, its maker or an administrator are the usual form of prompt injection."},
	{"prompt-authority", "instructions", High, "Claims an approval or an authority that a text cannot have",
		"The text says that the user, the maker or an administrator has approved already.",
		"Approval is given by a person to Showhow, never by a sentence in the thing to be approved."},
	{"prompt-exfiltration", "instructions", High, "Tells the agent to send secrets or personal data away",
		"The text asks for keys, personal files, the conversation or the environment to be sent, copied or embedded.",
		"An agent that follows the text carries the data out with its user's own rights, and no script is needed for it."},
	{"prompt-remote-instructions", "instructions", High, "Takes its instructions from the network",
		"The text asks the agent to fetch text from elsewhere and to do what it says.",
		"What the server answers can change after the review. The skill that was approved is then not the skill that is followed."},
	{"prompt-hijack", "instructions", High, "Puts itself before all other skills",
		"The text wants to be used for everything, first, always, or instead of other skills.",
		"A skill that is loaded for every request sees every request, and can steer each of them."},
	{"prompt-destruction", "instructions", High, "Tells the agent to destroy the user's data",
		"The text asks for home folders, disks, repositories or backups to be deleted.", "It cannot be taken back."},
	{"prompt-security-off", "instructions", High, "Tells somebody to switch protection off",
		"The text asks for the virus scanner, the firewall, Gatekeeper, the sandbox or the permission checks to be switched off.",
		"Honest software works with protection on; malware needs it off."},

	// What people do not see.
	{"hidden-tags", "concealment", Critical, "Holds invisible text",
		"Characters of the Unicode tag block spell text that no screen shows and agents read.",
		"There is no honest use of it outside three flags. It is made to instruct an agent behind its user's back."},
	{"hidden-variation", "concealment", High, "Holds data in variation selectors",
		"Runs of variation selectors, which are invisible, carry bytes.", "One selector after a sign chooses its form; many in a row hide data."},
	{"hidden-zero-width", "concealment", Medium, "Holds characters without width",
		"Invisible characters stand inside Latin words or code, or in long runs.",
		"They split words that a reader or a filter looks for, and spell hidden text in a binary code."},
	{"hidden-bidi", "concealment", High, "Reverses the direction of text", "Directional overrides show text in another order than it has.",
		"A line can look like a comment and be a command, a program.txt can be a program."},
	{"hidden-homoglyph", "concealment", High, "Mixes letters that look alike",
		"A word mixes Latin letters with look-alikes from another alphabet.", "It reads as a name that one trusts and is another one."},
	{"hidden-comment", "concealment", High, "Speaks to the agent in a comment",
		"A comment, which is not shown where Markdown is rendered, holds instructions.",
		"An agent reads the source; its user sees the page. What only the agent sees was hidden on purpose."},
	{"hidden-markup", "concealment", High, "Makes text invisible by its style",
		"Markup hides text, with a style or far outside the page, and the text speaks to the agent.",
		"An agent reads what the page does not show."},
	{"hidden-control", "concealment", High, "Steers the terminal it is shown in",
		"The text holds the characters that move a terminal's cursor, erase what it shows or change its title.",
		"Shown with cat or in a diff, such a text reads otherwise than it is; an agent reads what was erased."},
	{"hidden-padding", "concealment", Medium, "Pushes text out of sight", "Text stands behind many blanks or empty lines.",
		"It is there to be overlooked by a reviewer and read by the agent."},
	{"deceptive-link", "concealment", High, "A link goes elsewhere than it says", "The link's text names one host, its target is another one.",
		"People check what they see."},
	{"deceptive-host", "concealment", High, "An address imitates another",
		"A host looks like a well-known one: misspelt, with foreign letters, or with the known name in front of a foreign domain.",
		"What is fetched there comes from somebody else."},
	{"image-beacon", "concealment", High, "An image address carries data away",
		"The address of an image has a place for data to be filled in.", "Showing the image sends the data: no tool call, no question."},

	// Programs from elsewhere.
	{"fetch-execute", "download and run", High, "Runs what it fetches", "A download is given to an interpreter or started as a program.",
		"Whatever the server answers runs with the user's rights, and it can answer differently to everybody, every day."},
	{"known-installer", "download and run", Medium, "Runs an installer from a well-known site",
		"A download from a project's own well-known address is given to a shell.",
		"It is the usual way to install that program. It still runs what the server answers."},
	{"fake-prerequisite", "download and run", High, "Wants a program from an unknown place first",
		"As a prerequisite, something is to be downloaded and opened, or a command pasted into a terminal.",
		"This is how most malicious skills were installed: the skill is harmless, its prerequisite is not."},
	{"package-source", "download and run", Medium, "Installs a package from an address",
		"A package manager is given an address or another index instead of a name.", "It goes around the registry, its checks and its history."},
	{"package-typosquat", "download and run", High, "A package's name is nearly a known one",
		"The name differs from a well-known package's by a slip.", "Such names are registered to be installed by mistake."},
	{"install-hook", "download and run", Medium, "Runs something when it is installed or opened",
		"A hook of a package manager, of the agent or of an editor starts a command by itself.", "It runs without anybody having asked for it."},
	{"unpinned-run", "download and run", Low, "Runs the newest version of a package",
		"A package is fetched and run without being named by version.", "Tomorrow's version was not reviewed."},

	// What cannot be read.
	{"encoded-execute", "encoded payloads", High, "Runs decoded text", "Encoded or packed data is decoded and executed.",
		"Encoding serves no purpose for code except to hide it from readers and scanners."},
	{"encoded-payload", "encoded payloads", High, "Hides instructions in an encoding",
		"Decoded, the data is a program or instructions that are findings by themselves.", "What is honest need not be hidden."},
	{"obfuscated-code", "encoded payloads", Medium, "The code is made unreadable",
		"Names are computed, text is put together from numbers, or lines are far too long to be read.",
		"A reviewer cannot approve what nobody can read."},
	{"dynamic-code", "encoded payloads", Low, "Executes text as code", "The program evaluates text that is put together while it runs.",
		"Whoever supplies the text decides what runs."},
	{"binary-program", "encoded payloads", High, "Holds a compiled program", "The bundle holds a program in machine or byte code.",
		"Nobody can review it, and scripts or text can start it."},
	{"type-mismatch", "encoded payloads", High, "A file is not what its name says", "The content is of another kind than the extension.",
		"A picture that is a program was named to be overlooked."},
	{"nested-archive", "encoded payloads", Medium, "Holds an archive", "The bundle holds a packed archive.",
		"What is in it is not part of what people read; with a password, not of what a scanner reads either."},
	{"unread", "encoded payloads", Medium, "Could not be read whole",
		"A file or the bundle is over a limit of the scan, or a special file, and was not read to its end.", "What was not read was not judged."},

	// Where data goes.
	{"secret-exfiltration", "data flows", Critical, "Secrets or personal files go to the network",
		"Data from keys, credential stores, browser profiles, personal files or the whole environment reaches a network call.",
		"With it, somebody else acts as the user."},
	{"credential-elsewhere", "data flows", High, "A service's key goes to another host",
		"A key that belongs to one service is sent to a host that is not that service's.",
		"The receiver can use the key at the service it belongs to."},
	{"data-leaves", "data flows", Medium, "Sends what it reads to a place that SKILL.md does not name",
		"What the program reads on this computer goes to a host that SKILL.md says nothing about.",
		"Look at what is read, and at who the host belongs to: a skill that sends your files says so."},
	{"secret-access", "data flows", Medium, "Reads secrets or personal files",
		"Keys, credential stores, browser profiles, wallets or the like are read.", "Few tasks need them. What is read can be told."},
	{"environment-dump", "data flows", Medium, "Reads the whole environment", "All environment variables are collected or printed.",
		"They hold the keys of everything that runs on the machine."},
	{"catcher-host", "data flows", Medium, "Talks to a host made for anonymous drops",
		"The address is a request catcher, a paste site, a tunnel, a chat webhook, a shortener or a bare number.",
		"Services have names that answer for them; thieves use hosts that cannot be asked."},
	{"reverse-shell", "data flows", Critical, "Opens a shell to somebody else", "A shell's input and output are connected to the network.",
		"Whoever is at the other end sits at the user's keyboard."},
	{"surveillance", "data flows", High, "Watches the user",
		"Keystrokes, the clipboard, the screen or the microphone are recorded and kept or sent.",
		"It sees everything the user does, far beyond the task."},

	// What stays behind.
	{"persistence", "persistence", High, "Makes itself stay",
		"Something is written where it starts by itself: schedules, shell start files, services, login items, run keys, git hooks.",
		"It goes on after the skill is removed, and nobody sees it start."},
	{"agent-memory", "persistence", High, "Writes into agents' memory, identity or settings",
		"A file that agents read as their own instructions, memory or permissions is changed.",
		"Instructions planted there are followed in every later session, with no trace of the skill."},
	{"agent-memory-project", "persistence", Medium, "Changes a project's instructions for agents",
		"CLAUDE.md, AGENTS.md or the like of a project is written.",
		"It can be the skill's purpose. It also changes what every agent does there from now on."},
	{"agent-permissions", "persistence", High, "Widens what agents may do",
		"Permission checks are switched off or every command is allowed in advance.", "The agent's own protection is gone, for everything."},
	{"agent-redirect", "persistence", High, "Leads the agent's own traffic elsewhere",
		"The address of the model service or a proxy is set to another host.", "All prompts, files and keys of the agent then go through it."},

	// Rights.
	{"privilege", "permissions", Medium, "Acts with the machine's rights", "Commands run as administrator.",
		"A mistake or a lie in them reaches everything on the machine."},
	{"privilege-permanent", "privilege", High, "Keeps the machine's rights",
		"Rights are given for good: set-user-id, sudoers without password, capabilities, new accounts, privileged containers.",
		"Anything that runs later as the user is then master of the machine."},
	{"protection-off", "privilege", High, "Switches protection off",
		"A firewall, virus scanner, quarantine mark, signature check or audit log is switched off or emptied.",
		"It makes room for what comes next, and hides it."},
	{"destructive", "privilege", High, "Destroys what is not its own",
		"Home folders, disks, repositories' history or backups are deleted or overwritten.", "It cannot be taken back."},
	{"crypto-miner", "privilege", High, "Mines with the user's machine", "A mining program or pool is used.", "The user pays for it."},
	{"tools-undeclared", "privilege", Medium, "Does more than allowed-tools says",
		"The text or scripts use tools that allowed-tools leaves out.", "The declaration is what a user agrees to; it must not be a fig leaf."},
	{"tools-all", "privilege", Low, "Declares every command", "allowed-tools allows any shell command without a question.",
		"The agent will not ask before any of them."},

	// Who it says it is.
	{"name-squat", "identity", High, "Its name is nearly a known one",
		"The skill's name differs from a well-known name by a slip or a look-alike.", "It is meant to be taken for the other."},
	{"trigger-bait", "identity", High, "Wants to be chosen for everything",
		"Description or triggers are spammed, far too wide, or speak to the agent's choice instead of saying what the skill does.",
		"It is then loaded where it has no business."},
	{"trigger-wide", "identity", Medium, "Triggers are very wide", "Some triggers are single everyday words, or there are very many.",
		"It will be loaded often without need."},
	{"secret-inside", "identity", High, "Holds a secret", "A key, token or password is written in the bundle.",
		"Everybody who has the skill has it; and what it opens is not the user's own, who will work under somebody else's account."},

	// What it does at all: confirmed once, and no accusation.
	{"runs-commands", "permissions", Medium, "Runs commands or programs", "The skill has commands or programs that run on this computer.",
		"What runs can do whatever you can do. Read the commands, or let it run in the sandbox only."},
	{"uses-network", "permissions", Medium, "Uses the network", "The skill fetches from, or sends to, other computers.",
		"What is sent leaves this computer, and what is fetched can change. Look at the addresses it names."},
	{"writes-instructions", "permissions", Medium, "Writes what agents go by",
		"The skill says that it writes a project's instructions for agents or an agent's own memory, and has text that does.",
		"Agents obey what stands there. Read what it wrote before you keep it."},
	{"writes-to-people", "permissions", Medium, "Writes to people",
		"The skill says that it is about messages to people or groups, and has text that sends some.",
		"Who gets a message keeps it. Read what is sent, and to whom, before it goes."},
	{"not-led-to", "permissions", Medium, "Holds files that nothing leads to",
		"Files that nothing in the skill leads to hold what would be a finding in others.",
		"An agent that does what the skill says does not come there. Look at them before you send one there."},
	{"not-whole", "permissions", Medium, "Cannot be installed as it is",
		"The bundle holds links, or a head of SKILL.md that is no YAML and was read line by line.",
		"Links are not followed, and each agent reads such a head in its own way. Have it mended by who made it."},
}

// ByID finds a rule.
var ByID = func() map[string]*Rule {
	m := make(map[string]*Rule, len(Rules))
	for i := range Rules {
		m[Rules[i].ID] = &Rules[i]
	}
	return m
}()
