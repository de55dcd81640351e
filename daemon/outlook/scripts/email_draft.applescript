-- Makes a draft; Outlook keeps it in the folder of drafts. Nobody gets it.
on perform(asked)
	set letter to my composed(asked)
	tell application "Microsoft Outlook" to set itsId to id of letter
	set answer to my newRecord()
	my keep(answer, "id", itsId)
	return answer
end perform
