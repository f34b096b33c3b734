// The page of the command, from the table of its verbs.

import { describeOption, spell, usageOf } from '../../packages/cli/src/command/help.ts'
import { groups, type Verb } from '../../packages/cli/src/command/verb.ts'
import { verbs } from '../../packages/cli/src/verbs.ts'
import { page, table } from './markdown.ts'

export function renderCommand(): string {
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const its = verbs.filter((verb) => verb.group === group)
    return its.length === 0 ? [] : [`## ${title}`, ...its.flatMap(describeVerb)]
  })
  return page('Command line', [
    'The command `telltale` is in the package `telltale` with the server (`npx telltale`), and alone as a package for pipelines that the server serves at `/sdk/v1/`. Without a command it starts the server. `telltale help COMMAND` shows what this page says.',
    'Options come first, then the variables of the environment, then what `telltale login` stored. A stored token is only sent to its own server. With `--json`, a verb that calls a server prints its reply, whose members are those of the [API](routes.md), or its own result, and nothing else goes to standard output. `start` (a log on standard error), `completion` (a script) and `mcp` (JSON-RPC already) have no result to print, and no `--json`. Tables fit the width of a terminal; `NO_COLOR` turns colours off.',
    table(
      ['exit code', 'meaning'],
      [
        ['0', 'done'],
        ['1', 'refused, failed, or the server does not answer; standard error says why and what to do'],
        ['2', 'the command line is wrong, or names no server, token or project'],
      ],
    ),
    '`rollout wait` has its own meaning for 1 and 2.',
    ...sections,
  ])
}

function describeVerb(verb: Verb): string[] {
  const { name, does, more, options } = verb
  const rows = Object.entries(options).map(([option, its]) => [
    `\`${spell(option, its)}\``,
    describeOption(its),
  ])
  return [
    `### ${name}`,
    `\`\`\`sh\ntelltale ${usageOf(verb)}\n\`\`\``,
    `${does.slice(0, 1).toUpperCase()}${does.slice(1)}.${more ? ` ${more}` : ''}`,
    ...(rows.length > 0 ? [table(['option', 'meaning'], rows)] : []),
  ]
}
