-- Reads the message with this id, with its text.
on perform(asked)
	set aMessage to my messageIn(asked, "id")
	set answer to my detailsOf(aMessage)
	set {itsText, itsContent} to {"", ""}
	tell application "Microsoft Outlook"
		try
			set itsText to my textOf(plain text content of aMessage)
		end try
		if itsText is "" then set itsContent to my textOf(content of aMessage)
	end tell
	my keep(answer, "text", itsText)
	my keep(answer, "html", itsContent)
	return answer
end perform
