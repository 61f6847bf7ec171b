-- An installation whose token changes gets another secret, so that a copy of it on another device is told from it. The one
-- before counts until the new one was presented: the answer that carried it may have been lost.

ALTER TABLE installations ADD COLUMN previous_secret BLOB CHECK (length(previous_secret) = 32);

-- What the person allowed the app to show, as the phone said it last.

ALTER TABLE endpoints ADD COLUMN permission TEXT
    CHECK (permission IN ('not_determined', 'denied', 'authorized', 'provisional', 'ephemeral'));
