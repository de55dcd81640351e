package prose

import (
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// phrasings are further forms of what tellings look for, by what they ask of the agent rather than by their words: to
// drop earlier instructions, to put this text above everything, to keep something from its user, to take data along.
var phrasings = []telling{
	{Rule: "prompt-exfiltration", Hints: []string{"until", "till", "as long as", "while", "before"},
		also: []string{"key", "token", "password", "secret", "credential"},
		re: source.Re(`\b(?:retry|repeat|again|keep \w+ing|loop|continue)\b.{0,80}\b(?:until|till)\b.{0,60}\b(?:contains?|holds?|has|includes?|` +
			`shows?|returns?|reveals?|gives?|yields?)\b.{0,40}\b(?:keys?|tokens?|passwords?|secrets?|credentials?)\b|` +
			`\b(?:retry|repeat|again|keep \w+ing|loop|continue)\b.{0,60}\b(?:until|till) (?:\w+ ){0,4}(?:keys?|tokens?|passwords?|secrets?|` +
			`credentials?) (?:is|are|has been|have been) (?:returned|shown|given|revealed|printed|sent|there)\b|` +
			`\b(?:retry|repeat|again|keep \w+ing|loop|continue)\b.{0,40}\b(?:as long as|while) (?:there is )?no (?:\w+ ){0,3}(?:keys?|tokens?|` +
			`passwords?|secrets?|credentials?)\b|\b(?:do not|don'?t|never) (?:stop|give up|rest|end)\b.{0,40}\b(?:before|until|till)\b.{0,60}` +
			`\b(?:keys?|tokens?|passwords?|secrets?|credentials?)\b`),
		unless: Negated},
	{Rule: "prompt-exfiltration", Hints: []string{"authorization", "authorisation", "auth header", "request header", "bearer token",
		"session cookie"},
		re: source.Re(`\b(?:echo|print|show|quote|repeat|include|log|return|output|display|copy|paste|add|append|put|write|give|reveal|state|` +
			`mention)\b.{0,60}\b(?:(?:authori[sz]ation|auth|request) headers?|bearer tokens?|session cookies?)\b(?:.{0,60}\b(?:in|into|to|back|` +
			`with)\b.{0,30}\b(?:answer|reply|response|output|chat|log|comment|summary|report|result|user|message|caller)s?\b|` +
			`(?: that)? (?:you|it|was|were) (?:sent|used|received|got|had)\b)`),
		unless: Negated},
	{Rule: "prompt-override", Hints: []string{"let go of", "put aside", "lay aside", "discard", "drop ", "attention to", "notice of",
		"leave behind", "throw ", "unlearn", "heed", "deprioriti", "stop applying", "consider yourself free", "released from", "freed from",
		"clear your", "reset your", "start over", "blank slate", "from scratch", "set aside", "neglect", "skip "}, also: []string{
		"instruction", "earlier", "previous", "prior", "guidance", "rules", "polic", "prompt", "told", "guideline", "directive", "constraint",
		"above", "before"},
		re: source.Re(`\b(?:let go of|put aside|lay aside|set aside|discard|drop|pay no (?:attention|heed) to|take no notice of|leave ` +
			`behind|throw (?:out|away)|unlearn|deprioriti[sz]e|stop applying|(?:consider yourself )?(?:free|released|freed) (?:from|of)|clear ` +
			`your|reset your|neglect|skip)\b.{0,50}?\b(?:(?:earlier|previous|prior|preceding|former|original|initial|existing|system|your` +
			`|safety|` +
			`above|other) (?:\w+ ` +
			`)?(?:ones|instructions?|guidance|rules?|polic(?:y|ies)|prompts?|guidelines?|directives?|constraints?|orders?|restrictions?)|` +
			`(?:everything|anything|whatever|all|what)\b.{0,20}\b(?:told|said|instructed|above|before|learned))\b`),
		unless: Negated},
	{Rule: "prompt-override", Hints: []string{"no longer", "does not count", "doesn't count", "not matter", "n't matter", "can be ignored",
		"should be ignored", "must be ignored", "to be ignored", "is void", "stops applying", "ceases", "be disregarded", "is irrelevant",
		"not binding", "does not apply", "doesn't apply"}, also: []string{"told", "said", "instructed", "asked", "taught", "given", "instruction",
		"rules", "guid", "prompt", "polic"},
		re: source.Re(
			`\b(?:whatever|everything|anything|all|what)\b.{0,30}\b(?:told|said|instructed|asked|taught|given)\b.{0,60}\b(?:no longer ` +
				`(?:applies|counts|matters|holds)|(?:does|do)(?: not|n'?t) (?:count|matter|apply)|(?:can|should|must|is to|are to) be ` +
				`(?:ignored|disregarded|forgotten)|(?:is|are) (?:void|irrelevant|not binding)|ceases?|stops? ` +
				`applying)\b|\b(?:earlier|previous|prior|system|other|your|all) (?:\w+ ` +
				`)?(?:instructions?|rules|guidance|guidelines|prompts?|polic(?:y|ies))\b.{0,40}\b(?:(?:can|should|must|is to|are to) be ` +
				`(?:ignored|disregarded|forgotten|dropped)|ceases?|stops? applying|(?:is|are) (?:irrelevant|not binding))\b`),
		unless: Negated},
	{Rule: "prompt-override", Hints: []string{"treat this", "regard this", "consider this", "take this", "treat these", "consider these",
		"regard these", "treat the following", "consider the following", "treat what follows", "treat everything"}, also: []string{
		"guidance", "authority", "instruction", "priority", "rule", "system", "order", "command", "directive"},
		re: source.Re(`\b(?:treat|regard|consider|take) (?:this|these|the following|what follows|everything (?:here|below)|its ` +
			`contents?)\b.{0,40}\b(?:as|to ` +
			`be)\b.{0,30}\b(?:(?:highest|top|supreme|ultimate|primary|sole|only|final|main|first|overriding|binding)[- ]?(?:\w+ ` +
			`)?(?:guidance|authority|instructions?|priority|rules?|directives?|orders?|commands?)|(?:highest|top)[- ](?:ranking|priority)` +
			`|system ` +
			`(?:prompt|message|instructions?|level)|coming from (?:the )?(?:system|developer|user))`),
		unless: Negated},
	{Rule: "prompt-override", Hints: []string{"outrank", "supersede", "overrid", "replaces", "precedence", "comes before", "trump",
		"priority over", "wins over", "stand above", "stands above", "prevail"}, also: []string{
		"document", "file", "skill", "page", "text", "section", "note"},
		re: source.Re(`\b(?:this|the present|the following) (?:\w+ )?(?:document|file|skill|page|text|section|note|message)(?:'s \w+)?` +
			` (?:\w+ ` +
			`)?(?:outranks?|supersedes?|overrides?|replaces|takes? precedence over|comes? before|trumps?|has priority over|wins over|stands? ` +
			`above|prevails? over)\b.{0,40}\b(?:your|any|all|every|other|system|user'?s?|previous|prior|earlier|host'?s?|developer'?s?|` +
			`everything|whatever|anything)\b`),
		unless: Negated},

	{Rule: "prompt-conceal", Hints: []string{"quiet about", "silent about", "no mention", "eyes only", "between you and", "keep it between",
		"leave out", "omit", "leave it out", "strip ", "exclude", "does not see", "doesn't see", "not visible to", "unseen by", "out of sight",
		"without a word", "say nothing", "tell no one", "tell nobody", "not a word", "do not draw", "don't draw", "not be told", "never" +
			" be told",
		"stay hidden", "remain hidden", "keep hidden", "on the quiet", "need not know", "needn't know", "doesn't need to know", "not to" +
			" be shown",
		"not to be mentioned", "not for the user"},
		re: source.Re(`\b(?:keep|stay|remain|be) (?:quiet|silent|mum) about (?:it|this|that|the `+
			`(?:step|upload|request|call|file|command|transfer))|\bmake no mention of\b|\bno mention of (?:it|this|that|these|the `+
			`(?:step|upload|request|call|file|transfer))\b.{0,40}\b(?:user|answer|summary|reply|response|output|report)?|\bfor (?:your|the `+
			`assistant'?s?|the agent'?s?) eyes only\b|\b(?:keep (?:it|this|that) )?between you and (?:me|us)\b|\b(?:this|it|that|the `+
			`(?:step|upload|request|call|transfer)) (?:must |should |is |has to |shall )?(?:stays?|remains?|be kept|keep|is kept) `+
			`(?:hidden|secret|invisible|unseen|out of sight)\b`,
			`|\b(?:leave|omit|strip|exclude|drop|cut) (?:it|this|that|them|these|(?:this|that|the|any) (?:\w+ `+
				`){0,2}?(?:step|upload|request|call|command|transfer|line|part|action))s?(?: (?:out|from)| out of| `+
				`from)\b.{0,24}\b(?:summary|answer|reply|response|output|report|chat|what you (?:tell|show))`,
			`|\b(?:say|tell|breathe) (?:nothing|no one|nobody|not a word|no word)\b.{0,30}\b(?:user|them|about `+
				`(?:it|this|that)|human|person|owner)?\b(?:about|of) (?:it|this|that)|\b(?:user|human|person|owner|they) (?:\w+ )?(?:does `+
				`not|doesn'?t|do not|don'?t|must not|need not|needn'?t|should never|must never|is not to|are not to) (?:see|be told|need to `+
				`know|know|learn|hear|notice)\b.{0,40}\b(?:this|it|that|of|about|step|part)\b|\b(?:not to be `+
				`(?:shown|mentioned|revealed|disclosed|told)|(?:be|stays?|kept|remains?) not visible) to (?:the )?(?:user|human|person|owner)`),
		unless: source.Re(`\b(?:never|if|attackers?|malware|detect|flag|look for|whether)\b[^,:]{0,40}$`),
		excuse: source.Re(`\b(?:placeholder|answers?|deprecat\w+|password|passphrase|tokens?|spoiler|draft)\b`)},

	{Rule: "prompt-remote-instructions", severity: report.High, Hints: []string{"http"},
		also: []string{"obey", "do what", "whatever", "as told", "carry out", "follow what", "follow it", "follow them", "do as", "act on",
			"do everything", "word for word", "to the letter"},
		re: source.Re(`https?://[^\s)>"']+.{0,120}\b(?:obey|do (?:what|whatever|as|everything)|carry out ` +
			`(?:what|whatever|the|everything|all|each)|follow (?:what|whatever|it|them|each|every)|act (?:on|upon) ` +
			`(?:what|whatever|it|them|the)|(?:execute|run|perform) (?:what|whatever|everything|each|all|the (?:steps|commands|instructions)))\b`),
		unless: Negated, excuse: source.Re(
			`\b(?:as data|not as instructions|untrusted|never follow|do not follow|don'?t follow|ask(?:s|ed)? the ` +
				`user|with the user|user (?:agrees|confirms|approves))\b`)},

	{Rule: "prompt-authority", Hints: []string{"permission", "approval", "consent", "authoriz", "authoris"},
		also: []string{"granted", "given", "implied", "assumed", "presumed", "in advance", "by installing", "covers"},
		re: source.Re(`\b(?:permission|approval|consent|authori[sz]ation)s? (?:for (?:this|these|all|any|every)\b.{0,40} ` +
			`)?(?:(?:has|have|was|were|is|are) (?:already |been |hereby |always |automatically ` +
			`)*(?:granted|given|implied|assumed|presumed|obtained)|covers? (?:all|every|any))\b|\bby (?:installing|using|loading|enabling) this ` +
			`(?:skill|tool)\b.{0,60}\b(?:agreed|agrees|consent(?:s|ed)?|approved?s?|permission|authori[sz])|\b(?:assume|presume|take) (?:\w+ ` +
			`)?(?:permission|consent|approval|authori[sz]ation)\b`),
		unless: source.Re(`\b(?:if|when|once|after|until|unless|only|whether|before|wait|make ` +
			`sure|ensure|check|verify|confirm|that|where|not|never)\b[^.]{0,60}$`),
		excuse: source.Re(
			`\bfree of charge\b|\bhereby granted\b.{0,80}\b(?:software|copyright|header files|use, copy|distribute)|\bpublic header files\b`)},

	{Rule: "persistence", severity: report.Medium, Hints: []string{"cron", "launch agent", "launchagent", "login item", "scheduled task",
		"startup folder", "startup item", "startup script", "systemd", ".bashrc", ".zshrc", ".profile", "bash_profile"},
		re: source.Re(`\b(?:add|append|install|create|set up|register|put|write|place|insert|schedule)\b.{0,120}?\b(?:cron(?:tab| job|` +
			` entry| ` +
			`line)?s?|launch ?agents?|login items?|scheduled tasks?|startup (?:folder|items?|scripts?)|systemd ` +
			`(?:units?|services?|timers?)|(?:\.(?:bashrc|zshrc|profile|bash_profile)))(?:\b|$)`),
		unless: Negated, excuse: source.Re(`\b(?:ask|confirm|agree|show|with the user|if the user|explain|optional(?:ly)?|path)\w*\b`),
		raised: source.Re(`\b(?:https?://|curl|wget|silently|quietly|each boot|survives?|persists?|stays? (?:active|alive|running)|keeps? ` +
			`(?:running|it alive)|even (?:after|if|when)|without|so (?:that )?(?:it|the skill|this) (?:stays|runs|keeps|is always|always))`)},

	{Rule: "prompt-conceal", Hints: []string{"brought up", "be raised", "mentioned", "discussed", "spoken of", "talked about", "with anyone",
		"with anybody", "to anyone", "to anybody"},
		re: source.Re(`\b(?:is|are|be|gets?|was) (?:never|not)(?: to be)?(?: ever)? (?:brought up|raised|mentioned|discussed|spoken of` +
			`|talked ` +
			`about)\b(?:.{0,30}\b(?:conversation|chat|answer|reply|response|summary|user|them|anyone|human)\b|[.!]?$)|\b(?:do not|don'?t|never) ` +
			`(?:talk|speak|comment|discuss)\b.{0,30}\b(?:about|on|of)?\b.{0,20}\b(?:to|with) (?:anyone|anybody)`),
		unless: source.Re(`\b(?:if|when|unless|names?|customers?|patients?|colleagues?|salar\w+)\b[^,:]{0,60}$`)},
	{Rule: "prompt-exfiltration", Hints: []string{".ssh", ".aws", ".gnupg", ".netrc", ".kube", ".npmrc", ".pypirc", ".git-credentials",
		"id_rsa", "id_ed25519", "private key", "seed phrase", "recovery phrase", "/etc/shadow", ".env", "keychain",
		"saved passwords"}, also: []string{"comment", "answer", "reply", "response", "output", "summary", "commit", "pull request", "issue",
		"changelog", "footer", "alt text", "metadata", "title", "branch", "file name", "filename", "signature", "description", "link",
		"translation"},
		re: source.Re(`\b(?:append|include|embed|encode|attach|paste|copy|put|add|insert|write|quote|hide|place|weave|work|slip|read)\b.{0,` +
			`80}(?:\.(?:ssh|aws|gnupg|netrc|kube|npmrc|pypirc|git-credentials)\b|\bid_(?:rsa|ed25519)\b|\b(?:user'?s |their |the )?(?:ssh |gpg ` +
			`)?private keys?\b|\b(?:seed|recovery) phrase|/etc/shadow|\b(?:contents?|values?|lines?) (?:of|from|in) (?:the |any |every ` +
			`)?\S{0,20}\.env\b|\b(?:all|any|every) (?:the )?\S{0,4}\.env files?\b|\bsaved ` +
			`passwords|\bkeychain)\S*.{0,80}\b(?:in|into|to|as|inside|within|at|with)\b.{0,30}\b(?:comments?|answers?|reply|replies|response|` +
			`output|summary|commit(?: message)?|pull request|issue|changelog|footer|alt text|metadata|title|branch(?: name)?|file ` +
			`?name|signature|description|link|translation)s?\b`),
		unless: Negated,
		excuse: source.Re(`\b(?:public keys?|\.pub\b|redact\w*|masked?|placeholder|whether|leak\w*|detect\w*|permissions? of|gitignore)\b`)},

	// In other languages: data taken away, and what was told before let go.
	{Rule: "prompt-exfiltration", foreign: true, Hints: []string{"http", "@", "webhook", "telegram", "discord"},
		also: []string{".ssh", ".env", ".aws", "id_", ".netrc", ".kube", ".gnupg", ".npmrc", ".docker", "_history", "cookie", "~/.", "$home",
			"wallet", "seed", "umgebungsvariablen", "variables de entorno", "variáveis de ambiente", "variables d'environnement",
			"variabili d'ambiente", "переменн", "环境变量", "環境変数", "환경 변수", "환경변수", "passw", "passwör", "kennw", "contraseñ", "senhas", "mots" +
				" de passe",
			"парол", "密码", "密钥", "秘密鍵", "パスワード", "비밀번호", "schlüssel", "claves", "chaves", "clés", "chiavi", "ключ", "会話", "对话", "對話", "conversa",
			"gespräch", "разговор", "대화", "token", "credenciais", "credenciales", "identifiants", "zugangsdaten", "credenziali", "凭据", "凭证", "認証"},
		re: source.Re(`(?:send(?:e|en|et)\b|schick[\pL\w]*|übermittl[\pL\w]*|übertrag[\pL\w]*|lade?\b.{0,60}\bhoch|häng[\pL\w]*.{0,60}\ban\b|`+
			`kopier[\pL\w]*|env[ií]a[\pL\w]*|envie[\pL\w]*|manda[\pL\w]*|sube\b|subir|adjunta[\pL\w]*|copia[\pL\w]*|transmit[\pL\w]*|`+
			`transmet[\pL\w]*|envoie[\pL\w]*|envoy[\pL\w]*|ajoute[\pL\w]*|joins\b|transfère[\pL\w]*|télévers[\pL\w]*|invia[\pL\w]*|`+
			`carica[\pL\w]*|allega[\pL\w]*|отправ[\pL\w]*|перешл[\pL\w]*|загруз[\pL\w]*|пошли[\pL\w]*|переда[\pL\w]*|wyślij|prześlij|`+
			`gönder[\pL\w]*|yükle[\pL\w]*)`,
			`|(?:发送|上传|传送|发到|发给|提交|附加|傳送|上傳|送信|送って|送る|アップロード|転送|添付|전송|보내|업로드|첨부)`),
		only: source.Re(`(?:https?://|@[\w-]+\.\w|webhook|telegram|discord)`),
		unless: source.Re(
			`(?:^|[\s'(])(?:nie(?:mals)?|nicht|kein[\pL\w]*|nunca|no|não|jamais|ne|n|non|mai|никогда|не|nigdy|asla)[\s'][^,.;]{0,20}$|` +
				`(?:不要|切勿|请勿|不|别)[^，。,]{0,6}$`),
		excuse: source.Re(
			`(?:authorization|bearer|header|kopfzeile|en-tête|encabezado|cabeçalho|nie(?:mals)?\b|nunca\b|jamais\b|никогда|絶対に|しないで|` +
				`ないでください|마세요|마십시오)`)},
	{Rule: "prompt-override", foreign: true, Hints: []string{"consignes", "instructions", "instrucciones", "instruções", "reglas", "regras",
		"règles", "regole", "normas", "órdenes", "ordens", "ordres", "anweisung", "vorgaben", "regeln", "istruzioni", "указани", "инструкц",
		"правил", "polece", "instrukcj", "talimat", "指示", "指令", "规则", "規則", "ルール", "命令", "지시", "지침", "규칙", "提示"},
		re: source.Re(
			`(?:ne (?:tiens|tenez) (?:pas|plus|aucun) compte|fais abstraction|faites abstraction|laisse de côté|no (?:tengas|tenga) en `+
				`cuenta|haz caso omiso|deja de lado|descarta|desconsidere|desconsidera|não (?:leve|considere)|deixe de lado|setze? dich `+
				`.{0,20}hinweg|lass .{0,30}außer acht|beachte .{0,40}nicht (?:mehr|länger)|halte dich nicht|non (?:tenere|considerare)|non tener `+
				`conto|tralascia|не (?:учитывай|следуй|обращай)|отбрось|zignoruj|pomiń|yok say|görmezden `+
				`gel)[\pL\w]*.{0,60}(?:reglas|regras|règles|regole|normas|órdenes|ordens|ordres|consignes|instructions|instrucciones|instruções|`+
				`anweisung|vorgaben|regeln|istruzioni|указани|инструкц|правил|polece|instrukcj|talimat)`,
			`|(?:reglas|regras|règles|regole|normas|órdenes|ordens|ordres|consignes|instructions|instrucciones|instruções|anweisungen|vorgaben|`+
				`regeln|istruzioni|указания|инструкции|правила|polecenia|talimat[\pL\w]*).{0,60}(?:ne (?:valent|comptent|s'appliquent) plus|ya no `+
				`(?:valen|aplican|cuentan)|(?:já )?não (?:valem|se aplicam)|gelten nicht(?: mehr)?|sind (?:ungültig|aufgehoben|hinfällig)|non `+
				`valgono|больше не (?:действуют|важны)|außer acht|yok say|görmezden gel)`,
			`|(?:指示|指令|规则|規則|ルール|命令|提示)[^。]{0,10}(?:すべて|全て|全部)?[^。]{0,6}(?:無視|忘れ|作废|失效|不再|无效|破棄|従わな)|(?:不再|不要|别)(?:遵守|遵循|理会|理睬|管)[^。]{0,12}(?:指示|`+
				`指令|规则|提示|命令)|(?:지시|지침|규칙)[^.]{0,10}(?:따르지|잊)`)},
	{Rule: "prompt-conceal", foreign: true, Hints: []string{"personne", "nadie", "ninguém", "niemand", "nessuno", "никому", "nikomu", "任何人",
		"誰にも", "아무에게도", "kimseye", "utilisateur", "usuario", "usuário", "nutzer", "anwender", "utente", "пользовател", "użytkownik", "kullanıcı",
		"用户", "用戶", "使用者", "ユーザ", "사용자"},
		re: source.Re(
			`n'en (?:parle|parlez|dis|dites|souffle)[\pL\w]*.{0,20}utilisateur|(?:garde|gardez).{0,20}(?:secret|caché)|l'utilisateur ne `+
				`doit (?:pas|rien|jamais)|el usuario no debe (?:saber|ver|enterarse|notar)|(?:ocult|escond)[\pL\w]*.{0,30}(?:al usuario|do `+
				`usuário|ao usuário)|o usuário não (?:deve|precisa) (?:saber|ver|perceber)|não `+
				`(?:conte|fale|comente|informe|avise|mostre|diga)[\pL\w]*.{0,30}usuário|(?:ver)?heimlich[\pL\w]*.{0,40}(?:nutzer|anwender)|`+
				`(?:nutzer|`+
				`anwender)[\pL\w]* (?:soll|darf|muss|braucht).{0,30}(?:nichts?|nie)\b|gegenüber (?:dem|der) `+
				`[\pL\w]*(?:nutzer|anwender)[\pL\w]*.{0,40}(?:nicht|nichts|still)|(?:l'utente non `+
				`deve|nascondi[\pL\w]*.{0,20}utente)|пользовател[\pL\w]* (?:об этом )?(?:знать|видеть|сообщать|говорить).{0,12}не `+
				`(?:нужно|надо|следует|обязательно)|пользовател[\pL\w]* не `+
				`(?:долж|нужно)[\pL\w]*.{0,20}(?:знать|видеть|замет)|(?:скрой|скрывай|утаи|втайне)[\pL\w]*.{0,30}пользовател|nie `+
				`(?:mów|informuj|wspominaj|pokazuj)[\pL\w]*.{0,30}użytkownik|kullanıcıya .{0,20}(?:söyleme|bildirme|gösterme)`,
			`|n'en (?:parle|parlez|dis|dites)[\pL\w]*.{0,10}personne|ne (?:le |la |les )?(?:dis|dites|montre|révèle)[\pL\w]* .{0,20}à `+
				`personne|no (?:se )?(?:lo |la |los )?(?:comentes|digas|cuentes|menciones|muestres|reveles).{0,20}nadie|não (?:o |a `+
				`)?(?:comente|conte|diga|mostre|revele|fale)[\pL\w]*.{0,30}ninguém|(?:sag|erzähl|verrat|zeig)[\pL\w]* `+
				`.{0,30}niemand|niemand[\pL\w]* .{0,20}(?:sagen|erzählen|verraten|zeigen|mitteilen)|non `+
				`(?:dir|mostrar|parlar|rivelar)[\pL\w]*.{0,20}nessuno|никому .{0,20}(?:не `+
				`)?(?:говори|сообщай|показывай|рассказывай)|(?:不要|别|切勿)[^。]{0,8}任何人|誰にも[^。]{0,10}(?:言わ|知らせ|話さ|見せ)|아무에게도`,
			`|(?:瞒着|隐瞒|背着|避开|對)[^。]{0,4}(?:用户|用戶|使用者)|(?:用户|用戶|使用者)[^。]{0,6}(?:不知情|不需要知道|不应知道|不该知道|不能知道|察觉)|ユーザー?に(?:は)?[^。]{0,10}(?:知らせず`+
				`|言わず|見せず|`+
				`内緒|秘密|黙って|気付かれ|気づかれ|伝えず|報告せず|通知せず)|사용자(?:에게|가|는)?[^.]{0,12}(?:모르게|몰래|알리지|비밀)`),
		excuse: source.Re(`(?:passwort|kennwort|contraseña|mot de passe|senha|парол|密码|パスワード|비밀번호)`)},
	{Rule: "prompt-conceal", foreign: true, Hints: []string{"молча", "тайно", "незаметно", "heimlich", "stillschweigend", "unbemerkt",
		"en silencio", "silenciosamente", "sin avisar", "en secreto", "em segredo", "discrètement", "en secret", "en silence", "silenziosamente",
		"di nascosto", "po cichu", "gizlice", "sessizce", "悄悄", "偷偷", "暗中", "静默", "こっそり", "密かに", "黙って", "몰래", "조용히"},
		re: source.Re(`(?:молча|тайно|незаметно|heimlich|stillschweigend|unbemerkt|en silencio|silenciosamente|sin avisar|en secreto|em ` +
			`segredo|discrètement|en secret|en silence|silenziosamente|di nascosto|po cichu|gizlice|sessizce|悄悄|偷偷|暗中|静默|こっそり|密かに|黙って|몰래|조용히)`),
		only: source.Re(`https?://|~/|\$home|\.env\b|\.ssh|\.aws|\bid_rsa|@[\w-]+\.\w|\bcurl\b`)},
}
