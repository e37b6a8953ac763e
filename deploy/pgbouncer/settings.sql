-- What Pillarbox asks of each of its connections, for a pooler that lets no settings pass.
ALTER ROLE pillarbox SET timezone = 'UTC';
ALTER ROLE pillarbox SET synchronous_commit = 'on';
ALTER ROLE pillarbox SET default_transaction_isolation = 'read committed';
ALTER ROLE pillarbox SET idle_in_transaction_session_timeout = '30s';
ALTER ROLE pillarbox SET statement_timeout = '10s';
ALTER ROLE pillarbox SET lock_timeout = '5s';
