/** As much of a content hash as a person compares; terminal, tray and window show the same (daemon/api/presence/words.go). */
export const short = (hash?: string) => (hash ?? "").replace("sha256:", "").slice(0, 8);
