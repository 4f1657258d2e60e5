import pg from 'pg'

/** Statements that make the schemas of a database, then its rows by table. */
export interface PostgresDump {
  statements: string[]
  rows: { table: string; rows: string }[]
}

/** Condition on a schema: it is none of PostgreSQL itself. */
const OURS = `n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`

/**
 * Dumps a database as pg_dump would, which the PostgreSQL of the tests comes without: of its kinds of objects only
 * those that Docent and pg-boss make. `keepRelease` compares the dump of what was loaded from it with itself.
 * @param url of the superuser, to that database
 */
export async function dumpPostgres(url: string): Promise<PostgresDump> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const list = async (text: string) => (await client.query<{ line: string }>(text)).rows.map(({ line }) => line)
  try {
    const statements = [
      ...(await list(SCHEMAS)),
      ...(await list(ENUMS)),
      'set check_function_bodies = off',
      ...(await list(SEQUENCES)),
      ...(await list(FUNCTIONS)),
      ...(await list(TABLES)),
      ...(await list(SEQUENCE_OWNERS)),
      // Partitions have their own first, so that those of their table find them.
      ...(await list(constraints(`c.relispartition and k.contype <> 'f'`))),
      ...(await list(indexes('c.relispartition'))),
      ...(await list(PARTITIONS)),
      ...(await list(constraints(`not c.relispartition and k.contype <> 'f'`))),
      ...(await list(indexes('not c.relispartition'))),
      ...(await list(constraints(`k.contype = 'f'`))),
      ...(await list(ROW_SECURITY)),
      ...(await list(POLICIES)),
      ...(await list(TRIGGERS)),
      ...(await list(GRANTS)),
    ]
    const rows: PostgresDump['rows'] = []
    for (const table of await list(TABLE_NAMES)) {
      const [text] = await list(`select coalesce(json_agg(r)::text, '[]') as line from only ${table} r`)
      if (text !== '[]') rows.push({ table, rows: text! })
    }
    for (const line of await list(SEQUENCE_VALUES)) statements.push(line)
    return { statements, rows }
  } finally {
    await client.end()
  }
}

/** Makes what a dump holds in an empty database. @param url of the superuser; the role `docent` owns what is made */
export async function loadPostgres(url: string, { statements, rows }: PostgresDump): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set role docent')
    for (const statement of statements) await client.query(statement)
    // Skips triggers and foreign keys, and row level security.
    await client.query('reset role')
    await client.query('set session_replication_role = replica')
    for (const { table, rows: text } of rows)
      await client.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
        [text],
      )
  } finally {
    await client.end()
  }
}

const SCHEMAS = `select format('create schema if not exists %I', nspname) as line from pg_namespace n where ${OURS} and nspname !~ '^pg_' order by 1`

const ENUMS = `select format('create type %I.%I as enum (%s)', n.nspname, t.typname,
    string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)) as line
  from pg_type t join pg_enum e on e.enumtypid = t.oid join pg_namespace n on n.oid = t.typnamespace
  where ${OURS} group by n.nspname, t.typname order by 1`

const SEQUENCES = `select format('create sequence %I.%I as %s increment %s minvalue %s maxvalue %s start %s cache %s', n.nspname, c.relname,
    format_type(s.seqtypid, null), seqincrement, seqmin, seqmax, seqstart, seqcache) as line
  from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i') order by 1`

const SEQUENCE_OWNERS = `select format('alter sequence %s owned by %s.%I', d.objid::regclass, d.refobjid::regclass, a.attname) as line
  from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'S' join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where ${OURS} and d.deptype = 'a' order by 1`

const SEQUENCE_VALUES = `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value is not null) as line
  from pg_sequences where schemaname !~ '^pg_' order by 1`

const FUNCTIONS = `select pg_get_functiondef(p.oid) as line from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${OURS} and p.prokind in ('f', 'p') order by p.oid`

const COLUMN = `format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attidentity = '' and d.adbin is not null then
      case when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
           else format(' default %s', pg_get_expr(d.adbin, d.adrelid)) end else '' end,
    case a.attidentity when 'a' then ' generated always as identity' when 'd' then ' generated by default as identity' else '' end,
    case when a.attnotnull then ' not null' else '' end)`

const TABLES = `select format('create table %I.%I (%s)%s%s', n.nspname, c.relname, string_agg(${COLUMN}, ', ' order by a.attnum),
    case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end,
    case when c.reloptions is not null then format(' with (%s)', array_to_string(c.reloptions, ', ')) else '' end) as line
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where ${OURS} and c.relkind in ('r', 'p') group by n.nspname, c.relname, c.relkind, c.oid, c.reloptions order by c.oid`

const TABLE_NAMES = `select format('%I.%I', n.nspname, c.relname) as line from pg_class c
  join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind = 'r' order by 1`

const PARTITIONS = `select format('alter table %s attach partition %I.%I %s', i.inhparent::regclass, n.nspname, c.relname,
    pg_get_expr(c.relpartbound, c.oid)) as line
  from pg_inherits i join pg_class c on c.oid = i.inhrelid and c.relkind in ('r', 'p')
  join pg_namespace n on n.oid = c.relnamespace where ${OURS} order by c.oid`

const constraints = (which: string) => `select format('alter table %s%I.%I add constraint %I %s',
    case when c.relispartition and k.contype = 'f' then 'only ' else '' end, n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and k.contype in ('p', 'u', 'c', 'f', 'x') and not (k.contype = 'f' and k.conparentid <> 0) and ${which}
  order by c.relname, k.contype = 'f', k.conname`

const indexes = (which: string) => `select pg_get_indexdef(x.indexrelid) as line
  from pg_index x join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind in ('r', 'p') and ${which}
    and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))
  order by 1`

const ROW_SECURITY = `select format('alter table %I.%I %s row level security', n.nspname, c.relname, kind) as line
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join lateral (values ('enable', c.relrowsecurity), ('force', c.relforcerowsecurity)) as v(kind, on_)
  where ${OURS} and on_ order by 1`

const POLICIES = `select format('create policy %I on %I.%I as %s for %s to %s%s%s', policyname, schemaname, tablename, permissive, cmd,
    array_to_string(roles, ', '), case when qual is null then '' else format(' using (%s)', qual) end,
    case when with_check is null then '' else format(' with check (%s)', with_check) end) as line from pg_policies order by 1`

const TRIGGERS = `select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
  join pg_namespace n on n.oid = c.relnamespace where ${OURS} and not t.tgisinternal order by 1`

/** Rights that others than the owner have. */
const GRANTS = `select format('grant %s on %I.%I to %s', g.privilege_type, n.nspname, c.relname,
    case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end) as line
  from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join lateral aclexplode(c.relacl) g
  where ${OURS} and g.grantee <> c.relowner and c.relkind in ('r', 'p', 'S') order by 1`
