-- Names of credentials that the person put into the operating system's keychain. The values are there alone.

CREATE TABLE credentials(
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
