-- Sends a message.
on perform(asked)
	set letter to my composed(asked)
	tell application "Microsoft Outlook" to send letter
	set answer to my newRecord()
	my keep(answer, "sent", true)
	return answer
end perform
