-- A database as version 1 of it was written, by the program of that time.
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
INSERT INTO "actions" VALUES(1,1,1,0,1,'D>');
INSERT INTO "actions" VALUES(1,1,2,1,1,'H<');
INSERT INTO "actions" VALUES(1,1,3,2,NULL,'A<');
INSERT INTO "actions" VALUES(1,1,4,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,5,1,2,'!');
INSERT INTO "actions" VALUES(1,1,6,0,2,'+');
INSERT INTO "actions" VALUES(1,1,7,1,3,'L^2');
INSERT INTO "actions" VALUES(1,1,8,2,NULL,'S<');
INSERT INTO "actions" VALUES(1,1,9,0,3,'L>');
INSERT INTO "actions" VALUES(1,1,10,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,11,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,12,1,4,'+');
INSERT INTO "actions" VALUES(1,1,13,0,4,'+');
INSERT INTO "actions" VALUES(1,1,14,0,5,'+');
INSERT INTO "actions" VALUES(1,1,15,2,NULL,'P<');
INSERT INTO "actions" VALUES(1,1,16,0,6,'P^5');
INSERT INTO "actions" VALUES(1,1,17,1,5,'M>');
INSERT INTO "actions" VALUES(1,1,18,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,19,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,20,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,21,1,6,'+');
INSERT INTO "actions" VALUES(1,1,22,0,7,'!');
INSERT INTO "actions" VALUES(1,1,23,0,8,'$b');
INSERT INTO "actions" VALUES(1,1,24,0,9,'+');
INSERT INTO "actions" VALUES(1,1,25,1,7,'+');
INSERT INTO "actions" VALUES(1,1,26,0,10,'C<');
INSERT INTO "actions" VALUES(1,1,27,1,8,'S^8');
INSERT INTO "actions" VALUES(1,1,28,2,NULL,'H<');
INSERT INTO "actions" VALUES(1,1,29,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,30,0,11,'!');
INSERT INTO "actions" VALUES(1,1,31,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,32,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,33,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,34,1,9,'+');
INSERT INTO "actions" VALUES(1,1,35,0,12,'$r');
INSERT INTO "actions" VALUES(1,1,36,0,13,'+');
INSERT INTO "actions" VALUES(1,1,37,1,10,'+');
INSERT INTO "actions" VALUES(1,1,38,1,11,'X<');
INSERT INTO "actions" VALUES(1,1,39,2,NULL,'L<');
INSERT INTO "actions" VALUES(1,1,40,0,14,'S^9');
INSERT INTO "actions" VALUES(1,1,41,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,42,1,12,'!');
INSERT INTO "actions" VALUES(1,1,43,1,13,'x3');
INSERT INTO "actions" VALUES(1,1,44,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,45,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,46,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,47,1,14,'+');
INSERT INTO "actions" VALUES(1,1,48,0,15,'$b');
INSERT INTO "actions" VALUES(1,1,49,0,16,'+');
INSERT INTO "actions" VALUES(1,1,50,1,15,'+');
INSERT INTO "actions" VALUES(1,1,51,2,NULL,'X<');
INSERT INTO "actions" VALUES(1,1,52,0,17,'M>');
INSERT INTO "actions" VALUES(1,1,53,1,16,'C<');
INSERT INTO "actions" VALUES(1,1,54,1,17,'+');
INSERT INTO "actions" VALUES(1,1,55,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,56,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,57,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,58,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,59,2,NULL,'+');
INSERT INTO "actions" VALUES(1,1,60,1,18,'!');
INSERT INTO "actions" VALUES(1,1,61,0,18,'$r');
INSERT INTO "actions" VALUES(1,1,62,0,19,'+');
INSERT INTO "actions" VALUES(1,1,63,1,19,'+');
INSERT INTO "actions" VALUES(1,1,64,0,20,'+');
INSERT INTO "actions" VALUES(1,2,1,0,21,'D>');
INSERT INTO "actions" VALUES(1,2,2,1,20,'S>');
INSERT INTO "actions" VALUES(1,2,3,2,NULL,'S<');
INSERT INTO "actions" VALUES(1,2,4,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,5,0,22,'!');
INSERT INTO "actions" VALUES(1,2,6,0,23,'3>1');
INSERT INTO "actions" VALUES(1,2,7,1,21,'A<');
INSERT INTO "actions" VALUES(1,2,8,2,NULL,'F<');
INSERT INTO "actions" VALUES(1,2,9,0,24,'P>');
INSERT INTO "actions" VALUES(1,2,10,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,11,1,22,'!');
INSERT INTO "actions" VALUES(1,2,12,1,23,'x1');
INSERT INTO "actions" VALUES(1,2,13,1,24,'+');
INSERT INTO "actions" VALUES(1,2,14,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,15,0,25,'!');
INSERT INTO "actions" VALUES(1,2,16,2,NULL,'L<');
INSERT INTO "actions" VALUES(1,2,17,0,26,'A>');
INSERT INTO "actions" VALUES(1,2,18,1,25,'P^2');
INSERT INTO "actions" VALUES(1,2,19,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,20,1,26,'!');
INSERT INTO "actions" VALUES(1,2,21,1,27,'$g');
INSERT INTO "actions" VALUES(1,2,22,1,28,'!');
INSERT INTO "actions" VALUES(1,2,23,1,29,'x2');
INSERT INTO "actions" VALUES(1,2,24,2,NULL,'+');
INSERT INTO "actions" VALUES(1,2,25,0,27,'$r');
INSERT INTO "actions" VALUES(1,2,26,0,28,'!');
INSERT INTO "actions" VALUES(2,1,1,0,1,'C>');
INSERT INTO "actions" VALUES(2,1,2,1,1,'P<');
INSERT INTO "actions" VALUES(2,1,3,2,NULL,'P<');
INSERT INTO "actions" VALUES(2,1,4,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,5,1,2,'!');
INSERT INTO "actions" VALUES(2,1,6,1,3,'$r');
INSERT INTO "actions" VALUES(2,1,7,0,2,'+');
INSERT INTO "actions" VALUES(2,1,8,1,4,'L^2');
INSERT INTO "actions" VALUES(2,1,9,2,NULL,'H<');
INSERT INTO "actions" VALUES(2,1,10,0,3,'H^4');
INSERT INTO "actions" VALUES(2,1,11,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,12,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,13,1,5,'+');
INSERT INTO "actions" VALUES(2,1,14,0,4,'+');
INSERT INTO "actions" VALUES(2,1,15,2,NULL,'F<');
INSERT INTO "actions" VALUES(2,1,16,0,5,'P<');
INSERT INTO "actions" VALUES(2,1,17,1,6,'A<');
INSERT INTO "actions" VALUES(2,1,18,1,7,'!');
INSERT INTO "actions" VALUES(2,1,19,1,8,'x7');
INSERT INTO "actions" VALUES(2,1,20,0,6,'+');
INSERT INTO "actions" VALUES(2,1,21,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,22,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,23,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,24,1,9,'!');
INSERT INTO "actions" VALUES(2,1,25,0,7,'!');
INSERT INTO "actions" VALUES(2,1,26,0,8,'M<');
INSERT INTO "actions" VALUES(2,1,27,1,10,'S<');
INSERT INTO "actions" VALUES(2,1,28,2,NULL,'L<');
INSERT INTO "actions" VALUES(2,1,29,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,30,1,11,'!');
INSERT INTO "actions" VALUES(2,1,31,1,12,'x1');
INSERT INTO "actions" VALUES(2,1,32,0,9,'+');
INSERT INTO "actions" VALUES(2,1,33,1,13,'x1');
INSERT INTO "actions" VALUES(2,1,34,0,10,'+');
INSERT INTO "actions" VALUES(2,1,35,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,36,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,37,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,38,1,14,'X>');
INSERT INTO "actions" VALUES(2,1,39,2,NULL,'X<');
INSERT INTO "actions" VALUES(2,1,40,0,11,'S^2');
INSERT INTO "actions" VALUES(2,1,41,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,42,0,12,'!');
INSERT INTO "actions" VALUES(2,1,43,0,13,'x3');
INSERT INTO "actions" VALUES(2,1,44,0,14,'!');
INSERT INTO "actions" VALUES(2,1,45,0,15,'$g');
INSERT INTO "actions" VALUES(2,1,46,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,47,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,48,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,49,1,15,'+');
INSERT INTO "actions" VALUES(2,1,50,2,NULL,'D<');
INSERT INTO "actions" VALUES(2,1,51,0,16,'F^3');
INSERT INTO "actions" VALUES(2,1,52,1,16,'H^8');
INSERT INTO "actions" VALUES(2,1,53,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,54,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,55,0,17,'+');
INSERT INTO "actions" VALUES(2,1,56,0,18,'$g');
INSERT INTO "actions" VALUES(2,1,57,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,58,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,59,2,NULL,'+');
INSERT INTO "actions" VALUES(2,1,60,1,17,'+');
INSERT INTO "actions" VALUES(2,1,61,1,18,'+');
INSERT INTO "actions" VALUES(3,1,1,0,1,'H>');
INSERT INTO "actions" VALUES(3,1,2,1,1,'D<');
INSERT INTO "actions" VALUES(3,1,3,2,NULL,'A<');
INSERT INTO "actions" VALUES(3,1,4,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,5,1,2,'!');
INSERT INTO "actions" VALUES(3,1,6,1,3,'1>3');
INSERT INTO "actions" VALUES(3,1,7,0,2,'!');
INSERT INTO "actions" VALUES(3,1,8,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,9,1,4,'H<');
INSERT INTO "actions" VALUES(3,1,10,2,NULL,'S<');
INSERT INTO "actions" VALUES(3,1,11,0,3,'C^3');
INSERT INTO "actions" VALUES(3,1,12,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,13,1,5,'+');
INSERT INTO "actions" VALUES(3,1,14,0,4,'!');
INSERT INTO "actions" VALUES(3,1,15,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,16,2,NULL,'F<');
INSERT INTO "actions" VALUES(3,1,17,0,5,'S^4');
INSERT INTO "actions" VALUES(3,1,18,1,6,'F>');
INSERT INTO "actions" VALUES(3,1,19,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,20,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,21,1,7,'!');
INSERT INTO "actions" VALUES(3,1,22,0,6,'+');
INSERT INTO "actions" VALUES(3,1,23,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,24,1,8,'+');
INSERT INTO "actions" VALUES(3,1,25,0,7,'L^4');
INSERT INTO "actions" VALUES(3,1,26,1,9,'M<');
INSERT INTO "actions" VALUES(3,1,27,2,NULL,'L<');
INSERT INTO "actions" VALUES(3,1,28,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,29,1,10,'!');
INSERT INTO "actions" VALUES(3,1,30,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,31,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,32,0,8,'!');
INSERT INTO "actions" VALUES(3,1,33,2,NULL,'+');
INSERT INTO "actions" VALUES(3,1,34,1,11,'+');
INSERT INTO "actions" VALUES(3,1,35,1,12,'C^7');
INSERT INTO "actions" VALUES(4,1,1,0,1,'S>');
INSERT INTO "actions" VALUES(4,1,2,1,1,'A>');
INSERT INTO "actions" VALUES(4,1,3,2,NULL,'S<');
INSERT INTO "actions" VALUES(4,1,4,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,5,0,2,'!');
INSERT INTO "actions" VALUES(4,1,6,0,3,'x1');
INSERT INTO "actions" VALUES(4,1,7,1,2,'+');
INSERT INTO "actions" VALUES(4,1,8,1,3,'C>');
INSERT INTO "actions" VALUES(4,1,9,2,NULL,'H<');
INSERT INTO "actions" VALUES(4,1,10,0,4,'M<');
INSERT INTO "actions" VALUES(4,1,11,0,5,'!');
INSERT INTO "actions" VALUES(4,1,12,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,13,0,6,'x3');
INSERT INTO "actions" VALUES(4,1,14,1,4,'+');
INSERT INTO "actions" VALUES(4,1,15,2,NULL,'F<');
INSERT INTO "actions" VALUES(4,1,16,0,7,'P<');
INSERT INTO "actions" VALUES(4,1,17,1,5,'M^5');
INSERT INTO "actions" VALUES(4,1,18,0,8,'+');
INSERT INTO "actions" VALUES(4,1,19,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,20,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,21,0,9,'x5');
INSERT INTO "actions" VALUES(4,1,22,1,6,'!');
INSERT INTO "actions" VALUES(4,1,23,0,10,'F>');
INSERT INTO "actions" VALUES(4,1,24,1,7,'F<');
INSERT INTO "actions" VALUES(4,1,25,2,NULL,'L<');
INSERT INTO "actions" VALUES(4,1,26,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,27,1,8,'+');
INSERT INTO "actions" VALUES(4,1,28,0,11,'!');
INSERT INTO "actions" VALUES(4,1,29,0,12,'$b');
INSERT INTO "actions" VALUES(4,1,30,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,31,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,32,0,13,'+');
INSERT INTO "actions" VALUES(4,1,33,1,9,'H^2');
INSERT INTO "actions" VALUES(4,1,34,2,NULL,'X<');
INSERT INTO "actions" VALUES(4,1,35,0,14,'C>');
INSERT INTO "actions" VALUES(4,1,36,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,37,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,38,1,10,'+');
INSERT INTO "actions" VALUES(4,1,39,0,15,'$b');
INSERT INTO "actions" VALUES(4,1,40,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,41,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,42,0,16,'!');
INSERT INTO "actions" VALUES(4,1,43,0,17,'!');
INSERT INTO "actions" VALUES(4,1,44,2,NULL,'D<');
INSERT INTO "actions" VALUES(4,1,45,0,18,'L<');
INSERT INTO "actions" VALUES(4,1,46,1,11,'D>');
INSERT INTO "actions" VALUES(4,1,47,0,19,'+');
INSERT INTO "actions" VALUES(4,1,48,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,49,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,50,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,51,1,12,'!');
INSERT INTO "actions" VALUES(4,1,52,0,20,'$g');
INSERT INTO "actions" VALUES(4,1,53,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,54,2,NULL,'+');
INSERT INTO "actions" VALUES(4,1,55,1,13,'!');
INSERT INTO "actions" VALUES(4,1,56,1,14,'7>6');
CREATE TABLE games (
            table_id INTEGER NOT NULL REFERENCES tables,
            number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number > 0),
            revision INTEGER NOT NULL
                CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647),
            record TEXT NOT NULL CHECK (typeof(record) = 'text'),
            PRIMARY KEY (table_id, number)
        ) WITHOUT ROWID;
