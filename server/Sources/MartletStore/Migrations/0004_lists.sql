-- Notifications by what they were sent with, and what a user is subscribed to.
CREATE INDEX notifications_dedup ON notifications (dedup_key, id) WHERE dedup_key IS NOT NULL;
CREATE INDEX notifications_category ON notifications (category_id, id) WHERE category_id IS NOT NULL;
CREATE INDEX subscriptions_user ON subscriptions (subject_id, id) WHERE kind = 2;
