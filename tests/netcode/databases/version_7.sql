-- A database as version 7 of it was written, by the program of that time.
BEGIN TRANSACTION;
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
INSERT INTO "actions" VALUES(1,2,1,1,14,'S>');
INSERT INTO "actions" VALUES(1,2,2,2,NULL,'S<');
INSERT INTO "actions" VALUES(1,2,3,0,21,'C<');
INSERT INTO "actions" VALUES(1,2,4,0,22,'!');
INSERT INTO "actions" VALUES(1,2,5,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,6,1,15,'!');
INSERT INTO "actions" VALUES(1,2,7,2,NULL,'F<');
INSERT INTO "actions" VALUES(1,2,8,0,23,'H<');
INSERT INTO "actions" VALUES(1,2,9,1,16,'P>');
INSERT INTO "actions" VALUES(1,2,10,0,24,'!');
INSERT INTO "actions" VALUES(1,2,11,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,12,1,17,'x2');
INSERT INTO "actions" VALUES(1,2,13,1,18,'!');
INSERT INTO "actions" VALUES(1,2,14,0,25,'S>');
INSERT INTO "actions" VALUES(1,2,15,1,19,'F>');
INSERT INTO "actions" VALUES(1,2,16,2,NULL,'L<');
INSERT INTO "actions" VALUES(1,2,17,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,18,1,20,'x2');
INSERT INTO "actions" VALUES(1,2,19,1,21,'$b');
INSERT INTO "actions" VALUES(1,2,20,0,26,'!');
INSERT INTO "actions" VALUES(1,2,21,0,27,'x5');
INSERT INTO "actions" VALUES(1,2,22,1,22,'C>');
INSERT INTO "actions" VALUES(1,2,23,2,NULL,'X<');
INSERT INTO "actions" VALUES(2,1,1,0,1,'C>');
INSERT INTO "actions" VALUES(2,1,2,1,1,'A<');
INSERT INTO "actions" VALUES(2,1,3,2,NULL,'P<');
INSERT INTO "actions" VALUES(2,1,4,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,5,1,2,'!');
INSERT INTO "actions" VALUES(2,1,6,1,3,'x3');
INSERT INTO "actions" VALUES(2,1,7,1,4,'L<');
INSERT INTO "actions" VALUES(2,1,8,2,NULL,'H<');
INSERT INTO "actions" VALUES(2,1,9,0,2,'F>');
INSERT INTO "actions" VALUES(2,1,10,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,11,1,5,'!');
INSERT INTO "actions" VALUES(2,1,12,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,13,1,6,'x5');
INSERT INTO "actions" VALUES(2,1,14,2,NULL,'F<');
INSERT INTO "actions" VALUES(2,1,15,0,3,'H>');
INSERT INTO "actions" VALUES(2,1,16,1,7,'S>');
INSERT INTO "actions" VALUES(2,1,17,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,18,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,19,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,20,1,8,'x7');
INSERT INTO "actions" VALUES(2,1,21,0,4,'!');
INSERT INTO "actions" VALUES(2,1,22,0,5,'M<');
INSERT INTO "actions" VALUES(2,1,23,1,9,'X>');
INSERT INTO "actions" VALUES(2,1,24,2,NULL,'L<');
INSERT INTO "actions" VALUES(2,1,25,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,26,0,6,'+');
INSERT INTO "actions" VALUES(2,1,27,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,28,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,29,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,30,1,10,'x1');
INSERT INTO "actions" VALUES(2,1,31,1,11,'+');
INSERT INTO "actions" VALUES(2,1,32,1,12,'M>');
INSERT INTO "actions" VALUES(2,1,33,2,NULL,'X<');
INSERT INTO "actions" VALUES(2,1,34,0,7,'S^8');
INSERT INTO "actions" VALUES(2,1,35,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,36,0,8,'!');
INSERT INTO "actions" VALUES(2,1,37,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,38,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,39,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,40,1,13,'x9');
INSERT INTO "actions" VALUES(2,1,41,0,9,'!');
INSERT INTO "actions" VALUES(2,1,42,0,10,'x8');
INSERT INTO "actions" VALUES(2,1,43,2,NULL,'D<');
INSERT INTO "actions" VALUES(2,1,44,0,11,'P>');
INSERT INTO "actions" VALUES(2,1,45,1,14,'H^7');
INSERT INTO "actions" VALUES(2,1,46,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,47,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,48,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,49,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,50,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,51,1,15,'+');
INSERT INTO "actions" VALUES(2,1,52,0,12,'x9');
CREATE TABLE club (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        secret BLOB NOT NULL CHECK (typeof(secret) = 'blob' AND length(secret) = 12)
    );
