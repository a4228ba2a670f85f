-- What has made each version of the database from the one before, as it was published: nothing here
-- ever changes. What SQL cannot do, `schema.py` does to a database that is up to date already.

-- Version 1
-- The checks keep a mistake of ours from being written; rows are checked again when read.
CREATE TABLE tables (
        id INTEGER PRIMARY KEY,
        opened INTEGER NOT NULL CHECK (typeof(opened) = 'integer'),
        bind TEXT CHECK (typeof(bind) IN ('text', 'null')),
        port INTEGER NOT NULL CHECK (typeof(port) = 'integer' AND port BETWEEN 1 AND 65535),
        ended INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1)),
        settings TEXT NOT NULL DEFAULT '{}' CHECK (typeof(settings) = 'text'),
        phase TEXT NOT NULL DEFAULT 'lobby' CHECK (phase IN ('lobby', 'playing', 'result')),
        owner BLOB CHECK (owner IS NULL OR typeof(owner) = 'blob' AND length(owner) = 32),
        games INTEGER NOT NULL DEFAULT 0 CHECK (typeof(games) = 'integer' AND games >= 0),
        revision INTEGER NOT NULL DEFAULT 0
            CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647)
    );
CREATE TABLE seats (
        table_id INTEGER NOT NULL REFERENCES tables,
        place INTEGER NOT NULL,
        family TEXT NOT NULL CHECK (typeof(family) = 'text'),
        name TEXT NOT NULL CHECK (typeof(name) = 'text'),
        bot TEXT CHECK (typeof(bot) IN ('text', 'null')),
        key_hash BLOB
            CHECK (key_hash IS NULL OR typeof(key_hash) = 'blob' AND length(key_hash) = 32),
        previous_key_hash BLOB CHECK (
            (previous_key_hash IS NULL) = (key_hash IS NULL)
            AND (key_hash IS NULL
                 OR typeof(previous_key_hash) = 'blob' AND length(previous_key_hash) = 32)
        ),
        host INTEGER NOT NULL CHECK (host IN (0, 1)),
        gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
        acted INTEGER NOT NULL
            CHECK (typeof(acted) = 'integer' AND acted BETWEEN 0 AND 2147483647),
        PRIMARY KEY (table_id, place)
    ) WITHOUT ROWID;
CREATE TABLE games (
        table_id INTEGER NOT NULL REFERENCES tables,
        number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number > 0),
        revision INTEGER NOT NULL
            CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647),
        record TEXT NOT NULL CHECK (typeof(record) = 'text'),
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
CREATE TABLE actions (
        table_id INTEGER NOT NULL REFERENCES tables,
        game INTEGER NOT NULL,
        step INTEGER NOT NULL CHECK (typeof(step) = 'integer' AND step > 0),
        seat INTEGER NOT NULL CHECK (typeof(seat) = 'integer' AND seat BETWEEN 0 AND 4),
        number INTEGER CHECK (
            number IS NULL OR typeof(number) = 'integer' AND number BETWEEN 1 AND 2147483647
        ),
        token TEXT NOT NULL CHECK (typeof(token) = 'text'),
        PRIMARY KEY (table_id, game, step)
    ) WITHOUT ROWID;

-- Version 2
-- A check cannot be changed in place, so the table is made anew. The secret and the code that
-- older tables lack are made up: whoever resumes one invites with them from then on. What
-- SQLite takes them from is seeded by the system.
CREATE TABLE tables_2 (
        id INTEGER PRIMARY KEY,
        secret BLOB NOT NULL CHECK (typeof(secret) = 'blob' AND length(secret) = 12),
        code TEXT NOT NULL CHECK (typeof(code) = 'text' AND length(code) = 8),
        opened INTEGER NOT NULL CHECK (typeof(opened) = 'integer'),
        touched INTEGER CHECK (typeof(touched) IN ('integer', 'null')),
        bind TEXT CHECK (typeof(bind) IN ('text', 'null')),
        port INTEGER NOT NULL CHECK (typeof(port) = 'integer' AND port BETWEEN 0 AND 65535),
        public TEXT CHECK (typeof(public) IN ('text', 'null')),
        plain INTEGER NOT NULL CHECK (plain IN (0, 1)),
        unix TEXT CHECK (typeof(unix) IN ('text', 'null')),
        club INTEGER NOT NULL CHECK (club IN (0, 1)),
        ended INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1)),
        settings TEXT NOT NULL DEFAULT '{}' CHECK (typeof(settings) = 'text'),
        phase TEXT NOT NULL DEFAULT 'lobby' CHECK (phase IN ('lobby', 'playing', 'result')),
        paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
        owner BLOB CHECK (owner IS NULL OR typeof(owner) = 'blob' AND length(owner) = 32),
        games INTEGER NOT NULL DEFAULT 0 CHECK (typeof(games) = 'integer' AND games >= 0),
        revision INTEGER NOT NULL DEFAULT 0
            CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647)
    );
INSERT INTO tables_2 SELECT id, randomblob(12), substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (random() & 31), 1), opened, NULL, bind, port, NULL, 0, NULL, 0, ended, settings, phase, 0, owner, games,
        revision FROM tables;
DROP TABLE tables;
ALTER TABLE tables_2 RENAME TO tables;
CREATE INDEX tables_by_opening ON tables (opened);
ALTER TABLE seats ADD COLUMN absence TEXT NOT NULL DEFAULT 'grace'
        CHECK (absence IN ('grace', 'wait', 'bot'));