INSERT INTO "games" VALUES(1,1,1,'{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"SPFLDMC","b":"ASHLXMC","g":"ASPHLXM"},"aside":{"r":"AHX","b":"PFD","g":"FDC"}},"settings":{"first":"r","direction":"right","pace_ms":0},"actions":[]}');
INSERT INTO "games" VALUES(1,2,66,'{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"ASPHXDC","b":"ASPFLXC","g":"SFLXDMC"},"aside":{"r":"FLM","b":"HDM","g":"APH"}},"settings":{"first":"r","direction":"right","pace_ms":0},"actions":[]}');
INSERT INTO "games" VALUES(2,1,1,'{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"ASPHFMC","b":"ASPHLXM","g":"PHFLXDM"},"aside":{"r":"LXD","b":"FDC","g":"ASC"}},"settings":{"first":"r","direction":"right","pace_ms":0},"actions":[]}');
INSERT INTO "games" VALUES(3,1,1,'{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"SPHFLMC","b":"ASHFDMC","g":"ASFLXDM"},"aside":{"r":"AXD","b":"PLX","g":"PHC"}},"settings":{"first":"r","direction":"right","pace_ms":0},"actions":[]}');
INSERT INTO "games" VALUES(4,1,1,'{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"r","hands":{"r":"SPHFLMC","b":"AHFXDMC","g":"SHFLXDC"},"aside":{"r":"AXD","b":"SPL","g":"APM"}},"settings":{"first":"r","direction":"right","pace_ms":0},"actions":[]}');
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
INSERT INTO "seats" VALUES(1,0,'r','Rosalind',NULL,X'42E6BA1D63CD370E33D9CA73F70A64875E721091574DCD3767285D34AA92012E',X'42E6BA1D63CD370E33D9CA73F70A64875E721091574DCD3767285D34AA92012E',1,0,20);
INSERT INTO "seats" VALUES(1,1,'b','Blaise',NULL,X'A2B7B75D858F53A2C80E648AE626F2606A4678AFB8D03A85AC0C850FF5EE6F59',X'A2B7B75D858F53A2C80E648AE626F2606A4678AFB8D03A85AC0C850FF5EE6F59',0,0,19);
INSERT INTO "seats" VALUES(1,2,'g','Steady','steady',NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(2,0,'r','Rosalind',NULL,X'6C83D4914A858FFDE0B610BE7EAFFDB906C6EAADF19755E4DEFEBE158B22694D',X'6C83D4914A858FFDE0B610BE7EAFFDB906C6EAADF19755E4DEFEBE158B22694D',1,0,18);
INSERT INTO "seats" VALUES(2,1,'b','Blaise',NULL,X'A1F77737E9978C74E762466E4424974FB926F9456BE7087FF1B6C207D2378227',X'A1F77737E9978C74E762466E4424974FB926F9456BE7087FF1B6C207D2378227',0,0,18);
INSERT INTO "seats" VALUES(2,2,'g','Steady','steady',NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(3,0,'g','Steady','steady',NULL,NULL,0,0,0);
INSERT INTO "seats" VALUES(4,0,'r','Rosalind',NULL,X'B8F7BA3F95DB30C0F01E466EB553755E58BDEDF5BE33581E298F9ACAA0001736',X'B8F7BA3F95DB30C0F01E466EB553755E58BDEDF5BE33581E298F9ACAA0001736',1,0,20);
INSERT INTO "seats" VALUES(4,1,'b','Blaise',NULL,X'46190C0B53CBB801FED50C2ED400D7F70C88ACA358F9DA79BF2B312EB6C07955',X'46190C0B53CBB801FED50C2ED400D7F70C88ACA358F9DA79BF2B312EB6C07955',0,0,14);
INSERT INTO "seats" VALUES(4,2,'g','Steady','steady',NULL,NULL,0,0,0);
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
INSERT INTO "tables" VALUES(1,1,'::1',4000,0,'{"edition":2,"first":"r","direction":"right","pace_ms":0}','playing',X'630DCD2966C4336691125448BBB25B4FF412A49C732DB2C8ABC1B8581BD710DD',2,66);
INSERT INTO "tables" VALUES(2,2,'::1',4000,0,'{"edition":2,"first":"r","direction":"right","pace_ms":0}','result',X'630DCD2966C4336691125448BBB25B4FF412A49C732DB2C8ABC1B8581BD710DD',1,62);
INSERT INTO "tables" VALUES(3,3,'::1',4000,0,'{"edition":2,"first":"r","direction":"right","pace_ms":0}','lobby',NULL,1,36);
INSERT INTO "tables" VALUES(4,4,'::1',4000,1,'{"edition":2,"first":"r","direction":"right","pace_ms":0}','lobby',X'630DCD2966C4336691125448BBB25B4FF412A49C732DB2C8ABC1B8581BD710DD',1,57);
COMMIT;
PRAGMA user_version = 1;
