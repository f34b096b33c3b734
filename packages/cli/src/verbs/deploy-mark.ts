// `telltale deploy mark`: safe to repeat with the same time, because the server keeps the first report.

import { calls } from '@telltale/core/contract/calls'
import { environmentVerb } from '../command/remote-verb.ts'
import type { Verb } from '../command/verb.ts'

const verbNamed = (name: string, does: string): Verb =>
  environmentVerb({
    name,
    group: 'releases',
    does,
    takes: [{ name: 'VERSION' }],
    options: {
      at: { value: 'TIME', does: 'when it went out, now by default' },
      author: { value: 'NAME', does: 'who deployed it' },
      link: { value: 'URL', does: 'the page of the deploy' },
    },
    async run({ server, project, env, argument, text, show }) {
      const version = argument(0)
      const [at, author, link] = [text('at'), text('author'), text('link')]
      const reply = await server.request(calls.deploys.createDeploy, {
        params: { project, env },
        body: {
          version,
          ...(at !== undefined && { at }),
          ...(author !== undefined && { author }),
          ...(link !== undefined && { link }),
        },
      })
      show(reply, () => `Reported the deploy of ${version} to ${env}.`)
    },
  })

export const deployMark = verbNamed('deploy mark', 'reports that a version went out, as a mark on charts')
/** As in pipelines that were written before `deploy mark`. */
export const deploy = verbNamed('deploy', 'the same as deploy mark')
