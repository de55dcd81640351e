package prose

import (
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// telling is a rule about one sentence. All expressions run in linear time over lower-case text of one sentence.
type telling struct {
	Rule     string
	severity report.Severity // "" is the rule's own
	Hints    []string        // one of them is in every match; looked for first, for speed
	also     []string        // and one of these
	re       *lazyre.Regexp
	unless   *lazyre.Regexp // in the sentence before the match: the sentence says not to, or only asks
	excuse   *lazyre.Regexp // anywhere in the sentence
	only     *lazyre.Regexp // somewhere in the sentence, else nothing
	raised   *lazyre.Regexp // anywhere in the sentence: high
	foreign  bool           // not English: matched on the text as it is
}

var Negated = source.Re(`\b(?:never|do not|don'?t|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|may not|not|refuse to|nobody` +
	`|no ` +
	`one|avoid|nor|without|rather than|instead of|how to (?:detect|prevent|avoid)|attempts? to|tries to|trying to|asks? (?:you |the agent ` +
	`)?to|tells? (?:you|the agent) to)\b[^,:]{0,60}$`)

var Tellings = []telling{
	{Rule: "prompt-override", Hints: []string{"ignor", "disregard", "forget", "overrid", "bypass", "supersede", "set aside", "abandon",
		"stop following", "follow", "obey", "void", "cancel"}, also: []string{"instruction", "prompt", "guideline", "directive", "restriction",
		"safeguard", "guardrail", "training", "told", "you know", "limitation", "safety"},
		re: source.Re(`\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget|overrid(?:e|es|ing)|bypass(?:es|ing)?|supersedes?|set ` +
			`aside|abandon|cancel|stop (?:following|obeying)|do not (?:follow|obey)|don'?t (?:follow|obey)|no longer ` +
			`(?:follow|obey|apply))\b.{0,60}?\b(?:previous(?:ly)?|prior|above|earlier|preceding|existing|original|other|all|any|your|system|` +
			`safety|everything|every|user'?s|developer'?s|host'?s)\b.{0,50}?\b(?:instructions?|(?:system ` +
			`)?prompts?|guidelines?|directives?|restrictions?|safeguards?|guardrails?|training|been told|were told|was told|you ` +
			`know|limitations|safety (?:rules?|polic(?:y|ies)|checks?))\b`),
		unless: Negated,
		excuse: source.Re(`\bignor(?:e|ing) (?:any |all |every )?(?:embedded|injected|untrusted|hidden|quoted` +
			`|third-party) (?:\w+ )?(?:instructions?|content|prompts?|` +
			`commands?|text)\b|\b(?:ignore|disregard|do not follow|don'?t follow|do not obey|bypass) (?:any |all |every )?(?:\w+ ` +
			`)?(?:instructions?|prompts?|directives?|commands?|requests?)\b.{0,30}\b(?:in|inside|within|from|embedded|contained|found|` +
			`hidden)\b.{0,40}\b(?:pages?|documents?|files?|contents?|emails?|messages?|inputs?|data|web|websites?|issues?|comments?|html|pdfs?|` +
			`results?|outputs?|texts?|attachments?|tickets?|sources?)\b`)},
	{Rule: "prompt-override", Hints: []string{"rules", "polic", "constraint", "context", "command", "order"},
		re: source.Re(`\b(?:ignore|disregard|forget|override|bypass|set aside|stop ` +
			`following)\b.{0,40}?\b(?:previous|prior|above|earlier|preceding|your (?:own |usual |normal |default ` +
			`)?|system|safety|developer'?s|anthropic'?s|openai'?s)\b.{0,30}?\b(?:rules?|polic(?:y|ies)|constraints?|context|commands?|orders?)\b`),
		unless: Negated},
	{Rule: "prompt-override", Hints: []string{"instructions", "prompt", "rules"},
		re: source.Re(`\b(?:these|this|the following|my|new|real|actual|true) (?:\w+ )?(?:instructions?|rules|prompt)\b(?: (?:\w+ )?| ` +
			`(?:in|of|from) (?:this|these|the) .{0,24})?\b(?:replace|supersede|override|take (?:precedence|priority)|outrank|are the only|come ` +
			`first)\b`),
		unless: Negated},
	{Rule: "prompt-override", Hints: []string{"obsolete", "void", "no longer", "outdated", "out of date", "superseded", "not apply",
		"n't apply", "expired", "revoked", "canceled", "cancelled", "invalid"},
		also: []string{"instruction", "guidance", "rule", "polic", "guideline", "prompt", "told you", "restriction"},
		re: source.Re(`\b(?:instructions?|guidance|rules?|polic(?:y|ies)|guidelines?|prompts?|restrictions?|told ` +
			`you)\b.{0,80}\b(?:obsolete|void|no longer (?:counts?|appl(?:y|ies)|valid|binding|in force|matters?)|outdated|out of ` +
			`date|superseded|(?:do|does)(?: not|n'?t) apply|expired|revoked|cancell?ed|invalid)\b`),
		unless: Negated,
		only: source.Re(`\b(?:host|system|safety|told you|you were (?:given|told)|your ` +
			`(?:previous|earlier|original|other|usual)|previous|earlier|developers?|anthropic|openai|user'?s|before)\b`)},
	{Rule: "prompt-override", Hints: []string{"scanner", "reviewer", "audit", "classif", "moderat"},
		re: source.Re(`\b(?:(?:if you are|note to|attention|dear) (?:an? |the |any |all )?(?:\w+ ` +
			`)?(?:scanners?|reviewers?|auditors?|classifiers?|moderators?|security ` +
			`(?:tools?|models?|agents?))|for (?:the |any |all )?(?:\w+ )?(?:scanners?|reviewers?|auditors?|classifiers?|moderators?|security ` +
			`(?:tools?|models?|agents?))\s*[:,]).{0,120}\b(?:safe|benign|clean|harmless|approved|trusted|skip|ignore|no ` +
			`(?:issues|findings|problems)|pass)\b`), excuse: source.Re(`\bnever (?:instruct|tell|ask)`)},

	{Rule: "prompt-conceal", Hints: []string{"tell", "inform", "mention", "notify", "alert", "reveal", "disclos", "report", "explain", "say",
		"let ", "show", "display", "discuss", "acknowledge", "announce", "bother", "warn", "expose"}, also: []string{
		"not ", "n't ", "dont ", "never ", "without ", "avoid ", "refrain", "no need"},
		re: source.Re(`\b(?:do not|don'?t|never|must not|should not|without|avoid|refrain from|no need to|needn'?t)\b (?:\w+ ){0,3}?(?:` +
			`(?:tell|telling|inform|informing|notify|notifying|alert|alerting|bother|warn|warning) (?:\w+ ){0,2}?(?:users?|human|operator` +
			`|owner|person|` +
			`anyone|anybody|developer|reviewer|them)\b|let(?:ting)? (?:the )?(?:users?|human|operator|owner|person|anyone|anybody|them) ` +
			`(?:know|see|notice|` +
			`find|learn)\b|(?:mention|mentioning|reveal|revealing|disclose|disclosing|report|reporting|explain|explaining|say|saying|discuss` +
			`|discussing|` +
			`acknowledge|announce|announcing|show|showing|display|displaying|expose|exposing)\b(?:[^,]{0,60}?| (?:any of )?(?:this|it)[^.` +
			`]{0,60}?)` +
			`\b(?:users?|human|operator|owner|person|anyone|anybody|developer|reviewer|to them)\b)`),
		excuse: source.Re(`\b(?:how to|what to|the answers?\b|(?:whole|full) list|solutions?\b|without (?:first )?(?:checking|verif|confirm)|` +
			`that (?:it|everything|the \w+|this|a \w+) (?:worked|is done|succeeded|is ` +
			`complete|finished|passed|has)|(?:show|display|reveal|disclose|expose|print|mention|give)\w* (?:to )?(?:the )?(?:users?(?:'s)? ` +
			`)?(?:any |their |its |your |an? |full |raw |the |other )*(?:raw|json|internal|stack|tokens?|passwords?|secrets?|api ` +
			`keys?|keys?|credentials?|ids?|html|technical|jargon|personal|private|pii|other users|more than|placeholder|values?))`),
	},
	{Rule: "prompt-conceal", Hints: []string{"secretly", "covert", "stealth", "surreptitious", "in secret", "unnotic", "discreetly",
		"invisibl", "undetect"},
		re: source.Re(`\b(?:secretly|covertly|stealthily|surreptitiously|discreetly)\b|\bin secret(?:[^\w\s]|$| (?:and|so|while|when|` +
			`before|after|to)\b)|\b(?:send|upload|post|forward|copy|add` +
			`|write|append|` +
			`collect|install|run|transmit|insert|place)\b.{0,80}\b(?:unnoticed|undetected|invisibly)\b|\b(?:unnoticed|undetected|invisibly` +
			`)\b.{0,60}\b(?:` +
			`send|upload|post|forward|copy|add|write|append|collect|install|run|transmit|insert|place)\b`),
		unless: Negated, excuse: source.Re(`\b(?:attackers?|malware|could|might|may|detect|whether|check|malicious)\b`)},
	{Rule: "prompt-conceal", Hints: []string{"silent", "quietly", "background", "behind the scenes"},
		re: source.Re(`\b(?:silently|quietly|in the background|behind the ` +
			`scenes)\b.{0,80}\b(?:send|upload|post|forward|transmit|exfiltrat\w*|collect|share|submit|relay|append|record` +
			`|harvest)(?:[^\w-]|$)|\b(?:send|` +
			`upload|post|forward|transmit|exfiltrate|collect|share|submit|relay|append|record` +
			`|harvest)[^\w-].{0,80}\b(?:silently|quietly|behind the ` +
			`scenes)\b`),
		unless: Negated},
	{Rule: "prompt-conceal", severity: report.Medium, Hints: []string{"silently", "quietly"},
		re: source.Re(`\b(?:silently|quietly)\b.{0,30}\b(?:run|execute|install|download|add|write|modify|delete|read|fetch|include|save|` +
			`copy)\b|\b(?:run|execute|install|download|add|write|modify|copy)\b.{0,40}\bsilently\b`),
		unless: Negated},
	{Rule: "prompt-conceal", Hints: []string{"no need", "no reason", "necessary", "nobody", "no one", "so they", "so that", "so the", "hide",
		"secret", "hidden", "confidential", "between us", "aware", "bring", "appear", "show up", "be mentioned", "attention", "suspicion",
		"out of", "dark", "know", "notice", "see ", "trace", "evidence", "tracks", "pretend", "nothing happened", "deny", "if asked", "summary",
		"response", "output", "answer", "transcript", "visible", "invisible"},
		re: source.Re(`\bhide (?:this|it|these|that|them|the (?:\w+ `+
			`)?(?:step|command|action|request|output|call|upload|file|operation|fact|result)s?) from (?:\w+ ){0,2}?(?:users?`+
			`|humans?|owners?|operators?|persons?|people|them|him|her|`+
			`any(?:one|body)|every(?:one|body)|reviewers?|view|sight|answers?|summar(?:y|ies)|reports?|reply|replies|outputs?|logs?|chat|history|`+
			`transcript)\b|\bkeep (?:this|it|these|that|them|the `+
			`\w+) (?:step |call |request )?(?:(?:secret|hidden|confidential|invisible)(?:\W?$|[^\w\s-]| (?:from|and|so|to|at)\b)|between us|`+
			`to yourself)`,
			`|\b(?:user|human|owner|operator|person|they)s? (?:(?:must|should|need|needs|will|is|are|may)(?: not|n'?t|not| never)(?: `+
				`to| need to| have to)?|(?:does|do)(?: not|n'?t) (?:need to|have to)) (?:know|see|notice|be told|be aware|be informed|be notified`+
				`|find out|learn|`+
				`realize|supposed to)|\b(?:user|human|owner|operator|person|they)s? (?:does|do)(?: not|n'?t) (?:find out|notice)\b`,
			`|\bwithout (?:the |your )?(?:user|human|owner|anyone|anybody|operator)s?(?:'s?)? (?:\w+ `+
				`)?(?:noticing|knowing|knowledge|seeing|awareness|realizing|being (?:aware|told))`,
			`|\b(?:remove|erase|delete|clean up|wipe|leave no|cover) (?:all |any |the |your )?(?:traces?(?: of\b| `+
				`that\b|[.,]|$)|evidence|tracks\b)|\bas if nothing (?:had )?happened\b|\bpretend (?:that )?(?:nothing|this (?:step|did)|you `+
				`(?:did|do) not|you didn'?t)`,
			`|\bif (?:the user |anyone |they |you are )?(?:asks?|asked)\b.{0,60}\b(?:deny|say (?:that )?(?:it|you|nothing)|claim|answer `+
				`that|lie|respond that)\b|\bdeny (?:having|(?:any|all) (?:knowledge|involvement|of `+
				`(?:it|this))|knowledge|knowing|everything)\b`,
			`|\b(?:do not|don'?t|never|no (?:reason|need|point)(?: \w+)? (?:to|in)) (?:\w+ )?(?:bring|bringing) (?:it|this|that|them|any of `+
				`(?:this|it)) up\b|\b(?:should|must|may|need) (?:not|never) (?:appear|show up|be `+
				`(?:mentioned|visible|listed|shown|logged|included|reported|recorded)) in (?:your|the|any) (?:\w+ `+
				`)?(?:answer|summary|response|reply|output|report|log|transcript|chat|message)s?\b`,
			`|\b(?:no need|no reason|not necessary|unnecessary) for (?:the user|them|him|her|anyone|anybody) to `+
				`(?:know|see|notice|learn)|\b(?:they|users?|he|she|nobody|anyone) (?:have|has) no need to (?:know|see)\b|\bso (?:that `+
				`)?(?:(?:nobody|no one)\b|(?:they|the user|the owner)\b.{0,12}(?:\bnever\b|\bnot\b|n'?t\b|\bnothing\b)).{0,20}\b(?:sees?|`+
				`notices?|knows?|finds?|learns?|suspects?|is (?:seen|noticed|visible))\b|\bso (?:that )?(?:they|the user|the owner) (?:\w+ )?`+
				`remains? (?:unaware|in the dark|ignorant)\b`,
			`|\bkeep (?:the |your )?(?:user|human|owner|operator)s? (?:in the dark|unaware|uninformed)\b|\bwithout `+
				`(?:drawing|attracting|raising) (?:\w+ )?(?:attention|suspicion)\b|\b(?:leave|keep) (?:this|it|that) out of (?:your|the|any) `+
				`(?:\w+ )?(?:summar\w+|answer|reply|response|report|`+
				`output|chat|conversation|transcript|logs?|message|notes?|record|account|explanation|protocol|history)\b`,
			`|\b(?:do not|don'?t|never) (?:include|log|record|mention|list|print|reference|write about|describe|show|output|refer to) `+
				`(?:this|these|it|any of this|that|the above|the previous|any mention|any reference|this `+
				`(?:step|section|request|call|rule|instruction)s?)\b.{0,60}\b(?:summar\w+|output|response|answer|reply|logs?|transcript|history|`+
				`report|chat|message|conversation)`,
			`|\b(?:do not|don'?t|never) (?:mention|reveal|disclose|discuss|repeat|acknowledge|quote|refer to) (?:this|these|the existence of|any `+
				`of (?:this|these)|the above|that)\b(?: (?:instructions?|rules?|steps?|sections?|comments?|notes?|prompts?))?`),
		unless: source.Re(`\b(?:nothing to|never|don'?t|do not|attackers?|malware|detect|flag|look for)\b[^,:]{0,40}$`),
		excuse: source.Re(`\b(?:placeholder|answers?|deprecat\w+|in (?:the )?(?:commit|message|pull ` +
			`request|pr|release|changelog|readme|docs?|documentation)|about (?:refactoring|internals?|implementation))\b`)},

	{Rule: "prompt-no-consent", Hints: []string{"without ", "do not ask", "don't ask", "never ask", "wait for", "skip", "auto", "always",
		"on behalf", "no need to ask", "do not wait", "don't wait", "do not prompt", "not require"},
		re: source.Re(
			`\bwithout (?:first |ever )?(?:asking|prompting|requesting|waiting for|seeking|requiring|needing|getting|obtaining)?\s?(?:for `+
				`)?(?:the |any |further |explicit |prior |additional )*(?:users?(?:'s?)? `+
				`)?(?:asking|confirmation|confirming|permission|approval|consent|prompting|authorization)\b`,
			`|\bwithout asking\b|\b(?:do not|don'?t|never|no need to|needn'?t) (?:\w+ )?(?:ask|wait|prompt|request|seek|require|pause)(?:ing)? `+
				`(?:\w+ ){0,4}?(?:permission|confirm\w*|approval|consent|authorization|before (?:running|executing|doing|sending|proceeding))\b`,
			`|\bauto-?(?:approve|accept|confirm|grant)s?\b|\balways (?:say|answer|choose|select|press|click|reply|respond)(?: with)? `+
				`["']?(?:yes|approve|allow|accept|confirm|y)\b|\bskip (?:the |any |all |every `+
				`)?(?:confirmations?|permissions?|approvals?|consent|prompts?)\b|\b(?:confirm|approve|accept|consent|answer) (?:\w+ ){0,3}on (?:the `+
				`user'?s|their|your user'?s|his) behalf\b`,
			`|\b(?:confirmation|approval|consent|permission) is (?:not (?:required|needed|necessary)|unnecessary|never (?:required|needed))`),
		unless: source.Re(`\b(?:never|do not|don'?t|must not|should not|cannot|can'?t|not|nothing|no \w+|avoid(?:s|ing)?)\b[^:;]{0,160}$|` +
			`^(?:(?:flags|options)\W+)?(?:\W*-\w,?\s+)?\W*--[\w-]+\b[^.]*$`), // what an option means
		raised: source.Re(
			`\b(?:transfer|pay|payments?|purchases?|buy|wire|send|upload|forward|sudo|root|grant|passwords?|credentials?|(?:any|all|` +
				`every|whatever) (?:command|request|permission|tool|action)s?|disable|exfiltrat\w*|` +
				`private key|trade|withdraw\w*|delete (?:all|every))\b`)},
	{Rule: "prompt-no-consent",
		raised: source.Re(`\b(?:use|run|pass|add|start|launch|invoke|set|always|call|switch|turn|enable|append|with|permissions)\b`),
		Hints: []string{"dangerously-skip", "dangerously_skip", "bypasspermissions", "bypass permissions", "--yolo", "full-auto",
			"dangerously-bypass"},
		re: source.Re(`--dangerously[-_a-z]*|\bbypasspermissions\b|\bbypass permissions? (?:mode|flag|checks?|for|on)\b|` +
			`--yolo\b`), unless: Negated},

	{Rule: "prompt-jailbreak", Hints: []string{"<|", "[inst", "<<sys", "<system", "</system", "[system", "system:", "system prompt:",
		"system message", "system override", "system notice", "system instruction", "system update", "[admin", "[developer"},
		re: source.Re(`<\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\|>|\[/?inst\]|<</?sys>>` +
			`|(?:^|[^\x60])</?system(?:[-_](?:reminder|prompt|message|override))?>|(?:^|[.!?>:] ?)\[(?:system|admin|developer|root)(?: ` +
			`(?:message|prompt|override|notice|instructions?|update|command|alert|directive|mode|note|only|access|begin|end|` +
			`start)){0,3}\](?:[^(\[]|$)|(?:^|[.!?*#>\[] ?)\W*system (?:override|notice|instruction|directive|command|alert)s?\W*[:\]]|` +
			`^\W*system: `),
		unless: source.Re(`\b(?:an?|the|as|of)(?: |$)$`)},
	{Rule: "prompt-jailbreak", Hints: []string{"mode", "unrestricted", "unfiltered", "uncensored", "jailbr", "no longer", "restrictions",
		"filters", "guidelines", "ethical", "safety"},
		re: source.Re(
			`\b(?:dan|jailbreak|jailbroken|god|unrestricted|unfiltered) mode\b|\byou are (?:now )?(?:in |operating in |running in )?(?:an? `+
				`)?(?:developer|debug|admin|root|maintenance|god|dan|unrestricted) mode\b|\byou are (?:now )?(?:dan|an? `+
				`(?:unrestricted|unfiltered|uncensored|jailbroken))\b`,
			`|\b(?:you(?:'re| are)?|assistant|agent|model|skill) (?:\w+ )?(?:not|no longer|never) (?:bound by|subject to|limited by|restricted `+
				`by|constrained by)\b.{0,30}\b(?:rules?|restrictions?|guidelines?|polic(?:y|ies)|limits?|filters?)`,
			`|\b(?:act|behave|respond|operate|pretend|answer)\b.{0,20}\b(?:you have|there (?:are|were)|you had|with) no (?:\w+ `+
				`)?(?:restrictions?|rules|limits|filters|guidelines|limitations)`,
			`|\bwithout (?:any )?(?:ethical|safety|moral|content) `+
				`(?:restrictions?|filters?|constraints?|guidelines?|checks?|considerations?|concerns?)|\b(?:safety|content|ethical) `+
				`(?:filters?|guidelines?|rules?|checks?|restrictions?) (?:do not|don'?t|no longer|are not|aren'?t|are `+
				`(?:disabled|off|suspended|lifted)) ?(?:apply|active|needed)?`),
		unless: Negated},

	{Rule: "prompt-authority", Hints: []string{"approved", "authoriz", "authoris", "consented", "agreed", "granted", "permission", "consent",
		"signed off", "sanctioned", "verified", "certified", "cleared"},
		re: source.Re(`\b(?:user|owner|human|administrators?|admin|security team|anthropic|openai|it department|company|operator|developers?) `+
			`(?:has|have|had) (?:already |explicitly |previously |fully |pre-?)*(?:approved|authori[sz]ed|consented|agreed to|granted|given `+
			`(?:\w+ ){0,2}(?:permission|consent|approval|authori[sz]ation)|signed off|cleared)\b`,
			`|\b(?:this|these|all|following) (?:\w+ `+
				`)?(?:actions?|skills?|steps?|commands?|requests?|operations?|instructions?|uploads?|scripts?) (?:is|are|has been|have `+
				`been|was|were) (?:already |fully |officially |explicitly `+
				`)?(?:pre-?(?:authori[sz]ed|approved)|authori[sz]ed|approved|sanctioned|cleared|whitelisted|certified|verified(?: as)? safe)\b`),
		unless: source.Re(
			`\b(?:if|when|once|after|until|unless|only|whether|before|wait|make sure|ensure|check|verify|confirm|that|where|not)\b[^.]{0,60}$`)},
	{Rule: "prompt-authority", Hints: []string{"anthropic", "openai", "administrator", "your creator", "your developer", "your operator",
		"the system"},
		re: source.Re(
			`\b(?:messages?|instructions?|directives?|notices?|orders?|requests?|mandates?|updates?) (?:comes? |is |are |issued |sent ` +
				`|direct(?:ly)? )*(?:from|by) (?:anthropic|openai|your (?:creators?|developers?|makers?|operators?|administrators?)|the ` +
				`(?:system|platform) (?:administrators?|operators?|team|owner)|system ` +
				`administrators?)\b|\b(?:trusted|verified|reviewed|audited|certified|approved) by (?:anthropic|openai|openclaw|clawhub|the security` +
				` ` +
				`team)\b|\b(?:on behalf of|speaking for|i am|this is) (?:anthropic|openai|the system administrator|your ` +
				`(?:creator|developer|administrator))\b`),
		unless: source.Re(`\b(?:claims?|claiming|pretends?|not|never|says?|suppose|suspicious)\b[^.]{0,60}$`)},

	{Rule: "prompt-hijack", Hints: []string{"this skill", "this tool", "this plugin", "other skill", "other tool", "any tool", "every ",
		"all ", "any ", "precedence", "priority", "each "}, also: []string{"skill", "tool", "plugin", "request", "task", "message",
		"conversation", "prompt", "query", "question", "session", "interaction", "response", "turn", "repl", "precedence", "priority",
		"no matter", "regardless", "first", "user"},
		re: source.Re(`\b(?:always|must|should|shall|need to|have to)\b (?:\w+ `+
			`){0,3}?(?:use|invoke|load|run|activate|apply|call|consult|read|choose|prefer|select|be `+
			`(?:used|invoked|loaded|called|consulted|run|chosen))\b.{0,40}?\b(?:first|before `+
			`(?:any|every|all|each|other|anything)|(?:for|on|with|at|in) (?:every|all|any|each)(?: single)? `+
			`(?:request|task|message|conversation|prompt|query|question|session|interaction|response|turn)s?|regardless of (?:the `+
			`)?(?:request|task|user|topic|what)|no matter (?:what|which)|instead of (?:any |all |every )?other)`,
			`|\b(?:use|invoke|activate|load|run|apply|trigger|call|applies|activates|triggers)\b (?:this |the )?(?:skill |tool `+
				`)?(?:automatically )?(?:for|on|to|in|at|with|before|after) (?:every|all|any|each)(?: single| and every)? (?:user `+
				`)?(?:request|message|conversation|prompt|query|question|session|interaction|response|turn|reply|replies)s?\b`,
			`|\b(?:this skill|these instructions|this tool|its instructions)\b.{0,40}\b(?:takes?|has|have) (?:\w+ )?(?:precedence|priority) `+
				`over\b|\b(?:do not|don'?t|never) (?:use|call|load|invoke|consult|trust) (?:any )?(?:other|another|different|competing) `+
				`(?:skill|tool|plugin)s?\b|\binstead of (?:any |all |every )other (?:skill|tool|plugin)s?\b`,
			`|\b(?:before|prior to) (?:using |calling |invoking |running )(?:any|every|all)(?: other)? `+
				`(?:tools?|skills?|commands?)\b.{0,80}\b(?:skill|call|invoke|send|include|pass|must)\b|\bno matter what (?:the )?user `+
				`(?:asks?|says?|wants?|requests?)\b|\beven (?:if|when) (?:the )?(?:user|it|request) (?:does not|doesn'?t|did not|is un|seems `+
				`un)\w*.{0,20}(?:ask|need|want|related)`),
		excuse: source.Re(`\b(?:call|run|use|invoke|read|load) [^\w\s]*\w+[_./][\w./]+\W{0,4} first\b|\b(?:twice|the first (?:call|` +
			`argument|parameter|one|time|line|run|element))\b`),
		unless: source.Re(`\b(?:never|do not|don'?t|must not|should not|not)\b[^,:]{0,60}$`)},

	{Rule: "prompt-destruction", Hints: []string{"delete", "remov", "wipe", "eras", "destroy", "format", "overwrite", "encrypt"},
		re: source.Re(
			`\b(?:delete|remove|wipe|erase|destroy|format|overwrite|encrypt|shred)\b.{0,40}?\b(?:(?:the |their |user'?s |entire |whole ` +
				`)*home (?:directory|folder)|all (?:of )?(?:the |their )?(?:user'?s |local |personal ` +
				`)?(?:files|data|documents|backups|repositories|photos)|(?:entire|whole) (?:disk|drive|system|repository|database|filesystem)|hard ` +
				`(?:drive|disk)|every file|git history|all (?:the )?(?:snapshots|backups))\b`),
		unless: Negated,
		excuse: source.Re(`\b(?:in|under|from|inside|within|of) (?:the |a |an |your |its )?(?:\w+ ` +
			`)?(?:builds?|temp|temporary|tmp|dist|cache|output|target|out|node_modules|staging|test|scratch|workspace|sandbox|bucket|archive|` +
			`index|cluster|object|list|older|session)|\bformat (?:for|of|in|to|as|is|with)\b|\b(?:ask|confirm|backup|back up|at rest|` +
			`recoverable|gdpr|retention)\b`)},

	{Rule: "prompt-security-off", Hints: []string{"disable", "turn off", "deactivate", "switch off", "pause", "uninstall", "bypass",
		"whitelist", "exclu", "allow-list"},
		re: source.Re(`\b(?:disabl(?:e|ing)|turn(?:ing)? off|deactivat(?:e|ing)|switch(?:ing)? ` +
			`off|paus(?:e|ing)|uninstall|bypass|whitelist|exclude)\b.{0,50}?\b(?:anti-?virus|virus scanner|windows ` +
			`defender|defender|firewall|gatekeeper|system integrity protection|sip|selinux|apparmor|smartscreen|security ` +
			`(?:software|tools?|checks?|scan(?:ner|s)?|warnings?|features?)|edr|endpoint protection|permission (?:checks?|prompts?)|real-?time ` +
			`protection|audit log(?:ging|s)?|uac)\b`),
		unless: Negated, excuse: source.Re(`\b(?:detect|whether|attackers?|if .{0,20} is (?:disabled|off)|flag)\b`)},

	{Rule: "prompt-remote-instructions", severity: report.Medium, Hints: []string{"http", "url", "remote", "server", "gist", "endpoint"},
		also: []string{"instruction", "steps", "command", "directive", "whatever", "anything", "everything", "says", "task", "prompt",
			"guidance", "rules", "tells", "what ", "asks"},
		re: source.Re(`\b(?:fetch|download|load|read|retrieve|get|visit|open|check|pull|curl|browse|access|consult)\b.{0,` +
			`120}?(?:https?://|\burl\b|\bremote\b|\bserver\b|\bgist\b|\bendpoint\b).{0,160}?\b(?:follow|execute|run|obey|apply|perform|carry ` +
			`out|comply with|treat|do)\b.{0,60}?\b(?:instructions?|steps|commands?|directives?|whatever|anything|everything|what ` +
			`(?:it|that|the|this|they)\b.{0,24}\b(?:says?|tells?|asks?|instructs?|lists?|returns?)|tasks?|prompt|guidance|rules)\b`),
		unless: Negated, excuse: source.Re(`\b(?:as data|not as instructions|untrusted|never follow)\b`),
		raised: source.Re(`\b(?:obey|directives?|exactly|whatever|anything|everything|as (?:your |the |new ` +
			`)?(?:system|instructions|additional)|latest instructions|new instructions|(?:latest|current|new) commands|the ` +
			`commands|returned|response|treat|every (?:time|session|run|hour|minute|day)|each (?:time|session|run)|before ` +
			`(?:every|each|starting|any)|comply|perform the tasks)\b`)},

	{Rule: "agent-memory", Hints: []string{".md", "memory", "system prompt", "persona"},
		re: source.Re(
			`\b(?:add|append|write|insert|save|store|put|copy|persist|update|modify|edit|overwrite|replace|inject|place|prepend|record|` +
				`plant)\b.{0,160}?(?:\b(?:soul|identity|heartbeat|bootstrap|memory|user|tools)\.md\b|~/\.(?:claude|codex|openclaw|gemini|` +
				`cursor)/\S*(?:\.md|settings\S*\.json|hooks?\S*|config\S*)|\b(?:agent'?s?|your(?: own)?|assistant'?s?|its) (?:long-?term |` +
				`persistent ` +
				`|permanent )?(?:memory|memories|identity|personality|system prompt)\b|\b(?:long-?term|persistent|permanent) memory\b)`),
		unless: Negated},
	{Rule: "agent-memory-project", Hints: []string{"claude.md", "agents.md", "gemini.md", "cursorrules", "windsurfrules", "clinerules",
		"copilot-instructions"},
		re: source.Re(
			`\b(?:add|append|write|insert|save|store|put|copy|persist|update|modify|edit|overwrite|replace|inject|place|prepend|create|` +
				`generate)\b.{0,120}?(?:\b(?:claude|agents|gemini)(?:\.local)?\.md\b|\.cursorrules|\.windsurfrules|\.clinerules|copilot-` +
				`instructions)`),
		unless: Negated,
		raised: source.Re(`~/|\bglobal\b|\bhome (?:directory|folder)\b|\bevery (?:project|repository)|\ball (?:projects|repositories)|` +
			`\bparent ` +
			`director|\bfuture (?:sessions?|conversations?|agents?)|\bsilently\b|\bdo not (?:tell|mention)`)},
	{Rule: "agent-memory", Hints: []string{"future", "from now on", "every session", "permanently"},
		re: source.Re(`\b(?:remember|memorize|always|persist|keep|follow|apply|store|from now on)\b.{0,100}\b(?:in|for|across|to|during|on) ` +
			`(?:all |every |any |your |each )?(?:future|subsequent|later) ` +
			`(?:sessions?|conversations?|tasks?|requests?|chats?|projects?|interactions?)\b|\bpermanently (?:remember|store|adopt|change your)\b`),
		unless: Negated},

	{Rule: "image-beacon", Hints: []string{"http"}, also: []string{"image", "img", "picture", "pixel", "badge", "link"},
		re: source.Re(`\b(?:render|embed|include|display|insert|show|append|add|load|output)\b.{0,80}\b(?:image|img|picture|pixel|markdown ` +
			`image|badge|link)\b.{0,160}https?://[^\s)]*[?&/=][^\s)]*(?:\{|<|\[|%7b|\$)`)},

	{Rule: "fake-prerequisite", severity: report.Medium, Hints: []string{"terminal", "powershell", "command prompt", "run dialog", "win+r"},
		re: source.Re(
			`\b(?:paste|pasting)\b.{0,60}\b(?:in|into|in to)\b.{0,20}\b(?:terminal|powershell|command prompt|run dialog|console|shell)\b`),
		unless: Negated},
	{Rule: "fake-prerequisite", Hints: []string{"password", "passcode"},
		re: source.Re(
			`\b(?:archive|zip|rar|7z|download|extract|unzip|unpack)\w*\b.{0,120}\b(?:password|passcode|pass)\b(?: is|:| =|=| to extract| ` +
				"`" + `|\s+["'])|\b(?:password|passcode|pass)\b\W{0,3}(?:is )?\W{0,3}\w+\W{0,3}.{0,40}\b(?:to )?(?:extract|unzip|unpack|open` +
				`) (?:the ` +
				`|it|this )?(?:archive|zip|file|it)?`)},
	{Rule: "surveillance", severity: report.Medium, Hints: []string{"keystroke", "keylog", "clipboard", "screenshot", "microphone",
		"webcam"},
		re: source.Re(
			`\b(?:log|record|capture|monitor|collect|track)\w*\b.{0,40}\b(?:keystrokes|keyboard input|clipboard|microphone|webcam)\b`),
		unless: Negated, raised: source.Re(`\b(?:send|upload|post|background|silently|every \d|continuously|all)\b`)},

	// The same in other languages.
	{Rule: "prompt-override", foreign: true, Hints: []string{"ignor", "vergiss", "missacht", "olvida", "oublie", "esque", "dimentica",
		"игнорир", "забудь", "забудьте", "忽略", "无视", "忘记", "無視", "忘れ", "무시", "잊"},
		re: source.Re(`(?:ignorier|missacht|vergiss)\w* .{0,20}(?:vorherig|bisherig|früher|obig|vorig|ander)\w* `+
			`(?:anweisung|befehl|regel|vorgabe|instruktion)|(?:ignor[ae]|olvida|esque[cç]a|dimentica)\w* `+
			`.{0,20}(?:instruc|instrucciones|órdenes|ordens|istruzioni|regras|reglas|regole).{0,12}(?:anterior|previa|prévia|precedent)|`+
			`(?:ignore|oublie)[zr]? .{0,12}(?:instructions|consignes|règles) (?:précédent|antérieur|ci-dessus)`,
			`|(?:игнорир|забудь|забудьте).{0,20}(?:предыдущ|прошл|прежн|все ).{0,6} `+
				`?(?:инструкц|указани|команд|правил)|(?:忽略|无视|忘记|忽視)[^，。,]{1,12}(?:指令|指示|提示|规则|命令)|(?:指示|命令|ルール|プロンプト).{0,6}(?:無視|忘れ)|(?:지시|명령|`+
				`지침|규칙).{0,`+
				`6}(?:무시|잊)`)},
	{Rule: "prompt-conceal", foreign: true, Hints: []string{"nutzer", "anwender", "usuario", "usuário", "utilisateur", "utente", "пользовател",
		"用户", "使用者", "ユーザ", "사용자"},
		excuse: source.Re(
			`(?:zeig|muestr|montre|mostr|показыва|显示|見せ|보여)\S* .{0,12}(?:passwort|kennwort|schlüssel|token|contraseña|clave|mot de ` +
				`passe|clé|senha|chiave|токен|парол|ключ|密码|令牌|パスワード|トークン|토큰|비밀번호)`),
		re: source.Re(`(?:sag|erzähl|teil|verrat|zeig|informier|erwähn)\w* .{0,40}(?:be)?(?:nutzer|anwender)\w* `+
			`.{0,20}(?:nichts|nicht|niemals|nie)\b|(?:nutzer|anwender)\w* (?:nicht|nichts|niemals|darf `+
			`nicht).{0,40}(?:mitteil|sag|informier|erwähn|wissen|erfahren)|ohne .{0,30}(?:nutzer|anwender)\w* .{0,20}(?:informier|frag|wiss|merk)`,
			`|no (?:le |se lo )?(?:digas|informes|menciones|reveles|muestres|avises|cuentes).{0,40}usuario|sin (?:que el usuario|informar al `+
				`usuario|avisar al usuario)|(?:ne |n')(?:\w+ `+
				`)?(?:dis|dites|informe[zr]?|mentionne[zr]?|révèle[zr]?|montre[zr]?|préviens|prévenez).{0,40}utilisateur|(?:à l'insu de|sans (?:en `+
				`)?(?:informer|prévenir|avertir)) l'utilisateur`,
			`|não (?:diga|informe|mencione|conte|mostre|avise|revele).{0,30}usuário|sem (?:informar|avisar) o usuário|non `+
				`(?:dire|informare|menzionare|mostrare|rivelare|avvisare).{0,30}utente|all'insaputa dell'utente|не `+
				`(?:говори|сообщай|упоминай|показывай|рассказывай|информируй).{0,30}пользовател`,
			`|(?:不要|别|切勿|请勿|不得|不能|绝不)[^未没]{0,8}(?:告诉|告知|通知|提及|透露|让).{0,8}(?:用户|使用者)|ユーザー?(?:に|へ).{0,16}(?:知らせ|伝え|言わ|見せ|報告し|通知し)(?:ない|ず)|사용자에게.{0,`+
				`14}(?:알리지|말하지|보여주지|보고하지)`)},
}