CREATE TABLE games (
        table_id INTEGER NOT NULL REFERENCES tables,
        number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number > 0),
        revision INTEGER NOT NULL
            CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647),
        record TEXT NOT NULL CHECK (typeof(record) = 'text'), began INTEGER CHECK (typeof(began) IN ('integer', 'null')), ended INTEGER CHECK (typeof(ended) IN ('integer', 'null')), outcome TEXT
        CHECK (outcome IS NULL OR outcome IN ('finished', 'abandoned', 'unknown')), past INTEGER NOT NULL DEFAULT 0 CHECK (past IN (0, 1)),
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
INSERT INTO "games" VALUES(1,2,62,'{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"b","hands":{"r":"ASPHXDC","b":"ASPFLXC","g":"SFLXDMC"},"aside":{"r":"FLM","b":"HDM","g":"APH"}},"settings":{"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false},"actions":[]}',1700010208,NULL,NULL,0);
INSERT INTO "games" VALUES(2,1,1,'{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"ASPHFMC","b":"ASPHLXM","g":"PHFLXDM"},"aside":{"r":"LXD","b":"FDC","g":"ASC"}},"settings":{"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false},"actions":[]}',1700020000,1700020164,'finished',1);
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
    , best_of INTEGER NOT NULL DEFAULT 0
        CHECK (best_of IN (0, 3, 5, 7)), club INTEGER NOT NULL DEFAULT 0 CHECK (club IN (0, 1)));
INSERT INTO "history" VALUES(1,X'62978600EE2BD0FF36AA4F5F754751FBC049E6C53960B15339DA6B966D2940C3',1700010000,1700010204,'finished','own',2,0,3,1,'0',60,6,'[["r","Rosalind",null,5,2],["b","Blaise",null,8,1],["g","Aubin","steady",0,3]]','{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"SPFLDMC","b":"ASHLXMC","g":"ASPHLXM"},"aside":{"r":"AHX","b":"PFD","g":"FDC"}},"settings":{"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false},"players":[{"family":"r","name":"Rosalind","bot":null},{"family":"b","name":"Blaise","bot":null},{"family":"g","name":"Aubin","bot":"steady"}],"began":1700010000,"ended":1700010204,"actions":["P>","C<","A<","+","!","!","L<","S<","F>","+","!","+","$g","!","P<","M>","A>","+","+","+","$g","+","!","x8","S^7","M>","H<","+","+","+","+","$g","+","!","S^4","L<","C^7","+","+","+","+","+","+","!","$r","!","X<","D>","H^6","+","+","+","+","+","!","+","$r","x8","!","3>8"]}',0,0);
INSERT INTO "history" VALUES(2,X'98CD96D848D7C5350754E69AA10BD6222EF9B9341176C1607248FA2E007BA167',1700020000,1700020164,'finished','own',2,0,3,1,'0',52,6,'[["r","Rosalind",null,8,2],["b","Blaise",null,11,1],["g","Aubin","steady",1,3]]','{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"ASPHFMC","b":"ASPHLXM","g":"PHFLXDM"},"aside":{"r":"LXD","b":"FDC","g":"ASC"}},"settings":{"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false},"players":[{"family":"r","name":"Rosalind","bot":null},{"family":"b","name":"Blaise","bot":null},{"family":"g","name":"Aubin","bot":"steady"}],"began":1700020000,"ended":1700020164,"actions":["C>","A<","P<","+","!","x3","L<","H<","F>","+","!","+","x5","F<","H>","S>","+","+","+","x7","!","M<","X>","L<","+","+","+","+","+","x1","+","M>","X<","S^8","+","!","+","+","+","x9","!","x8","D<","P>","H^7","+","+","+","+","+","+","x9"]}',0,0);
INSERT INTO "history" VALUES(3,X'2543E10E6C6A02A0C1C2E64C1744C6FDE91D5895D997959E8E5BD7D1F2B7B6F0',1700030000,1700030095,'abandoned','own',2,0,3,1,'',28,4,'[["r","Rosalind",null,5,null],["b","Blaise",null,1,null],["g","Aubin","steady",1,null]]','{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"SPHFLMC","b":"ASHFDMC","g":"ASFLXDM"},"aside":{"r":"AXD","b":"PLX","g":"PHC"}},"settings":{"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false},"players":[{"family":"r","name":"Rosalind","bot":null},{"family":"b","name":"Blaise","bot":null},{"family":"g","name":"Aubin","bot":"steady"}],"began":1700030000,"ended":1700030095,"actions":["P>","S<","A<","+","!","x1","!","D>","S<","L^3","+","x3","+","F<","H<","H^6","+","+","+","x3","+","S<","A^4","L<","+","!","x3","+"]}',0,0);
INSERT INTO "history" VALUES(4,X'E5CF3AE396FFED744376BB8BDC856293EC1191553471BE54626E3CCBBA936B2A',1700040000,1700040165,'finished','own',2,0,3,1,'0',58,6,'[["r","Rosalind",null,9,1],["b","Blaise",null,3,2],["g","Aubin","steady",0,3]]','{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"SPHFLMC","b":"AHFXDMC","g":"SHFLXDC"},"aside":{"r":"AXD","b":"SPL","g":"APM"}},"settings":{"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false},"players":[{"family":"r","name":"Rosalind","bot":null},{"family":"b","name":"Blaise","bot":null},{"family":"g","name":"Aubin","bot":"steady"}],"began":1700040000,"ended":1700040165,"actions":["P>","M>","S<","+","+","+","D>","H<","S>","+","+","!","$g","!","+","!","F<","M<","F<","!","!","+","+","+","$g","C>","A^1","L<","+","+","+","+","+","x7","C^2","X<","H^7","+","+","!","+","+","+","+","+","D<","L>","X<","!","x3","+","+","+","+","+","+","+","!"]}',0,0);
CREATE TABLE players (
        table_id INTEGER NOT NULL REFERENCES tables,
        game INTEGER NOT NULL,
        place INTEGER NOT NULL,
        family TEXT NOT NULL CHECK (typeof(family) = 'text'),
        name TEXT NOT NULL CHECK (typeof(name) = 'text'),
        bot TEXT CHECK (typeof(bot) IN ('text', 'null')),
        PRIMARY KEY (table_id, game, place)
    ) WITHOUT ROWID;
