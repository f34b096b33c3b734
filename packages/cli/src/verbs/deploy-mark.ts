// `telltale deploy mark`: reports that a version went out. Safe to repeat with the same time: the server keeps the first report.

import { parseUrl } from '@telltale/core/parse-url'
import { environmentOptions } from '../command/target.ts'
import { type Verb, verb } from '../command/verb.ts'

interface DeployOptions {
  version: string
  url: string | undefined
  project: string | undefined
  env: string | undefined
  token: string | undefined
  at: string | undefined
  author: string | undefined
  link: string | undefined
}

const [done, failed, misused] = [0, 1, 2]
const patience = 30_000

export async function reportDeploy(options: DeployOptions): Promise<number> {
  const { version, url, project, env, token, at, author, link } = options
  const missing = whatIsMissing(options)
  if (missing !== undefined || url === undefined || project === undefined || env === undefined) {
    console.error(missing)
    return misused
  }
  const path = `projects/${encodeURIComponent(project)}/environments/${encodeURIComponent(env)}/deploys`
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ version, at, author, link }),
      signal: AbortSignal.timeout(patience),
    })
    if (!response.ok) {
      console.error(`The server refused the deploy (${response.status}): ${await response.text()}`)
      return failed
    }
    console.log(`Reported the deploy of ${version} to ${env}.`)
    return done
  } catch (error) {
    console.error(`The server did not answer: ${error instanceof Error ? error.message : String(error)}.`)
    return failed
  }
}

function whatIsMissing({ url, project, env, token }: DeployOptions): string | undefined {
  if (!url || parseUrl(url) === undefined) return 'Set --url or TELLTALE_URL to the address of the server.'
  if (!project) return 'Set --project or TELLTALE_PROJECT to the key of the project.'
  if (!env) return 'Set --env to the key of the environment.'
  if (!token) return 'Set --token or TELLTALE_TOKEN to a token of the role editor or above.'
  return undefined
}

const verbNamed = (name: string, does: string): Verb =>
  verb({
    name,
    group: 'releases',
    does,
    takes: [{ name: 'VERSION' }],
    options: {
      ...environmentOptions,
      at: { value: 'TIME', does: 'when it went out, now by default' },
      author: { value: 'NAME', does: 'who deployed it' },
      link: { value: 'URL', does: 'the page of the deploy' },
    },
    run: ({ argument, text }) =>
      reportDeploy({
        version: argument(0),
        url: text('url'),
        project: text('project'),
        env: text('env'),
        token: text('token'),
        at: text('at'),
        author: text('author'),
        link: text('link'),
      }),
  })

export const deployMark = verbNamed('deploy mark', 'reports that a version went out, as a mark on charts')
/** As in pipelines that were written before `deploy mark`. */
export const deploy = verbNamed('deploy', 'the same as deploy mark')
