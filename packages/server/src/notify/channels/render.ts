// Renders a notice for each kind of channel.

import type { Notice } from '@telltale/core/notices/notice'
import type { Letter } from '../../platform/http/mail.ts'
import type { ChannelRow } from './queries.ts'

/** The address of the console, if known. */
type Origin = string | undefined

/** The text that is logged and, for webhooks, sent unchanged. */
export function renderBody(kind: ChannelRow['kind'], notice: Notice, origin: Origin): string {
  if (kind === 'slack') return JSON.stringify(toSlack(notice, origin))
  if (kind === 'email') return renderLetter(notice, origin).text
  return JSON.stringify(toPayload(notice, origin))
}

/** In a readable order, because PostgreSQL does not preserve the order of keys in JSON. */
function toPayload(notice: Notice, origin: Origin) {
  const { id, event, at, summary, project, environment, actor, entity, path, reason } = notice
  const { changes, changesOmitted, data, text = null } = notice
  return {
    id,
    type: event,
    at,
    summary,
    link: linkOf(path, origin) ?? null,
    path,
    project,
    environment,
    actor,
    entity,
    reason,
    text,
    changes,
    changesOmitted,
    data,
  }
}

const linkOf = (path: string, origin: Origin) => (origin === undefined ? undefined : `${origin}${path}`)

/** All Slack-compatible services support `text` alone. */
function toSlack(notice: Notice, origin: Origin) {
  const link = linkOf(notice.path, origin)
  const lines = [
    `*${escaped(notice.summary)}*`,
    ...(notice.reason === null ? [] : [escaped(notice.reason)]),
    ...(notice.text === undefined ? [] : [escaped(notice.text)]),
    ...(link === undefined ? [] : [`<${link}|Open in Telltale>`]),
  ]
  return { text: lines.join('\n') }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const subjectLength = 150

export function renderLetter(notice: Notice, origin: Origin): Pick<Letter, 'subject' | 'text'> {
  const { summary, project, environment, actor, at, reason, path } = notice
  const link = linkOf(path, origin)
  const text = [
    summary,
    '',
    ...(notice.text === undefined ? [] : [notice.text, '']),
    `Project: ${project}`,
    ...(environment === null ? [] : [`Environment: ${environment}`]),
    `By: ${actor.name}`,
    `At: ${at}`,
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    ...(link === undefined ? [] : ['', link]),
    '',
  ]
  return {
    subject: `[${project}] ${summary.replaceAll(/\s+/g, ' ')}`.slice(0, subjectLength),
    text: text.join('\n'),
  }
}