INSERT INTO "players" VALUES(1,2,0,'r','Rosalind',NULL);
INSERT INTO "players" VALUES(1,2,1,'b','Blaise',NULL);
INSERT INTO "players" VALUES(1,2,2,'g','Aubin','steady');
INSERT INTO "players" VALUES(2,1,0,'r','Rosalind',NULL);
INSERT INTO "players" VALUES(2,1,1,'b','Blaise',NULL);
INSERT INTO "players" VALUES(2,1,2,'g','Aubin','steady');
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
            CHECK (typeof(acted) = 'integer' AND acted BETWEEN 0 AND 2147483647), absence TEXT NOT NULL DEFAULT 'grace'
        CHECK (absence IN ('grace', 'wait', 'bot')),
        PRIMARY KEY (table_id, place)
    ) WITHOUT ROWID;
INSERT INTO "seats" VALUES(1,0,'r','Rosalind',NULL,X'42E6BA1D63CD370E33D9CA73F70A64875E721091574DCD3767285D34AA92012E',X'42E6BA1D63CD370E33D9CA73F70A64875E721091574DCD3767285D34AA92012E',1,0,20,'grace');
INSERT INTO "seats" VALUES(1,1,'b','Blaise',NULL,X'A2B7B75D858F53A2C80E648AE626F2606A4678AFB8D03A85AC0C850FF5EE6F59',X'A2B7B75D858F53A2C80E648AE626F2606A4678AFB8D03A85AC0C850FF5EE6F59',0,0,13,'grace');
INSERT INTO "seats" VALUES(1,2,'g','Aubin','steady',NULL,NULL,0,0,0,'grace');
INSERT INTO "seats" VALUES(2,0,'r','Rosalind',NULL,X'6C83D4914A858FFDE0B610BE7EAFFDB906C6EAADF19755E4DEFEBE158B22694D',X'6C83D4914A858FFDE0B610BE7EAFFDB906C6EAADF19755E4DEFEBE158B22694D',1,0,12,'grace');
INSERT INTO "seats" VALUES(2,1,'b','Blaise',NULL,X'A1F77737E9978C74E762466E4424974FB926F9456BE7087FF1B6C207D2378227',X'A1F77737E9978C74E762466E4424974FB926F9456BE7087FF1B6C207D2378227',0,0,15,'grace');
INSERT INTO "seats" VALUES(2,2,'g','Aubin','steady',NULL,NULL,0,0,0,'grace');
INSERT INTO "seats" VALUES(3,0,'g','Aubin','steady',NULL,NULL,0,0,0,'grace');
INSERT INTO "seats" VALUES(4,0,'r','Rosalind',NULL,X'B8F7BA3F95DB30C0F01E466EB553755E58BDEDF5BE33581E298F9ACAA0001736',X'B8F7BA3F95DB30C0F01E466EB553755E58BDEDF5BE33581E298F9ACAA0001736',1,0,16,'grace');
INSERT INTO "seats" VALUES(4,1,'b','Blaise',NULL,X'46190C0B53CBB801FED50C2ED400D7F70C88ACA358F9DA79BF2B312EB6C07955',X'46190C0B53CBB801FED50C2ED400D7F70C88ACA358F9DA79BF2B312EB6C07955',0,0,16,'grace');
INSERT INTO "seats" VALUES(4,2,'g','Aubin','steady',NULL,NULL,0,0,0,'grace');
CREATE TABLE "tables" (
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
    , muted TEXT NOT NULL DEFAULT '[]'
        CHECK (typeof(muted) = 'text'), silenced INTEGER NOT NULL DEFAULT 0
        CHECK (silenced IN (0, 1)), former TEXT NOT NULL DEFAULT '[]'
        CHECK (typeof(former) = 'text'), evening TEXT NOT NULL DEFAULT '{}'
        CHECK (typeof(evening) = 'text'));
