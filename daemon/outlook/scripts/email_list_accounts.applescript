-- Lists the accounts: {"accounts": [{"name", "address", "type"}]}
on perform(asked)
	set gathered to my newList()
	repeat with pair in my everyAccount()
		set {one, itsKind} to contents of pair
		set row to my newRecord()
		my keep(row, "name", my nameOfAccount(one))
		my keep(row, "address", my addressOfAccount(one))
		my keep(row, "type", itsKind)
		my addTo(gathered, row)
	end repeat
	set answer to my newRecord()
	my keep(answer, "accounts", gathered)
	return answer
end perform
