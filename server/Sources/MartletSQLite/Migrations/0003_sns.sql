-- Keys of the SNS interface, platform applications, and what its clients keep with an endpoint.

CREATE TABLE access_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    access_key TEXT NOT NULL UNIQUE,
    sealed BLOB NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE platform_applications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL CHECK (platform IN (1, 2)),
    environment INTEGER NOT NULL CHECK (environment IN (1, 2)),
    -- SNS's word for both.
    kind TEXT NOT NULL,
    -- Both of what was made through SNS, for which the app was made too. Without them it is called as its app is.
    region TEXT,
    name TEXT,
    is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
    attributes TEXT NOT NULL,
    sealed BLOB,
    created_at INTEGER NOT NULL,
    UNIQUE (app_id, platform, environment),
    CHECK ((region IS NULL) = (name IS NULL))
) STRICT;

CREATE UNIQUE INDEX platform_applications_name ON platform_applications (region, kind, name) WHERE name IS NOT NULL;

INSERT INTO platform_applications (app_id, platform, environment, kind, is_enabled, attributes, created_at)
SELECT app_id, platform, environment, iif(platform = 2, 'GCM', iif(environment = 1, 'APNS_SANDBOX', 'APNS')), 1, '{}',
    created_at
FROM credentials WHERE platform = 1 OR (platform = 2 AND environment = 2) ORDER BY id;

ALTER TABLE endpoints ADD COLUMN custom_user_data TEXT;
