package cases

// Libraries are the component libraries. All but plain HTML come from npm (bench/wild/libs, one file each).
var Libraries = []Library{
	{Name: "plain"},
	{Name: "bootstrap", NPM: true},
	{Name: "jqueryui", NPM: true},
	{Name: "foundation", NPM: true},
	{Name: "bulma", NPM: true},
	{Name: "uikit", NPM: true},
	{Name: "fomantic", NPM: true},
	{Name: "mui", NPM: true},
	{Name: "antd", NPM: true},
	{Name: "mantine", NPM: true},
	{Name: "primevue", NPM: true},
	{Name: "elementplus", NPM: true},
	{Name: "vuetify", NPM: true},
	{Name: "carbon", NPM: true},
	{Name: "shoelace", NPM: true},
	{Name: "material", NPM: true},
	{Name: "preact", NPM: true},
}