ALTER TABLE games ADD COLUMN began INTEGER CHECK (typeof(began) IN ('integer', 'null'));
ALTER TABLE games ADD COLUMN ended INTEGER CHECK (typeof(ended) IN ('integer', 'null'));
ALTER TABLE games ADD COLUMN outcome TEXT
        CHECK (outcome IS NULL OR outcome IN ('finished', 'abandoned', 'unknown'));
-- Version 1 did not say how a game came to its end, if it was not the table's last.
UPDATE games SET outcome = (
        SELECT CASE
            WHEN number = games AND phase = 'playing' THEN NULL
            WHEN number = games AND phase = 'result' THEN 'finished'
            ELSE 'unknown'
        END FROM tables WHERE id = table_id
    );
CREATE TABLE players (
        table_id INTEGER NOT NULL REFERENCES tables,
        game INTEGER NOT NULL,
        place INTEGER NOT NULL,
        family TEXT NOT NULL CHECK (typeof(family) = 'text'),
        name TEXT NOT NULL CHECK (typeof(name) = 'text'),
        bot TEXT CHECK (typeof(bot) IN ('text', 'null')),
        PRIMARY KEY (table_id, game, place)
    ) WITHOUT ROWID;
INSERT INTO players SELECT table_id, games, place, family, name, bot
        FROM seats JOIN tables ON id = table_id WHERE phase <> 'lobby';
CREATE TABLE club (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        secret BLOB NOT NULL CHECK (typeof(secret) = 'blob' AND length(secret) = 12)
    );

-- Version 3
ALTER TABLE tables ADD COLUMN muted TEXT NOT NULL DEFAULT '[]'
        CHECK (typeof(muted) = 'text');

-- Version 4
CREATE TABLE history (
        id INTEGER PRIMARY KEY,
        identity BLOB NOT NULL UNIQUE
            CHECK (typeof(identity) = 'blob' AND length(identity) = 32),
        began INTEGER CHECK (typeof(began) IN ('integer', 'null')),
        ended INTEGER CHECK (typeof(ended) IN ('integer', 'null')),
        outcome TEXT NOT NULL CHECK (outcome IN ('finished', 'abandoned')),
        origin TEXT NOT NULL CHECK (origin IN ('own', 'joined', 'imported')),
        edition INTEGER NOT NULL CHECK (edition IN (1, 2)),
        two INTEGER NOT NULL CHECK (two IN (0, 1)),
        at_table INTEGER NOT NULL CHECK (typeof(at_table) = 'integer' AND at_table BETWEEN 2 AND 5),
        bots INTEGER NOT NULL CHECK (typeof(bots) = 'integer' AND bots BETWEEN 0 AND 5),
        own TEXT NOT NULL CHECK (typeof(own) = 'text'),
        decisions INTEGER NOT NULL CHECK (typeof(decisions) = 'integer' AND decisions >= 0),
        rounds INTEGER NOT NULL CHECK (typeof(rounds) = 'integer' AND rounds BETWEEN 1 AND 6),
        players TEXT NOT NULL CHECK (typeof(players) = 'text'),
        record TEXT NOT NULL CHECK (typeof(record) = 'text')
    );
CREATE INDEX history_by_date ON history (coalesce(ended, began, -1), id);
ALTER TABLE games ADD COLUMN past INTEGER NOT NULL DEFAULT 0 CHECK (past IN (0, 1));

-- Version 5
ALTER TABLE tables ADD COLUMN silenced INTEGER NOT NULL DEFAULT 0
        CHECK (silenced IN (0, 1));
-- Secrets in hexadecimal digits, as JSON.
ALTER TABLE tables ADD COLUMN former TEXT NOT NULL DEFAULT '[]'
        CHECK (typeof(former) = 'text');

-- Version 6
ALTER TABLE tables ADD COLUMN evening TEXT NOT NULL DEFAULT '{}'
        CHECK (typeof(evening) = 'text');
-- What was said last; a new line takes the place of the one that many before it.
CREATE TABLE talk (
        table_id INTEGER NOT NULL REFERENCES tables,
        slot INTEGER NOT NULL CHECK (typeof(slot) = 'integer' AND slot >= 0),
        number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number >= 0),
        line TEXT NOT NULL CHECK (typeof(line) = 'text'),
        PRIMARY KEY (table_id, slot)
    ) WITHOUT ROWID;

-- Version 7
ALTER TABLE history ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0
        CHECK (best_of IN (0, 3, 5, 7));
-- Of a record that makes no sense nothing is asked.
UPDATE history SET best_of = CASE
        WHEN json_valid(record) AND json_type(record, '$.settings.best_of') = 'integer'
            AND json_extract(record, '$.settings.best_of') IN (3, 5, 7)
        THEN json_extract(record, '$.settings.best_of')
        ELSE 0
    END;
-- Whether a game was played at a table of the club, which older programs did not say.
ALTER TABLE history ADD COLUMN club INTEGER NOT NULL DEFAULT 0 CHECK (club IN (0, 1));

-- Version 8
-- What the next sealing of a table says of those before.
ALTER TABLE tables ADD COLUMN sealings TEXT NOT NULL DEFAULT '{}'
        CHECK (typeof(sealings) = 'text');
-- Of a sealed game, whose record is empty. What nobody signs has an empty signature.
CREATE TABLE parcels (
        table_id INTEGER NOT NULL REFERENCES tables,
        game INTEGER NOT NULL,
        place INTEGER NOT NULL CHECK (typeof(place) = 'integer' AND place >= 0),
        body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
        signature BLOB NOT NULL CHECK (typeof(signature) = 'blob'),
        PRIMARY KEY (table_id, game, place)
    ) WITHOUT ROWID;
