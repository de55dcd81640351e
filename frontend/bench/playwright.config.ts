import base from "../playwright.config";

// What a person opens is measured, not the headless shell.
const executablePath = process.env.SHOWHOW_BROWSER ?? "/usr/bin/chromium";

export default { ...base, testDir: ".", use: { ...base.use, launchOptions: { ...base.use?.launchOptions, executablePath } } };
