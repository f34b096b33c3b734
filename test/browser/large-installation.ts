// A project as large as the limits allow, written straight into the tables of a running server: by the API it would take
// minutes.

import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { dataPaths } from '../../packages/server/src/platform/data-folder/paths.ts'
import { announcementChannel } from '../../packages/server/src/platform/engines/postgres/announcements.ts'
import { findClusterHome } from '../../packages/server/src/platform/engines/postgres/cluster-home.ts'
import { readPostmasterPid } from '../../packages/server/src/platform/engines/postgres/postmaster-pid.ts'
import { socketPort } from '../../packages/server/src/platform/engines/postgres/socket-folder.ts'

export const large = { flags: 5_000, segments: 300, identities: 100_000, tags: 40 }

/** Every key has 64 characters: `flag-0001-nnn…`. */
export const keyOf = (kind: 'flag' | 'segment', index: number) =>
  `${kind}-${String(index).padStart(4, '0')}-`.padEnd(64, 'n')

/** Fills the project; its flags are off, and the newest carries all the tags. */
export async function enlarge(dataFolder: string, project: string): Promise<void> {
  const paths = dataPaths(dataFolder)
  const { clusterFolder } = await findClusterHome(dataFolder, dataFolder)
  const socket = (await readPostmasterPid(clusterFolder))?.socketFolder
  const client = new pg.Client({
    host: socket,
    port: socketPort,
    user: 'telltale',
    database: 'telltale',
    password: (await readFile(paths.postgresPassword, 'utf8')).trim(),
  })
  await client.connect()
  try {
    for (const statement of statements) {
      await client.query(statement, statement === 'ANALYZE' ? [] : [project, ...sizesOf(statement)])
    }
    const change = {
      action: 'flag.create',
      entity: 'flag',
      id: '',
      project: null,
      environment: null,
      part: null,
    }
    await client.query('SELECT pg_notify($1, $2)', [announcementChannel, JSON.stringify(change)])
  } finally {
    await client.end()
  }
}

/** The statements take the project and, where they say so, how many rows to make. */
function sizesOf(statement: string): number[] {
  if (statement.includes('INTO flags ')) return [large.flags, large.tags]
  if (statement.includes('INTO segments')) return [large.segments]
  return statement.includes('INTO identities') ? [large.identities] : []
}

const statements = [
  `INSERT INTO flags (id, project_id, key, name, description, value_type, variations, tags, permanent, client_visible, created_at)
   SELECT gen_random_uuid(), p.id, rpad('flag-' || lpad(n::text, 4, '0') || '-', 64, 'n'),
     rpad('Flag ' || lpad(n::text, 4, '0') || ' with a name of sixty-four characters ', 64, 'm'), '', 'boolean',
     '[{"key":"off","name":"Off","value":false},{"key":"on","name":"On","value":true}]',
     CASE WHEN n = $2::int THEN ARRAY(SELECT 'tag-' || lpad(t::text, 2, '0') FROM generate_series(1, $3::int) t)
       ELSE ARRAY['tag-' || lpad((n % $3::int + 1)::text, 2, '0')] END,
     false, true, now()
   FROM projects p, generate_series(1, $2::int) n WHERE p.key = $1`,
  `INSERT INTO flag_configs (flag_id, environment_id, enabled, off_variation, prerequisites, rules, fallthrough, salt, version, saved_at, one_variation_since)
   SELECT f.id, e.id, false, 'off', '[]', '[]', '{"variation":"on"}', md5(f.key), 1, now(), now()
   FROM flags f JOIN projects p ON p.id = f.project_id JOIN environments e ON e.project_id = p.id WHERE p.key = $1
   ON CONFLICT DO NOTHING`,
  `INSERT INTO flag_config_versions (flag_id, environment_id, version, config, actor, saved_at)
   SELECT c.flag_id, c.environment_id, 1,
     '{"enabled":false,"offVariation":"off","prerequisites":[],"rules":[],"fallthrough":{"variation":"on"}}',
     '{"kind":"system","id":null,"name":"Telltale"}', now()
   FROM flag_configs c JOIN environments e ON e.id = c.environment_id JOIN projects p ON p.id = e.project_id WHERE p.key = $1
   ON CONFLICT DO NOTHING`,
  `INSERT INTO segments (id, project_id, key, name, description, conditions, created_at)
   SELECT gen_random_uuid(), p.id, rpad('segment-' || lpad(n::text, 4, '0') || '-', 64, 'n'),
     rpad('Segment ' || lpad(n::text, 4, '0') || ' with a name of sixty-four characters ', 64, 'm'), '',
     '{"match":"all","of":[{"attribute":"plan","operator":"equals","value":"pro"}]}', now()
   FROM projects p, generate_series(1, $2::int) n WHERE p.key = $1`,
  `INSERT INTO identities (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
   SELECT e.id, 'person-' || lpad(n::text, 6, '0'), jsonb_build_object('plan', CASE WHEN n % 2 = 0 THEN 'pro' ELSE 'free' END),
     now(), now() - n * interval '1 second'
   FROM environments e JOIN projects p ON p.id = e.project_id, generate_series(1, $2::int) n
   WHERE p.key = $1 AND e.key = 'production'`,
  'ANALYZE',
]
