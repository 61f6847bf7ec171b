-- A device's operating system (1 ios, 2 android, 3 web), where it said one.
ALTER TABLE endpoints ADD COLUMN system smallint;
-- What a message to a browser is sealed with (its public key and secret, and the id of the app's VAPID key that it subscribed
-- with), sealed itself. subscription_keys and vapid_key_id are what was stored before.
ALTER TABLE endpoints ADD COLUMN subscription bytes;
-- What was switched off by request has one switch now, which no registration turns on.
UPDATE endpoints SET has_push = 0, status = 0, status_reason = NULL WHERE status = 1 AND status_reason = 'by_request';
