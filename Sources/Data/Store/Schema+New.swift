extension Schema {
  /// The tables of a store that is made anew, which come to the same as all steps: taken one after the other those cost
  /// eight times as much, as SQLite reads all tables again for each that is altered.
  static let new = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- One row a resource. base: the server's last known document. view: base with our entries applied, null when they
    -- are the same. state: 0 the server does not know it, 1 present, 2 deleted there. withheld: since when the server
    -- refuses it to this account, in milliseconds since 1970. moved: `server.moves` when the base last moved.
    CREATE TABLE resource (
      rowid INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      id TEXT NOT NULL,
      base BLOB,
      version TEXT,
      updated TEXT,
      etag TEXT,
      state INTEGER NOT NULL DEFAULT 0,
      confirmed INTEGER,
      view BLOB,
      visible INTEGER NOT NULL DEFAULT 1,
      pending INTEGER NOT NULL DEFAULT 0,
      review INTEGER NOT NULL DEFAULT 0,
      refresh INTEGER NOT NULL DEFAULT 0,
      settled INTEGER NOT NULL DEFAULT 0,
      opened INTEGER,
      withheld INTEGER,
      moved INTEGER NOT NULL DEFAULT 0,
      UNIQUE (type, id)
    ) STRICT;
    CREATE INDEX resource_opened ON resource (type, opened DESC) WHERE opened IS NOT NULL;
    CREATE INDEX resource_refresh ON resource (type) WHERE refresh = 1;

    -- Former ids of a resource, for ever.
    CREATE TABLE alias (
      type TEXT NOT NULL, alias TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (type, alias)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alias_id ON alias (type, id);

    -- What is derived from a view. Nothing here is ever read back into a document. In tables without row ids the key's
    -- columns come first: SQLite 3.40's integrity check takes others between them for nulls.
    CREATE TABLE reference (
      resource INTEGER NOT NULL REFERENCES resource (rowid) ON DELETE CASCADE,
      type TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (resource, type, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reference_target ON reference (type, id);
    CREATE TABLE identifier (
      resource INTEGER NOT NULL REFERENCES resource (rowid) ON DELETE CASCADE,
      value TEXT NOT NULL, system TEXT NOT NULL, type TEXT NOT NULL, PRIMARY KEY (resource, value, system)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identifier_value ON identifier (type, value);
    CREATE TABLE patient (
      resource INTEGER PRIMARY KEY REFERENCES resource (rowid) ON DELETE CASCADE,
      sort_name TEXT NOT NULL, replaced_by TEXT
    ) STRICT;
    CREATE INDEX patient_sort_name ON patient (sort_name, resource);
    CREATE INDEX patient_replaced_by ON patient (replaced_by) WHERE replaced_by IS NOT NULL;
    CREATE VIRTUAL TABLE patient_text USING fts5 (
      terms, tokenize = "ascii", prefix = '1 2 3 4 5 6 7 8', detail = none);
    CREATE TABLE directory (
      resource INTEGER PRIMARY KEY REFERENCES resource (rowid) ON DELETE CASCADE,
      type TEXT NOT NULL, sort_name TEXT NOT NULL
    ) STRICT;
    CREATE INDEX directory_sort_name ON directory (type, sort_name, resource);
    CREATE TABLE appointment (
      resource INTEGER PRIMARY KEY REFERENCES resource (rowid) ON DELETE CASCADE,
      start INTEGER NOT NULL, finish INTEGER NOT NULL, patient TEXT, practitioner TEXT, location TEXT,
      blocks INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX appointment_start ON appointment (start, resource);
    CREATE INDEX appointment_patient ON appointment (patient, start);
    CREATE INDEX appointment_practitioner ON appointment (practitioner, start);
    CREATE INDEX appointment_location ON appointment (location, start);
    CREATE TABLE observation (
      resource INTEGER NOT NULL REFERENCES resource (rowid) ON DELETE CASCADE,
      code TEXT NOT NULL, patient TEXT NOT NULL, effective INTEGER NOT NULL, PRIMARY KEY (resource, code)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX observation_patient ON observation (patient, code, effective DESC);
    CREATE TABLE slot (
      resource INTEGER PRIMARY KEY REFERENCES resource (rowid) ON DELETE CASCADE,
      start INTEGER NOT NULL, finish INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX slot_start ON slot (start, resource);
    -- The records of charts: visits, problems, allergies, medications, vaccinations, notes.
    CREATE TABLE chart (
      resource INTEGER PRIMARY KEY REFERENCES resource (rowid) ON DELETE CASCADE,
      patient TEXT NOT NULL, type TEXT NOT NULL, date INTEGER NOT NULL, is_open INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX chart_patient ON chart (patient, type, date DESC);
    CREATE INDEX chart_open ON chart (date, resource) WHERE is_open = 1;

    -- The outbox. An entry is gone once the server has answered for it. compared: whether a registration was compared with
    -- the server's patients, or is to go whatever they are.
    CREATE TABLE outbox (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      entry TEXT NOT NULL UNIQUE,
      action TEXT NOT NULL,
      issuer TEXT NOT NULL, subject TEXT NOT NULL, practitioner TEXT,
      type TEXT NOT NULL, id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('create', 'update', 'delete')),
      patch BLOB NOT NULL,
      base_version TEXT,
      state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'ambiguous', 'review')),
      reason TEXT,
      summary TEXT NOT NULL,
      written TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      not_before INTEGER,
      ambiguous_since INTEGER,
      sent INTEGER NOT NULL DEFAULT 0,
      refused_version TEXT,
      alone INTEGER NOT NULL DEFAULT 0,
      attempt TEXT, strategy TEXT, method TEXT, target TEXT, headers BLOB, body BLOB,
      compared INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX outbox_resource ON outbox (type, id, number);
    CREATE INDEX outbox_action ON outbox (action, number);
    CREATE TABLE outbox_reference (
      number INTEGER NOT NULL REFERENCES outbox (number) ON DELETE CASCADE,
      type TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (number, type, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_reference_target ON outbox_reference (type, id);
    CREATE TABLE transition (
      serial INTEGER PRIMARY KEY, number INTEGER NOT NULL, at TEXT NOT NULL,
      old_state TEXT, new_state TEXT NOT NULL, reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX transition_number ON transition (number, serial);

    -- What was sent and settled, bounded; and who did what, which is kept.
    CREATE TABLE journal (
      serial INTEGER PRIMARY KEY, number INTEGER NOT NULL, entry TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL,
      kind TEXT NOT NULL, outcome TEXT NOT NULL, attempt TEXT, version TEXT, settled TEXT NOT NULL,
      action TEXT, summary TEXT
    ) STRICT;
    CREATE INDEX journal_number ON journal (number);
    CREATE INDEX journal_resource ON journal (type, id, serial);
    CREATE INDEX journal_action ON journal (action, serial) WHERE action IS NOT NULL;
    CREATE TABLE audit (
      serial INTEGER PRIMARY KEY, at TEXT NOT NULL, issuer TEXT NOT NULL, subject TEXT NOT NULL,
      act TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, number INTEGER, elements TEXT
    ) STRICT;
    CREATE INDEX audit_resource ON audit (type, id, serial);

    -- What needs a person.
    CREATE TABLE review (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, outbox INTEGER, since TEXT NOT NULL,
      explanation TEXT NOT NULL, details BLOB NOT NULL,
      decision TEXT, decided TEXT, decided_by TEXT
    ) STRICT;
    CREATE INDEX review_open ON review (number) WHERE decision IS NULL;
    CREATE INDEX review_outbox ON review (outbox) WHERE outbox IS NOT NULL;
    CREATE INDEX review_resource ON review (type, id);

    -- What was pulled, and how far. turn: the number of the pull that the cursor and the watermark belong to.
    CREATE TABLE scope (
      name TEXT PRIMARY KEY, type TEXT NOT NULL, filter TEXT NOT NULL,
      watermark TEXT, pass INTEGER NOT NULL DEFAULT 0, cursor TEXT, pass_watermark TEXT, turn INTEGER NOT NULL DEFAULT 0,
      completed INTEGER, attempted INTEGER, error TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE scope_member (
      scope TEXT NOT NULL REFERENCES scope (name) ON DELETE CASCADE,
      type TEXT NOT NULL, id TEXT NOT NULL, pass INTEGER NOT NULL, PRIMARY KEY (scope, type, id)
    ) STRICT, WITHOUT ROWID;
    -- What the server says is gone, or does not show any more, until that is settled. state: 0 said to be deleted,
    -- 1 not shown, 2 one of too many at once, for a person to decide, 3 kept by a person's decision.
    CREATE TABLE disappearance (
      type TEXT NOT NULL, id TEXT NOT NULL, state INTEGER NOT NULL, PRIMARY KEY (type, id)
    ) STRICT, WITHOUT ROWID;
    -- How far the look after all records of a type has come, and when one was last ended, in milliseconds since 1970.
    CREATE TABLE reconcile (type TEXT PRIMARY KEY, cursor TEXT, finished INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE unreadable (
      serial INTEGER PRIMARY KEY, scope TEXT NOT NULL, at TEXT NOT NULL, reason TEXT NOT NULL, document BLOB NOT NULL
    ) STRICT;

    -- What is known of the server. One row. moves: how many transactions moved bases.
    CREATE TABLE server (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      capabilities BLOB, capabilities_read INTEGER, refuses_client_ids TEXT NOT NULL DEFAULT '',
      honours_if_match INTEGER, refuses_transactions INTEGER NOT NULL DEFAULT 0,
      throttled_until INTEGER, throttled_from INTEGER, search_lag INTEGER NOT NULL DEFAULT 15000,
      last_attempt TEXT, last_complete TEXT, last_error BLOB,
      moves INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO server (one) VALUES (1);
    """
}