INSERT INTO "tables" VALUES(1,X'000102030405060708090A0B','K7QF2MXR',1,1700040168,'::1',4000,NULL,0,NULL,0,0,'{"edition":2,"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false,"best_of":0}','playing',0,X'B7BCA7371B7976816F05EE141993A3170F9FA4FAF73C4637A6729BE9AC06DB97',2,62,'[]',1,'["010101010101010101010101"]','{"games":1,"standings":[{"name":"Rosalind","games":1,"wins":1,"influence":12,"places":1},{"name":"Blaise","games":1,"wins":0,"influence":9,"places":2},{"name":"Aubin","games":1,"wins":0,"influence":5,"places":3}]}');
INSERT INTO "tables" VALUES(2,X'020202020202020202020202','H7KDPX2A',2,1700020164,'::1',4000,NULL,0,NULL,0,0,'{"edition":2,"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false}','result',0,X'B7BCA7371B7976816F05EE141993A3170F9FA4FAF73C4637A6729BE9AC06DB97',1,53,'[]',0,'[]','{}');
INSERT INTO "tables" VALUES(3,X'030303030303030303030303','H7KDPX2A',3,1700030095,'::1',4000,NULL,0,NULL,0,0,'{"edition":2,"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false}','lobby',0,NULL,1,29,'[]',0,'[]','{}');
INSERT INTO "tables" VALUES(4,X'040404040404040404040404','H7KDPX2A',4,1700040168,'::1',4000,NULL,0,NULL,0,1,'{"edition":2,"first":"r","direction":"right","pace_ms":0,"think_ms":1000,"clock_s":0,"two":false}','lobby',0,X'B7BCA7371B7976816F05EE141993A3170F9FA4FAF73C4637A6729BE9AC06DB97',1,59,'[]',0,'[]','{}');
CREATE TABLE talk (
        table_id INTEGER NOT NULL REFERENCES tables,
        slot INTEGER NOT NULL CHECK (typeof(slot) = 'integer' AND slot >= 0),
        number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number >= 0),
        line TEXT NOT NULL CHECK (typeof(line) = 'text'),
        PRIMARY KEY (table_id, slot)
    ) WITHOUT ROWID;
INSERT INTO "talk" VALUES(1,0,0,'{"name":"Rosalind","family":"r","text":"brave.","phrase":null}');
INSERT INTO "talk" VALUES(1,1,1,'{"name":"Blaise","family":"b","text":"","phrase":"bluff"}');
CREATE INDEX tables_by_opening ON tables (opened);
CREATE INDEX history_by_date ON history (coalesce(ended, began, -1), id);
COMMIT;
PRAGMA user_version = 7;
